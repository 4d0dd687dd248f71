"""Build the edit: curves of a clip with moved handles."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.objectives.edited_clip import EditedClip
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Handle, Interpolation
from arcwright.scene.edit import Change, Edit
from arcwright.tools.tangent.handles import Handles

UNCHANGED = 1e-7  # steps; unknowns that moved less have not moved


def build_edit(edited: EditedClip, handles: Handles, x: Floats, label: str) -> Edit:
    """The curves whose handles moved; keys are not touched."""
    changes = [
        Change((*edited.curves, channel), edited.clip.curves[channel], after)
        for channel, after in moved_curves(edited.clip, handles, x).items()
    ]
    return Edit(label, tuple(changes))


def moved_curves(clip: Clip, handles: Handles, x: Floats) -> dict[int, Curve]:
    """By channel, the curves of a clip whose handles moved."""
    far = np.abs(np.append(x, 0.0)[handles.unknown]).max(axis=1) > UNCHANGED
    moved = far.reshape(-1, 2).any(axis=1) | _turns_evenly(clip, handles)
    now = handles.released(x).reshape(-1, 2, 2)  # per segment: out, in
    touched: dict[int, list[int]] = {}
    for s in np.flatnonzero(moved).tolist():
        touched.setdefault(int(handles.channel[s]), []).append(s)
    curves: dict[int, Curve] = {}
    for channel, segments in sorted(touched.items()):
        before = clip.curves[channel]
        assert before is not None
        curves[channel] = _with_handles(before, handles.key[segments], now[segments])
    return curves


def _turns_evenly(clip: Clip, handles: Handles) -> Bools:
    """(S,) whether a segment is a slerp: handles only approximate it, even unmoved ones."""
    curves = [clip.curves[channel] for channel in handles.channel.tolist()]
    keys = handles.key.tolist()
    slerp = Interpolation.SLERP
    pairs = zip(curves, keys, strict=True)
    return np.array([c is not None and c.interpolation[k] == slerp for c, k in pairs], bool)


def _with_handles(curve: Curve, keys: Ints, pairs: Floats) -> Curve:
    """The curve with other handles out of these keys and into the next ones.

    Touched keys become aligned where their handles have one direction, else free, so that
    they stay as they are.
    """
    tangent, handles = np.array(curve.tangent), np.array(curve.handles)
    interpolation = np.array(curve.interpolation)
    tangent[keys, 1], tangent[keys + 1, 0] = pairs[:, 0], pairs[:, 1]
    interpolation[keys] = Interpolation.BEZIER
    near = np.union1d(keys, keys + 1)
    into, out = tangent[near, 0], tangent[near, 1]
    across = np.abs(into[:, 0] * out[:, 1] - into[:, 1] * out[:, 0])
    size = np.hypot(*into.T) * np.hypot(*out.T)
    smooth = (across <= 1e-9 * size) & (size > 0)
    handles[near] = np.where(smooth, Handle.ALIGNED, Handle.FREE)[:, None]
    return curve.with_handles(tangent, handles, interpolation)
