"""Missing clips: an idle, a walk and a run for characters that have no take for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arcwright.kinematics.places import Places
from arcwright.scene.motion import Motion
from arcwright.scene.take import Take
from arcwright.tools.puppet.locomotion.arm_swing import with_arm_swing
from arcwright.tools.puppet.locomotion.gait_clip import GaitClip, gait_clip
from arcwright.tools.puppet.locomotion.leg_ik import Legs
from arcwright.tools.puppet.locomotion.made_gaits import made_idle, made_run, made_walk
from arcwright.tools.puppet.locomotion.root_frame import RootWriter
from arcwright.tools.puppet.locomotion.standing_pose import standing_pose
from arcwright.tools.puppet.objects.hands_on import Arms, arms_of
from arcwright.tools.puppet.puppet_rig import PuppetRig


def with_missing_clips(
    clips: dict[str, GaitClip],
    takes: Sequence[Take],
    own: PuppetRig,
    legs: Legs,
    writer: RootWriter,
    palms: Places,
) -> dict[str, GaitClip]:
    """The clips, with an idle, a walk where no gait is there, and a run where only a walk is."""
    arms = arms_of(own.rig, own.root, palms, own.rest)
    clips = _with_idle(clips, takes, own, legs, writer, arms)
    if len(legs.toes) < 2:
        return clips
    made = None
    if not any(clip.moves for clip in clips.values()):
        made = made_walk(clips["idle"], legs, writer)
        if made is not None:
            clips = clips | {"walk": with_arm_swing(made, legs, arms, writer)}
    if "walk" in clips and "run" not in clips:
        made = made_run(clips["walk"], legs, writer)
        clips = clips if made is None else clips | {"run": made}
    return clips


def _with_idle(
    clips: dict[str, GaitClip],
    takes: Sequence[Take],
    own: PuppetRig,
    legs: Legs,
    writer: RootWriter,
    arms: Arms | None,
) -> dict[str, GaitClip]:
    """The clips, with an idle: the mean pose of a walk, else a pose that stands."""
    if "idle" in clips:
        return clips
    if "walk" in clips:
        return {"idle": made_idle(clips["walk"], legs, writer), **clips}
    pose = own.rest
    if len(legs.toes) > 1:
        played = [own.played_take(take) for take in takes]
        pose = standing_pose(played, own.rest, own.root, legs.toes, arms, own.size)
    stands = Motion("standing", np.array([0.0, 1.0]), np.repeat(pose[None], 2, axis=0))
    idle = gait_clip(Take(own.rig, stands), own.root, legs.toes, own.size)
    assert idle is not None
    return {"idle": replace(idle, speed=0.0), **clips}
