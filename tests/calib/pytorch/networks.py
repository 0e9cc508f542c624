"""The shipped models once more, as ordinary PyTorch modules, written from the papers and from the
sources that the model files name; nothing here reads a model file.

Modules are created in the order in which the model files list their parameters.
"""

import math

import torch
from torch import nn


def conv(inputs, outputs, kernel, stride=1, padding=0, groups=1, bias=False):
    return nn.Conv2d(inputs, outputs, kernel, stride, padding, groups=groups, bias=bias)


class FlattenedLinear(nn.Linear):
    """A linear layer on all values of an image, which PyTorch flattens channel by channel."""

    def __init__(self, channels, height, width, features):
        super().__init__(channels * height * width, features)
        self.image = (channels, height, width)

    def forward(self, x):
        return super().forward(x.flatten(1))


class MnistNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = conv(1, 10, 5, bias=True)
        self.second = conv(10, 20, 5, bias=True)
        self.hidden = FlattenedLinear(20, 4, 4, 50)
        self.scores = nn.Linear(50, 10)
        self.pool = nn.MaxPool2d(2)
        self.relu = nn.ReLU()
        self.drop_planes = nn.Dropout2d()
        self.drop = nn.Dropout()

    def forward(self, x):
        x = self.relu(self.pool(self.first(x)))
        x = self.relu(self.pool(self.drop_planes(self.second(x))))
        return self.scores(self.drop(self.relu(self.hidden(x))))


