"""The door of posing: name, options, begin."""

from __future__ import annotations

from dataclasses import dataclass, field

from arcwright.scene.scene import Scene
from arcwright.tools.clip_session import clip_session
from arcwright.tools.freedom import body_option, chain_option, stretch_option
from arcwright.tools.gesture import Drag
from arcwright.tools.planted import plant_option
from arcwright.tools.pose.joint import PosedJoints
from arcwright.tools.pose.session import PoseSession
from arcwright.tools.rotate import rotate_option
from arcwright.tools.tool import Session, Target


@dataclass(frozen=True)
class PoseOptions:
    """How a pose is kept."""

    key_moved: bool = field(
        default=True,
        metadata={
            "label": "Auto key",
            "help": "insert keys for channels that moved and have none at this frame",
        },
    )
    reach: int = field(
        default=0,
        metadata={
            "label": "Time reach",
            "help": "further keys on both sides whose handles may follow; "
            "0 changes nothing beyond the keys beside the pose",
            "range": (0, 8),
        },
    )
    rotate: str = rotate_option()
    body: float = body_option()
    chain: int = chain_option()
    stretch: bool = stretch_option()
    plant_feet: bool = plant_option()


class PoseTool:
    """Drag any point, with any others pinned, or rotate a joint; changes keys at this frame."""

    name = "pose"
    gestures = (Drag,)
    Options = PoseOptions
    one_frame = True

    def begin(self, scene: Scene, target: Target, options: PoseOptions) -> Session:
        """Take hold of a clip with keys."""
        return clip_session(scene, target, options, PoseSession, PosedJoints, blends=True)
