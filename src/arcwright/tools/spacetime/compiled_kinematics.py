"""Bent: a displaced motion in the compiled library: where points are, and the system of wishes."""

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
from arcwright.tools.spacetime.jacobians import Body, Broken
from arcwright.tools.spacetime.rows import Rows

library = compiled.library
_FIXED, _TURNS, _ANGLES = 0, 1, 2  # as in bend.c
EVEN = 1e-5  # of a scale: what differs by less is the same


class Placed(NamedTuple):
    """Where points are, and what moves them."""

    position: Floats  # (T, P, 3) m
    orientation: Floats  # (T, P, 3, 3)
    axis: Floats  # (T, X, 3) in the world, per unit of its unknown
    way: Floats  # (T, S, 3)
    origin: Floats  # (T, A, 3) of the joints
    angles: Floats  # (T, G, 3) of joints that are watched


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
    """A struct of whole (w) and other (n) numbers, then addresses."""
    letters = {"w": ctypes.c_int64, "n": ctypes.c_double}
    fields = [(f"size{at}", letters[kind]) for at, kind in enumerate(kinds)]
    fields += [(f"array{at}", ctypes.c_void_p) for at in range(arrays)]
    return type("_Shape", (ctypes.Structure,), {"_fields_": fields})


def bent_of(body: Body, start: Floats, moments: Moments, watched: Ints) -> Bent | None:
    """A body in the compiled library, if that is there and knows how.

    It knows no scale but one that is the same along all axes and at all times.
    """
    if library is None:
        return None
    plan = layout(body.rig, [*body.where.joints.tolist(), *watched.tolist()])
    world = forward(body.rig, start, plan.joints.tolist())
    scale = _even_scale(world) if len(plan.stretching) else np.ones(len(plan.joints))
    if scale is None:
        return None
    return Bent(body, plan, world, scale, start, moments, watched)


def _even_scale(world: Floats) -> Floats | None:
    """(A,) how much larger joints are than they would be without scale; none if that varies."""
    turn = world[..., :3, :3]
    along = np.sqrt((turn * turn).sum(axis=-2))  # (T, A, 3)
    scale: Floats = along.mean(axis=(0, 2))
    even = np.abs(along - scale[:, None]).max() <= EVEN * scale.min()
    upright = (np.linalg.det(turn[0]) > 0).all()
    return scale if even and upright else None


