"""Detached take: an edited take of an assembled rig, converted back to the rig as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.keys import insert_key, kinds_that_stay
from arcwright.curves.local_key import with_local_handles
from arcwright.curves.spline import band, refine
from arcwright.kinematics.assembled_rig import AssembledRig
from arcwright.kinematics.assembled_skeleton import AttachedJoint
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_from_euler,
    quaternion_multiply,
    unwrap_quaternion,
    vector_from_quaternion,
)
from arcwright.kinematics.sample import values_at
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Extrapolation, Interpolation
from arcwright.scene.layer import Layer
from arcwright.scene.rig import QUATERNION
from arcwright.scene.take import Take

MOVED = 1e-9  # m, rad or plain: what changes less has not moved
APART = 2e-4  # of the body's size, and rad: keys are added where a joint would leave its limb
APART_BETWEEN = 1e-3  # the same between frames
ADDED_ROUNDS = 6  # of adding keys where that is worst, before all such frames get one
BESIDE = 1e-5  # s, over which slopes are measured
KEYED = 2e-3  # s; a frame this near to a key has one: files store times as single floats
NEAR = 1e-6  # s; a key this near to a time is at it
KEPT = 2  # control values that are 0 where a layer begins or ends with the motion and its velocity


class _Goal(NamedTuple):
    """Where the channels of an attached joint should go."""

    frames: Floats  # (T,) s
    values: Floats  # (T, N)
    into: Floats  # (T, N) slopes before each frame
    out: Floats  # (T, N) and after it

    def part(self, low: int, high: int) -> _Goal:
        """From one frame to another."""
        return _Goal(*(each[low : high + 1] for each in self))


def detached_clip(assembled: AssembledRig, after: Take, *, new_keys: bool) -> Clip:
    """The clip of the rig as it is, from an edited one of the assembled rig.

    Attached joints have keys where their limb or they themselves have some, and more where they
    would leave it between. With `new_keys` these are all; else their curves stay as they were
    where nothing has moved.
    """
    base, before = after.base, assembled.take.base
    assert isinstance(base, Clip)
    assert isinstance(before, Clip)
    curves = list(base.curves)
    keys = [assembled.key_times(base, attached) for attached in assembled.attached]
    frames = _frames(after, np.unique(np.concatenate(keys)))
    starts = values_at(assembled.take, frames)
    goals = _goals(assembled, after, frames, starts)
    for attached, times in zip(assembled.attached, keys, strict=True):
        own = _Goal(frames, *(each[:, attached.channels] for each in goals[1:]))
        chosen, was = np.isin(frames, times), starts[:, attached.channels]
        moved = np.flatnonzero((np.abs(own.values - was) > MOVED).any(axis=1))
        kept = [before.curves[channel] for channel in attached.channels]
        straight = assembled.is_straight(base, attached)
        if len(moved) and new_keys:
            kept = [None] * len(kept)
        elif len(moved):
            low, high = max(moved[0] - 1, 0), min(moved[-1] + 1, len(frames) - 1)
            own, chosen = own.part(low, high), chosen[low : high + 1]
        if len(moved):
            chosen[[0, -1]] = True
            picked = _enough(assembled, attached, own, chosen, straight=straight)
            turns = assembled.actor.rig.modes[attached.joint] == QUATERNION
            kinds = [Interpolation.LINEAR] * len(attached.translate)
            kinds += [Interpolation.SLERP if turns else Interpolation.LINEAR] * len(attached.rotate)
            made = _curves(own, picked, kinds if straight else [Interpolation.BEZIER] * len(kinds))
            kept = [_spliced(*pair) for pair in zip(kept, made, strict=True)]
        goes_on = assembled.goes_on(base, attached) and not assembled.goes_on(before, attached)
        for channel, curve in zip(attached.channels, kept, strict=True):
            curves[channel] = _repeated(curve, base.duration) if goes_on else curve
    return replace(base, curves=tuple(curves))


def _frames(take: Take, keys: Floats) -> Floats:
    """The times of keys, frames that have none, and their quarters where keys are farther apart."""
    frames = np.append(np.arange(4 * take.frame_count - 3) / (4 * take.rate), take.duration)
    if len(keys):
        gap = np.append(np.diff(keys), 0.0)
        before = np.maximum(np.searchsorted(keys, frames, "right") - 1, 0)
        wide = (gap[before] > 1.5 / take.rate) | (frames < keys[0]) | (frames > keys[-1])
        near = np.abs(frames[:, None] - keys).min(axis=1) <= KEYED
        frames = frames[wide & ~near]
    return np.unique(np.concatenate([keys, frames]))


def _goals(assembled: AssembledRig, after: Take, frames: Floats, starts: Floats) -> _Goal:
    """Values of all channels at frames, with slopes where attached joints have moved."""
    own = [channel for attached in assembled.attached for channel in attached.channels]
    there = assembled.detached_values(frames, values_at(after, frames))
    moved = np.flatnonzero((np.abs(there - starts)[:, own] > MOVED).any(axis=1))
    slopes = np.zeros((2, *there.shape))
    if len(moved):
        near = slice(max(moved[0] - 1, 0), moved[-1] + 2)
        sides = np.concatenate([frames[near] - BESIDE, frames[near] + BESIDE])
        beside = assembled.detached_values(sides, values_at(after, sides))
        before, later = np.split(beside, 2)
        slopes[:, near] = (there[near] - before) / BESIDE, (later - there[near]) / BESIDE
    return _Goal(frames, there, *slopes)


def _enough(
    assembled: AssembledRig, attached: AttachedJoint, goal: _Goal, chosen: Bools, *, straight: bool
) -> Ints:
    """The frames that need keys, so that between them the joint is not apart from its limb."""
    unit, chosen = _units(assembled, attached), chosen.copy()
    place = goal.frames * assembled.take.rate
    allowed = np.where(np.abs(place - np.round(place)) < 1e-3, APART, APART_BETWEEN)
    for turn in range(ADDED_ROUNDS + 1):
        away = _away(_between(goal, np.flatnonzero(chosen), straight), goal.values, unit)
        far = away > allowed
        if turn < ADDED_ROUNDS:  # the worst of each run of frames
            far &= (away >= np.append(away[1:], 0)) & (away >= np.append(0, away[:-1]))
        if not far.any():
            break
        chosen |= far
    return np.flatnonzero(chosen)


def _between(goal: _Goal, picked: Ints, straight: bool) -> Floats:
    """(T, N) values at all frames with keys at some of them."""
    if len(picked) < 2:
        return goal.values
    segment = np.clip(np.searchsorted(picked, np.arange(len(goal.frames)), "right"), 1, None) - 1
    segment = np.minimum(segment, len(picked) - 2)
    first, last = picked[segment], picked[segment + 1]
    gap = (goal.frames[last] - goal.frames[first])[:, None]
    part = (goal.frames - goal.frames[first])[:, None] / gap
    rise = goal.values[last] - goal.values[first]
    line = goal.values[first] + part * rise
    if straight:
        return np.asarray(line)
    start, end = gap * goal.out[first] - rise, gap * goal.into[last] - rise
    return np.asarray(line + part * (1 - part) * ((1 - part) * start - part * end))


def _curves(goal: _Goal, picked: Ints, kinds: Sequence[Interpolation]) -> list[Curve]:
    """Curves with keys at some of the frames, and where they bend with the true slopes."""
    times, values = goal.frames[picked], goal.values[picked]
    found = []
    for column, kind in enumerate(kinds):
        curve = Curve.of(times, values[:, column], interpolation=kind)
        if kind is Interpolation.BEZIER:
            tangent = np.array(curve.tangent)
            tangent[:, 0, 1] = tangent[:, 0, 0] * goal.into[picked, column]
            tangent[:, 1, 1] = tangent[:, 1, 0] * goal.out[picked, column]
            curve = replace(curve, tangent=tangent)
            curve = replace(curve, handles=kinds_that_stay(curve, np.arange(len(curve))))
        found.append(curve)
    return found


def _spliced(curve: Curve | None, part: Curve) -> Curve:
    """The curve with another one in place of its part from its first to its last key."""
    if curve is None:
        return part
    low, high = float(part.time[0]), float(part.time[-1])
    for end in (low, high):
        inside = curve.time[0] < end < curve.time[-1]
        if np.abs(curve.time - end).min() > NEAR and (inside or not curve.cyclic):
            curve = insert_key(curve, end)
    start = int(np.searchsorted(curve.time, low - NEAR))
    stop = int(np.searchsorted(curve.time, high + NEAR))
    joined: dict[str, Any] = {
        name: np.concatenate(
            [getattr(curve, name)[:start], getattr(part, name), getattr(curve, name)[stop:]]
        )
        for name in ("time", "value", "tangent", "handles", "interpolation")
    }
    if start < len(curve):
        joined["tangent"][start, 0] = curve.tangent[start, 0]
    last = start + len(part) - 1
    if stop > 0:
        joined["tangent"][last, 1] = curve.tangent[stop - 1, 1]
        joined["interpolation"][last] = curve.interpolation[stop - 1]
    whole = replace(curve, **joined)
    whole = replace(whole, handles=kinds_that_stay(whole, [start, last]))
    return with_local_handles(whole, np.ones(len(whole), bool))


def _repeated(curve: Curve | None, duration: float) -> Curve | None:
    """A curve of a whole take that repeats beyond it, and climbs on where it climbs."""
    if curve is None or len(curve) < 2 or np.abs(curve.time[[0, -1]] - [0, duration]).max() > NEAR:
        return curve
    climbs = abs(curve.value[-1] - curve.value[0]) > MOVED
    way = Extrapolation.CYCLE_OFFSET if climbs else Extrapolation.CYCLE
    return replace(curve, before=way, after=way)


def _units(assembled: AssembledRig, attached: AttachedJoint) -> Floats:
    """(N,) of its channels, in parts of the body's size or rad."""
    analysis = analyse(assembled.actor, assembled.take)
    part = float(analysis.metres[attached.joint]) / analysis.size
    slides, turns = len(attached.translate), len(attached.rotate)
    return np.array([part] * slides + [1.0] * turns)


