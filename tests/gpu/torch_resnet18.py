#!/usr/bin/env python3
"""Times PyTorch's training step of ResNet-18 on images of 32 x 32, in float: the network of
scenarios/models/resnet18-cifar10.toml (He et al. 2016, with a first layer for small images).

  torch_resnet18.py BATCH [SECONDS]

Prints the median of a step in milliseconds: of two memory layouts, each with and without a search for
cuDNN's fastest algorithms, the fastest.
"""
import statistics
import sys
import time

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, before, width, stride):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(before, width, 3, stride, 1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(inplace=True),
            nn.Conv2d(width, width, 3, 1, 1, bias=False),
            nn.BatchNorm2d(width),
        )
        self.past = nn.Sequential()
        if stride != 1 or before != width:
            self.past = nn.Sequential(
                nn.Conv2d(before, width, 1, stride, bias=False), nn.BatchNorm2d(width)
            )

    def forward(self, x):
        return torch.relu(self.body(x) + self.past(x))


def resnet18(classes=10):
    layers = [nn.Conv2d(3, 64, 3, 1, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True)]
    before = 64
    for width, stride in ((64, 1), (128, 2), (256, 2), (512, 2)):
        layers += [Block(before, width, stride), Block(width, width, 1)]
        before = width
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(before, classes)]
    return nn.Sequential(*layers)


def median_step(batch, layout, seconds):
    """Seconds of forward, backward and update."""
    torch.manual_seed(1)
    model = resnet18().cuda().to(memory_format=layout)
    images = torch.randn(batch, 3, 32, 32, device="cuda").to(memory_format=layout)
    labels = torch.randint(0, 10, (batch,), device="cuda")
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-9, momentum=0.9, weight_decay=5e-4)
    loss_of = nn.CrossEntropyLoss()

    def step():
        torch.cuda.synchronize()
        begin = time.perf_counter()
        optimizer.zero_grad(set_to_none=True)
        loss_of(model(images), labels).backward()
        optimizer.step()
        torch.cuda.synchronize()
        return time.perf_counter() - begin

    for _ in range(10):
        step()
    end = time.perf_counter() + seconds
    times = []
    while len(times) < 20 or time.perf_counter() < end:
        times.append(step())
    return statistics.median(times)


def main():
    batch = int(sys.argv[1])
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 4.0
    if not torch.cuda.is_available():
        print("torch sees no GPU", file=sys.stderr)
        return 1
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    times = {}
    for benchmark in (False, True):
        torch.backends.cudnn.benchmark = benchmark
        for layout in (torch.contiguous_format, torch.channels_last):
            times[layout, benchmark] = median_step(batch, layout, seconds)
    for (layout, benchmark), time_s in times.items():
        print(f"{layout}, cudnn.benchmark={benchmark}: {1e3 * time_s:.3f} ms", file=sys.stderr)
    print(f"{1e3 * min(times.values()):.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