class Bent:
    """A body that moves as its values (T, C) say, displaced by unknowns at each moment."""

    def __init__(
        self,
        body: Body,
        plan: Layout,
        world: Floats,
        scale: Floats,
        start: Floats,
        moments: Moments,
        watched: Ints,
    ) -> None:
        self.body, self.moments = body, moments
        free, points = body.free, plan.wanted[: len(body.where.joints)]
        self._times, self._slots = len(start), len(plan.joints)
        slot = np.full(len(body.rig.names), -1)
        slot[plan.joints] = np.arange(self._slots)
        turn = np.full(self._slots, -1)
        known = slot[free.joints] >= 0
        turn[slot[free.joints[known]]] = np.flatnonzero(known)
        add = np.full(len(body.rig.channels) + 2, -1)  # ZERO and ONE stand for none
        add[free.channels] = np.arange(len(free.channels))
        self._lay_axes(plan, turn, add)
        self._lay_slides(plan, add, np.where(plan.parents < 0, 1.0, scale[plan.parents]))
        seen = np.zeros(self._slots, np.int64)
        seen[slot[watched]] = 1
        ordered = plan.joints[seen > 0]  # (G,) as the library finds them
        self._ordered = np.argsort(ordered)[np.searchsorted(np.sort(ordered), watched)]
        what = np.stack([self._sort, plan.parents, turn, self._first, seen], axis=1)
        angles = np.where(plan.rotate == ZERO, 0.0, start[:, plan.rotate])  # (T, A, 3)
        local, place = _locals(plan, world, scale)
        offsets = body.where.offsets * scale[points, None]
        arrays = (
            *map(ints, (what, self._slide_first, self._slide_add, self._angle_add, plan.axes)),
            ints(points),
            *map(floats, (self._way, plan.parity, matrix_from_quaternion(plan.rest))),
            *map(floats, (offsets, local, place, angles, angles[:, seen > 0])),
        )
        sizes = (
            *(self._times, self._slots, len(points), len(free.joints), len(free.channels)),
            *(self._axes, len(self._slide_add), len(ordered)),
        )
        self._bent = _Struct(sizes, arrays)
        self._moved_first, self._moved_by = self._movers(plan, points, turn)
        self._first_step, self._share = ints(moments.first), floats(moments.weight)

    def _lay_axes(self, plan: Layout, turn: Ints, add: Ints) -> None:
        """Three axes of a joint that turns in every way, one for each angle of the others."""
        self._angle_add = np.where((turn < 0)[:, None], add[plan.rotate], -1)
        angles = (self._angle_add >= 0).sum(axis=1)
        self._sort = np.where(turn >= 0, _TURNS, np.where(angles > 0, _ANGLES, _FIXED))
        each = np.where(turn >= 0, 3, angles)
        self._first, self._axes = np.cumsum(each) - each, int(each.sum())

    def _lay_slides(self, plan: Layout, add: Ints, above: Floats) -> None:
        slides = add[plan.translate]  # (A, 3)
        slots, kinds = np.nonzero(slides >= 0)
        self._slide_slot, self._slide_add = slots, slides[slots, kinds]
        counts = (slides >= 0).sum(axis=1)
        self._slide_first = np.concatenate([[0], np.cumsum(counts)])
        turned = plan.rest_turn[..., 0].transpose(2, 0, 1)  # (A, 3, 3)
        way = turned[slots, :, kinds - int(Kind.TRANSLATE_X)].reshape(-1, 3)
        self._way = way * above[slots, None]

    def _movers(self, plan: Layout, points: Ints, turn: Ints) -> tuple[Ints, Ints]:
        """For each point, what moves it: (axis or -1 - slide, joint, unknown)."""
        turns = self.body.free.turns
        by_slot: list[list[tuple[int, int, int]]] = [[] for _ in range(self._slots)]
        for at in range(self._slots):
            first = int(self._first[at])
            if turn[at] >= 0:
                by_slot[at] += [(first + k, at, 3 * int(turn[at]) + k) for k in range(3)]
            else:
                held = self._angle_add[at][self._angle_add[at] >= 0].tolist()
                by_slot[at] += [(first + k, at, turns + each) for k, each in enumerate(held)]
        slides = zip(self._slide_slot.tolist(), self._slide_add.tolist(), strict=True)
        for s, (at, each) in enumerate(slides):
            by_slot[at].append((-1 - s, at, turns + each))
        found: list[tuple[int, int, int]] = []
        first_of = [0]
        for point in points:
            for at in np.flatnonzero(plan.ancestry[point]).tolist():
                found += by_slot[at]
            first_of.append(len(found))
        return ints(np.array(first_of)), ints(np.array(found, np.int64).reshape(-1, 3))

    def places(self, x: Floats) -> Placed:
        """At unknowns (T, D)."""
        times, points = self._times, len(self.body.where.joints)
        turns, adds = (np.ascontiguousarray(part) for part in self.body.free.parts(x))
        found = Placed(
            np.empty((times, points, 3)),
            np.empty((times, points, 3, 3)),
            np.empty((times, self._axes, 3)),
            np.empty((times, len(self._slide_add), 3)),
            np.empty((times, self._slots, 3)),
            np.empty((times, len(self._ordered), 3)),
        )
        assert library is not None
        given = self._bent.address, address(turns), address(adds)
        if library.arcwright_places(*given, *map(address, found)):
            raise MemoryError
        return found._replace(angles=found.angles[:, self._ordered])

    def add_to(
        self, found: System, placed: Placed, rows: Rows, broken: Broken, weight: float
    ) -> None:
        """Add the squares of all rows, what they pull at, and how free places come in."""
        many, items = rows.places, rows.items
        grid = _Struct(
            (
                *(self._times, self._slots, len(self.body.where.joints), self._axes),
                *(len(self._slide_add), len(items.spins), self.body.free.count),
            ),
            (
                *(self._first_step, self._share, items.first, items.point, items.share),
                *(items.spins, self._moved_first, self._moved_by),
            ),
        )
        parts = [np.ascontiguousarray(part) for part in rows.parts]
        limits = tuple(np.ascontiguousarray(part) for part in broken)
        over = _Struct((len(broken.time), weight), limits)
        lever = np.ascontiguousarray(rows.lever)
        follow = _Struct(
            (many, rows.free.shape[2] if many else 0),
            (np.ascontiguousarray(rows.free), lever, found.border, found.corner, found.pull),
        )
        assert library is not None
        given = *map(address, placed[:1]), *map(address, placed[2:5]), *map(address, parts)
        out = over.address, follow.address, address(found.blocks), address(found.slope)
        if library.arcwright_system(grid.address, *given, *out):
            raise MemoryError


def _locals(plan: Layout, world: Floats, scale: Floats) -> tuple[Floats, Floats]:
    """(T, A, 3, 3) turns and (T, A, 3) places of joints in their parents, as if nothing scaled."""
    turned = world[..., :3, :3] / scale[:, None, None]
    above, under = turned[:, plan.parents], world[..., :3, 3][:, plan.parents]
    above[:, plan.parents < 0], under[:, plan.parents < 0] = np.eye(3), 0.0
    back = above.swapaxes(-1, -2)
    away = (world[..., :3, 3] - under)[..., None]
    return back @ turned, (back @ away)[..., 0]