def _away(now: Floats, goal: Floats, unit: Floats) -> Floats:
    """(T,) the largest difference of a channel; a quaternion may have the other sign."""
    plain, other = (np.abs(now - sign * goal) * unit for sign in (1.0, -1.0))
    if len(unit) == 7:
        plain[:, 3:] = np.minimum(plain[:, 3:].max(1), other[:, 3:].max(1))[:, None]
    return np.asarray(plain.max(axis=1))


def detached_layer(assembled: AssembledRig, after: Take, layer: Layer) -> Layer:
    """The last layer of an edited take, for the rig as it is: attached joints follow in it."""
    times = _layer_times(after, layer)
    values = assembled.detached_values(times, values_at(after, times))
    was = values_at(assembled.take, times)
    joints, added = [], []
    turns, adds = [], []
    for attached in assembled.attached:
        if np.abs(values - was)[:, attached.channels].max(initial=0.0) <= MOVED:
            continue
        if len(attached.rotate):
            joints.append(attached.joint)
            mode = assembled.actor.rig.modes[attached.joint]
            root = assembled.actor.rig.parents[attached.joint] < 0
            old, new = (_quaternions(each[:, attached.rotate], mode) for each in (was, values))
            pair = (new, quaternion_conjugate(old)) if root else (quaternion_conjugate(old), new)
            turns.append(vector_from_quaternion(unwrap_quaternion(quaternion_multiply(*pair))))
        added += attached.translate.tolist()
        adds.append((values - was)[:, attached.translate])
    own = ~np.isin(layer.joints, [each.there for each in assembled.attached])
    place = ~np.isin(layer.channels, [c for each in assembled.attached for c in each.channels])
    kept = replace(
        layer,
        joints=assembled.order[layer.joints[own]],
        turn=layer.turn[:, own],
        channels=layer.channels[place],
        add=layer.add[:, place],
    )
    if not joints and not added:
        return kept
    turn = np.stack(turns, axis=1) if turns else np.zeros((len(times), 0, 3))
    add = np.concatenate(adds, axis=1)
    tolerance = APART / min(_units(assembled, each).min() for each in assembled.attached)
    return _with_followers(kept, times, (joints, turn), (added, add), tolerance, _ends(layer))


