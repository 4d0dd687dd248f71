"""Seam: a displacement that ends as it begins, in place, speed and acceleration.

With s, v, u free, control values at the two ends are s, s + v, u + 3 v and u - 3 v, s - v, s. They
couple with both ends of the range, so they are a border around the blocks of the others.
"""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.solve.blocks import WIDE, System

ENDS = 3  # control values at each end
TIES = np.array([[1, 0, 0], [1, 1, 0], [0, 3, 1], [0, -3, 1], [1, -1, 0], [1, 0, 0]], float)


def closed(system: System) -> System:
    """The system of the control values between the ends, with s, v, u as further unknowns."""
    count, size = system.slope.shape
    ends = [*range(ENDS), *range(count - ENDS, count)]
    inner = range(ENDS, count - ENDS)
    further = len(system.regularisation)
    seam = ENDS * size
    whole = np.zeros((len(ends) * size, len(ends) * size))
    border = np.zeros((len(inner), size, seam + further))
    border[..., seam:] = system.border[ENDS:-ENDS]
    tied = np.kron(TIES, np.eye(size))  # (6 D, 3 D)
    for a, row in enumerate(ends):
        mine = slice(a * size, (a + 1) * size)
        for b, column in enumerate(ends):
            whole[mine, b * size : (b + 1) * size] = _block(system.blocks, row, column)
        for step in range(max(row - WIDE + 1, ENDS), min(row + WIDE, count - ENDS)):
            border[step - ENDS, :, :seam] += _block(system.blocks, step, row) @ tied[mine]
    across = system.border[ends].reshape(len(ends) * size, further)
    corner = np.block([[tied.T @ whole @ tied, tied.T @ across], [across.T @ tied, system.corner]])
    pull = np.concatenate([tied.T @ system.slope[ends].ravel(), system.regularisation])
    inside = slice(ENDS, count - ENDS)
    return System(system.blocks[inside], system.slope[inside], border, corner, pull)


def opened(inner: Floats, further: Floats, shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    """All control values (N, D), and the further unknowns besides the seam."""
    size = shape[1]
    seam = ENDS * size
    ends = (TIES @ further[:seam].reshape(ENDS, size)).reshape(2, ENDS, size)
    return np.concatenate([ends[0], inner, ends[1]]), further[seam:]


def _block(blocks: Floats, row: int, column: int) -> Floats:
    """(D, D) of a symmetric matrix given by its upper blocks."""
    away = abs(row - column)
    if away >= WIDE:
        return np.zeros((blocks.shape[1], blocks.shape[1]))
    block: Floats = blocks[min(row, column), :, away]
    return block if row <= column else block.T