class Residual(nn.Module):
    """He et al. 2015: `widths` are the channels of each convolution, 3x3 both or 1x1, 3x3, 1x1."""

    def __init__(self, inputs, widths, stride, norm):
        super().__init__()
        kernels = (3, 3) if len(widths) == 2 else (1, 3, 1)
        path = []
        channels = inputs
        for i, (width, kernel) in enumerate(zip(widths, kernels)):
            step = stride if i == kernels.index(3) else 1
            path += [conv(channels, width, kernel, step, kernel // 2), norm(width), nn.ReLU()]
            channels = width
        self.path = nn.Sequential(*path[:-1])
        self.shortcut = nn.Sequential()
        if stride != 1 or inputs != channels:
            self.shortcut = nn.Sequential(conv(inputs, channels, 1, stride), norm(channels))
        self.relu = nn.ReLU()

    def forward(self, x):
        return self.relu(self.path(x) + self.shortcut(x))


def resnet(depths, bottleneck, imagenet, classes, norm=nn.BatchNorm2d):
    if imagenet:
        layers = [conv(3, 64, 7, 2, 3), norm(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    else:
        layers = [conv(3, 64, 3, 1, 1), norm(64), nn.ReLU()]
    channels = 64
    for stage, depth in enumerate(depths):
        width = 64 * 2**stage
        widths = (width, width, 4 * width) if bottleneck else (width, width)
        for i in range(depth):
            layers.append(Residual(channels, widths, 2 if i == 0 and stage > 0 else 1, norm))
            channels = widths[-1]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                         nn.Linear(channels, classes))


class Dense(nn.Module):
    """Huang et al. 2016. The DBS authors put the new channels before the old ones."""

    def __init__(self, inputs, growth, new_first):
        super().__init__()
        self.new_first = new_first
        self.path = nn.Sequential(
            nn.BatchNorm2d(inputs), nn.ReLU(), conv(inputs, 4 * growth, 1),
            nn.BatchNorm2d(4 * growth), nn.ReLU(), conv(4 * growth, growth, 3, 1, 1))

    def forward(self, x):
        y = self.path(x)
        return torch.cat((y, x) if self.new_first else (x, y), 1)


def densenet121(imagenet, classes):
    growth = 32
    channels = 2 * growth
    if imagenet:
        layers = [conv(3, channels, 7, 2, 3), nn.BatchNorm2d(channels), nn.ReLU(),
                  nn.MaxPool2d(3, 2, 1)]
    else:
        layers = [conv(3, channels, 3, 1, 1)]
    for block, depth in enumerate((6, 12, 24, 16)):
        if block > 0:
            layers += [nn.BatchNorm2d(channels), nn.ReLU(), conv(channels, channels // 2, 1),
                       nn.AvgPool2d(2)]
            channels //= 2
        for _ in range(depth):
            layers.append(Dense(channels, growth, new_first=not imagenet))
            channels += growth
    return nn.Sequential(*layers, nn.BatchNorm2d(channels), nn.ReLU(), nn.AdaptiveAvgPool2d(1),
                         nn.Flatten(), nn.Linear(channels, classes))


class Inception(nn.Module):
    """Szegedy et al. 2014, table 1. `fives` is how many 3x3 convolutions stand for the 5x5."""

    def __init__(self, inputs, one, three, five, pooled, unit, fives, ceil):
        super().__init__()
        path = [unit(inputs, five[0], 1)]
        for i in range(fives):
            path.append(unit(five[min(i, 1)], five[1], 3, padding=1))
        self.paths = nn.ModuleList([
            unit(inputs, one, 1),
            nn.Sequential(unit(inputs, three[0], 1), unit(three[0], three[1], 3, padding=1)),
            nn.Sequential(*path),
            nn.Sequential(nn.MaxPool2d(3, 1, 1, ceil_mode=ceil), unit(inputs, pooled, 1))])

    def forward(self, x):
        return torch.cat([path(x) for path in self.paths], 1)


INCEPTIONS = ((64, (96, 128), (16, 32), 32), (128, (128, 192), (32, 96), 64), None,
              (192, (96, 208), (16, 48), 64), (160, (112, 224), (24, 64), 64),
              (128, (128, 256), (24, 64), 64), (112, (144, 288), (32, 64), 64),
              (256, (160, 320), (32, 128), 128), None,
              (256, (160, 320), (32, 128), 128), (384, (192, 384), (48, 128), 128))


def googlenet(imagenet, classes):
    def unit(inputs, outputs, kernel, stride=1, padding=0):
        norm = nn.BatchNorm2d(outputs, eps=1e-3 if imagenet else 1e-5)
        return nn.Sequential(conv(inputs, outputs, kernel, stride, padding, bias=not imagenet),
                             norm, nn.ReLU())

    if imagenet:
        layers = [unit(3, 64, 7, 2, 3), nn.MaxPool2d(3, 2, ceil_mode=True), unit(64, 64, 1),
                  unit(64, 192, 3, padding=1), nn.MaxPool2d(3, 2, ceil_mode=True)]
        pools = [nn.MaxPool2d(3, 2, ceil_mode=True), nn.MaxPool2d(2, 2, ceil_mode=True)]
    else:
        layers = [unit(3, 192, 3, padding=1)]
        pools = [nn.MaxPool2d(3, 2, 1), nn.MaxPool2d(3, 2, 1)]
    channels = 192
    for row in INCEPTIONS:
        if row is None:
            layers.append(pools.pop(0))
            continue
        one, three, five, pooled = row
        layers.append(Inception(channels, one, three, five, pooled, unit,
                                fives=1 if imagenet else 2, ceil=imagenet))
        channels = one + three[1] + five[1] + pooled
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten()]
    if imagenet:
        layers.append(nn.Dropout(0.2))
    return nn.Sequential(*layers, nn.Linear(channels, classes))


class SqueezedResidual(nn.Module):
    """Radosavovic et al. 2020: RegNetY's block; the squeeze has a quarter of the input's
    channels."""

    def __init__(self, inputs, channels, group_width, stride):
        super().__init__()
        squeeze = round(inputs / 4)
        self.before = nn.Sequential(
            conv(inputs, channels, 1), nn.BatchNorm2d(channels), nn.ReLU(),
            conv(channels, channels, 3, stride, 1, channels // group_width),
            nn.BatchNorm2d(channels), nn.ReLU())
        self.weights = nn.Sequential(
            nn.AdaptiveAvgPool2d(1), conv(channels, squeeze, 1, bias=True), nn.ReLU(),
            conv(squeeze, channels, 1, bias=True), nn.Sigmoid())
        self.after = nn.Sequential(conv(channels, channels, 1), nn.BatchNorm2d(channels))
        self.shortcut = nn.Sequential()
        if stride != 1 or inputs != channels:
            self.shortcut = nn.Sequential(conv(inputs, channels, 1, stride),
                                          nn.BatchNorm2d(channels))
        self.relu = nn.ReLU()

    def forward(self, x):
        y = self.before(x)
        return self.relu(self.after(y * self.weights(y)) + self.shortcut(x))


def regnety(stem, widths, depths, strides, group_width, classes, imagenet):
    layers = [conv(3, stem, 3, 2 if imagenet else 1, 1), nn.BatchNorm2d(stem), nn.ReLU()]
    channels = stem
    for width, depth, stride in zip(widths, depths, strides):
        for i in range(depth):
            layers.append(SqueezedResidual(channels, width, group_width, stride if i == 0 else 1))
            channels = width
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                         nn.Linear(channels, classes))


class Encoder(nn.Module):
    """Vaswani et al. 2017, section 3.1, each place seeing itself and earlier ones."""

    def __init__(self, features, heads, hidden, dropout):
        super().__init__()
        self.attention = nn.MultiheadAttention(features, heads, dropout, batch_first=True)
        self.attention_norm = nn.LayerNorm(features)
        self.widen = nn.Linear(features, hidden)
        self.narrow = nn.Linear(hidden, features)
        self.norm = nn.LayerNorm(features)
        self.relu = nn.ReLU()
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        length = x.shape[1]
        later = torch.ones(length, length, dtype=torch.bool).triu(1)
        seen, _ = self.attention(x, x, x, attn_mask=later, need_weights=False)
        x = self.attention_norm(x + self.drop(seen))
        y = self.narrow(self.drop(self.relu(self.widen(x))))
        return self.norm(x + self.drop(y))


class LanguageModel(nn.Module):
    def __init__(self, vocabulary, features, heads, hidden, depth, dropout):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, features)
        self.drop = nn.Dropout(dropout)
        self.encoders = nn.Sequential(
            *[Encoder(features, heads, hidden, dropout) for _ in range(depth)])
        self.scores = nn.Linear(features, vocabulary)

    def forward(self, tokens):
        x = self.embedding(tokens)
        features = x.shape[2]
        places = torch.arange(tokens.shape[1], dtype=torch.float64)[:, None]
        angles = places / 10_000 ** (torch.arange(0, features, 2, dtype=torch.float64) / features)
        positions = torch.stack((angles.sin(), angles.cos()), 2).flatten(1).to(x.dtype)
        return self.scores(self.encoders(self.drop(math.sqrt(features) * x + positions)))


def group_norm(channels):
    return nn.GroupNorm(32, channels)


NETWORKS = {
    "mnistnet-mnist": MnistNet,
    "resnet18-cifar10": lambda: resnet((2, 2, 2, 2), False, False, 10),
    "resnet50-cifar10": lambda: resnet((3, 4, 6, 3), True, False, 10),
    "resnet101-cifar10": lambda: resnet((3, 4, 23, 3), True, False, 10),
    "resnet101-groupnorm-cifar10": lambda: resnet((3, 4, 23, 3), True, False, 10, group_norm),
    "densenet121-cifar10": lambda: densenet121(False, 10),
    "googlenet-cifar10": lambda: googlenet(False, 10),
    "regnety-400mf-cifar10": lambda: regnety(
        64, (32, 64, 160, 384), (1, 2, 7, 12), (1, 1, 2, 2), 16, 10, False),
    "resnet18-imagenet": lambda: resnet((2, 2, 2, 2), False, True, 1000),
    "resnet50-imagenet": lambda: resnet((3, 4, 6, 3), True, True, 1000),
    "resnet101-imagenet": lambda: resnet((3, 4, 23, 3), True, True, 1000),
    "densenet121-imagenet": lambda: densenet121(True, 1000),
    "googlenet-imagenet": lambda: googlenet(True, 1000),
    "regnety-400mf-imagenet": lambda: regnety(
        32, (48, 104, 208, 440), (1, 3, 6, 6), (2, 2, 2, 2), 8, 1000, True),
    "transformer-wikitext2": lambda: LanguageModel(33278, 200, 2, 200, 2, 0.2),
}
