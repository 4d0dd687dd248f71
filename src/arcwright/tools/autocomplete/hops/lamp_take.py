"""Takes of the lamp: a sequence of hops, or a simulated run, on the character's own rig."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from arcwright.arrays import Floats, Ints
from arcwright.errors import BadValue, UnknownName
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Kind, Rig
from arcwright.scene.take import Take
from arcwright.tools.autocomplete.hops.lamp import COLUMNS, JOINTS

_CHANNELS = (
    *(("Base", kind) for kind in (Kind.TRANSLATE_Z, Kind.TRANSLATE_Y, Kind.ROTATE_X)),
    *((joint, Kind.ROTATE_X) for joint in JOINTS),
)


def take_of(
    rig: Rig, states: ArrayLike, rate: float = 30.0, *, time: ArrayLike | None = None
) -> Take:
    """Play states (T, 6) on the built-in lamp's rig, at a rate or at times (T,) s."""
    own = np.asarray(states, np.float64)
    if own.ndim != 2 or own.shape[1] != len(COLUMNS):
        raise BadValue("states", f"shape (T, {len(COLUMNS)})", own.shape)
    values = np.repeat(rig.channels.default[None], len(own), axis=0)
    values[:, lamp_channels(rig)] = own
    moments: Floats = np.arange(len(own)) / rate if time is None else np.asarray(time, np.float64)
    return Take(rig, Motion("hops", moments, values, rate))


def lamp_channels(rig: Rig) -> Ints:
    """(6,) the channels that hold base x, base y, base angle, leg, neck and head."""
    found = []
    for joint, kind in _CHANNELS:
        if joint not in rig.names:
            raise UnknownName("joint", joint, rig.names)
        own = (rig.channels.joint == rig.names.index(joint)) & (rig.channels.kind == kind)
        if not own.any():
            raise BadValue("rig", f"a channel {Kind(kind).name.lower()} of {joint}", "none")
        found.append(int(np.flatnonzero(own)[0]))
    return np.array(found, np.int64)
