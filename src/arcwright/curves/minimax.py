"""Minimax refits: change a part of a spline as little as brings every deviation within a tolerance.

The exchange algorithm: each deviation |a + J x| above the tolerance gives a plane that cuts off
the x for which it stays there, x the offsets of nodes. The least x behind all planes is tried,
gives more planes, and so on. Least is meant in the metric B * D, with B the normal matrix of
the spline, the same for all channels, and D by the lever arms of channels; so the planes have
the Gram matrix K(t, s) * (row row'), with the kernel K = b' B^-1 b of two moments. It is as large
as there are planes, however many channels and keys there are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.hermite import HermiteBasis, alike_channels
from arcwright.curves.nonnegative import nonnegative_minimum
from arcwright.curves.spline_part import Part, Refit, Rows, normalise

ROUNDS = 20  # of planes
AIM = 0.99  # of the tolerance: where deviations should get
FIRST, NEAR = 0.75, 0.95  # of the tolerance: deviations that give planes, at first and then
MOST = 400  # planes of a round
POOL = 600  # planes from which on only half of them is kept
SOFT = 1e-4  # of the mean diagonal of the Gram matrix: how far planes give way
HOPELESS = 0.05  # of the tolerance: planes that give way by more will not be met
RIDGE = 1e-6  # of the diagonal of B


def minimax(part: Part, start: Refit, tolerance: float) -> Refit:
    """A refit within the tolerance, or the nearest to it that was found."""
    if len(part.keys) <= sum(part.fixed):
        return start
    motions = [_Motion.of(part, group) for group in alike_channels(part.broken)]
    planes = _Planes.none(len(part.target.moving))
    best = found = start
    for round_ in range(ROUNDS):
        least = (NEAR if round_ else FIRST) * tolerance
        values = part.values(found.nodes)
        rows = part.target.aim.rows(values, part.first, part.target.moving, least)
        planes = planes.joined(_tangents(rows, part.target.units), motions)
        planes, give = planes.pushed(AIM * tolerance)
        found = part.measured(_nodes(start, planes, motions, part))
        best = found if found.worst < best.worst else best
        if best.worst <= tolerance or give > HOPELESS * tolerance:
            break
        planes = planes.thinned(AIM * tolerance)
    return best


@dataclass(frozen=True, eq=False)
class _Motion:
    """What offsets of nodes do at the moments, for channels whose keys are broken alike."""

    channels: Ints  # (L,)
    gain: Floats  # (U, T) B^-1 b of every moment
    kernel: Floats  # (T, T)
    unknown: Ints  # (K, 3) of each key's value and slopes, U where it has none

    @classmethod
    def of(cls, part: Part, channels: Ints) -> _Motion:
        """Of a part, for some of its moving channels."""
        low, high = int(part.fixed[0]), len(part.keys) - int(part.fixed[1])
        basis, broken = part.basis, part.broken[:, channels[0]]
        dense, unknown = _dense(basis, broken, low, high)
        grid = (dense * part.emphasis[:, None]).T @ dense
        ridge = RIDGE * np.diagonal(grid)
        grid[np.diag_indices(len(grid))] += ridge + 1e-12 * ridge.max()
        gain = np.asarray(np.linalg.solve(grid, dense.T), np.float64)
        return cls(channels, gain, dense @ gain, unknown)

    def gram(self, a: _Planes, b: _Planes) -> Floats:
        """(A, B) the share of these channels in the Gram matrix of planes."""
        rows = a.row[:, self.channels] @ b.row[:, self.channels].T
        return np.asarray(self.kernel[np.ix_(a.moment, b.moment)] * rows)


def _dense(basis: HermiteBasis, broken: Bools, low: int, high: int) -> tuple[Floats, Ints]:
    """(T, U) how moments depend on the keys low to high, and (K, 3) the unknowns of these."""
    column, first = basis.columns(broken)
    dense = np.zeros((len(column), int(first[-1])))
    dense[np.arange(len(column))[:, None], column] = basis.weight
    dense = dense[:, first[low] : first[high]]
    own = first[low:high] - first[low]
    out = own + np.where(broken[low:high], 2, 1)
    unknown = np.full((basis.keys, 3), dense.shape[1])
    unknown[low:high] = np.stack([own, own + 1, out], axis=1)
    return dense, unknown


@dataclass(frozen=True, eq=False)
class _Planes:
    """Half-spaces: deviation + row x <= the aim; and the force of each on the x that was found."""

    moment: Ints  # (R,)
    row: Floats  # (R, M) for channels measured by their lever arms
    deviation: Floats  # (R,) at x = 0
    gram: Floats  # (R, R)
    force: Floats  # (R,)

    @classmethod
    def none(cls, channels: int) -> _Planes:
        """No planes yet."""
        row, nothing = np.zeros((0, channels)), np.zeros(0)
        return cls(np.zeros(0, np.int64), row, nothing, np.zeros((0, 0)), nothing)

    def joined(self, more: _Planes, motions: list[_Motion]) -> _Planes:
        """These planes and more, whose deviations are those at the x that was found."""
        cross = sum(motion.gram(more, self) for motion in motions)
        own = sum(motion.gram(more, more) for motion in motions)
        assert isinstance(cross, np.ndarray)
        return _Planes(
            np.concatenate([self.moment, more.moment]),
            np.concatenate([self.row, more.row]),
            np.concatenate([self.deviation, more.deviation + cross @ self.force]),
            np.block([[self.gram, cross.T], [cross, own]]),
            np.concatenate([self.force, more.force]),
        )

    def pushed(self, aim: float) -> tuple[_Planes, float]:
        """The least x behind all planes, and how far they give way for it."""
        soft = SOFT * float(np.trace(self.gram)) / len(self.gram)
        stiff = self.gram.copy()
        stiff[np.diag_indices(len(stiff))] += soft
        force = nonnegative_minimum(stiff, self.deviation - aim)
        made = _Planes(self.moment, self.row, self.deviation, self.gram, force)
        return made, soft * float(force.max())

    def thinned(self, aim: float) -> _Planes:
        """Without those far from the x that was found, where there are too many."""
        if len(self.moment) <= POOL:
            return self
        far = aim - self.deviation + self.gram @ self.force
        kept = np.sort(np.argsort(np.where(self.force > 0, -np.inf, far))[: POOL // 2])
        return _Planes(
            self.moment[kept],
            self.row[kept],
            self.deviation[kept],
            self.gram[np.ix_(kept, kept)],
            self.force[kept],
        )


def _tangents(rows: Rows, units: Floats) -> _Planes:
    """A plane for each deviation, the largest of them if they are many."""
    deviation = np.sqrt((rows.away**2).sum(axis=1))
    most = np.argsort(-deviation, kind="stable")[:MOST]
    way = rows.away[most] / deviation[most, None]
    row = np.einsum("ri,rim->rm", way, rows.move[most]) * units
    empty = np.zeros((0, 0))
    return _Planes(rows.moment[most], row, deviation[most], empty, np.zeros(len(most)))


def _nodes(start: Refit, planes: _Planes, motions: list[_Motion], part: Part) -> Floats:
    """(K, 3, M) the nodes moved as the planes force them to."""
    on = np.flatnonzero(planes.force > 0)
    pull = -planes.force[on, None] * planes.row[on] * part.target.units
    nodes = start.nodes.copy()
    for motion in motions:
        offset = motion.gain[:, planes.moment[on]] @ pull[:, motion.channels]
        offset = np.concatenate([offset, np.zeros((1, offset.shape[1]))])
        nodes[:, :, motion.channels] += offset[motion.unknown]
    normalise(nodes, part.target.quaternions)
    return nodes
