"""Key times: as few frames as keep a curve through them near to a motion, at any tolerance.

Keys are chosen by a shortest path over all segments between two frames that are near enough. A
segment is cubic, with the values and slopes of the motion at its ends.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from arcwright.arrays import Floats, Ints

LONGEST = 48  # frames of a segment
INSIDE = 6  # frames of a segment at which its distance is measured
EVEN = 0.01  # of a key: how much a segment as far off as it may be costs more than an exact one


def segment_distances(
    values: Floats, slopes: Floats, apart: Callable[[Floats, Ints], Floats]
) -> Floats:
    """(N, L) of segments that end at frame n + 1 and have l + 1 frames, the largest inside them.

    From values (N + 1, M) and slopes per frame; `apart` (values (T, M), frames (T,)) says how far
    values are from the motion at frames.
    """
    last = len(values) - 1
    longest = min(last, LONGEST)
    distance = np.full((last, longest), np.inf)
    distance[:, 0] = 0.0
    for length in range(2, longest + 1):
        inside = np.unique(np.round(np.linspace(0, length, INSIDE + 2)[1:-1]).astype(np.int64))
        made = _segments(values, slopes, length, inside / length)  # (I, S, M)
        frames = (inside[:, None] + np.arange(made.shape[1])).ravel()
        off = apart(made.reshape(len(frames), -1), frames)
        distance[length - 1 :, length - 1] = off.reshape(made.shape[:2]).max(axis=0)
    return distance


def _segments(values: Floats, slopes: Floats, length: int, parts: Floats) -> Floats:
    """(I, N + 1 - length, M) all segments of a length, at some parts of it (I,)."""
    u = parts[:, None, None]
    rest, start, end = 1 - u, values[:-length], values[length:]
    made = (1 + 2 * u) * rest**2 * start + u**2 * (3 - 2 * u) * end
    made += length * (u * rest**2 * slopes[:-length] - u**2 * rest * slopes[length:])
    return np.asarray(made)


def key_times(distance: Floats, limits: Floats) -> list[Ints]:
    """For each limit (S,) the frames of the fewest keys, the first and the last too."""
    last, longest = distance.shape
    cost = np.full((last + 1, len(limits)), np.inf)
    cost[0] = 0.0
    before = np.zeros((last + 1, len(limits)), np.int64)
    for frame in range(1, last + 1):
        share = distance[frame - 1, : min(frame, longest), None] / limits  # (L, S)
        own = np.where(share <= 1.0, 1.0 + EVEN * share**2, np.inf)
        reached = own + cost[frame - 1 :: -1][: len(share)]
        best = reached.argmin(axis=0)
        cost[frame] = np.take_along_axis(reached, best[None], axis=0)[0]
        before[frame] = frame - 1 - best
    return [_path(before[:, level]) for level in range(len(limits))]


def _path(before: Ints) -> Ints:
    """Frames from the first to the last one, by the frame before each."""
    frames = [len(before) - 1]
    while frames[-1] > 0:
        frames.append(int(before[frames[-1]]))
    return np.array(frames[::-1])
