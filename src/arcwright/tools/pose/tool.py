"""The pose tool: name, options, begin."""

from __future__ import annotations

from dataclasses import dataclass

from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.options import Options, option
from arcwright.tools.pose.rotate_joints import PoseJointRotator
from arcwright.tools.pose.session import PoseSession
from arcwright.tools.shared.attached import begin_assembled
from arcwright.tools.shared.body_options import (
    body_option,
    chain_option,
    plant_feet_option,
    stretch_option,
)
from arcwright.tools.shared.clip_session import ClipSession
from arcwright.tools.shared.rotate import rotate_option
from arcwright.tools.tool import Session


@dataclass(frozen=True)
class PoseOptions(Options):
    """How a pose is keyed."""

    auto_key: bool = option(
        True, "Auto key", "set a key on every channel that moved and has none at this frame"
    )
    time_reach: int = option(
        0,
        "Time reach",
        "keys on either side whose handles may follow; 0 changes nothing beyond the keys beside "
        "the pose",
        low=0,
        high=8,
    )
    rotate: str = rotate_option()
    body_follows: float = body_option()
    chain_length: int = chain_option()
    stretch_bones: bool = stretch_option()
    plant_feet: bool = plant_feet_option()


class PoseTool:
    """Drag any point, with any others pinned, or rotate a joint; changes keys at this frame."""

    name = "pose"
    label = "Pose"
    gestures = (Drag,)
    Options = PoseOptions
    one_frame = True

    def begin(self, scene: Scene, target: Target, options: PoseOptions) -> Session:
        """Prepare an edit of a clip with keys."""

        def begin(scene: Scene) -> ClipSession:
            return ClipSession(
                scene, target, options, PoseSession, PoseJointRotator, one_frame=True
            )

        return begin_assembled(scene, target, begin)
