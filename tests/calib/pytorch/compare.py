#!/usr/bin/env python3
"""Holds one training step of a shipped model to PyTorch: same weights, same batch.

    compare.py WRITE_STEPS MODEL.toml SAMPLES [SIZE]

Images are SIZE x SIZE instead of as large as the model says: all shipped models for larger images
than MNIST's end in a global average, so their weights are the same for both, and a step takes less
time. Exit status: 0 equal, 1 different, 77 not compared.

The model itself is compared in double. Float would not do: a value close to the kink of a ReLU
falls on one side or the other as float rounds, and in the deep models PyTorch's own gradients in
float differ from its own in double by up to some per cent. What float computes is compared on a
smooth twin of the model, with GELU for ReLU and means for maxima. There PyTorch's own rounding
errors are 1e-7 in shallow networks and 1e-3 in ResNet-101; ours may be a few times as large where
that is more than what is allowed otherwise.
"""

import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import numpy
    import torch
except ImportError as missing:
    print(f"skipped: {missing.name} is not installed for {sys.executable}")
    sys.exit(77)

import networks

LIMITS = {"double": 1e-9, "float": 1e-4}
TIMES_PYTORCHS_OWN = 4
KINDS = {"double": "<f8", "float": "<f4"}


class Reader:
    """Arrays from a stream."""

    def __init__(self, stream):
        self.stream = stream

    def array(self, kind, shape):
        kind = numpy.dtype(kind)
        size = kind.itemsize * int(numpy.prod(shape, dtype=numpy.int64))
        data = self.stream.read(size)
        if len(data) != size:
            raise EOFError("the results end too early")
        return torch.from_numpy(numpy.frombuffer(bytearray(data), kind).reshape(shape))


class Step:
    """Results of one training step and of an inference pass after it."""

    def __init__(self, loss, scores, gradients, inference):
        self.loss = loss
        self.scores = scores
        self.gradients = gradients
        self.inference = inference


def owners(network):
    """Every parameter with the module it belongs to, in order."""
    return [(module, parameter) for module in network.modules()
            for parameter in module.parameters(recurse=False)]


def as_pytorch(module, values):
    """A parameter or its gradient, from our layout to PyTorch's."""
    if isinstance(module, torch.nn.Conv2d) and values.dim() == 4:
        return values.permute(3, 2, 0, 1)
    if isinstance(module, networks.FlattenedLinear) and values.dim() == 2:
        channels, height, width = module.image
        return values.reshape(height, width, channels, -1).permute(3, 2, 0, 1).flatten(1)
    if isinstance(module, (torch.nn.Linear, torch.nn.MultiheadAttention)) and values.dim() == 2:
        return values.t()
    return values


def leave_out_dropout(network):
    """The two programs cannot draw the same masks; WRITE_STEPS leaves dropout out too."""
    for module in network.modules():
        if isinstance(module, torch.nn.MultiheadAttention):
            module.dropout = 0.0
        elif isinstance(module, (torch.nn.Dropout, torch.nn.Dropout2d)):
            module.p = 0.0


def smooth_text(text):
    """A model file without kinks; windows of means do not hang over the edge."""
    for kinked, smooth_one in (("relu", "gelu"), ("max_pool", "average_pool")):
        text = text.replace(f'op = "{kinked}"', f'op = "{smooth_one}"')
    return text.replace(", ceil = true", "")


def smooth(module):
    """The same of a network."""
    for name, child in module.named_children():
        if isinstance(child, torch.nn.ReLU):
            setattr(module, name, torch.nn.GELU())
        elif isinstance(child, torch.nn.MaxPool2d):
            pool = torch.nn.AvgPool2d(child.kernel_size, child.stride, child.padding)
            setattr(module, name, pool)
        else:
            smooth(child)


def pytorch_step(network, batch, labels):
    """Leaves the running statistics of the network as they were."""
    network = copy.deepcopy(network)
    scores = network(batch)
    loss = torch.nn.functional.cross_entropy(scores.flatten(0, -2), labels)
    loss.backward()
    network.eval()
    with torch.no_grad():
        inference = network(batch)
    return Step(loss.item(), scores.detach(), [p.grad for _, p in owners(network)], inference)


