"""Thinning: take keys out of single channels where the motion does not need them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.curves.fit import spline_curves
from arcwright.curves.hermite import HermiteBasis
from arcwright.curves.keyed_spline import Spline, Target
from arcwright.scene.curve import Curve

PASSES = 2


@dataclass(frozen=True, eq=False)
class RowAim:
    """Channels by themselves: deviations in metres, by their lever arms."""

    values: Floats  # (T, M)
    units: Floats  # (M,) per metre
    size: float = np.inf

    def largest(self, values: Floats, start: int = 0) -> Floats:
        """(T,) m."""
        apart = abs(values - self.values[start : start + len(values)]) / self.units
        return np.asarray(apart.max(axis=1))


def thinned(spline: Spline, units: Floats, tolerance: float) -> list[Curve]:
    """The curves of a spline, fewer keys each; all keys stay at the moments of the spline's.

    Units (M,) per metre are those of the moving channels. Nothing is farther off than
    `tolerance` as the spline's target counts it.
    """
    body = _Body(spline, units)
    for _ in range(PASSES):
        tries = [
            (body.guess(lane, at), number, at)
            for number, lane in enumerate(body.lanes)
            for at in lane.spline.keys[1:-1].tolist()
        ]
        removed = [body.remove(body.lanes[lane], at, tolerance) for _, lane, at in sorted(tries)]
        if not any(removed):
            break
    made: list[Curve | None] = [None] * len(units)
    for lane in body.lanes:
        for own, curve in zip(lane.own.tolist(), spline_curves(lane.spline), strict=True):
            made[own] = curve
    return [curve for curve in made if curve is not None]


@dataclass(frozen=True, eq=False)
class _Lane:
    """Channels that have the same keys: one, or the four of a quaternion."""

    own: Ints  # (L,) among the moving channels
    spline: Spline


class _Body:
    def __init__(self, spline: Spline, units: Floats) -> None:
        target, keys = spline.target, spline.keys
        self.target = target
        alone = np.setdiff1d(np.arange(len(units)), target.quaternions)
        self.lanes = [
            _Lane(own, _alone(target, own, units, keys, spline.nodes))
            for own in (*alone[:, None], *target.quaternions)
        ]
        self.values = target.aim.values.copy()
        basis = HermiteBasis.of(target.time, keys)
        self.values[:, target.moving] = basis.evaluate(spline.nodes[keys])

    def guess(self, lane: _Lane, at: int) -> float:
        """How far the channels by themselves would be off without a key, m."""
        around = lane.spline.around(at)
        return lane.spline.refit(around[around != at], 1).worst

    def remove(self, lane: _Lane, at: int, tolerance: float) -> bool:
        """Remove a key if the body stays within the tolerance."""
        if not lane.spline.is_key[at]:
            return False
        around = lane.spline.around(at)
        refit = lane.spline.refit(around[around != at], 1)
        if refit.worst > 2 * tolerance:
            return False
        first, last = int(around[0]), int(around[-1]) + 1
        basis = HermiteBasis.of(self.target.time[first:last], refit.keys - first)
        values = self.values[first:last].copy()
        values[:, self.target.moving[lane.own]] = basis.evaluate(refit.nodes)
        if self.target.aim.largest(values, first).max() > tolerance:
            return False
        self.values[first:last] = values
        lane.spline.remove(at)
        lane.spline.accept(refit)
        return True


def _alone(target: Target, own: Ints, units: Floats, keys: Ints, nodes: Floats) -> Spline:
    """The spline of some channels by themselves."""
    aim = RowAim(np.ascontiguousarray(target.aim.values[:, target.moving[own]]), units[own])
    four = np.arange(4)[None] if len(own) == 4 else np.zeros((0, 4), np.int64)
    channels = np.arange(len(own))
    part = Target(target.time, aim, channels, target.broken[:, own], target.cost, four)
    return Spline(part, keys, nodes[keys][:, :, own])
