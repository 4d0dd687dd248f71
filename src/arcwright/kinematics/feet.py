"""Feet of a rig, by joint names or by the shape of the rig."""

from __future__ import annotations

import re

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig

FLOOR = 0.1  # of the rig's size: largest height of a foot above the lowest joint
LEG = 0.2  # of the rig's size: smallest height of a leg
ALIKE = 0.05  # of the rig's size: how much a left and a right leg may differ


def feet(rig: Rig) -> list[Point]:
    """Toe joints by name, else feet, else ankles, else the ends of legs.

    One toe of each foot; end joints of named ones are left out, unless the named one is a hock.
    """
    for word in ("toe", "foot", "ankle"):
        named = [_called(name, word) for name in rig.names]
        chosen: dict[tuple[int, int], int] = {}
        for joint, parent in enumerate(rig.parents.tolist()):
            if named[joint] and not (parent >= 0 and named[parent]):
                alone = word != "toe" or parent < 0
                chosen.setdefault((parent, joint if alone else -1), joint)
        if chosen:
            return [Point(rig.names[_below_hock(rig, j, named)]) for j in chosen.values()]
    ends = [leg[0] for leg in _legs(rig)]
    if ends:
        return [Point(rig.names[joint]) for joint in ends]
    expected = (
        "points to watch, as no joint is called toe, foot or ankle and no pair of legs is found"
    )
    raise BadValue("points", expected, "none")


def _below_hock(rig: Rig, joint: int, named: list[bool]) -> int:
    """The joint, or where it is high as a hock, the named one below it that is at the floor."""
    height = _rest(rig)[:, 1]
    floor, low = height.min() + FLOOR * rig_size(rig), joint
    while height[low] > floor:
        lower = [c for c in np.flatnonzero(rig.parents == low).tolist() if named[c]]
        if not lower:
            return joint
        low = min(lower, key=lambda child: height[child])
    return low


def foot_joints(rig: Rig) -> Bools:
    """(J,) joints of feet: called toe, ball, heel, foot or ankle, else the low ends of legs."""
    found = np.array([_is_foot(name) for name in rig.names], bool)
    if not found.any():
        height = _rest(rig)[:, 1]
        for leg in _legs(rig):
            low = [joint for joint in leg if height[joint] < height[leg[0]] + FLOOR * rig_size(rig)]
            found[low] = True
    return found


def leg_ends(rig: Rig, used: Bools) -> list[int]:
    """The ends of legs, by the shape of the rig without joints that are not used (J,)."""
    return [leg[0] for leg in _legs(rig, used)]


def _legs(rig: Rig, used: Bools | None = None) -> list[list[int]]:
    """Pairs of similar branches down to the floor in the rest pose, each from its end up.

    A branch has two joints or more that carry nothing else; joints that are not used do not count.
    """
    position, size = _rest(rig), rig_size(rig)
    counted = rig.parents >= 0 if used is None else (rig.parents >= 0) & used
    children = np.bincount(rig.parents[counted], minlength=len(rig.names))
    ends = np.flatnonzero((children == 0) & (True if used is None else used)).tolist()
    branches = [branch for end in ends if len(branch := _branch(rig, children, end)) > 1]
    if not branches or not np.isfinite(position).all():
        return []
    lowest = min(position[branch[0], 1] for branch in branches)
    floor = lowest + FLOOR * size
    legs = [
        branch
        for branch in branches
        if position[branch[0], 1] < floor and position[branch[-1], 1] > lowest + LEG * size
    ]
    if lowest > FLOOR * size:
        return []  # it does not reach the floor; rigs below their root end below 0
    return [leg for leg in legs if any(_alike(rig, position, leg, each, size) for each in legs)]


def _branch(rig: Rig, children: Ints, end: int) -> list[int]:
    """An end joint and those above it that carry nothing else."""
    branch = [end]
    while (parent := int(rig.parents[branch[-1]])) >= 0 and children[parent] == 1:
        branch.append(parent)
    return branch


def _alike(rig: Rig, position: Floats, one: list[int], other: list[int], size: float) -> bool:
    """Whether two branches have the same parent, length and height, and lie apart."""
    if one[0] == other[0] or len(one) != len(other):
        return False
    if rig.parents[one[-1]] != rig.parents[other[-1]]:
        return False
    lengths = [np.linalg.norm(np.diff(position[leg], axis=0), axis=1) for leg in (one, other)]
    apart = np.linalg.norm((position[one[0]] - position[other[0]])[[0, 2]])
    unlike = [*np.abs(lengths[0] - lengths[1]), abs(position[one[0], 1] - position[other[0], 1])]
    return bool(max(unlike) < ALIKE * size < 2 * apart)


def heels(rig: Rig) -> list[Point]:
    """Behind each of the toes: a joint called heel, else the foot or ankle that carries them."""
    foot = foot_joints(rig)
    found: dict[int, Point] = {}
    for toe in feet(rig):
        parent = int(rig.parents[rig.joint(toe.joint)])
        if parent < 0 or not foot[parent]:
            continue
        below = [
            joint
            for joint in np.flatnonzero(rig.parents == parent).tolist()
            if _called(rig.names[joint], "heel")
        ]
        found[parent] = Point(rig.names[below[0] if below else parent])
    return list(found.values())


def _is_foot(name: str) -> bool:
    return any(_called(name, word) for word in ("toe", "heel", "foot", "ankle"))


def without_side(point: Point) -> tuple[str, tuple[float, ...]]:
    """A key that is the same for a point and its mirror image."""
    name = re.sub(r"(?i)left|right", "", point.joint)
    name = re.sub(r"(^|[._:\- ])[lrLR](?=$|[._\- A-Z])", r"\1", name)
    return name, (abs(float(point.offset[0])), *map(float, point.offset[1:]))


def rig_size(rig: Rig) -> float:
    """Longest side, m, of the box around all joints when every channel has its default."""
    position = _rest(rig)
    return float(np.ptp(position, axis=0).max()) if len(position) else 0.0


def _rest(rig: Rig) -> Floats:
    """(J, 3) m, joints when every channel has its default."""
    return forward(rig, rig.channels.default[None])[0, :, :3, 3]


def _called(name: str, word: str) -> bool:
    parts = [part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
    return any(word in part for part in parts) or (word == "toe" and "ball" in parts)
