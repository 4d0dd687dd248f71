"""Legs by the structure of a rig: pairs of limbs whose ends rest on the ground.

What lies low and carries nothing higher is a foot. A leg rises from it to the body, and has a
similar one beside it. Controllers and pole targets lie low, too, but hang on no leg. Exported feet
may hang on the rig's top instead: they belong to the leg whose bare end they lie at.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.forward import forward
from arcwright.scene.rig import Rig

FLOOR = 0.15  # of the rig's height: largest height of a foot above the lowest joint
LEG = 0.2  # of the rig's height: how far a leg rises at least before it joins other limbs
ALIKE = 0.05  # of the rig's size: how much bones of a left and a right leg may differ
BESIDE = 0.02  # of the rig's size: how far a detached foot lies from the end of its leg


@dataclass(frozen=True)
class Leg:
    """A limb that rests on the ground."""

    foot: tuple[int, ...]  # joints that lie low, each after its parent; the first is the ankle
    limb: tuple[int, ...]  # from the ankle up to the top of the rig, without it


_known: WeakKeyDictionary[Rig, tuple[Leg, ...]] = WeakKeyDictionary()


def legs(rig: Rig) -> tuple[Leg, ...]:
    """The legs of a rig, in order of their ankles; none of what flies or hangs above the ground."""
    if rig not in _known:
        _known[rig] = tuple(_find(rig))
    return _known[rig]


def rest_places(rig: Rig) -> Floats:
    """(J, 3) m, joints when every channel has its default."""
    return forward(rig, rig.channels.default[None])[0, :, :3, 3]


def rig_size(rig: Rig) -> float:
    """Longest side, m, of the box around all joints when every channel has its default."""
    place = rest_places(rig)
    return float(np.ptp(place, axis=0).max()) if len(place) else 0.0


def _find(rig: Rig) -> list[Leg]:
    place, size = rest_places(rig), rig_size(rig)
    tall = float(np.ptp(place[:, 1])) if len(place) else 0.0
    if not len(place) or not np.isfinite(place).all() or size <= 0:
        return []
    flat = _lying_low(rig, place[:, 1], _floor(place))
    feet = [_with_children(rig, top, flat) for top in _tops(rig, flat)]
    risen = [foot for foot in feet if _rises(rig, foot, flat, place)]
    rising = _one_per_limb(rig, risen, place)
    if not rising or place[[leg.foot[0] for leg in rising], 1].min() > FLOOR * tall:
        return []  # it does not reach the floor; rigs below their root end below 0
    paired = [leg for leg in rising if any(_alike(rig, place, leg, each) for each in rising)]
    detached = [foot for foot in feet if foot not in risen]
    return [_with_detached(leg, detached, place, BESIDE * size) for leg in paired]


def _lying_low(rig: Rig, height: Floats, floor: float) -> Bools:
    """(J,) joints below a height that carry only such joints."""
    low = np.asarray(height < floor)
    for joint in range(len(low) - 1, -1, -1):
        parent = rig.parents[joint]
        if parent >= 0 and not low[joint]:
            low[parent] = False
    return low


def _tops(rig: Rig, flat: Bools) -> list[int]:
    """Joints of feet whose parents are not."""
    low = np.flatnonzero(flat).tolist()
    return [joint for joint in low if rig.parents[joint] < 0 or not flat[rig.parents[joint]]]


def _one_per_limb(rig: Rig, feet: list[tuple[int, ...]], place: Floats) -> list[Leg]:
    """Legs: of several low ends of one limb the foot is that of most joints, then the lowest.

    The others are toes, meshes, or the bare end of the limb's last bone.
    """
    found: dict[int, tuple[int, ...]] = {}
    for foot in sorted(feet, key=lambda foot: (-len(foot), float(place[foot[0], 1]))):
        found.setdefault(int(rig.parents[foot[0]]), foot)
    return [Leg(foot, tuple(_upwards(rig, foot[0]))) for foot in sorted(found.values())]


def _with_children(rig: Rig, top: int, flat: Bools) -> tuple[int, ...]:
    found = [top]
    for joint in range(top + 1, len(flat)):
        if flat[joint] and rig.parents[joint] in found:
            found.append(joint)
    return tuple(found)


def _upwards(rig: Rig, joint: int) -> list[int]:
    """A joint and those above it."""
    found = [joint]
    while (joint := int(rig.parents[joint])) >= 0:
        found.append(joint)
    return found


def _floor(place: Floats) -> float:
    """m, the height below which joints are those of feet."""
    return float(place[:, 1].min() + FLOOR * np.ptp(place[:, 1]))


def _rises(rig: Rig, foot: tuple[int, ...], flat: Bools, place: Floats) -> bool:
    """Whether a limb rises from a foot, the joint above it being off the floor."""
    joint = foot[0]
    while (above := int(rig.parents[joint])) >= 0 and not _branches(rig, above, joint, flat):
        if joint == foot[0] and place[above, 1] <= _floor(place):
            return False
        joint = above
    return bool(place[joint, 1] - place[foot[0], 1] > LEG * np.ptp(place[:, 1]))


def _branches(rig: Rig, joint: int, child: int, flat: Bools) -> bool:
    """Whether a joint carries another limb than a child's; single joints, as meshes, are none."""
    others = (rig.parents == joint) & ~flat
    others[child] = False
    return bool(np.isin(rig.parents, np.flatnonzero(others)).any())


def _alike(rig: Rig, place: Floats, one: Leg, other: Leg) -> bool:
    """Whether two legs hang on the same joint, have similar bones, and lie apart."""
    shared = set(one.limb) & set(other.limb)
    chains = [[j for j in leg.limb if j not in shared] for leg in (one, other)]
    if one.foot == other.foot or not chains[0] or len(chains[0]) != len(chains[1]):
        return False
    lengths = [np.linalg.norm(place[chain] - place[rig.parents[chain]], axis=1) for chain in chains]
    size = rig_size(rig)
    apart = np.linalg.norm((place[one.foot[0]] - place[other.foot[0]])[[0, 2]])
    return bool(np.abs(lengths[0] - lengths[1]).max() < ALIKE * size < 2 * apart)


def _with_detached(leg: Leg, detached: list[tuple[int, ...]], place: Floats, near: float) -> Leg:
    """A leg that ends without a foot, with the one that lies at its end."""
    if len(leg.foot) > 1 or not detached:
        return leg
    away = [float(np.linalg.norm(place[foot[0]] - place[leg.foot[0]])) for foot in detached]
    best = int(np.argmin(away))
    return replace(leg, foot=detached[best]) if away[best] <= near else leg
