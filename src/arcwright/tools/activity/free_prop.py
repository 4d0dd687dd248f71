"""Free prop: one whose topmost joint can be placed anywhere, whatever its file animates."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TypeVar

import numpy as np

from arcwright.errors import BadValue
from arcwright.scene.rig import QUATERNION, ChannelTable, Kind, Rig
from arcwright.scene.scene import Actor
from arcwright.tools.activity.tracks import handle_joint

_A = TypeVar("_A", bound=Actor)

_TRANSLATE = (Kind.TRANSLATE_X, Kind.TRANSLATE_Y, Kind.TRANSLATE_Z)
_ROTATE = (Kind.ROTATE_X, Kind.ROTATE_Y, Kind.ROTATE_Z)
_QUATERNION = (Kind.QUATERNION_W, Kind.QUATERNION_X, Kind.QUATERNION_Y, Kind.QUATERNION_Z)


def free_prop(prop: _A) -> _A:
    """The prop with neutral channels for all that its topmost joint lacks to move and rotate.

    Files give a prop that they do not animate a place, but no channels.
    """
    joint = handle_joint(prop)
    missing = _missing(prop.rig, joint)
    if not missing:
        return prop
    if prop.takes:
        lacking = ", ".join(kind.name.lower() for kind in missing)
        raise BadValue(f"prop {prop.name!r}", "takes that may move and rotate it", f"no {lacking}")
    return replace(prop, rig=_with_channels(prop.rig, joint, missing))


def _missing(rig: Rig, joint: int) -> list[Kind]:
    known = set(rig.channels.kind[rig.channels.joint == joint].tolist())
    rotation = _QUATERNION if rig.modes[joint] == QUATERNION else _ROTATE
    return [kind for kind in (*_TRANSLATE, *rotation) if kind not in known]


def _with_channels(rig: Rig, joint: int, kinds: list[Kind]) -> Rig:
    added = ChannelTable.of([joint] * len(kinds), kinds)
    rows = {
        each.name: np.concatenate([getattr(rig.channels, each.name), getattr(added, each.name)])
        for each in fields(ChannelTable)
        if each.name != "label"
    }
    label = (*rig.channels.label, *added.label)
    return replace(rig, channels=ChannelTable(**rows, label=label))
