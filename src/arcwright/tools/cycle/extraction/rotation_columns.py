"""Channels of a rig as columns that can be averaged: rotations are quaternions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.curves.fit import euler_triples
from arcwright.kinematics.rotation import (
    euler_from_quaternion,
    quaternion_from_euler,
    unwrap_euler,
    unwrap_quaternion,
)
from arcwright.kinematics.sample import quaternion_channels
from arcwright.scene.rig import Kind, Rig
from arcwright.tools.cycle.extraction.loop import unit_quaternions


@dataclass(frozen=True, eq=False)
class RotationColumns:
    """Channels of a rig as columns in which rotations of Euler joints are quaternions."""

    rig: Rig
    plain: Ints  # (P,) channels that stay as they are
    triples: tuple[tuple[list[int], str], ...]  # channels of an Euler joint and its order

    @staticmethod
    def of(rig: Rig) -> RotationColumns:
        """The columns of all channels."""
        triples = euler_triples(rig)
        orders = [rig.modes[int(rig.channels.joint[triple[0]])] for triple in triples]
        turned = np.zeros(len(rig.channels), bool)
        turned[[channel for triple in triples for channel in triple]] = True
        return RotationColumns(
            rig, np.flatnonzero(~turned), tuple(zip(triples, orders, strict=True))
        )

    @cached_property
    def quaternions(self) -> Ints:
        """(Q, 4) columns that are quaternions."""
        own = np.searchsorted(self.plain, quaternion_channels(self.rig)).reshape(-1, 4)
        made = len(self.plain) + np.arange(4 * len(self.triples)).reshape(-1, 4)
        return np.concatenate([own, made]).astype(np.int64)

    def from_channels(self, values: Floats) -> Floats:
        """(N, V) columns of channel values (N, C), without jumps."""
        plain = values[:, self.plain].copy()
        kind = self.rig.channels.kind[self.plain]
        angles = (kind >= Kind.ROTATE_X) & (kind <= Kind.ROTATE_Z)
        plain[:, angles] = np.unwrap(plain[:, angles], axis=0)
        turned = [quaternion_from_euler(values[:, own], order) for own, order in self.triples]
        columns = np.concatenate([plain, *turned], axis=1)
        for four in self.quaternions:
            columns[:, four] = unwrap_quaternion(columns[:, four])
        return columns

    def to_channels(self, columns: Floats, near: Floats) -> Floats:
        """(T, C) channel values of columns (T, V), those of the first sample near `near` (C,)."""
        values = np.zeros((len(columns), len(self.rig.channels)))
        values[:, self.plain] = columns[:, : len(self.plain)]
        for index, (own, order) in enumerate(self.triples):
            at = len(self.plain) + 4 * index
            angles = euler_from_quaternion(columns[:, at : at + 4], order, near=near[own])
            values[:, own] = unwrap_euler(angles)
        for four in quaternion_channels(self.rig):
            values[:, four] = unwrap_quaternion(values[:, four])
        return values

    def blended(self, one: Floats, other: Floats, share: Floats) -> Floats:
        """(T, V) columns between two (T, V), by shares (T,) of the other."""
        other = other.copy()
        for four in self.quaternions:
            away = (one[:, four] * other[:, four]).sum(axis=1, keepdims=True) < 0
            other[:, four] *= np.where(away, -1.0, 1.0)
        t = share[:, None]
        return unit_quaternions((1 - t) * one + t * other, self.quaternions)


def continuous_values(rig: Rig, values: Floats) -> Floats:
    """Channel values (T, C) without jumps of Euler angles or quaternion signs."""
    for triple in euler_triples(rig):
        values[:, triple] = unwrap_euler(values[:, triple])
    for four in quaternion_channels(rig):
        values[:, four] = unwrap_quaternion(values[:, four])
    return values
