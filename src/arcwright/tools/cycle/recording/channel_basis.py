"""The basis of a channel: how its frames depend on values and slopes at its keys."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.curves.hermite import HermiteBasis

Keys: TypeAlias = tuple[int, ...]  # frames; a single one is a channel that stays

HAIR = 0.009  # rad or m, by which a spline may leave its limits at places between keys
BETWEEN = 8  # places of each segment at which limits are checked


@dataclass(frozen=True, eq=False)
class ChannelBasis:
    """Value and slope of each key are its nodes; the unknowns are the first of them."""

    keys: Ints  # (K,) frames
    closed: bool
    sign: float
    rows: Floats  # (N + 1, U) frames by the unknowns
    climbing: Floats  # (N + 1,) what is added at frames for a climb of 1
    nodes: Floats  # (2 K, U) nodes by the unknowns
    between: Floats  # (S, 2 K) places between keys by the nodes

    def nodes_of(self, unknowns: Floats, climb: float) -> Floats:
        """(2 K,) value and slope of each key."""
        nodes: Floats = self.nodes @ unknowns
        if self.closed and len(self.keys) > 1:
            nodes[-2] += climb
        return nodes

    def within(self, nodes: Floats, low: float, high: float) -> Floats:
        """Nodes within limits: values are, and slopes at the ends of segments that leave them."""
        within = nodes.copy()
        within[::2] = np.clip(nodes[::2], low, high)
        if len(self.keys) == 1:
            return within
        made = (self.between @ within).reshape(len(self.keys) - 1, BETWEEN)
        leaves = ((made < low - HAIR) | (made > high + HAIR)).any(axis=1)
        beside = np.append(leaves, False) | np.append(False, leaves)
        run = np.diff(self.keys) / 3.0
        into, out = np.append(run[0], run), np.append(run, run[-1])
        if self.closed:
            beside[[0, -1]] = beside[[0, -1]].any()
            into[0], out[-1] = run[-1], run[0]
        above, below = high - within[::2], within[::2] - low
        most = np.minimum(above / out, below / into)
        least = -np.minimum(below / out, above / into)
        within[1::2] = np.where(beside, np.clip(within[1::2], least, most), within[1::2])
        return within

    @cached_property
    def removals(self) -> list[tuple[Keys, Floats]]:
        """The keys that are left without one of them, and what of the nodes is 0 then (Q, 2 K)."""
        count, found = len(self.keys), list[tuple[Keys, Floats]]()
        if count == 2:
            rows = np.zeros((1 if self.closed else 3, 4))
            rows[0, 1] = 1.0
            if not self.closed:
                rows[1, 3], rows[2, [0, 2]] = 1.0, (1.0, -1.0)
            found.append(((int(self.keys[0]),), rows))
        for at in range(1, count - 1):
            start, middle, end = self.keys[at - 1 : at + 2].tolist()
            u, length = (middle - start) / (end - start), end - start
            rows = np.zeros((2, 2 * count))
            rows[:, 2 * at : 2 * at + 2] = np.eye(2)
            rows[:, 2 * at - 2 : 2 * at] = -_hermite(u, length)[:, :2]
            rows[:, 2 * at + 2 : 2 * at + 4] = -_hermite(u, length)[:, 2:]
            found.append((tuple(np.delete(self.keys, at).tolist()), rows))
        return found


def _hermite(u: float, length: float) -> Floats:
    """(2, 4) value and slope inside a segment by value and slope of its start and end."""
    rest = 1 - u
    return np.array(
        [
            [
                (1 + 2 * u) * rest**2,
                length * u * rest**2,
                u**2 * (3 - 2 * u),
                -length * u**2 * rest,
            ],
            [
                -6 * u * rest / length,
                rest * (1 - 3 * u),
                6 * u * rest / length,
                u * (3 * u - 2),
            ],
        ]
    )


def channel_basis(own: Keys, frames: int, closed: bool, sign: float) -> ChannelBasis:
    """The basis of a channel with keys at some of its frames."""
    keys = np.array(own)
    if len(keys) == 1:
        nodes, none = np.array([[1.0], [0.0]]), np.zeros((0, 2))
        return ChannelBasis(
            *(keys, closed, sign, np.ones((frames, 1)), np.zeros(frames), nodes, none)
        )
    rows = _dense(HermiteBasis.of(np.arange(float(frames)), keys), len(keys))
    parts = (np.arange(BETWEEN) + 0.5) / BETWEEN
    places = (keys[:-1, None] + np.diff(keys)[:, None] * parts).ravel()
    segment = np.repeat(np.arange(len(keys) - 1), BETWEEN)
    between = _dense(HermiteBasis.at(places, keys.astype(float), segment), len(keys))
    nodes = np.eye(2 * len(keys))
    climbing = rows[:, -2] if closed else np.zeros(frames)
    if closed:  # the last key is the first one again
        nodes[-2:, :2] = sign * np.eye(2)
        nodes = nodes[:, :-2]
    return ChannelBasis(keys, closed, sign, rows @ nodes, climbing, nodes, between)


def _dense(basis: HermiteBasis, keys: int) -> Floats:
    """(T, 2 K) values of samples by the value and slope of each key."""
    dense = np.zeros((len(basis.segment), 2 * keys))
    rows, first = np.arange(len(dense)), 2 * basis.segment
    for part in range(4):
        dense[rows, first + part] += basis.weight[:, part]
    return dense
