"""Compiled kinematics: poses of points and the normal equations of rows, in the C library."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from arcwright.arrays import AnyArray, Floats, Ints
from arcwright.compiled import library as compiled
from arcwright.compiled.library import address, floats, ints
from arcwright.kinematics.forward import forward
from arcwright.kinematics.layout import ZERO, Layout, layout
from arcwright.kinematics.rotation import matrix_from_quaternion
from arcwright.scene.rig import Kind
from arcwright.solve.blocks import Moments, System
from arcwright.tools.spacetime.jacobians import LimitViolations, PointKinematics
from arcwright.tools.spacetime.rows import Rows

library = compiled.library
_FIXED, _BALL, _ANGLES = 0, 1, 2  # as in bend.c
SCALE_TOLERANCE = 1e-5  # of a scale: smaller differences count as none


class CompiledPoints(NamedTuple):
    """Poses of P points at T samples, and the axes and directions that move them."""

    position: Floats  # (T, P, 3) m
    orientation: Floats  # (T, P, 3, 3)
    axis: Floats  # (T, X, 3) rotation axes in the world, per unit of the unknown
    slide: Floats  # (T, S, 3) directions of translations in the world, per unit
    origin: Floats  # (T, A, 3) m, of the joints
    angles: Floats  # (T, G, 3) rad, of limited joints


class _Struct:
    """Sizes and arrays in the order of a struct of arcwright.h."""

    def __init__(self, sizes: tuple[Any, ...], arrays: tuple[AnyArray, ...]) -> None:
        self._kept = arrays
        kinds = "".join("n" if isinstance(each, float) else "w" for each in sizes)
        shape = _shape(kinds, len(arrays))
        self._struct = shape(*sizes, *map(address, arrays))
        self.address = ctypes.addressof(self._struct)


@cache
def _shape(kinds: str, arrays: int) -> Any:
    """A struct of integers (w) and floats (n), then addresses."""
    letters = {"w": ctypes.c_int64, "n": ctypes.c_double}
    fields = [(f"size{at}", letters[kind]) for at, kind in enumerate(kinds)]
    fields += [(f"array{at}", ctypes.c_void_p) for at in range(arrays)]
    return type("_Shape", (ctypes.Structure,), {"_fields_": fields})


def compile_kinematics(
    points: PointKinematics, start: Floats, basis: Moments, limited: Ints
) -> CompiledKinematics | None:
    """The same points in the compiled library; None where it is missing or cannot do it.

    It only handles scale that is the same along all axes and at all times.
    """
    if library is None:
        return None
    plan = layout(points.rig, [*points.points.joints.tolist(), *limited.tolist()])
    world = forward(points.rig, start, plan.joints.tolist())
    scale = _even_scale(world) if len(plan.stretching) else np.ones(len(plan.joints))
    if scale is None:
        return None
    return CompiledKinematics(points, plan, world, scale, start, basis, limited)


def _even_scale(world: Floats) -> Floats | None:
    """(A,) scale of joints in the world; None where it differs by axis or time."""
    rotation = world[..., :3, :3]
    along = np.sqrt((rotation * rotation).sum(axis=-2))  # (T, A, 3)
    scale: Floats = along.mean(axis=(0, 2))
    even = np.abs(along - scale[:, None]).max() <= SCALE_TOLERANCE * scale.min()
    upright = (np.linalg.det(rotation[0]) > 0).all()
    return scale if even and upright else None


class CompiledKinematics:
    """Points of a motion with values (T, C), displaced by unknowns at each sample."""

    def __init__(
        self,
        points: PointKinematics,
        plan: Layout,
        world: Floats,
        scale: Floats,
        start: Floats,
        basis: Moments,
        limited: Ints,
    ) -> None:
        self.points, self.basis = points, basis
        unknowns, slots = points.unknowns, plan.wanted[: len(points.points.joints)]
        self._times, self._slots = len(start), len(plan.joints)
        slot = np.full(len(points.rig.names), -1)
        slot[plan.joints] = np.arange(self._slots)
        rotation = np.full(self._slots, -1)
        known = slot[unknowns.joints] >= 0
        rotation[slot[unknowns.joints[known]]] = np.flatnonzero(known)
        add = np.full(len(points.rig.channels) + 2, -1)  # ZERO and ONE stand for none
        add[unknowns.channels] = np.arange(len(unknowns.channels))
        self._lay_out_axes(plan, rotation, add)
        self._lay_out_translations(plan, add, np.where(plan.parents < 0, 1.0, scale[plan.parents]))
        seen = np.zeros(self._slots, np.int64)
        seen[slot[limited]] = 1
        ordered = plan.joints[seen > 0]  # (G,) in the order of the library
        self._ordered = np.argsort(ordered)[np.searchsorted(np.sort(ordered), limited)]
        what = np.stack([self._joint_kind, plan.parents, rotation, self._first, seen], axis=1)
        angles = np.where(plan.rotate == ZERO, 0.0, start[:, plan.rotate])  # (T, A, 3)
        local, place = _locals(plan, world, scale)
        offsets = points.points.offsets * scale[slots, None]
        arrays = (
            *map(ints, (what, self._slide_first, self._slide_add, self._angle_add, plan.axes)),
            ints(slots),
            *map(floats, (self._slide, plan.parity, matrix_from_quaternion(plan.rest))),
            *map(floats, (offsets, local, place, angles, angles[:, seen > 0])),
        )
        sizes = (
            *(self._times, self._slots, len(slots), len(unknowns.joints), len(unknowns.channels)),
            *(self._axes, len(self._slide_add), len(ordered)),
        )
        self._struct = _Struct(sizes, arrays)
        self._moved_first, self._moved_by = self._movers(plan, slots, rotation)
        self._first_step, self._share = ints(basis.first), floats(basis.weight)

    def _lay_out_axes(self, plan: Layout, rotation: Ints, add: Ints) -> None:
        """Three axes of a ball joint, one for each angle of the others."""
        self._angle_add = np.where((rotation < 0)[:, None], add[plan.rotate], -1)
        angles = (self._angle_add >= 0).sum(axis=1)
        self._joint_kind = np.where(rotation >= 0, _BALL, np.where(angles > 0, _ANGLES, _FIXED))
        each = np.where(rotation >= 0, 3, angles)
        self._first, self._axes = np.cumsum(each) - each, int(each.sum())

    def _lay_out_translations(self, plan: Layout, add: Ints, above: Floats) -> None:
        slides = add[plan.translate]  # (A, 3)
        slots, kinds = np.nonzero(slides >= 0)
        self._slide_slot, self._slide_add = slots, slides[slots, kinds]
        counts = (slides >= 0).sum(axis=1)
        self._slide_first = np.concatenate([[0], np.cumsum(counts)])
        rest_axes = plan.rest_rotation[..., 0].transpose(2, 0, 1)  # (A, 3, 3)
        direction = rest_axes[slots, :, kinds - int(Kind.TRANSLATE_X)].reshape(-1, 3)
        self._slide = direction * above[slots, None]

    def _movers(self, plan: Layout, slots: Ints, rotation: Ints) -> tuple[Ints, Ints]:
        """For each point, what moves it: (axis or -1 - translation, joint, unknown)."""
        rotations = self.points.unknowns.rotation_count
        by_slot: list[list[tuple[int, int, int]]] = [[] for _ in range(self._slots)]
        for at in range(self._slots):
            first = int(self._first[at])
            if rotation[at] >= 0:
                by_slot[at] += [(first + k, at, 3 * int(rotation[at]) + k) for k in range(3)]
            else:
                angles = self._angle_add[at][self._angle_add[at] >= 0].tolist()
                by_slot[at] += [(first + k, at, rotations + each) for k, each in enumerate(angles)]
        slides = zip(self._slide_slot.tolist(), self._slide_add.tolist(), strict=True)
        for s, (at, each) in enumerate(slides):
            by_slot[at].append((-1 - s, at, rotations + each))
        found: list[tuple[int, int, int]] = []
        first_of = [0]
        for slot in slots:
            for at in np.flatnonzero(plan.ancestry[slot]).tolist():
                found += by_slot[at]
            first_of.append(len(found))
        return ints(np.array(first_of)), ints(np.array(found, np.int64).reshape(-1, 3))

    def evaluate(self, x: Floats) -> CompiledPoints:
        """Poses at unknowns (T, D)."""
        times, points = self._times, len(self.points.points.joints)
        rotations, additions = map(np.ascontiguousarray, self.points.unknowns.split(x))
        found = CompiledPoints(
            np.empty((times, points, 3)),
            np.empty((times, points, 3, 3)),
            np.empty((times, self._axes, 3)),
            np.empty((times, len(self._slide_add), 3)),
            np.empty((times, self._slots, 3)),
            np.empty((times, len(self._ordered), 3)),
        )
        assert library is not None
        given = self._struct.address, address(rotations), address(additions)
        if library.arcwright_places(*given, *map(address, found)):
            raise MemoryError
        return found._replace(angles=found.angles[:, self._ordered])

    def add_normal_equations(
        self,
        system: System,
        points: CompiledPoints,
        rows: Rows,
        violations: LimitViolations,
        weight: float,
        forces: Floats | None = None,
    ) -> None:
        """Add J' W J and J' W r of all rows, of violated limits, and of free offsets.

        `forces` (T, P, 3) on the points add their tension."""
        offset_count, items = rows.offset_count, rows.points
        grid = _Struct(
            (
                *(self._times, self._slots, len(self.points.points.joints), self._axes),
                *(len(self._slide_add), len(items.angular), self.points.unknowns.count),
            ),
            (
                *(self._first_step, self._share, items.first, items.point, items.share),
                *(items.angular, self._moved_first, self._moved_by),
            ),
        )
        parts = [np.ascontiguousarray(part) for part in rows.parts]
        limits = tuple(np.ascontiguousarray(part) for part in violations)
        limits_struct = _Struct((len(violations.sample), weight), limits)
        factor = np.ascontiguousarray(rows.offset_factor)
        offsets_struct = _Struct(
            (offset_count, rows.offset.shape[2] if offset_count else 0),
            (
                *(np.ascontiguousarray(rows.offset), factor),
                *(system.border, system.corner, system.further_slope),
            ),
        )
        assert library is not None
        given = *map(address, points[:1]), *map(address, points[2:5]), *map(address, parts)
        out = (
            limits_struct.address,
            offsets_struct.address,
            None if forces is None else address(forces),
            address(system.blocks),
            address(system.slope),
        )
        if library.arcwright_system(grid.address, *given, *out):
            raise MemoryError


def _locals(plan: Layout, world: Floats, scale: Floats) -> tuple[Floats, Floats]:
    """(T, A, 3, 3) rotations and (T, A, 3) positions of joints in their parents, without scale."""
    rotation = world[..., :3, :3] / scale[:, None, None]
    above, under = rotation[:, plan.parents], world[..., :3, 3][:, plan.parents]
    above[:, plan.parents < 0], under[:, plan.parents < 0] = np.eye(3), 0.0
    back = above.swapaxes(-1, -2)
    away = (world[..., :3, 3] - under)[..., None]
    return back @ rotation, (back @ away)[..., 0]
