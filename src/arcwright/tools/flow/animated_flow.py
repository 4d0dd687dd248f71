"""Flow of an animated shot: a morph target for each key, and weights that blend them in time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Handle, Interpolation
from arcwright.scene.flow import MORPH
from arcwright.scene.layer import Layer
from arcwright.scene.motion import Motion
from arcwright.scene.rig import ChannelTable, Kind, Rig
from arcwright.scene.scene import Actor
from arcwright.scene.shape import Shape
from arcwright.scene.take import Take
from arcwright.tools.flow.flow_morph import is_flow, morph_name, with_flow, without_flow

KeyOffsets = Mapping[tuple[int, int], Sequence[Floats]]
"""Per shape and part: (V, 3) m of its vertices at each key."""
_RATE = 24.0  # frames per second of a take that is made for the weights
_ALIKE = 1e-9  # m; offsets that differ by less are the same
_A = TypeVar("_A", bound=Actor)


def bare_actor(actor: _A) -> _A:
    """The actor without its flow: no targets, no channels of theirs, no take made for them."""
    shapes = tuple(without_flow(each) for each in actor.shapes)
    table = actor.rig.channels
    kept = np.array(
        [
            not (k == Kind.WEIGHT and is_flow(n))
            for k, n in zip(table.kind, table.label, strict=True)
        ],
        np.bool_,
    )
    if kept.all():
        unchanged = all(a is b for a, b in zip(shapes, actor.shapes, strict=True))
        return actor if unchanged else replace(actor, shapes=shapes)
    rig = replace(actor.rig, channels=_rows(table, kept))
    takes = [_without(each, rig, kept) for each in actor.takes if not _only_flow(each, kept)]
    return replace(actor, rig=rig, takes=tuple(takes), shapes=shapes)


def composed_actor(
    bare: _A, offsets: KeyOffsets, times: Sequence[float], take: Take | None, rate: float = _RATE
) -> _A:
    """The actor (without flow) with offsets at each key of an animated shot.

    Where all keys agree one morph target holds them and nothing is animated.
    """
    count = 1 if _constant(offsets) else len(times)
    shapes = tuple(
        _composed(shape, number, offsets, count) for number, shape in enumerate(bare.shapes)
    )
    if count == 1:
        return replace(bare, shapes=shapes)
    joints = sorted({shape.joint for shape in bare.shapes})
    rig = _with_channels(bare.rig, joints, count)
    keys = np.asarray(times, float)
    takes = tuple(_with_weights(each, rig, keys if each is take else None) for each in bare.takes)
    if take is None:
        curves = (*(None,) * len(bare.rig.channels), *blend_curves(keys) * len(joints))
        takes = (Take(rig, Clip(MORPH, curves, float(keys[-1]), rate)),)
    return replace(bare, rig=rig, takes=takes, shapes=shapes)


def blend_curves(times: Floats) -> tuple[Curve, ...]:
    """The weight of each key over time: 1 at its own, 0 at all others, cubic between; sum 1.

    Slopes are those of Catmull and Rom, and 0 at both ends, so a value that is blended starts
    and ends at rest and has a continuous speed.
    """
    count = len(times)
    value, slope = np.eye(count), _slopes(times).T
    gap = np.diff(times, prepend=2 * times[0] - times[1], append=2 * times[-1] - times[-2]) / 3
    kinds = np.full((count, 2), Handle.ALIGNED), np.full(count, Interpolation.BEZIER)
    found = []
    for row in range(count):
        into = np.stack([gap[:-1], gap[:-1] * slope[row]], axis=1)
        out = np.stack([gap[1:], gap[1:] * slope[row]], axis=1)
        found.append(Curve(times, value[row], np.stack([into, out], axis=1), *kinds))
    return tuple(found)


def blend_weights(times: Floats, at: Floats) -> Floats:
    """(T, K) the weights of all keys at times (T,), s: the values of the curves above."""
    count = len(times)
    if count == 1:
        return np.ones((len(at), 1))
    at = np.clip(at, times[0], times[-1])
    row = np.clip(np.searchsorted(times, at, side="right") - 1, 0, count - 2)
    length = (times[row + 1] - times[row])[:, None]
    u = (at[:, None] - times[row, None]) / length
    value, slope = np.eye(count), _slopes(times)
    found: Floats = (2 * u**3 - 3 * u**2 + 1) * value[row] + (3 * u**2 - 2 * u**3) * value[row + 1]
    found += length * ((u**3 - 2 * u**2 + u) * slope[row] + (u**3 - u**2) * slope[row + 1])
    return found


def _slopes(times: Floats) -> Floats:
    """(K, K) 1/s, of the weight of each key (columns) at the time of each key (rows)."""
    slope = np.zeros((len(times), len(times)))
    value = np.eye(len(times))
    if len(times) > 2:
        slope[1:-1] = (value[2:] - value[:-2]) / (times[2:] - times[:-2])[:, None]
    return slope


def _constant(offsets: KeyOffsets) -> bool:
    return all(
        np.abs(each - own[0]).max(initial=0.0) <= _ALIKE for own in offsets.values() for each in own
    )


def _composed(shape: Shape, number: int, offsets: KeyOffsets, count: int) -> Shape:
    """The shape with `count` targets; all shapes of an actor have them once one is animated."""
    own = [offsets.get((number, part)) for part in range(len(shape.parts))]
    if count == 1 and all(each is None for each in own):
        return shape
    still = [np.zeros(part.attributes["POSITION"].shape) for part in shape.parts]
    for key in range(count):
        moved = [zero if each is None else each[key] for zero, each in zip(still, own, strict=True)]
        shape = with_flow(shape, tuple(moved), key)
    return shape


def _rows(table: ChannelTable, kept: Bools) -> ChannelTable:
    columns = ("joint", "kind", "default", "low", "high", "stiffness")
    label = tuple(n for n, keep in zip(table.label, kept.tolist(), strict=True) if keep)
    return ChannelTable(**{name: getattr(table, name)[kept] for name in columns}, label=label)


def _with_channels(rig: Rig, joints: Sequence[int], count: int) -> Rig:
    """The rig with a weight for each key, at each joint that carries shapes."""
    table = rig.channels
    names = tuple(morph_name(number) for number in range(count)) * len(joints)
    added = ChannelTable.of(
        [joint for joint in joints for _ in range(count)],
        [Kind.WEIGHT] * len(names),
        default=[float(number == 0) for number in range(count)] * len(joints),
        label=list(names),
    )
    columns = ("joint", "kind", "default", "low", "high", "stiffness")
    both = {name: np.concatenate([getattr(table, name), getattr(added, name)]) for name in columns}
    return replace(rig, channels=ChannelTable(**both, label=(*table.label, *added.label)))


def _with_weights(take: Take, rig: Rig, times: Floats | None) -> Take:
    """The take over a rig that has weights, which blend keys or stay as by default."""
    before = len(take.rig.channels)
    count = len(rig.channels) - before
    base: Clip | Motion
    if isinstance(take.base, Clip):
        new: tuple[Curve | None, ...] = (None,) * count
        if times is not None:
            new = blend_curves(times) * (count // len(times))
        base = replace(take.base, curves=(*take.base.curves, *new))
    else:
        weights = np.tile(rig.channels.default[before:], (len(take.base.time), 1))
        if times is not None:
            weights = np.tile(blend_weights(times, take.base.time), (1, count // len(times)))
        base = replace(take.base, values=np.concatenate([take.base.values, weights], axis=1))
    between = (*take.inbetweens, *(None,) * count) if take.inbetweens else ()
    return replace(take, rig=rig, base=base, inbetweens=between)


def _without(take: Take, rig: Rig, kept: Bools) -> Take:
    chosen = np.flatnonzero(kept)
    base: Clip | Motion
    if isinstance(take.base, Clip):
        base = replace(take.base, curves=tuple(take.base.curves[c] for c in chosen.tolist()))
    else:
        base = replace(take.base, values=take.base.values[:, chosen])
    between = tuple(take.inbetweens[c] for c in chosen.tolist()) if take.inbetweens else ()
    layers = tuple(_narrowed(each, kept) for each in take.layers)
    return replace(take, rig=rig, base=base, inbetweens=between, layers=layers)


def _narrowed(layer: Layer, kept: Bools) -> Layer:
    """A layer over the channels that are left."""
    own = kept[layer.channels]
    if own.all() and kept[: layer.channels.max(initial=-1) + 1].all():
        return layer
    place = np.cumsum(kept) - 1
    values = layer.add[:, own]
    return replace(layer, channels=place[layer.channels[own]], add=values)


def _only_flow(take: Take, kept: Bools) -> bool:
    """Whether a take was made for weights alone."""
    if not isinstance(take.base, Clip) or take.name != MORPH or take.layers:
        return False
    return all(take.base.curves[c] is None for c in np.flatnonzero(kept).tolist())
