"""Imports traces that PyTorch's profiler takes here. Argument: the dbsim program.

The outside witness is the clock of this script, read when each step begins and ends.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import torch
from torch.profiler import ProfilerActivity, profile, schedule

DBSIM = sys.argv[1]
STEPS, WARMUP = 12, 3


def check(condition, claim):
    if not condition:
        raise SystemExit(f"not so: {claim}")


def take_trace(batch, path):
    """Median seconds, by our own clock, of the steps that the trace holds and of their parts."""
    model = torch.nn.Sequential(
        torch.nn.Linear(256, 512), torch.nn.ReLU(), torch.nn.Linear(512, 10)
    )
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    inputs, targets = torch.randn(batch, 256), torch.randint(10, (batch,))
    steps, forwards, backwards = [], [], []
    with profile(
        activities=[ProfilerActivity.CPU],
        schedule=schedule(wait=0, warmup=WARMUP, active=STEPS - WARMUP, repeat=1),
    ) as profiler:
        for _ in range(STEPS):
            begin = time.perf_counter()
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(model(inputs), targets)
            middle = time.perf_counter()
            forwards.append(middle - begin)
            loss.backward()
            backwards.append(time.perf_counter() - middle)
            optimizer.step()
            steps.append(time.perf_counter() - begin)
            profiler.step()
    profiler.export_chrome_trace(path)
    return [statistics.median(times[WARMUP:]) for times in (steps, forwards, backwards)]


torch.set_num_threads(1)
with tempfile.TemporaryDirectory() as place:
    traces = {batch: os.path.join(place, f"b{batch}.json") for batch in (256, 1024)}
    own = {batch: take_trace(batch, path) for batch, path in traces.items()}
    words = [DBSIM, "import", "profile", "--model", "mlp", "--device", "this CPU"]
    for batch, path in traces.items():
        words += ["--trace", f"{path}={batch}"]
    points = json.loads(subprocess.check_output(words))["points"]
    check([point["batch"] for point in points] == [256, 1024], "one point for each trace")
    for point in points:
        for part, by_clock, tolerance in zip(
            ("step_s", "forward_s", "backward_s"), own[point["batch"]], (0.1, 0.25, 0.25)
        ):
            imported = point[part]["median"]
            check(
                abs(imported / by_clock - 1) < tolerance,
                f"{part} {imported} is what the script's clock says, {by_clock}",
            )
        check(point["step_s"]["repetitions"] == STEPS - WARMUP, "every step is found")
        check(0 < point["update_s"]["median"] < point["step_s"]["median"], "update is a part")
