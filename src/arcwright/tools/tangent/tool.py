"""The motion curve tool: name, options, begin."""

from __future__ import annotations

from dataclasses import dataclass

from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.options import Options, option
from arcwright.tools.shared.attached import begin_assembled
from arcwright.tools.shared.body_options import (
    body_option,
    chain_option,
    stretch_option,
)
from arcwright.tools.shared.clip_session import ClipSession
from arcwright.tools.shared.rotate import rotate_option
from arcwright.tools.tangent.rotate_joints import CurveJointRotator
from arcwright.tools.tangent.session import TangentSession
from arcwright.tools.tool import Session


@dataclass(frozen=True)
class TangentOptions(Options):
    """How an edit may change the curves."""

    time_reach: int = option(
        0, "Time reach (segments)", "segments on either side that may change as well", low=0, high=8
    )
    tangents: str = option(
        "smooth",
        "Tangents",
        "smooth: smooth keys stay smooth and the neighbouring segments follow, except where a pin, "
        "a contact or the reach of the drag needs them to break; unified: always; broken: each "
        "handle on its own",
        choices=("broken", "smooth", "unified"),
    )
    floor_height: float | None = option(
        None,
        "Floor height",
        "points with a contact in the clip may not sink below this height; without one, swinging "
        "feet below what is dragged stay near their path",
        unit="m",
    )
    rotate: str = rotate_option()
    body_follows: float = body_option()
    chain_length: int = chain_option()
    stretch_bones: bool = stretch_option()


class TangentTool:
    """Drag, rotate or retime the path of a point between keys; adds no key, changes no key pose."""

    name = "tangent"
    label = "Motion curves"
    gestures = (Drag,)
    Options = TangentOptions
    one_frame = False

    def begin(self, scene: Scene, target: Target, options: TangentOptions) -> Session:
        """Prepare an edit of a clip with keys."""

        def begin(scene: Scene) -> ClipSession:
            return ClipSession(
                scene, target, options, TangentSession, CurveJointRotator, one_frame=False
            )

        return begin_assembled(scene, target, begin)
