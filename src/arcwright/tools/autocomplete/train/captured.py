"""One training step, as it is on a CPU, and as one CUDA graph on a GPU.

A step of these networks is thousands of tiny kernels, so that starting them takes most of the time;
a graph starts them all at once.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from arcwright.arrays import AnyArray

Inputs = dict[str, Tensor]
Step = Callable[[Inputs, torch.Generator], None]
WARM_UP = 3  # steps before a graph is captured, as PyTorch asks for


class Repeated:
    """Runs a step again and again with new inputs of the same shapes.

    A step changes `state` in place and reads nothing but its inputs, state and generator.
    """

    def __init__(self, step: Step, state: list[Tensor], device: str, graphs: bool) -> None:
        self._step, self._state, self._device = step, state, device
        self._captures = graphs and torch.device(device).type == "cuda"
        self._generator = torch.Generator(device)
        self._inputs: Inputs = {}
        self._graph: torch.cuda.CUDAGraph | None = None

    def __call__(self, inputs: dict[str, AnyArray], seed: int) -> None:
        """One step with inputs and random numbers from a seed."""
        for name, value in inputs.items():
            given = torch.from_numpy(np.ascontiguousarray(value))
            if name in self._inputs:
                self._inputs[name].copy_(given)
            else:
                self._inputs[name] = given.to(self._device)
        if not self._captures:
            self._generator.manual_seed(seed)
            self._step(self._inputs, self._generator)
            return
        if self._graph is None:
            self._graph = self._captured()
        self._generator.manual_seed(seed)
        self._graph.replay()

    def _captured(self) -> torch.cuda.CUDAGraph:
        """The step as a graph; steps to warm up leave no trace in the state."""
        before = [each.detach().clone() for each in self._state]
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for _ in range(WARM_UP):
                self._step(self._inputs, self._generator)
        torch.cuda.current_stream().wait_stream(aside)
        with torch.no_grad():
            for each, value in zip(self._state, before, strict=True):
                each.copy_(value)
        graph = torch.cuda.CUDAGraph()
        graph.register_generator_state(self._generator)
        with torch.cuda.graph(graph):
            self._step(self._inputs, self._generator)
        return graph
