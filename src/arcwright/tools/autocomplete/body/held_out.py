"""Held out: which clips, or parts of clips, a training does not see."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arcwright.arrays import Ints
from arcwright.errors import BadValue
from arcwright.tools.autocomplete.body.captures import FRAME_TIME, Captures

ALONE = 20.0  # s that a single clip must have
FEWEST = 5  # clips from which whole ones are held out
SHARE = 0.15  # of what is known, held out
SMALLEST = 24  # frames that a part of a clip must have


def split(captures: Captures) -> tuple[Captures, Captures]:
    """Clips to train on and clips held out; of few clips the last part of each.

    Raises `BadValue` where there is too little of both.
    """
    count = len(captures)
    if count == 1 and len(captures.position) < ALONE / FRAME_TIME:
        one = f"one of {len(captures.position) * FRAME_TIME:.1f} s"
        raise BadValue("examples", f"two clips or more, or one of {ALONE:g} s", one)
    if count >= FEWEST:
        every = max(round(1 / SHARE), 2)
        test = np.arange(every // 2, count, every)
        return captures.part(np.setdiff1d(np.arange(count), test)), captures.part(test)
    lengths = np.diff(captures.start)
    last = np.maximum((lengths * SHARE).astype(int), SMALLEST)
    if (lengths - last < SMALLEST).any():
        least = f"{FEWEST} clips, or clips of {2 * SMALLEST} frames at 30 a second"
        short = f"{count} clips, the shortest of {int(lengths.min())} frames"
        raise BadValue("examples", least, short)
    cut = captures.start[1:] - last
    return _between(captures, captures.start[:-1], cut), _between(captures, cut, captures.start[1:])


def _between(captures: Captures, first: Ints, last: Ints) -> Captures:
    """A part of every clip."""
    rows = np.concatenate([np.arange(a, b) for a, b in zip(first, last, strict=True)])
    return replace(
        captures,
        rotations=captures.rotations[rows],
        position=captures.position[rows],
        planted=captures.planted[rows],
        start=np.concatenate([[0], np.cumsum(last - first)]),
    )
