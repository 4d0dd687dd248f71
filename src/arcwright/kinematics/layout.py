"""Layout: the channels of each joint, joints sorted by depth; computed once per rig.

Inside kinematics, arrays have time as the last axis and joints next to last, so that a few
NumPy calls over long rows do the work of all joints of one depth.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from weakref import WeakKeyDictionary

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.compiled.library import floats, ints
from arcwright.errors import BadValue
from arcwright.kinematics.rotation import matrix_from_quaternion, order_axes
from arcwright.scene.rig import QUATERNION, Kind, Rig

ONE, ZERO = -2, -1  # rows that `Layout.rows` adds, for channels that are not there
_SLIDES, _ANGLES, _QUATERNION, _STRETCHES, _RESTED = 1, 2, 4, 8, 16  # as in chain.c


@dataclass(frozen=True, eq=False)
class Layout:
    """The requested joints and all their ancestors (A of them), by depth."""

    joints: Ints  # (A,) rig joints in the order they are evaluated
    parents: Ints  # (A,) index into this list, -1 for roots
    wanted: Ints  # (J,) index of the requested joints in this list
    levels: tuple[tuple[slice, Ints], ...]  # joints of one depth and their parents, without roots
    offset: Floats  # (A, 3) m
    rest: Floats  # (A, 4) wxyz
    scale: Floats  # (A, 3)
    translate: Ints  # (A, 3) channels, ZERO where there is none
    rotate: Ints  # (A, 3) Euler channels in the order's letters, ZERO where there is none
    quaternion: Ints  # (A, 4) channels, ZERO where there is none
    stretch: Ints  # (A, 3) scale channels, ONE where there is none
    axes: Ints  # (A, 3) axes of the Euler letters
    channels: int  # C, of the whole rig

    def rows(self, values: Floats) -> Floats:
        """(C + 2, T): a row per channel, then a row of ones and a row of zeros."""
        rows = np.zeros((values.shape[1] + 2, values.shape[0]))
        rows[:-2] = values.T
        rows[ONE] = 1.0
        return rows

    @cached_property
    def driven(self) -> Ints:
        """(A, 13) channels: translate, rotate, quaternion, stretch; below 0 where there is none."""
        return np.concatenate([self.translate, self.rotate, self.quaternion, self.stretch], axis=1)

    @cached_property
    def chain(self) -> Chain:
        """This layout as the compiled library reads it."""
        return Chain(self)

    @cached_property
    def euler(self) -> Ints:
        """Joints rotated by Euler channels."""
        return np.flatnonzero((self.rotate != ZERO).any(axis=1))

    @cached_property
    def free(self) -> Ints:
        """Joints rotated by quaternion channels."""
        return np.flatnonzero((self.quaternion != ZERO).any(axis=1))

    @cached_property
    def idle(self) -> Ints:
        """Joints without rotation channels."""
        turned = (self.rotate != ZERO).any(axis=1) | (self.quaternion != ZERO).any(axis=1)
        return np.flatnonzero(~turned)

    @cached_property
    def parity(self) -> Floats:
        """(A, 1) +1 or -1 where the Euler letters are an even or odd permutation."""
        even = (self.axes[:, 1] - self.axes[:, 0]) % 3 == 1
        return np.where(even, 1.0, -1.0)[:, None]

    @cached_property
    def sliding(self) -> Ints:
        """Joints with translate channels."""
        return np.flatnonzero((self.translate != ZERO).any(axis=1))

    @cached_property
    def stretching(self) -> Ints:
        """Joints with scale channels or a rest scale."""
        return np.flatnonzero(((self.stretch != ONE) | (self.scale != 1)).any(axis=1))

    @cached_property
    def rested(self) -> Ints:
        """Joints with a rest rotation."""
        return np.flatnonzero((self.rest != [1.0, 0.0, 0.0, 0.0]).any(axis=1))

    @cached_property
    def rest_rotation(self) -> Floats:
        """(3, 3, A, 1) rest rotations."""
        return np.moveaxis(matrix_from_quaternion(self.rest), 0, -1)[..., None]

    @cached_property
    def ancestry(self) -> Floats:
        """(A, A) 1 where the column's joint is the row's joint or one of its ancestors."""
        ancestry = np.eye(len(self.joints))
        for index, parent in enumerate(self.parents):
            if parent >= 0:
                ancestry[index] += ancestry[parent]
        return ancestry


class _Chain(ctypes.Structure):
    """`Chain` of arcwright.h."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("joints", "points", "channels", "stretches")),
        *((name, ctypes.c_void_p) for name in ("parents", "wanted", "sort", "channel", "axes")),
        *((name, ctypes.c_void_p) for name in ("parity", "offset", "rest", "scale")),
    )


