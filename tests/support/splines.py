"""Targets of keyed splines whose deviations are those of the values themselves."""

import numpy as np

from arcwright.curves.spline_part import Rows, Target


class Straight:
    """Deviations of the values themselves."""

    size = 1.0

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def largest(self, values: np.ndarray, start: int = 0) -> np.ndarray:
        return abs(values - self.values[start : start + len(values)]).max(axis=1)

    def rows(self, values: np.ndarray, start: int, channels: np.ndarray, least: float) -> Rows:
        off = (values - self.values[start : start + len(values)])[:, channels]
        moment, which = np.nonzero(abs(off) > least)
        away, move = np.zeros((len(moment), 3)), np.zeros((len(moment), 3, len(channels)))
        away[:, 0] = off[moment, which]
        move[np.arange(len(moment)), 0, which] = 1
        return Rows(moment, away, move)


def swaying(seed: int) -> Target:
    """Four channels of five waves each."""
    rng, time = np.random.default_rng(seed), np.linspace(0, 4, 241)
    size, speed, start = (rng.uniform(*span, (5, 4)) for span in ((0.1, 0.5), (1, 20), (0, 6)))
    values = (size * np.sin(speed * time[:, None, None] + start)).sum(axis=1)
    none, smooth = np.zeros((0, 4), np.int64), np.zeros((len(time), 4), bool)
    return Target(
        time, Straight(values), np.arange(4), smooth, np.ones(len(time)), none, np.ones(4)
    )
