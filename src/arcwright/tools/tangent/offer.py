"""Offer: what one more key pose would buy where tangents cannot reach."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.set_key import set_key
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.edit import Change, Edit
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.solve.descent import Patience, descend
from arcwright.tools.freedom import Freedom
from arcwright.tools.gesture import Drag
from arcwright.tools.hold import Hold, drag_wish
from arcwright.tools.posing import PoseModel, pose_grip
from arcwright.tools.tool import Offer

UNCHANGED = 1e-6  # m, rad or plain


def key_offer(scene: Scene, hold: Hold, edit: Edit, drag: Drag, free: Freedom) -> Offer | None:
    """The edit so far with a key on the channels that have to move at the time of the drag."""
    assert drag.position is not None
    edited = edit.apply(scene).actor(hold.actor.name).take(hold.take.name)
    held = pose_grip(scene, hold, [drag.point], drag.time, free, edited)
    held = held.only(_with_curves(hold, held.channels))
    model = PoseModel(hold.take.rig, held, [drag_wish(drag, 0, 0)])
    still = np.zeros(len(model.channels))
    found = descend(model, still, model.pull, still, model.box, Patience(40))
    before = float(np.linalg.norm(model.jacobian(still).position[0, 0] - drag.position))
    after = float(np.linalg.norm(model.jacobian(found.x).position[0, 0] - drag.position))
    if after > before - 1e-4:
        return None
    whole = _with_keys(hold, edited, drag.time, model.start, model.values(found.x))
    frame = drag.time * hold.clip.rate
    text = (
        f"A key at frame {frame:g} brings {drag.point.joint} {(before - after) * 100:.1f} cm closer"
    )
    return Offer(text, replace(whole, label=f"{edit.label}, with a key"), after)


def _with_curves(hold: Hold, channels: Ints) -> Bools:
    """(N,) channels that have keys; one that has none would move at all times."""
    return np.array([hold.clip.curves[channel] is not None for channel in channels], bool)


def _with_keys(hold: Hold, take: Take, time: float, was: Floats, now: Floats) -> Edit:
    assert isinstance(take.base, Clip)
    changes: list[Change] = []
    pairs = zip(hold.clip.curves, take.base.curves, strict=True)
    for channel, (before, curve) in enumerate(pairs):
        after: Curve | None = curve
        if curve is not None and abs(now[channel] - was[channel]) > UNCHANGED:
            after = set_key(curve, time, float(now[channel]))
        if after is not before:
            changes.append(Change((*hold.curves, channel), before, after))
    return Edit("Key", tuple(changes))