class Chain:
    """A layout as the compiled library reads it."""

    def __init__(self, plan: Layout) -> None:
        sort = np.zeros(len(plan.joints), np.int64)
        for joints, bit in (
            (plan.sliding, _SLIDES),
            (plan.euler, _ANGLES),
            (plan.free, _QUATERNION),
            (plan.stretching, _STRETCHES),
            (plan.rested, _RESTED),
        ):
            sort[joints] |= bit
        self._whole = [
            *map(ints, (plan.parents, plan.wanted, sort, plan.driven, plan.axes)),
            *map(floats, (plan.parity, plan.offset, matrix_from_quaternion(plan.rest))),
            floats(plan.scale),
        ]
        sizes = (len(plan.joints), len(plan.wanted), plan.channels, len(plan.stretching))
        self._struct = _Chain(*sizes, *(array.ctypes.data for array in self._whole))
        self.address = ctypes.addressof(self._struct)
        self.points = len(plan.wanted)


_layouts: WeakKeyDictionary[Rig, dict[tuple[int, ...] | None, Layout]] = WeakKeyDictionary()
_LAYOUTS_PER_RIG = 64


def layout(rig: Rig, joints: Iterable[int] | None = None) -> Layout:
    """The layout for some joints of a rig (all by default), cached while the rig exists."""
    key = None if joints is None else tuple(map(int, joints))
    known = _layouts.setdefault(rig, {})
    found = known.get(key)
    if found is None:
        if len(known) >= _LAYOUTS_PER_RIG:
            known.clear()
        found = known[key] = _build(rig, range(len(rig.names)) if key is None else key)
    return found


def _build(rig: Rig, joints: Iterable[int]) -> Layout:
    wanted = np.array(list(joints), np.int64)
    count = len(rig.names)
    if len(wanted) and not (wanted.min() >= 0 and wanted.max() < count):
        raise BadValue("joints", f"indices 0 to {count - 1}", wanted.tolist())
    depth = np.zeros(count, np.int64)
    for joint, parent in enumerate(rig.parents):
        depth[joint] = depth[parent] + 1 if parent >= 0 else 0
    used = np.zeros(count, bool)
    used[wanted] = True
    for joint in range(count - 1, -1, -1):
        if used[joint] and rig.parents[joint] >= 0:
            used[rig.parents[joint]] = True
    order = np.flatnonzero(used)
    order = order[np.argsort(depth[order], kind="stable")]
    index_of = np.full(count + 1, -1)  # the last row answers for the parent -1
    index_of[order] = np.arange(len(order))
    parents = index_of[rig.parents[order]]
    bounds = np.searchsorted(depth[order], np.arange(1, depth[order].max(initial=0) + 2)).tolist()
    return Layout(
        joints=order,
        parents=parents,
        wanted=index_of[wanted],
        levels=tuple((slice(a, b), parents[a:b]) for a, b in pairwise(bounds)),
        offset=rig.offset[order],
        rest=rig.rest[order],
        scale=rig.scale[order],
        channels=len(rig.channels),
        **{name: table[order] for name, table in _columns(rig).items()},
    )


def _columns(rig: Rig) -> dict[str, Ints]:
    """The channel tables of `Layout` for all joints of a rig."""
    count = len(rig.names)
    table = np.full((count, len(Kind)), ZERO)
    table[:, Kind.SCALE_X : Kind.SCALE_Z + 1] = ONE
    for channel, (joint, kind) in enumerate(
        zip(rig.channels.joint, rig.channels.kind, strict=True)
    ):
        table[joint, kind] = channel
    orders = [order_axes("XYZ" if mode == QUATERNION else mode)[:3] for mode in rig.modes]
    axes = np.array(orders, np.int64).reshape(count, 3)
    return {
        "translate": table[:, Kind.TRANSLATE_X : Kind.TRANSLATE_Z + 1],
        "rotate": np.take_along_axis(table[:, Kind.ROTATE_X : Kind.ROTATE_Z + 1], axes, axis=1),
        "quaternion": table[:, Kind.QUATERNION_W : Kind.QUATERNION_Z + 1],
        "stretch": table[:, Kind.SCALE_X : Kind.SCALE_Z + 1],
        "axes": axes,
    }
