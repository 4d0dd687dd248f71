"""Batches for body models: windows of captures with keys of many kinds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arcwright.arrays import AnyArray, Bools, Floats, Ints
from arcwright.kinematics.rotation import quaternion_normalise
from arcwright.tools.autocomplete.body.body_features import body_inputs
from arcwright.tools.autocomplete.body.captures import Captures
from arcwright.tools.autocomplete.body.key_slerp import Poses
from arcwright.tools.autocomplete.body.skeleton import world_poses

Draw = np.random.Generator
CONTEXT = 10  # frames before a gap that are known
GAPS = (5, 60)  # frames missing
TOKENS = 600  # of a batch
FLIP = np.array([1.0, 1.0, -1.0, -1.0])  # of a quaternion, mirrored across x
TEMPO = 0.25  # log: clips are slower or faster


@dataclass(frozen=True, eq=False)
class Windows:
    """Poses of some windows, and which of their values are keys."""

    poses: Poses  # (B, T)
    offsets: Floats  # (B, 1, J, 3)
    known: Bools  # (B, T, J + 1)
    planted: Bools  # (B, T, F)


def batch(captures: Captures, seed: int, gaps_only: bool = False) -> dict[str, AnyArray]:
    """Inputs and targets of one step; of any keys, or of one gap after known frames."""
    draw = np.random.default_rng(seed)
    length = CONTEXT + 1 + int(np.exp(draw.uniform(np.log(GAPS[0]), np.log(GAPS[1]))))
    length = min(length, int(np.diff(captures.start).max()))
    windows = cut(captures, length, max(TOKENS // length, 1), draw)
    if gaps_only:
        windows.known[:] = False
        windows.known[:, :CONTEXT] = windows.known[:, -1] = True
    return tensors_of(captures, windows)


def tensors_of(captures: Captures, windows: Windows) -> dict[str, AnyArray]:
    """What a step reads: inputs, base, window, and what is to be found."""
    poses, known = windows.poses, windows.known
    count, length = known.shape[:2]
    times = np.tile(np.arange(float(length)), (count, 1))
    valid = np.full((count, length), True)
    base, inputs, window = body_inputs(
        captures.skeleton, poses, times, known, valid, windows.offsets
    )
    turned, places = world_poses(
        captures.skeleton, poses.rotations, poses.position, windows.offsets
    )
    free = ~known.all(axis=2)
    single: list[tuple[str, AnyArray]] = [
        *(("inputs", inputs), ("window", window), ("times", times), ("places", places)),
        *(("base_rotations", base.rotations), ("base_position", base.position)),
        *(("turned", turned), ("offsets", windows.offsets), ("rotations", poses.rotations)),
    ]
    stays = windows.planted[:, 1:] & windows.planted[:, :-1]
    found: dict[str, AnyArray] = {name: each.astype(np.float32) for name, each in single}
    found["free"], found["stays"], found["valid"] = np.asarray(free), stays, valid
    return found


def cut(captures: Captures, length: int, count: int, draw: Draw) -> Windows:
    """`count` windows of `length` frames from anywhere: mirrored, slower or faster, keyed."""
    tempo = np.where(draw.random(count) < 0.5, np.exp(draw.uniform(-TEMPO, TEMPO, count)), 1.0)
    spans = np.ceil((length - 1) * tempo).astype(int) + 1
    lengths = np.diff(captures.start)
    longest = int(lengths.max())
    spans = np.minimum(spans, longest)
    tempo = np.minimum(tempo, (longest - 1) / max(length - 1, 1))
    clips = np.array([draw_clip(lengths, span, draw) for span in spans])
    first = captures.start[clips] + draw.integers(0, lengths[clips] - spans + 1)
    at = np.arange(length) * tempo[:, None]
    low = np.minimum(at.astype(int), (spans - 2)[:, None].clip(0))
    share = (at - low)[..., None]
    rows = first[:, None] + low
    after = np.minimum(rows + 1, len(captures.position) - 1)
    one, two = captures.rotations[rows], captures.rotations[after]
    rotations = quaternion_normalise(one + share[..., None] * (two - one))
    position = captures.position[rows]
    position = position + share * (captures.position[after] - position)
    nearest = np.where(share < 0.5, captures.planted[rows], captures.planted[after])
    offsets = captures.offsets[clips][:, None]
    flipped = draw.random(count) < (0.5 if _has_sides(captures) else 0.0)
    own = captures.mirror
    rotations[flipped] = rotations[flipped][:, :, own] * FLIP
    position[flipped] *= [-1.0, 1.0, 1.0]
    offsets[flipped] = offsets[flipped][:, :, own] * [-1.0, 1.0, 1.0]
    nearest[flipped] = nearest[flipped][..., _feet_swapped(captures)]
    known = keys_of(count, length, len(own), draw)
    return Windows(Poses(rotations, position), offsets, known, nearest)


def draw_clip(lengths: Ints, span: int, draw: Draw) -> int:
    """A clip that is long enough, by its number of windows."""
    room = np.maximum(lengths - span + 1, 0)
    edges = np.cumsum(room)
    return int(np.searchsorted(edges, draw.integers(0, edges[-1]), side="right"))


def _has_sides(captures: Captures) -> bool:
    return bool((captures.mirror != np.arange(len(captures.mirror))).any())


def _feet_swapped(captures: Captures) -> Ints:
    feet = captures.feet.tolist()
    return np.array([feet.index(captures.mirror[foot]) for foot in feet], np.int64)


def keys_of(count: int, length: int, joints: int, draw: Draw) -> Bools:
    """(B, T, J + 1) keys: some frames before a gap and one after it, or single poses."""
    known = np.zeros((count, length, joints + 1), bool)
    known[:, [0, -1]] = True
    for row in known:
        kind = draw.random()
        if kind < 0.5:
            row[: min(CONTEXT, length - 2)] = True
        elif kind < 0.92:
            row[_poses(length, draw)] = True
        else:
            row[_poses(length, draw)] = True
            inner = np.flatnonzero(row[1:-1].any(axis=1)) + 1
            if draw.random() < 0.5:
                row[np.ix_(inner, np.flatnonzero(draw.random(joints + 1) < 0.5))] = False
            else:
                row[inner] &= draw.random((len(inner), joints + 1)) < draw.uniform(0.1, 0.9)
    return known


def _poses(length: int, draw: Draw) -> NDArray[np.int64]:
    """Frames of key poses, at random gaps."""
    longest = draw.uniform(4, 50)
    gaps = draw.uniform(3, longest, length).astype(int) + 1
    frames = np.cumsum(gaps) - draw.integers(0, gaps[0])
    return frames[frames < length - 1]
