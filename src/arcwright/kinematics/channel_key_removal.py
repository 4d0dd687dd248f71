"""Key removal per channel: remove keys of single channels within a position tolerance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.curves.fit import spline_curves
from arcwright.curves.hermite import HermiteBasis
from arcwright.curves.keyed_spline import Spline
from arcwright.curves.spline_part import Refit, Rows, Target
from arcwright.scene.curve import Curve

FARTHEST = 2.0  # tolerances: a channel that would be farther off by itself keeps its key


@dataclass(frozen=True, eq=False)
class ChannelDeviation:
    """Deviation of single channels in metres, by their lever arms."""

    values: Floats  # (T, M)
    units: Floats  # (M,) per metre
    size: float = np.inf

    def largest(self, values: Floats, start: int = 0) -> Floats:
        """(T,) m."""
        apart = abs(values - self.values[start : start + len(values)]) / self.units
        return np.asarray(apart.max(axis=1))

    def rows(self, values: Floats, start: int, channels: Ints, least: float) -> Rows:
        """Deviations above `least` m."""
        off = ((values - self.values[start : start + len(values)]) / self.units)[:, channels]
        moment, which = np.nonzero(abs(off) > least)
        away, move = np.zeros((len(moment), 3)), np.zeros((len(moment), 3, len(channels)))
        away[:, 0] = off[moment, which]
        move[np.arange(len(moment)), 0, which] = 1 / self.units[channels[which]]
        return Rows(moment, away, move)


def remove_channel_keys(spline: Spline, units: Floats, tolerance: float) -> list[Curve]:
    """The curves of a spline with fewer keys each, at key times of the spline.

    Units (M,) per metre are those of the moving channels. The deviation of the spline's target
    stays within `tolerance`.
    """
    body = _Body(spline, units)
    tries = [
        (group.without(at).worst, number, at)
        for number, group in enumerate(body.groups)
        for at in group.spline.keys[1:-1].tolist()
    ]
    for guess, number, at in sorted(tries):
        if guess <= FARTHEST * tolerance:
            body.remove(body.groups[number], at, tolerance)
    made: list[Curve | None] = [None] * len(units)
    for group in body.groups:
        for own, curve in zip(group.own.tolist(), spline_curves(group.spline), strict=True):
            made[own] = curve
    return [curve for curve in made if curve is not None]


@dataclass(frozen=True, eq=False)
class _Group:
    """Channels that have the same keys: one, or the four of a quaternion."""

    own: Ints  # (L,) among the moving channels
    spline: Spline

    def without(self, at: int) -> Refit:
        """Refit without one key."""
        around = self.spline.around(at)
        return self.spline.refit(around[around != at], 1)


class _Body:
    def __init__(self, spline: Spline, units: Floats) -> None:
        target, keys = spline.target, spline.keys
        self.target = target
        alone = np.setdiff1d(np.arange(len(units)), target.quaternions)
        self.groups = [
            _Group(own, _alone(target, own, units, keys, spline.nodes))
            for own in (*alone[:, None], *target.quaternions)
        ]
        self.values = target.aim.values.copy()
        basis = HermiteBasis.of(target.time, keys)
        self.values[:, target.moving] = basis.evaluate(spline.nodes[keys])

    def remove(self, group: _Group, at: int, tolerance: float) -> None:
        """Remove a key if the body stays within the tolerance."""
        refit = group.without(at)
        first, last = int(refit.keys[0]), int(refit.keys[-1]) + 1
        basis = HermiteBasis.of(self.target.time[first:last], refit.keys - first)
        values = self.values[first:last].copy()
        values[:, self.target.moving[group.own]] = basis.evaluate(refit.nodes)
        if self.target.aim.largest(values, first).max() <= tolerance:
            self.values[first:last] = values
            group.spline.accept(refit)


def _alone(target: Target, own: Ints, units: Floats, keys: Ints, nodes: Floats) -> Spline:
    """The spline of some channels by themselves."""
    aim = ChannelDeviation(
        np.ascontiguousarray(target.aim.values[:, target.moving[own]]), units[own]
    )
    four = np.arange(4)[None] if len(own) == 4 else np.zeros((0, 4), np.int64)
    channels = np.arange(len(own))
    part = Target(target.time, aim, channels, target.broken[:, own], target.cost, four, units[own])
    return Spline(part, keys, nodes[keys][:, :, own])
