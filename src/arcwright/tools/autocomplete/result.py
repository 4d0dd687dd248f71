"""Result: the undo step of a completion: the keys, few in-between keys, all else as it was."""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np

from arcwright.arrays import Bools, Floats, same
from arcwright.curves.keys import insert_key, kinds_that_stay, some_keys
from arcwright.kinematics.sample import sample, values_at
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Handle, Interpolation
from arcwright.scene.edit import Address, Change, Edit
from arcwright.scene.motion import Motion
from arcwright.scene.take import Take
from arcwright.tools.autocomplete.key_curves import ChannelKeys, FitTask
from arcwright.tools.autocomplete.key_fit import KeyFit
from arcwright.tools.autocomplete.key_poses import NEAR, KeyPoses

PARALLEL = 1e-9  # of both slopes: a key whose slopes differ by less is smooth
CONSTANT = 1e-7  # rad, m or plain: a channel that changes less keeps its curve


@dataclass(frozen=True, eq=False)
class EditedTake:
    """What is completed, and where it is in the scene."""

    take: Take
    address: Address

    @property
    def clip(self) -> Clip:
        """Its keys; what has samples or layers has a key at each frame."""
        if isinstance(self.take.base, Clip) and not self.take.layers:
            return self.take.base
        return _keyed(self.take)


def build_edit(edited: EditedTake, keys: KeyPoses, task: FitTask, fit: KeyFit, label: str) -> Edit:
    """One undo step."""
    take, clip = edited.take, edited.clip
    was = values_at(take, task.times)
    curves = list(clip.curves)
    inbetweens = list(take.inbetweens or (None,) * len(curves))
    for channel in np.flatnonzero(keys.free).tolist():
        if abs(task.values[:, channel] - was[:, channel]).max() > CONSTANT:
            made = _without_needless(fit.channels[channel], task, channel)
            curve = _merged(clip.curves[channel], made, task.times, keys.range)
            own = task.times[task.rows[task.known[:, channel]]]
            added = np.isin(curve.time, task.times[fit.added]) & ~np.isin(curve.time, own)
            inbetweens[channel] = _inbetween(inbetweens[channel], curve, added, keys.range)
            if not same(curve, clip.curves[channel]):
                curves[channel] = curve
    if clip is take.base and all(map(operator.is_, curves, clip.curves)):
        return Edit(label)
    # as one change: rigs with attached joints convert new keys as a whole
    after = replace(clip, curves=tuple(curves))
    changes = [Change((*edited.address, "base"), take.base, after)]
    if take.layers:
        changes.append(Change((*edited.address, "layers"), take.layers, ()))
    known = tuple(inbetweens) if any(inbetweens) else ()
    if not same(known, take.inbetweens):
        changes.append(Change((*edited.address, "inbetweens"), take.inbetweens, known))
    return Edit(label, tuple(changes))


def _inbetween(
    old: Curve | None, curve: Curve, added: Bools, ends: tuple[float, float]
) -> Curve | None:
    """The keys of a curve that a completion made, also an earlier one outside the range."""
    if old is not None:
        outside = (curve.time < ends[0] - NEAR) | (curve.time > ends[1] + NEAR)
        added = added | (outside & np.isin(curve.time, old.time))
    return some_keys(curve, added) if added.any() else None


def _keyed(take: Take) -> Clip:
    """A take of samples or layers as a clip with a key at each frame."""
    base = take.base
    times = base.time if isinstance(base, Motion) else take.frame_times()
    curves = tuple(Curve.of(times, column) for column in sample(take, times).values.T)
    loops = isinstance(base, Clip) and base.loops
    return Clip(take.name, curves, take.duration, take.rate, loops)


def _without_needless(made: ChannelKeys, task: FitTask, channel: int) -> ChannelKeys:
    """A channel that stays at one value needs no in-between keys."""
    if np.ptp(task.values[:, channel]) > CONSTANT:
        return made
    known = np.isin(made.rows, task.rows[task.known[:, channel]])
    return ChannelKeys(made.rows[known], made.values[known], np.zeros((int(known.sum()), 2)))


def _merged(
    old: Curve | None, made: ChannelKeys, times: Floats, ends: tuple[float, float]
) -> Curve:
    """A curve with other keys from one end to the other, and outside as it was."""
    middle = _curve(made, times)
    if old is None:
        return middle
    start, end = ends
    parts = [_with_old_times(middle, old)]
    if (old.time < start - NEAR).any():
        cut = _cut(old, start)
        parts = [some_keys(cut, cut.time < start - NEAR), _with_side(parts[0], cut, start, 0)]
    if (old.time > end + NEAR).any():
        cut = _cut(old, end)
        parts[-1] = _with_side(parts[-1], cut, end, 1)
        parts.append(some_keys(cut, cut.time > end + NEAR))
    whole = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in ("time", "value", "tangent", "handles", "interpolation")
    }
    return Curve(**whole, before=old.before, after=old.after)


def _curve(made: ChannelKeys, times: Floats) -> Curve:
    """Keys whose handles are a third of their segments long."""
    at = times[made.rows]
    gap = np.diff(at) / 3
    run = np.stack([np.append(gap[:1], gap), np.append(gap, gap[-1:])], axis=-1)
    tangent = np.stack([run, run * made.slopes], axis=-1)
    smooth = abs(np.diff(made.slopes, axis=1)[:, 0]) <= PARALLEL * abs(made.slopes).max(axis=1)
    kinds = np.where(smooth, Handle.ALIGNED, Handle.FREE)
    bezier = np.full(len(at), Interpolation.BEZIER)
    return Curve(at, made.values, tangent, np.stack([kinds, kinds], axis=-1), bezier)


def _with_old_times(middle: Curve, old: Curve) -> Curve:
    """Keys that were there before keep their time bit for bit."""
    nearest = abs(middle.time[:, None] - old.time).argmin(axis=1)
    there = abs(old.time[nearest] - middle.time) <= NEAR
    return replace(middle, time=np.where(there, old.time[nearest], middle.time))


_cuts: WeakKeyDictionary[Curve, dict[float, Curve]] = WeakKeyDictionary()


def _cut(old: Curve, time: float) -> Curve:
    """The same curve with a key at a time; every update of a session needs the same ones."""
    if abs(old.time - time).min() <= NEAR:
        return old
    known = _cuts.setdefault(old, {})
    if time not in known:
        known[time] = insert_key(old, time)
    return known[time]


def _with_side(middle: Curve, cut: Curve, time: float, side: int) -> Curve:
    """The first or last key with the outer handle that the curve had there."""
    own, key = -side, int(abs(cut.time - time).argmin())
    tangent, handles = np.array(middle.tangent), np.array(middle.handles)
    modes = np.array(middle.interpolation)
    tangent[own, side] = cut.tangent[key, side]
    handles[own] = Handle.FREE
    if side:
        modes[own] = cut.interpolation[key]
    merged = replace(middle, tangent=tangent, handles=handles, interpolation=modes)
    return replace(merged, handles=kinds_that_stay(merged, [own % len(merged)]))
