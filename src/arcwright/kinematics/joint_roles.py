"""Joint roles: hips, spine, arms, legs … of a rig, and the joints of two rigs that correspond.

The structure of a rig decides, names only where limbs end: legs stand on feet, hips carry both
legs, the chest carries both arms. So it does not matter that one rig calls its collar bone
`LeftShoulder` and another its upper arm. Every role is a chain of joints from the body outwards.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.errors import MissingJoints
from arcwright.kinematics.assembled_skeleton import AssembledSkeleton, assembled_skeleton
from arcwright.kinematics.end_effectors import end_effectors
from arcwright.kinematics.feet import planted_joints, without_side
from arcwright.kinematics.hands import LEFT
from arcwright.kinematics.legs import legs, rest_places
from arcwright.kinematics.rig_analysis import Role, analyse, animatable
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Actor

SIDES = ("left", "right")
TRUNK = ("hips", "spine", "neck", "head")
ARM = ("clavicle", "upper_arm", "lower_arm", "hand")
LEG = ("upper_leg", "lower_leg", "foot", "toes")
FINGERS: Mapping[str, tuple[str, ...]] = {
    "thumb": ("thumb",),
    "index": ("index",),
    "middle": ("mid",),
    "ring": ("ring",),
    "little": ("little", "pinky"),
}
FEWEST_FINGERS = 3  # captures with one finger and a thumb record nothing in them
LONGEST_FINGER = 3  # joints; those before are in the palm
SHORT = 0.3  # of the lower bone of a limb: a shorter bone above it is not the upper one
BESIDE = 0.05  # of the rig's size, by which left and right may differ
_HAND = ("hand", "wrist", "palm")

Chain = tuple[str, ...]
"""Joints from the body outwards."""


@dataclass(frozen=True)
class Correspondence:
    """Which joints of one rig do what joints of another do; the last of a chain holds the role."""

    chains: Mapping[str, tuple[Chain, Chain]]  # by role: of the source, of the target
    others: Mapping[str, str]  # joints without a role by the name that both rigs know
    missing: Mapping[str, Chain]  # roles that an actor lacks and the other has, by actor


class Body(NamedTuple):
    """The rig of an actor with attached joints on their limbs, and which joints pose it."""

    actor: Actor
    rig: Rig
    skeleton: AssembledSkeleton | None
    order: Ints  # (J,) joints of the actor's own rig
    root: int  # the joint that carries the body
    poses: Bools  # (J,) rotates and deforms the body

    @property
    def place(self) -> Floats:
        """(J, 3) m, the rest pose."""
        return rest_places(self.rig)


def body_of(actor: Actor) -> Body:
    """The rig of an actor as roles and retargeting need it."""
    analysis = analyse(actor)
    skeleton = assembled_skeleton(actor.rig, analysis.attached_to, analysis.root)
    rig, order = actor.rig, np.arange(len(actor.rig.names))
    if skeleton is not None:
        rig, order = skeleton.rig, skeleton.order
    beside = np.array([role is Role.PROP for role in analysis.roles], bool)
    poses = analysis.deforms[order] & ~beside[order] & animatable(rig)[1]
    root = int(np.flatnonzero(order == analysis.root)[0])
    return Body(actor, rig, skeleton, order, root, poses)


def corresponding_joints(
    source: Actor, target: Actor, require: Sequence[str] = ()
) -> Correspondence:
    """The joints of two actors that correspond, by structure and names.

    Roles are `hips`, `spine`, `neck`, `head` and, with `left_` or `right_` before them, those of
    ARM, LEG and FINGERS; fingers correspond where both have three or more. Raises `MissingJoints`
    where an actor lacks a role of `require`, or where they have no pair of limbs in common.
    """
    roles = [joint_roles(body_of(actor)) for actor in (source, target)]
    mine, theirs = roles
    pairs = {}
    for role, chain in theirs.items():
        own = mine.get(role, mine.get(re.sub(r"(hand)_\d$", r"\1", role)))
        if own is not None:
            pairs[role] = own, chain
    missing = _missing(source, target, mine, theirs, require)
    if any(set(require) & set(lacking) for lacking in missing.values()) or not _share_limbs(pairs):
        raise MissingJoints(missing)
    return Correspondence(pairs, _others(source.rig, target.rig, roles), missing)


def _missing(
    source: Actor,
    target: Actor,
    mine: Mapping[str, Chain],
    theirs: Mapping[str, Chain],
    require: Sequence[str],
) -> dict[str, Chain]:
    """Roles that an actor lacks: required ones, and plain ones that the other has."""
    plain = [*TRUNK, *(f"{side}_{part}" for side in SIDES for part in (*ARM, *LEG))]
    lacking = [
        tuple(role for role in plain if role not in has and (role in other or role in require))
        for has, other in ((mine, theirs), (theirs, mine))
    ]
    names = [source.name, target.name if target.name != source.name else f"{target.name} (target)"]
    return {name: roles for name, roles in zip(names, lacking, strict=True) if roles}


def _share_limbs(pairs: Mapping[str, object]) -> bool:
    return any(
        all(
            f"{side}_{part}" in pairs
            for side in SIDES
            for part in (f"upper_{limb}", f"lower_{limb}")
        )
        for limb in ("arm", "leg")
    )


def _others(source: Rig, target: Rig, roles: Sequence[Mapping[str, Chain]]) -> dict[str, str]:
    taken = {name for each in roles for chain in each.values() for name in chain}
    return {name: name for name in target.names if name in source.names and name not in taken}


def joint_roles(body: Body) -> dict[str, Chain]:
    """The joints of each role that a rig has."""
    rig = body.rig
    found: dict[str, list[int]] = {}
    hips, limbs = _legs(body)
    for side, path in limbs.items():
        upper, lower = _two_bones(body.place, path)
        found[f"{side}_upper_leg"], found[f"{side}_lower_leg"] = [upper], [lower]
        found[f"{side}_foot"] = [path[0]]
        found[f"{side}_toes"] = _toes(body, path[0])
    found["hips"] = [hips]
    chest, arms = _arms(body, hips, [path[-1] for path in limbs.values()])
    found["spine"] = _between(rig, chest, hips)
    for side, (ends, path) in arms.items():
        upper, lower = _two_bones(body.place, path)
        found[f"{side}_upper_arm"], found[f"{side}_lower_arm"] = [upper], [lower]
        found[f"{side}_clavicle"] = path[path.index(upper) + 1 :][::-1]
        found[f"{side}_hand"] = _hand_chain(rig, ends[0])
        for number, beside in enumerate(ends[1:], 2):
            found[f"{side}_hand_{number}"] = [beside]
        for finger, chain in _fingers(body, lower).items():
            found[f"{side}_{finger}"] = [joint for joint in chain if joint not in ends]
    found["neck"], found["head"] = _head(body, chest, arms)
    return {role: tuple(rig.names[j] for j in chain) for role, chain in found.items() if chain}


def _legs(body: Body) -> tuple[int, dict[str, list[int]]]:
    """The hips, and of the left and right leg the way up from the foot to below the hips."""
    rig = body.rig
    feet = planted_joints(rig) & body.poses
    tops = [j for j in np.flatnonzero(feet).tolist() if not feet[max(rig.parents[j], 0)]]
    standing = {top for leg in legs(rig) for top in _upwards(rig, leg.foot[0])}
    tops = [top for top in tops if not standing or top in standing]
    pairs = _pairs(body, tops)
    if not pairs:
        return body.root, {}
    depth = [len(_upwards(rig, _joining(rig, *pair))) for pair in pairs]
    left, right = pairs[int(np.argmin(depth))]  # of four legs the hind ones
    hips = _joining(rig, left, right)
    paths = {side: _path(rig, top, hips) for side, top in zip(SIDES, (left, right), strict=True)}
    return (hips, paths) if min(map(len, paths.values())) > 2 else (body.root, {})


def _arms(
    body: Body, hips: int, legs: Sequence[int]
) -> tuple[int, dict[str, tuple[list[int], list[int]]]]:
    """The chest, and of both arms the joints of the hand and the way up from them."""
    rig = body.rig
    below = [any(rig.is_below(j, leg) for leg in legs) for j in range(len(rig.names))]
    usable = body.poses & ~np.array(below, bool)
    ends = [j for j in np.flatnonzero(usable).tolist() if _is_hand(rig, j, usable)]
    named = len(ends) > 1
    if not named:
        ends = [end.joint for end in end_effectors(rig, usable) if len(end.limb) > 2]
    beside: dict[int, list[int]] = {}
    for end in ends:
        beside.setdefault(int(rig.parents[end]), []).append(end)
    pairs = _pairs(
        body, [min(group, key=lambda j: -_count_below(rig, j)) for group in beside.values()]
    )
    pairs = [pair for pair in pairs if rig.is_below(_joining(rig, *pair), hips)]
    if not pairs or (len(pairs) > 1 and not named):  # as a spider's
        return hips, {}
    highest = max(pairs, key=lambda pair: float(body.place[_joining(rig, *pair), 1]))
    chest = _joining(rig, *highest)
    arms = {}
    for side, end in zip(SIDES, highest, strict=True):
        group = beside[int(rig.parents[end])]
        whole = [end, *(j for j in _siblings(body, end) if len(group) > 1)]
        path = _path(rig, end, chest)
        if len(path) > 2:
            arms[side] = whole, path
    return (chest, arms) if len(arms) == 2 else (hips, {})


def _siblings(body: Body, joint: int) -> list[int]:
    """Other joints that hang on the same one and pose the body: thumbs, further palms."""
    same = (body.rig.parents == body.rig.parents[joint]) & body.poses
    return [each for each in np.flatnonzero(same).tolist() if each != joint]


def _is_hand(rig: Rig, joint: int, usable: Bools) -> bool:
    """Whether a joint is called hand, and none of those above it that can be used."""
    above = [each for each in _upwards(rig, joint)[1:] if usable[each]]
    return _called(rig, joint, _HAND) and not any(_called(rig, each, _HAND) for each in above)


def _hand_chain(rig: Rig, top: int) -> list[int]:
    """A wrist, and the hand that follows it."""
    below = [j for j in np.flatnonzero(rig.parents == top).tolist() if _called(rig, j, _HAND[:1])]
    fingers = [word for words in FINGERS.values() for word in (*words, "finger", "slot", "end")]
    plain = [joint for joint in below if not _called(rig, joint, fingers)]
    return [top, plain[0]] if _called(rig, top, _HAND[1:2]) and plain else [top]


def _fingers(body: Body, lower: int) -> dict[str, list[int]]:
    """Chains of fingers below a lower arm."""
    rig, found = body.rig, dict[str, list[int]]()
    for joint in np.flatnonzero(body.poses).tolist():
        if joint == lower or not rig.is_below(joint, lower):
            continue
        for finger, words in FINGERS.items():
            if _called(rig, joint, words):
                found.setdefault(finger, []).append(joint)
    return {
        name: chain[-LONGEST_FINGER:]
        for name, chain in found.items()
        if len(found) >= FEWEST_FINGERS
    }


def _toes(body: Body, foot: int) -> list[int]:
    """The joint of the toes that hangs on a foot."""
    below = np.flatnonzero((body.rig.parents == foot) & body.poses).tolist()
    named = [joint for joint in below if _called(body.rig, joint, ("toe", "ball"))]
    return (named or below)[:1]


def _head(
    body: Body, chest: int, arms: Mapping[str, tuple[list[int], list[int]]]
) -> tuple[list[int], list[int]]:
    """Neck and head: what is called so above the chest, else the branch that rises highest."""
    rig = body.rig
    limbs = {joint for _, path in arms.values() for joint in path}
    free = [
        j
        for j in np.flatnonzero(body.poses).tolist()
        if j != chest and rig.is_below(j, chest) and not limbs & set(_upwards(rig, j))
    ]
    named = [joint for joint in free if _called(rig, joint, ("head",))]
    if not named:
        ends = [joint for joint in free if not any(rig.parents[each] == joint for each in free)]
        high = [joint for joint in ends if body.place[joint, 1] > body.place[chest, 1]]
        named = sorted(high, key=lambda joint: -float(body.place[joint, 1]))[:1] if arms else []
    if not named:
        return [], []
    way = _between(rig, named[0], chest)
    return way[:-1], way[-1:]


def _two_bones(place: Floats, path: Sequence[int]) -> tuple[int, int]:
    """Upper and lower joint of a limb, from the way (end first) up to its top."""
    lengths = [float(np.linalg.norm(place[path[0]] - place[joint])) for joint in path]
    lower = next(i for i in range(1, len(path)) if lengths[i] > 0.25 * max(lengths))
    if lower == len(path) - 1:
        lower = 1
    bones = [float(np.linalg.norm(place[path[lower]] - place[joint])) for joint in path]
    upper = next(
        (i for i in range(lower + 1, len(path)) if bones[i] >= SHORT * lengths[lower]), lower + 1
    )
    return path[upper], path[lower]


def _pairs(body: Body, joints: Sequence[int]) -> list[tuple[int, int]]:
    """Left and right joints: by names that differ in the side alone, else by the rest pose."""
    rig, place = body.rig, body.place
    near, found = BESIDE * float(np.ptp(place, axis=0).max()), []
    middle = float(np.median(place[body.poses, 0])) if body.poses.any() else 0.0
    for index, one in enumerate(joints):
        for other in joints[index + 1 :]:
            image = (place[one] - [middle, 0, 0]) * [-1.0, 1.0, 1.0] + [middle, 0, 0]
            bare = [without_side(Point(rig.names[joint]))[0] for joint in (one, other)]
            named = bare[0] == bare[1] and rig.names[one] != rig.names[other]
            apart = abs(place[one, 0] - place[other, 0]) > near
            if named or (apart and float(np.linalg.norm(place[other] - image)) < near):
                found.append((one, other) if _is_left(body, one, other) else (other, one))
    return found


def _is_left(body: Body, one: int, other: int) -> bool:
    said = [bool(LEFT.search(body.rig.names[joint])) for joint in (one, other)]
    return said[0] if said[0] != said[1] else bool(body.place[one, 0] > body.place[other, 0])


def _upwards(rig: Rig, joint: int) -> list[int]:
    """A joint and those above it."""
    found = []
    while joint >= 0:
        found.append(joint)
        joint = int(rig.parents[joint])
    return found


def _joining(rig: Rig, one: int, other: int) -> int:
    """The last joint that carries two others."""
    above = set(_upwards(rig, other))
    return next((joint for joint in _upwards(rig, one) if joint in above), 0)


def _path(rig: Rig, joint: int, top: int) -> list[int]:
    """The way up from a joint to below `top`."""
    up = _upwards(rig, joint)
    return up[: up.index(top)] if top in up else up


def _between(rig: Rig, joint: int, top: int) -> list[int]:
    """The way down from below `top` to a joint."""
    return _path(rig, joint, top)[::-1]


def _count_below(rig: Rig, joint: int) -> int:
    return sum(rig.is_below(each, joint) for each in range(joint, len(rig.names)))


def _called(rig: Rig, joint: int, words: Sequence[str]) -> bool:
    name = rig.names[joint].rpartition(":")[2].lower()
    return any(word in name for word in words)
