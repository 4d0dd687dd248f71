"""Probes: gaps of held-out clips at which methods are compared, the same for all of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from arcwright.arrays import Ints
from arcwright.tools.autocomplete.body.captures import Captures
from arcwright.tools.autocomplete.body.key_slerp import Poses
from arcwright.tools.autocomplete.train.body_batches import CONTEXT, Windows

MISSING = (5, 15, 30, 45)
APART = 20  # frames from one window to the next


def windows_of(captures: Captures, missing: int, apart: int = APART) -> tuple[Windows, Ints]:
    """Ten frames, a gap, one frame after it: from all clips that are long enough; their clips."""
    length = CONTEXT + missing + 1
    starts = [
        (clip, first)
        for clip in range(len(captures))
        for first in range(captures.start[clip], captures.start[clip + 1] - length + 1, apart)
    ]
    if not starts:
        raise ValueError(f"no clip of {length} frames")
    clips = np.array([clip for clip, _ in starts])
    rows = np.array([first for _, first in starts])[:, None] + np.arange(length)
    joints = len(captures.skeleton.names)
    known = np.zeros((len(rows), length, joints + 1), bool)
    known[:, :CONTEXT] = known[:, -1] = True
    poses = Poses(captures.rotations[rows], captures.position[rows])
    offsets = captures.offsets[clips][:, None]
    return Windows(poses, offsets, known, captures.planted[rows]), clips


def probes(captures: Captures) -> Iterator[tuple[str, Windows]]:
    """A few gaps of every length, for looks during training."""
    for missing in MISSING:
        try:
            yield str(missing), windows_of(captures, missing, 8 * APART)[0]
        except ValueError:
            return
