"""Effectors by their usual names: pelvis, shoulders, thighs, hands and feet of a rig.

A shoulder is the joint where an arm begins, a thigh the one where a leg begins, whatever the rig
calls them: in many rigs the joint called shoulder is the collar bone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.kinematics.feet import is_foot
from arcwright.kinematics.hands import LEFT, hands
from arcwright.kinematics.legs import legs, rest_places
from arcwright.kinematics.mass import body_segment
from arcwright.kinematics.rig_analysis import analyse
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Actor

EFFECTORS = (
    "Pelvis",
    *("LeftShoulder", "RightShoulder", "LeftHand", "RightHand"),
    *("LeftThigh", "RightThigh", "LeftFoot", "RightFoot"),
)
_RIGHT = re.compile(r"(?i:right)|(?:^|[._:\- ])[rR](?=$|[._\- A-Z])")
_PARTS = {
    "pelvis": "Pelvis",
    "hips": "Pelvis",
    "hip": "Pelvis",
    "shoulder": "Shoulder",
    "hand": "Hand",
    "wrist": "Hand",
    "thigh": "Thigh",
    "foot": "Foot",
    "ankle": "Foot",
}
_SIDES = {"left": "Left", "l": "Left", "right": "Right", "r": "Right"}
_SEGMENTS = {"Shoulder": ("upper arm", "lower arm"), "Thigh": ("thigh", "shin")}
_FEWEST = 3  # joints of a limb that has a beginning, a middle and an end
_LIMB_BONE = 0.5  # of the longest bone of a limb: shorter ones above it only lead to the limb


def effector_name(text: str) -> str:
    """The effector that a text names: LeftHand for `left hand`, `Hand_L`, `lHand`; "" for none."""
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", text)]
    joined = re.fullmatch(r"(left|right)?([a-z]+?)(left|right)?", "".join(words))
    if len(words) == 1 and joined:
        words = [word for word in joined.groups() if word]
    sides = [_SIDES[word] for word in words if word in _SIDES]
    parts = [_PARTS.get(word, "?") for word in words if word not in _SIDES]
    name = "".join([*sides, *parts])
    return name if name in EFFECTORS else ""


def effector_words(effector: str) -> str:
    """An effector for people: `left hand` for LeftHand."""
    return " ".join(re.findall(r"[A-Z][a-z]+", effector)).lower()


def effector_joint(actor: Actor, effector: str) -> int:
    """The joint of an effector, one of `EFFECTORS`; raises where the rig does not show it."""
    if effector not in EFFECTORS:
        raise BadValue("effector", f"one of {', '.join(EFFECTORS)}", repr(effector))
    if effector == "Pelvis":
        return analyse(actor).root
    side, part = re.findall(r"[A-Z][a-z]+", effector)
    of_arms, begins = part in ("Shoulder", "Hand"), part in _SEGMENTS
    found = _limbs(actor, of_arms).get(side)
    if found is None or (begins and len(found) < _FEWEST):
        limb = "arm" if of_arms else "leg"
        expected = f"a character whose rig shows its {side.lower()} {limb}; name the joint"
        raise BadValue(f"effector {effector}", expected, actor.name)
    return _start(actor.rig, found, *_SEGMENTS[part]) if begins else found[0]


def _limbs(actor: Actor, of_arms: bool) -> dict[str, tuple[int, ...]]:
    """By side: the joints of an arm or leg, from its hand or foot upwards; no controllers."""
    rig, deforms = actor.rig, analyse(actor).deforms
    named = [rig.joint(each[0].joint) for each in hands(rig)]
    arms = [joint for joint in named if deforms[joint]]
    chains = [_upwards(rig, joint) for joint in arms] if of_arms else _leg_chains(rig, arms)
    shared = {joint for chain in chains for joint in chain if _count(chains, joint) > 1}
    own = [tuple(joint for joint in chain if joint not in shared) for chain in chains]
    sides = _sides(rig, own)
    return {side: chain for side, chain in zip(sides, own, strict=True) if sides.count(side) == 1}


def _leg_chains(rig: Rig, arms: Sequence[int]) -> list[tuple[int, ...]]:
    """From the foot upwards; a foot that hangs elsewhere comes before the limb that ends at it."""
    chains = []
    for leg in legs(rig):
        if not set(arms) & {*leg.foot, *leg.limb}:
            above = [joint for joint in leg.limb if joint != leg.foot[0]]
            named = [joint for joint in above[:1] if is_foot(rig.names[joint])]
            chains.append(tuple(above) if named else (leg.foot[0], *above))
    return chains or _named_feet(rig)


def _named_feet(rig: Rig) -> list[tuple[int, ...]]:
    """Of rigs whose structure shows no legs: the highest joints with the names of feet."""
    named = [is_foot(name) for name in rig.names]
    tops = [
        j
        for j, parent in enumerate(rig.parents)
        if named[j] and not (parent >= 0 and named[parent])
    ]
    return [_upwards(rig, joint) for joint in tops]


def _upwards(rig: Rig, joint: int) -> tuple[int, ...]:
    found = []
    while joint >= 0:
        found.append(joint)
        joint = int(rig.parents[joint])
    return tuple(found)


def _count(chains: Sequence[Sequence[int]], joint: int) -> int:
    return sum(joint in chain for chain in chains)


def _sides(rig: Rig, chains: Sequence[Sequence[int]]) -> list[str]:
    """Left or Right of each limb, by the names of its joints, else of two by where they rest."""
    found = []
    for chain in chains:
        names = [rig.names[joint] for joint in chain]
        left = any(LEFT.search(name) for name in names)
        right = any(_RIGHT.search(name) for name in names)
        found.append("" if left == right else "Left" if left else "Right")
    if not any(found) and len(chains) == 2 and all(chains):
        place = rest_places(rig)[[chain[0] for chain in chains], 0]
        return ["Left", "Right"] if place[0] > place[1] else ["Right", "Left"]
    return found


def _start(rig: Rig, chain: Sequence[int], upper: str, lower: str) -> int:
    """Where a limb begins: by the names of its two segments, else at the top of its long bones."""
    segments = [body_segment(rig.names[joint]) for joint in chain]
    if upper in segments[1:]:
        return chain[-1 - segments[::-1].index(upper)]
    if lower in segments[1:-1] and segments[-1] != lower:
        return chain[len(chain) - segments[::-1].index(lower)]
    place: Floats = rest_places(rig)[list(chain)]
    bones = np.linalg.norm(np.diff(place, axis=0), axis=1)
    return chain[int(np.flatnonzero(bones >= _LIMB_BONE * bones.max())[-1]) + 1]
