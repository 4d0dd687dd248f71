"""Clip session: a tool's own session on a clip with keys, inside what all such tools share.

Rotations are forward kinematics, and a clip with a key on every frame is edited as that allows.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from arcwright.kinematics.reduce import is_baked
from arcwright.scene.scene import Scene
from arcwright.tools.baked import BakedSession
from arcwright.tools.edited_clip import EditedClip, find_clip
from arcwright.tools.freedom import freedom_of
from arcwright.tools.rotate import JointRotator, RotateSession, rotates_joints
from arcwright.tools.tool import Session, Target


def clip_session(
    scene: Scene,
    target: Target,
    options: Any,
    body: Callable[[Scene, Target, Any], Session],
    rotator: Callable[[EditedClip, Any], JointRotator],
    *,
    blends: bool,
) -> Session:
    """Take hold of a clip; `blends` says whether the tool sets keys at one frame."""

    def begin(scene: Scene) -> Session:
        own = partial(body, scene, target, options)
        if not rotates_joints(options):
            return own()
        return RotateSession(scene, rotator(find_clip(scene, target), options), own)

    held = find_clip(scene, target)
    if is_baked(held.clip):
        return BakedSession(scene, held, begin, freedom_of(held, options), blends=blends)
    return begin(scene)
