"""Getting up: the clip by which a lying puppet does, and where it begins: where the body lies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import quaternion_conjugate, quaternion_rotate
from arcwright.tools.puppet.action_clip import ActionClip
from arcwright.tools.puppet.locomotion.root_frame import in_world, standing_frame
from arcwright.tools.puppet.puppet_character import PuppetCharacter

FADE = 0.3  # s from the lying pose to that of the clip
TURN = 0.5  # s more, for a body that lies on the other side
WITHOUT_CLIP = 0.9  # s in which a body without a clip gets up
LYING = 0.08  # of the size, over the ground, from root to grip: a shorter body has no direction
UP = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True, eq=False)
class GetUp:
    """How a puppet gets up, and the frame in which it will stand."""

    clip: ActionClip | None
    seconds: float
    fade: float  # s
    place: Floats  # (3,) m, on the level 0
    heading: float  # rad


def get_up(character: PuppetCharacter, root: Floats, grip: Floats) -> GetUp:
    """Get up from a root (7,) and a grip (3,) in the world, by the clip that begins most alike."""
    clips = [character.actions.get(role) for role in ("get_up_back", "get_up_front")]
    known = [clip for clip in clips if clip is not None]
    if not known:
        place, heading = standing_frame(root, character.root)
        return GetUp(None, WITHOUT_CLIP, WITHOUT_CLIP, place, heading)
    side = _up_in(root)
    alike = [float(side @ _up_in(clip.root[0])) for clip in known]
    clip = known[int(np.argmax(alike))]
    angle = float(np.arccos(np.clip(max(alike), -1.0, 1.0)))
    first = clip.root[0]
    place, heading = standing_frame(root, first)
    ours, theirs = grip - root[:3], _grip_of(character, clip) - first[:3]
    if min(np.hypot(*ours[[0, 2]]), np.hypot(*theirs[[0, 2]])) > LYING * character.size:
        heading = float(np.arctan2(ours[0], ours[2]) - np.arctan2(theirs[0], theirs[2]))
        place = (root[:3] - in_world(first, np.zeros(3), heading)[:3]) * [1, 0, 1]
    return GetUp(clip, clip.seconds, FADE + TURN * angle / np.pi, place, heading)


def _up_in(root: Floats) -> Floats:
    """(3,) the vertical in the frame of a root: which side of the body is up."""
    return quaternion_rotate(quaternion_conjugate(root[3:]), UP)


def _grip_of(character: PuppetCharacter, clip: ActionClip) -> Floats:
    """(3,) m, where the grip is as a clip begins, in the puppet's frame."""
    values = character.gaits.writer.written(clip.values[0], clip.root[0])
    joint = character.rig.joint(character.grip.joint)
    world = forward(character.rig, values[None], [joint])[0, 0]
    return np.asarray(world[:3, :3] @ character.grip.offset + world[:3, 3])
