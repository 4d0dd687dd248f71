"""Build the edit: curves of a clip with a pose keyed at one time."""

from __future__ import annotations

from arcwright.arrays import Floats
from arcwright.curves.local_key import set_key_locally
from arcwright.curves.set_key import has_key
from arcwright.objectives.edited_clip import EditedClip
from arcwright.objectives.pose_model import PreparedPose
from arcwright.scene.edit import Change, Edit
from arcwright.tools.pose.span import CurvesWithKey

UNCHANGED = 1e-9  # m, rad or plain


def build_edit(
    edited: EditedClip,
    held: PreparedPose,
    curves: CurvesWithKey,
    values: Floats,
    label: str,
    *,
    auto_key: bool,
    time_reach: int,
) -> Edit:
    """Keys at the time of the pose with new values; added where there are none, with auto key."""
    changes: list[Change] = []
    for channel in held.channels.tolist():
        was, value = float(held.values[channel]), float(values[channel])
        before = edited.clip.curves[channel]
        if abs(value - was) <= UNCHANGED:
            continue
        if not auto_key and (before is None or not has_key(before, held.time)):
            continue
        after = set_key_locally(curves[channel], held.time, value, time_reach)
        if after is not None:
            changes.append(Change((*edited.curves, channel), before, after))
    return Edit(label, tuple(changes))
