"""Models and steps for the tests of calib/pytorch_profile.py."""
import torch


def make_tiny():
    return torch.nn.Sequential(
        torch.nn.Flatten(), torch.nn.Linear(192, 32), torch.nn.ReLU(), torch.nn.Linear(32, 10)
    )


class Greedy(torch.nn.Module):
    """Pretends that a batch above 16 does not fit."""

    def __init__(self):
        super().__init__()
        self.inner = make_tiny()

    def forward(self, inputs):
        if len(inputs) > 16:
            raise RuntimeError("CUDA out of memory. Tried to allocate 1.00 GiB")
        return self.inner(inputs)


def make_greedy():
    return Greedy()
