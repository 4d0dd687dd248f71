"""Captures from takes: the poses of a user's own clips as body models are trained on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.errors import BadValue
from arcwright.kinematics.feet import feet
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_multiply,
    unwrap_quaternion,
)
from arcwright.kinematics.sample import values_at
from arcwright.scene.rig import Kind, Rig
from arcwright.scene.take import Take
from arcwright.tools.autocomplete.body.binding import canonical_offsets
from arcwright.tools.autocomplete.body.captures import (
    FRAME_TIME,
    Captures,
    mirrored,
    planted_feet,
)
from arcwright.tools.autocomplete.body.key_slerp import Poses
from arcwright.tools.autocomplete.body.skeleton import MOST_JOINTS, Skeleton

STILL = 1e-4  # rad: a joint that turns less in all clips is stiff
SHORTEST = 12  # frames of a clip
ALIKE = 0.05  # of a bone's length, by which both sides may differ


@dataclass(frozen=True, eq=False)
class NamedTake:
    """A take and what it is called."""

    name: str
    take: Take


def captures_of(clips: Sequence[NamedTake]) -> Captures:
    """At 30 frames a second; raises `BadValue` where clips are too short or of another rig."""
    if not clips:
        raise BadValue("examples", "clips to learn from", "none")
    rig = clips[0].take.rig
    for clip in clips:
        _check(clip, clips[0])
    world = [_world(clip.take) for clip in clips]
    own = moving_joints(rig, [turned for turned, _ in world])
    parents = _parents(rig, own)
    offsets = [canonical_offsets(clip.take.rig, own, parents) for clip in clips]
    size = np.array([max(float(np.linalg.norm(each, axis=1).sum()), 1e-6) for each in offsets])
    skeleton = Skeleton(
        tuple(rig.names[joint] for joint in own), np.array(parents), offsets[0] / size[0]
    )
    rotations = np.concatenate([_local(turned[:, own], parents) for turned, _ in world])
    position = np.concatenate(
        [places[:, own[0]] / each for (_, places), each in zip(world, size, strict=True)]
    )
    start = np.concatenate([[0], np.cumsum([len(turned) for turned, _ in world])])
    scaled = np.stack([each / long for each, long in zip(offsets, size, strict=True)])
    standing = _feet(rig, own)
    return Captures(
        skeleton=skeleton,
        rotations=rotations,
        position=position,
        start=start,
        offsets=scaled,
        size=size,
        feet=standing,
        planted=planted_feet(skeleton, Poses(rotations, position), scaled, start, standing),
        subject=np.arange(len(clips)),
        names=tuple(clip.name for clip in clips),
        mirror=_mirror(skeleton, standing),
    )


def moving_joints(rig: Rig, orientations: Sequence[Floats]) -> list[int]:
    """The joint that carries the body, and all below it that turn in some clip."""
    table = rig.channels
    slides = np.unique(table.joint[table.kind <= Kind.TRANSLATE_Z])
    turns = np.unique(
        table.joint[(table.kind >= Kind.ROTATE_X) & (table.kind <= Kind.QUATERNION_Z)]
    )
    below = {
        joint: [each for each in turns.tolist() if each == joint or rig.is_below(each, joint)]
        for joint in (slides if len(slides) else turns[:1]).tolist()
    }
    if not below:
        raise BadValue("examples", "a character whose joints turn", "none that do")
    root = max(below, key=lambda joint: (len(below[joint]), joint))
    moving = [root]
    for joint in below[root]:
        parent = int(rig.parents[joint])
        if joint != root and any(_turns(turned, joint, parent) for turned in orientations):
            moving.append(joint)
    if len(moving) > MOST_JOINTS:
        raise BadValue("examples", f"at most {MOST_JOINTS} joints that turn", len(moving))
    return moving


def _turns(orientations: Floats, joint: int, parent: int) -> bool:
    local = quaternion_multiply(
        quaternion_conjugate(orientations[:, parent]), orientations[:, joint]
    )
    return bool((abs((local * local[:1]).sum(axis=1)) < np.cos(STILL / 2)).any())


def _check(clip: NamedTake, first: NamedTake) -> None:
    rig, take = first.take.rig, clip.take
    if take.rig.names != rig.names or (take.rig.parents != rig.parents).any():
        expected = f"clips of one rig, as {first.name} has it"
        raise BadValue("examples", expected, f"another skeleton in {clip.name}")
    if take.duration < SHORTEST * FRAME_TIME:
        least = f"clips of {SHORTEST * FRAME_TIME:.1f} s or more"
        raise BadValue("examples", least, f"{take.duration:.2f} s in {clip.name}")


def _world(take: Take) -> tuple[Floats, Floats]:
    """Rotations (T, J, 4) in the world since the rest pose, and places (T, J, 3)."""
    times = np.arange(0.0, take.duration + 1e-9, FRAME_TIME)
    values, rig = values_at(take, times), take.rig
    rest = quaternion_conjugate(orientation(rig, rig.channels.default[None]))
    turned = quaternion_multiply(orientation(rig, values), rest)
    return turned, forward(rig, values)[..., :3, 3]


def _parents(rig: Rig, own: list[int]) -> tuple[int, ...]:
    """The nearest joint above each that is one of them."""
    found = []
    for joint in own:
        above = int(rig.parents[joint])
        while above >= 0 and above not in own:
            above = int(rig.parents[above])
        found.append(own.index(above) if above >= 0 and joint != own[0] else -1)
    return tuple(found)


def _local(world: Floats, parents: tuple[int, ...]) -> Floats:
    above = world[:, np.maximum(parents, 0)]
    above[:, 0] = [1.0, 0.0, 0.0, 0.0]
    return unwrap_quaternion(quaternion_multiply(quaternion_conjugate(above), world))


def _feet(rig: Rig, own: list[int]) -> Ints:
    """Feet among the joints; none where the rig has none."""
    try:
        named = [rig.joint(point.joint) for point in feet(rig)]
    except BadValue:
        named = []
    return np.array([own.index(joint) for joint in named if joint in own], np.int64)


def _mirror(skeleton: Skeleton, standing: Ints) -> Ints:
    """The joint on the other side, where both sides are built alike; else every joint itself."""
    alone = np.arange(len(skeleton.names))
    found = mirrored(list(skeleton.names))
    image = skeleton.offsets[found] * [-1.0, 1.0, 1.0]
    apart = np.linalg.norm(image - skeleton.offsets, axis=1)
    longest = np.linalg.norm(skeleton.offsets, axis=1).max(initial=0.0)
    hangs = (skeleton.parents[found][1:] == found[skeleton.parents[1:]]).all()
    alike = hangs and (apart <= ALIKE * longest).all()
    return found if alike and set(found[standing]) == set(standing.tolist()) else alone
