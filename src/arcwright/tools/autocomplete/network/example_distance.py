"""Distance to the examples: how far keys are from the nearest moments of the training motions."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import AnyArray, Bools, Floats, Ints


def distance_to_examples(
    examples: AnyArray, relative: Bools, frames: Ints, scored: Floats, known: Bools
) -> float:
    """The rms of the distances of pairs of keys that follow each other.

    Examples (C, N, T) and keys (K, C) are z-scores; keys stand at `frames` (K,). A pair is laid
    over every example at every moment; its distance is the least rms difference of its known
    values, of `relative` channels the difference of how far they move. A pair that is longer than
    the examples is compared at their length.
    """
    pairs = zip(range(len(frames) - 1), range(1, len(frames)), strict=True)
    squares = [_pair(examples, relative, frames, scored, known, a, b) for a, b in pairs]
    return float(np.sqrt(np.mean(squares))) if squares else 0.0


def _pair(
    examples: AnyArray, relative: Bools, frames: Ints, scored: Floats, known: Bools, a: int, b: int
) -> float:
    """The least mean square difference."""
    gap = int(np.clip(frames[b] - frames[a], 1, examples.shape[2] - 1))
    total = np.zeros((examples.shape[1], examples.shape[2] - gap), np.float32)
    count = 0
    for channel, moves in enumerate(relative):
        own = examples[channel]
        start, end = own[:, :-gap], own[:, gap:]
        first, last = np.float32(scored[a, channel]), np.float32(scored[b, channel])
        if moves:
            if known[a, channel] and known[b, channel]:
                total += np.square(end - start - (last - first))
                count += 1
            continue
        if known[a, channel]:
            total += np.square(start - first)
            count += 1
        if known[b, channel]:
            total += np.square(end - last)
            count += 1
    return float(total.min()) / count if count else 0.0
