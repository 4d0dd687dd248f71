"""Baked clips: those with a key on every frame, as exporters and motion capture write them."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from arcwright.scene.clip import Clip

BAKED_SPAN = 0.9  # of a clip's frames: a curve with keys at as many is baked
BAKED_SHARE = 0.5  # of the moving curves: a clip with as many baked ones is baked
SHORTEST = 8  # frames; no shorter clip counts as baked
EXPORT_NOISE = 1e-5  # of a curve's size: what changes less is the noise of exporters

_baked: WeakKeyDictionary[Clip, bool] = WeakKeyDictionary()


def is_baked(clip: Clip) -> bool:
    """Whether most curves that move have a key on nearly every frame; remembered for each clip.

    Exporters write still channels with two keys that differ by the noise of 32-bit numbers.
    """
    if clip not in _baked:
        _baked[clip] = _has_key_on_every_frame(clip)
    return _baked[clip]


def _has_key_on_every_frame(clip: Clip) -> bool:
    frames = int(np.floor(clip.duration * clip.rate + 1e-3)) + 1
    if frames < SHORTEST:
        return False
    moving = [c for c in clip.curves if c is not None and _moves(c.value)]
    baked = [_frames_with_keys(curve.time, clip) >= BAKED_SPAN * frames for curve in moving]
    return bool(moving) and sum(baked) >= BAKED_SHARE * len(moving)


def _moves(values: np.ndarray) -> bool:
    return bool(np.ptp(values) > EXPORT_NOISE * max(1.0, float(np.abs(values).max())))


def _frames_with_keys(time: np.ndarray, clip: Clip) -> int:
    within = time[(time >= 0) & (time <= clip.duration + 1e-6)]
    return len(np.unique(np.round(within * clip.rate)))
