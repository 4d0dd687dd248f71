"""Distance to the examples: how far keys are from the nearest moments of the training motions."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import AnyArray, Bools, Floats, Ints


def distance_to_examples(
    examples: AnyArray, relative: Bools, frames: Ints, scored: Floats, known: Bools
) -> float:
    """The largest of the distances of pairs of keys that follow each other.

    Examples (N, T, C) and keys (K, C) are z-scores; keys stand at `frames` (K,). A pair is laid
    over every example at every moment; its distance there is the rms difference of its known
    values, of `relative` channels the difference of how far they move. A pair that is longer than
    the examples is compared at their length.
    """
    pairs = zip(range(len(frames) - 1), range(1, len(frames)), strict=True)
    far = [_pair(examples, relative, frames, scored, known, a, b) for a, b in pairs]
    return max(far, default=0.0)


def _pair(
    examples: AnyArray, relative: Bools, frames: Ints, scored: Floats, known: Bools, a: int, b: int
) -> float:
    gap = int(np.clip(frames[b] - frames[a], 1, examples.shape[1] - 1))
    start, end = examples[:, :-gap], examples[:, gap:]
    total = np.zeros(start.shape[:2], np.float32)
    count = 0
    for channel, moves in enumerate(relative):
        here = (start[..., channel], end[..., channel])
        given = (scored[a, channel], scored[b, channel])
        if moves:
            if known[a, channel] and known[b, channel]:
                total += np.square(here[1] - here[0] - np.float32(given[1] - given[0]))
                count += 1
            continue
        for own, value, is_known in zip(here, given, known[[a, b], channel], strict=True):
            if is_known:
                total += np.square(own - np.float32(value))
                count += 1
    return float(np.sqrt(total.min() / count)) if count else 0.0
