"""Getting up: the clip by which a lying puppet does, and where it begins: where the body lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import quaternion_conjugate, quaternion_rotate
from arcwright.tools.puppet.action_clip import ActionClip
from arcwright.tools.puppet.locomotion.root_frame import in_world, standing_frame
from arcwright.tools.puppet.puppet_character import PuppetCharacter
from arcwright.tools.puppet.terrain import Ground

Pose: TypeAlias = tuple[Floats, Floats]  # values (C,) and root (7,) in the world

FADE = 0.3  # s from the lying pose to that of the clip, at least
MADE = 0.7  # s from lying to standing without a clip, for a body as large as a person
PERSON = 1.7  # m
SPEED = 1.0  # of the size a second, of the joint that is farthest from there: else it takes longer
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

    def pose(self, seconds: float, character: PuppetCharacter) -> Pose:
        """Values and root in the puppet's frame, some seconds after it began."""
        if self.clip is None:
            return character.stand, character.root
        return self.clip.at(seconds / max(self.clip.seconds, 1e-9))


def get_up(
    character: PuppetCharacter, lying: Pose, grip: Floats, joints: Sequence[int], ground: Ground
) -> GetUp:
    """Get up from a pose with its grip (3,), by the clip that begins most alike.

    `joints` are those whose way to the first pose of the clip says how long it takes.
    """
    root = lying[1]
    clips = [character.actions.get(role) for role in ("get_up_back", "get_up_front")]
    known = [clip for clip in clips if clip is not None]
    alike = [float(_up_in(root) @ _up_in(clip.root[0])) for clip in known]
    clip = known[int(np.argmax(alike))] if known else None
    values, first = character.stand, character.root
    if clip is not None:
        values, first = clip.values[0], clip.root[0]
    place, heading = standing_frame(root, first)
    ours, theirs = grip - root[:3], _grip_of(character, values, first) - first[:3]
    if min(np.hypot(*ours[[0, 2]]), np.hypot(*theirs[[0, 2]])) > LYING * character.size:
        heading = float(np.arctan2(ours[0], ours[2]) - np.arctan2(theirs[0], theirs[2]))
        place = (root[:3] - in_world(first, np.zeros(3), heading)[:3]) * [1, 0, 1]
    on_ground = place.copy()
    on_ground[1] = ground(float(place[0]), float(place[2]))
    begins = values, in_world(first, on_ground, heading)
    both = np.stack([character.gaits.writer.written(*pose) for pose in (lying, begins)])
    places = forward(character.rig, both, joints)[..., :3, 3]
    far = float(np.linalg.norm(places[1] - places[0], axis=1).max())
    least = FADE if clip is not None else MADE * (character.size / PERSON) ** 0.5
    fade = max(least, far / (SPEED * character.size))
    return GetUp(clip, fade if clip is None else clip.seconds, fade, place, heading)


def _up_in(root: Floats) -> Floats:
    """(3,) the vertical in the frame of a root: which side of the body is up."""
    return quaternion_rotate(quaternion_conjugate(root[3:]), UP)


def _grip_of(character: PuppetCharacter, values: Floats, root: Floats) -> Floats:
    """(3,) m, where the grip is in a pose."""
    values = character.gaits.writer.written(values, root)
    joint = character.rig.joint(character.grip.joint)
    world = forward(character.rig, values[None], [joint])[0, 0]
    return np.asarray(world[:3, :3] @ character.grip.offset + world[:3, 3])
