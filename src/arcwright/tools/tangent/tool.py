"""The door of motion curves: name, options, begin."""

from __future__ import annotations

from dataclasses import dataclass, field

from arcwright.scene.scene import Scene
from arcwright.tools.clip_session import clip_session
from arcwright.tools.freedom import body_option, chain_option, stretch_option
from arcwright.tools.gesture import Drag
from arcwright.tools.rotate import rotate_option
from arcwright.tools.tangent.joint import CurvedJoints
from arcwright.tools.tangent.session import TangentSession
from arcwright.tools.tool import Session, Target


@dataclass(frozen=True)
class TangentOptions:
    """How an edit may change the curves."""

    reach: int = field(
        default=0,
        metadata={
            "label": "Time reach (segments)",
            "help": "further segments on both sides that may change",
            "range": (0, 8),
        },
    )
    tangents: str = field(
        default="smooth",
        metadata={
            "label": "Tangents",
            "help": "smooth: smooth keys stay so, with the neighbouring segments taken along, "
            "except where a pin or contact or the reach of the drag needs them to break; "
            "unified: they always do; broken: each handle on its own",
            "choices": ("broken", "smooth", "unified"),
        },
    )
    floor: float | None = field(
        default=None,
        metadata={
            "label": "Floor height",
            "help": "height below which points with a contact in the clip may not sink",
            "unit": "m",
        },
    )
    rotate: str = rotate_option()
    body: float = body_option()
    chain: int = chain_option()
    stretch: bool = stretch_option()


class TangentTool:
    """Drag, rotate or retime a point's path between keys; key poses stay, no key is added."""

    name = "tangent"
    gestures = (Drag,)
    Options = TangentOptions
    one_frame = False

    def begin(self, scene: Scene, target: Target, options: TangentOptions) -> Session:
        """Take hold of a clip with keys."""
        return clip_session(scene, target, options, TangentSession, CurvedJoints, blends=False)