def distance(found, expected, least=0.0):
    """Relative to the length of what is expected, or to `least` where that is longer."""
    found, expected = found.double(), expected.double()
    return ((found - expected).norm() / max(expected.norm().item(), least)).item()


def gradient_distances(found, expected):
    """Of each parameter. One without influence, as a bias before a batch norm, has a gradient of
    nothing but rounding; that is measured against a tenth of what is usual in this network."""
    values = sum(e.numel() for e in expected)
    usual = (sum(e.square().sum().item() for e in expected) / values) ** 0.5
    return [distance(f, e, 0.1 * usual * e.numel() ** 0.5) for f, e in zip(found, expected)]


def distances(found, expected):
    """What differs how much; of the gradients, the one that differs most."""
    gradients = gradient_distances(found.gradients, expected.gradients)
    worst = max(range(len(gradients)), key=gradients.__getitem__)
    return worst, {"loss": abs(found.loss / expected.loss - 1),
                   "scores": distance(found.scores, expected.scores),
                   "inference": distance(found.inference, expected.inference),
                   "gradient": gradients[worst]}


def compare(program, model, network, samples, precision):
    """One line for each run of ours; whether all are close enough."""
    close = True
    leave_out_dropout(network)
    command = [program, model, samples, precision]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        reader = Reader(process.stdout)
        header = json.loads(process.stdout.readline())
        names = [name for name, _ in header["parameters"]]
        shapes = [shape for _, shape in header["parameters"]]
        layers = owners(network)
        if len(layers) != len(names):
            sys.exit(f"{len(names)} parameters, but PyTorch's network has {len(layers)}")
        for (module, parameter), name, shape in zip(layers, names, shapes):
            values = as_pytorch(module, reader.array("<f4", shape))
            if values.shape != parameter.shape:
                sys.exit(f"{name} is {shape}; PyTorch's is {list(parameter.shape)}")
            parameter.data.copy_(values)
        if header["tokens"]:
            batch = exact = reader.array("<i4", header["batch"]).flatten(1).long()
        else:
            batch = reader.array("<f4", header["batch"]).permute(0, 3, 1, 2)
            exact = batch.double()
        labels = reader.array("<i4", [header["labels"]]).long()
        limits = dict.fromkeys(("loss", "scores", "inference", "gradient"), LIMITS[precision])
        single = pytorch_step(network, batch, labels) if precision == "float" else None
        expected = pytorch_step(network.double(), exact, labels)
        if single is not None:
            _, own = distances(single, expected)
            limits = {what: max(limit, TIMES_PYTORCHS_OWN * own[what])
                      for what, limit in limits.items()}
        for library in header["runs"]:
            kind = KINDS[precision]
            step = Step(reader.array("<f8", []).item(),
                        reader.array(kind, expected.scores.shape),
                        [as_pytorch(module, reader.array(kind, shape))
                         for (module, _), shape in zip(layers, shapes)],
                        reader.array(kind, expected.inference.shape))
            worst, found = distances(step, expected)
            print(f"{library}, {precision}:",
                  ", ".join(f"{what} {value:.1e} ({limits[what]:.1e})"
                            for what, value in found.items()), f"at {names[worst]}", flush=True)
            beyond = [what for what, value in found.items() if not value <= limits[what]]
            if beyond:
                print(f"DIFFERENT: {', '.join(beyond)}")
                close = False
    return close and process.returncode == 0


def main():
    program, path, samples, *size = sys.argv[1:]
    name = pathlib.Path(path).stem
    text = pathlib.Path(path).read_text(encoding="utf-8")
    if size:
        text = re.sub(r"(?m)^input = \[\d+, \d+,", f"input = [{size[0]}, {size[0]},", text)
    print(f"{name}, {samples} samples; relative distances from PyTorch {torch.__version__} in "
          "double (allowed)")
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder, f"{name}.toml")
        model.write_text(text, encoding="utf-8")
        network = networks.NETWORKS[name]()
        close = compare(program, model, network, samples, "double")
        print("its smooth twin:")
        model.write_text(smooth_text(text), encoding="utf-8")
        network = networks.NETWORKS[name]()
        smooth(network)
        close = compare(program, model, network, samples, "float") and close
    return 0 if close else 1


if __name__ == "__main__":
    sys.exit(main())
