#!/usr/bin/env python3
"""Times the training step of a PyTorch model at several batch sizes and writes a dbsim profile.

Stands alone: needs Python 3.8 and PyTorch 1.13 or newer.

  pytorch_profile.py mymodule:make_model --input 3x32x32 --classes 10 --batches 8,16,32 --out p.json

make_model takes no argument and returns a torch.nn.Module. For what is not a classifier, write a
step(batch) that runs one training step. If it yields after forward and after backward, the parts
are timed too:

  from pytorch_profile import profile_steps, write_profile
  points, max_batch = profile_steps(step, [8, 16, 32])
  write_profile("p.json", points, max_batch, device="T4", model="mine")
"""
import argparse
import importlib
import json
import os
import platform
import statistics
import sys
import time

import torch

PARTS = ("forward_s", "backward_s", "update_s")


def is_out_of_memory(error):
    return isinstance(error, MemoryError) or "out of memory" in str(error).lower()


def synchronize():
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()


def mark():
    """Now, as the device reaches it: a GPU is not made to wait between the parts of a step."""
    if not torch.cuda.is_initialized():
        return time.perf_counter()
    event = torch.cuda.Event(enable_timing=True)
    event.record()
    return event


def between(begin, end):
    return end - begin if isinstance(begin, float) else begin.elapsed_time(end) / 1e3


def time_step(step, batch):
    """Seconds of one step, and of its parts if it yields between them."""
    synchronize()
    begin, marks = time.perf_counter(), [mark()]
    result = step(batch)
    if hasattr(result, "__next__"):
        marks += [mark() for _ in result]
    marks.append(mark())
    synchronize()
    whole = time.perf_counter() - begin
    parts = [between(a, b) for a, b in zip(marks, marks[1:])]
    return whole, parts if len(parts) == len(PARTS) else []


def summary(values):
    result = {"median": statistics.median(values), "repetitions": len(values)}
    if len(values) > 1:
        cuts = statistics.quantiles(values, n=20, method="inclusive")
        result["p05"], result["p95"] = cuts[0], cuts[-1]
        result["cv"] = statistics.stdev(values) / statistics.mean(values)
    return result


def point_of(batch, times, memory):
    point = {"batch": batch, "step_s": summary([whole for whole, _ in times])}
    if all(parts for _, parts in times):
        for name, values in zip(PARTS, zip(*(parts for _, parts in times))):
            point[name] = summary(values)
    if memory:
        point["memory_bytes"] = memory
    return point


def profile_steps(step, batches, warmup=3, repetitions=15):
    """Returns the points and the largest batch that fits, None if all do. Batch sizes take turns:
    a machine that drifts slows all of them alike."""
    fitting, max_batch, memory = [], None, {}
    for batch in sorted(set(batches)):
        try:
            if torch.cuda.is_initialized():
                torch.cuda.reset_peak_memory_stats()
            for _ in range(warmup):
                time_step(step, batch)
            fitting.append(batch)
            if torch.cuda.is_initialized():
                memory[batch] = torch.cuda.max_memory_allocated()
        except Exception as error:
            if not is_out_of_memory(error):
                raise
            max_batch = fitting[-1] if fitting else None
            print(f"batch {batch} does not fit", file=sys.stderr)
            break
    if torch.cuda.is_initialized():
        torch.cuda.empty_cache()
    times = {batch: [] for batch in fitting}
    for turn in range(repetitions):
        for batch in fitting if turn % 2 == 0 else reversed(fitting):
            time_step(step, batch)  # the change of size is not timed
            times[batch].append(time_step(step, batch))
    return [point_of(batch, times[batch], memory.get(batch)) for batch in fitting], max_batch


def write_profile(path, points, max_batch, device, model, **more):
    """Writes dbsim.profile/1, whole or not at all. `more`: memory_bytes of the device; input_shape,
    parameter_bytes and precision of the model; remarks."""
    if len(points) < 2:
        raise SystemExit("fewer than two batch sizes fit: a profile needs at least two")

    def known(name, *keys):
        return {"name": name, **{key: more[key] for key in keys if more.get(key)}}

    head = {
        "schema": "dbsim.profile/1",
        "device": known(device, "memory_bytes"),
        "model": known(model, "input_shape", "parameter_bytes", "precision"),
        "backend": f"PyTorch {torch.__version__}, Python {platform.python_version()}",
        "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "remarks": more.get("remarks"),
    }
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items() if value]
    rows = ",\n".join("    " + json.dumps(point) for point in points)
    lines.append(f'  "points": [\n{rows}\n  ]')
    if max_batch:
        lines.append(f'  "max_batch": {max_batch}')
    with open(path + ".part", "w", encoding="utf-8") as file:
        file.write("{\n" + ",\n".join(lines) + "\n}\n")
    os.replace(path + ".part", path)


def classifier_step(model, shape, classes, device):
    """A step of plain SGD on random data, split into its parts."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    loss_of = torch.nn.CrossEntropyLoss()
    data = {}

    def step(batch):
        if batch not in data:
            data.clear()  # only one size at a time takes up memory
            data[batch] = (torch.randn(batch, *shape, device=device),
                           torch.randint(classes, (batch,), device=device))
        inputs, targets = data[batch]
        optimizer.zero_grad()
        loss = loss_of(model(inputs), targets)
        yield
        loss.backward()
        yield
        optimizer.step()

    return step


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", help="module:function that returns the model")
    parser.add_argument("--input", required=True, help="shape of one sample, such as 3x32x32")
    parser.add_argument("--classes", type=int, required=True)
    parser.add_argument("--batches", required=True, help="such as 8,16,32")
    parser.add_argument("--out", required=True)
    parser.add_argument("--device", default="cuda:0" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--name", help="of the model, in scenarios; the function's if left out")
    parser.add_argument("--repetitions", type=int, default=15)
    arguments = parser.parse_args()

    sys.path.insert(0, "")
    module, _, function = arguments.model.partition(":")
    device = torch.device(arguments.device)
    model = getattr(importlib.import_module(module), function)().to(device)
    shape = [int(extent) for extent in arguments.input.split("x")]
    batches = [int(batch) for batch in arguments.batches.split(",")]
    step = classifier_step(model, shape, arguments.classes, device)
    points, max_batch = profile_steps(step, batches, repetitions=arguments.repetitions)
    trained = [p for p in model.parameters() if p.requires_grad]
    name, memory = f"{platform.machine()} CPU, {torch.get_num_threads()} threads", 0
    if device.type == "cuda":
        properties = torch.cuda.get_device_properties(device)
        name, memory = properties.name, properties.total_memory
    write_profile(arguments.out, points, max_batch, name, arguments.name or function,
                  memory_bytes=memory, input_shape=shape,
                  parameter_bytes=sum(p.numel() * p.element_size() for p in trained),
                  precision=str(trained[0].dtype).replace("torch.", ""),
                  remarks=["Random data in the device's memory: no loading is in the step."])
    print(f"{arguments.out}: {len(points)} batch sizes")


if __name__ == "__main__":
    main()
