"""Handles: the Bezier handles that an edit may change, and the curves with these moved.

The handles of a free segment are its out handle (X0, Y0) and its in handle (X1, Y1).
Unknowns x move them by `handle = start + factor * x[unknown]`, so that a step of 1 is an
ordinary one for time and for angles, metres and weights alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.objectives.edited_clip import EditedClip
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Handle, Interpolation
from arcwright.scene.edit import Change, Edit
from arcwright.solve.problem import Box

LEAST_STEP = 1e-7  # steps; unknowns that moved less have not moved
ACROSS_GAIN = 1.5  # of the time that a follower lost: what the handle across gains by itself
ACROSS_PRICE = 0.03  # of the turn's slope: a value error that weighs as much as leaving that gain


@dataclass(frozen=True, eq=False)
class Smooth:
    """B smooth keys: the handle that moves, and the one on its other side (eq. 5)."""

    own: Ints  # (B,) handle
    other: Ints  # (B,) handle, -1 where it lies outside and stays
    fixed: Floats  # (B, 2) [dt, dv] of the other at the beginning
    size: Floats  # (B,) what counts as an ordinary break


@dataclass(frozen=True, eq=False)
class Followers:
    """F handles beyond smooth keys at the ends of an edit; all arrays (F,) but fits."""

    handle: Ints
    low: Floats  # bounds of the value
    high: Floats
    half_turn: Floats  # in the unit of the value
    turned: Floats  # share of its time that is at least left of a handle that has turned
    across: Floats  # s, time of the handle across the segment
    most_across: Floats  # of its time, that the handle across the segment may gain
    near_fit: Floats  # (3, F) see `_fits`
    across_fit: Floats  # (3, F)

    def shortened(self, start: Floats, now: Floats) -> Floats:
        """(H, 2) handles [dt, dv], with shorter followers and longer handles across from them."""
        before, value = start[self.handle, 1], now[self.handle, 1]
        far = ((value - before) / self.half_turn) ** 2
        far /= 1 + far
        fitted = self._fitted_share((value - before) / start[self.handle, 0])
        share = 1 - (1 - np.clip(fitted, self.turned, 1.0)) * far
        bound = np.where(value > 0, self.high, self.low)
        beyond = np.abs(value) > np.abs(bound)
        most = np.where(beyond, bound / np.where(beyond, value, 1.0), 1.0)
        handles = now.copy()
        handles[self.handle] *= np.minimum(share, most)[:, None]
        across = self.handle ^ 1
        gain = self._gain(start[self.handle], handles[self.handle])
        handles[across] *= 1 + (far * np.clip(gain, 0.0, self.most_across))[:, None]
        return handles

    def _fitted_share(self, turn: Floats) -> Floats:
        """(F,) share of a follower's time that keeps the curve where it was, turned by a slope."""
        square, mixed, turned = self.near_fit
        above, below = square + mixed * turn, square + (2 * mixed + turned * turn) * turn
        shares: Floats = np.divide(above, below, out=np.zeros(len(turn)), where=below > 0)
        return shares

    def _gain(self, before: Floats, now: Floats) -> Floats:
        """(F,) of its time, what the handle across should gain to keep the curve where it was."""
        (dt, dv), (lost, drop) = before.T, (before - now).T
        price = (ACROSS_PRICE * (now[:, 1] / now[:, 0] - dv / dt)) ** 2
        by_value, by_time, square = self.across_fit
        total = square + price * self.across**2
        gain = price * self.across * ACROSS_GAIN * lost + by_value * drop - by_time * lost
        gains: Floats = np.divide(gain, total, out=np.zeros(len(total)), where=total > 0)
        return gains


@dataclass(frozen=True, eq=False)
class Handles:
    """H handles of S free segments; handle 2 s leaves the first key, 2 s + 1 enters the second."""

    channel: Ints  # (S,) rig channel
    key: Ints  # (S,) first key
    begin: Floats  # (S,) s
    length: Floats  # (S,) s
    value: Floats  # (S, 2) of the two keys
    start: Floats  # (H, 2) [dt, dv] at the beginning, shrunk to the segment
    unknown: Ints  # (H, 2) which unknown moves it, -1 for none
    factor: Floats  # (H, 2)
    stiffness: Floats  # (N,) of each unknown
    box: Box  # of the unknowns
    joints: Smooth  # smooth keys whose two handles can come apart
    followers: Followers  # beyond smooth keys at the ends of the edit

    def at(self, x: Floats) -> Floats:
        """(H, 2) handles for unknowns x, followers at full length."""
        moved: Floats = self.start + self.factor * np.append(x, 0.0)[self.unknown]
        return moved

    def released(self, x: Floats) -> Floats:
        """(H, 2) handles for unknowns x, as an edit writes them."""
        return self.followers.shortened(self.start, self.at(x))


def build_edit(edited: EditedClip, handles: Handles, x: Floats, label: str) -> Edit:
    """The curves whose handles moved; keys are not touched."""
    changes = [
        Change((*edited.curves, channel), edited.clip.curves[channel], after)
        for channel, after in moved_curves(edited.clip, handles, x).items()
    ]
    return Edit(label, tuple(changes))


def moved_curves(clip: Clip, handles: Handles, x: Floats) -> dict[int, Curve]:
    """By channel, the curves of a clip whose handles moved."""
    far = np.abs(np.append(x, 0.0)[handles.unknown]).max(axis=1) > LEAST_STEP
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