def _quaternions(values: Floats, mode: str) -> Floats:
    return values if mode == QUATERNION else quaternion_from_euler(values, mode)


def _layer_times(take: Take, layer: Layer) -> Floats:
    """Times at which attached joints follow: eighths of the frames of the layer, and its ends."""
    frames = np.arange(8 * take.frame_count) / (8 * take.rate)
    inside = frames[(frames > layer.start) & (frames < layer.end)]
    return np.unique(np.concatenate([[layer.start], inside, [layer.end]]))


def _ends(layer: Layer) -> tuple[int, int]:
    """How many control values are 0 at the start and at the end, where the motion is kept."""
    x = np.concatenate([layer.turn.reshape(len(layer.turn), -1), layer.add], axis=1)
    first, last = (KEPT if not each.any() else 0 for each in (x[:KEPT], x[-KEPT:]))
    return first, last


def _with_followers(
    layer: Layer,
    times: Floats,
    turns: tuple[list[int], Floats],
    adds: tuple[list[int], Floats],
    tolerance: float,
    ends: tuple[int, int],
) -> Layer:
    """The layer with spans so short that further joints can follow given displacements.

    As many control values as `ends` says stay 0 at the start and at the end.
    """
    (joints, turn), (channels, add) = turns, adds
    goal = np.concatenate([turn.reshape(len(times), -1), add], axis=1)
    while True:
        weights = band(layer.start, layer.end, len(layer.add), times).full()
        control = np.zeros((weights.shape[1], goal.shape[1]))
        free = slice(ends[0], len(control) - ends[1])
        control[free] = np.linalg.lstsq(weights[:, free], goal, rcond=None)[0]
        close = np.abs(weights @ control - goal).max(initial=0.0) <= tolerance
        if close or 4 * len(control) > len(times):  # enough samples, or it would swing between
            break
        layer = replace(layer, turn=refine(layer.turn), add=refine(layer.add))
    more = control[:, : 3 * len(joints)].reshape(len(control), -1, 3)
    return replace(
        layer,
        joints=np.concatenate([layer.joints, np.array(joints, np.int64)]),
        turn=np.concatenate([layer.turn, more], axis=1),
        channels=np.concatenate([layer.channels, np.array(channels, np.int64)]),
        add=np.concatenate([layer.add, control[:, 3 * len(joints) :]], axis=1),
    )
