"""Weights of the confidence of events, fitted to the marked events that development may see.

Every candidate of a hand is right if it matches a mark (`event_detection.py`). Logistic regression
with a penalty on the weights gives `WEIGHTS` and `BIASES` of `event_confidence.py`; the score is
that of weights fitted without the clip (leave one clip out).
"""

from __future__ import annotations

import numpy as np

import one_thread  # noqa: F401

# isort: split
from arcwright.arrays import AnyArray, Floats
from arcwright.kinematics.event_confidence import BIASES
from event_clips import MarkedClip, marked_clips
from event_detection import found_events, matched

PENALTY = 1.0  # of a weight's square, against one candidate's log likelihood
GROUPS = tuple(BIASES)


def main() -> None:
    """Print the weights, and how well they predict clips they were not fitted to."""
    clips = [clip for clip in marked_clips() if clip.half != "final"]
    rows = [candidates(clip) for clip in clips]
    weights = fitted(np.concatenate([x for x, _ in rows]), np.concatenate([y for _, y in rows]))
    print("WEIGHTS = (" + ", ".join(f"{each:.2f}" for each in weights[: -len(GROUPS)]) + ")")
    biases = zip(GROUPS, weights[-len(GROUPS) :], strict=True)
    print("BIASES = {" + ", ".join(f'"{name}": {bias:.2f}' for name, bias in biases) + "}")
    held, right = [], []
    for at in range(len(rows)):
        rest = rows[:at] + rows[at + 1 :]
        own = fitted(np.concatenate([x for x, _ in rest]), np.concatenate([y for _, y in rest]))
        held.append(likely(rows[at][0], own))
        right.append(rows[at][1])
    report("left out", np.concatenate(held), np.concatenate(right))
    report(
        "fitted",
        likely(np.concatenate([x for x, _ in rows]), weights),
        np.concatenate(right),
    )


def candidates(clip: MarkedClip) -> tuple[Floats, AnyArray]:
    """(N, 7) measures and kinds of the candidates of hands, and which of them are right."""
    every = found_events(clip, props=False)
    hits = set(matched(list(clip.events), every, same_kind=True).values())
    first, last = clip.frames
    x, y = [], []
    for at, (frame, event) in enumerate(every):
        inside = at in hits or first <= frame <= last
        if inside and event.element != "Hips" and event.measures is not None:
            kinds = [float(event.measures.group == each) for each in GROUPS]
            x.append([*event.measures.logarithms(), *kinds])
            y.append(at in hits)
    return np.array(x).reshape(-1, 4 + len(GROUPS)), np.array(y, dtype=bool)


def fitted(x: Floats, y: AnyArray) -> Floats:
    """Weights of the greatest likelihood, less the penalty, by Newton's method."""
    weights = np.zeros(x.shape[1])
    penalty = np.diag([PENALTY] * x.shape[1])
    for _ in range(50):
        share = likely(x, weights)
        slope = x.T @ (y - share) - penalty @ weights
        curve = (x * (share * (1 - share))[:, None]).T @ x + penalty
        weights = weights + np.linalg.solve(curve, slope)
    return weights


def likely(x: Floats, weights: Floats) -> Floats:
    """(N,) probability of each candidate."""
    found: Floats = 1.0 / (1.0 + np.exp(-x @ weights))
    return found


def report(name: str, share: Floats, right: AnyArray) -> None:
    """Print the loss, and how many candidates are right by confidence."""
    loss = -np.mean(np.log(np.where(right, share, 1 - share)))
    sure = share >= 0.5
    print(
        f"{name}: {len(right)} candidates, {right.sum()} right, log loss {loss:.3f}, "
        f"from 0.5 on {right[sure].sum()} of {sure.sum()} right"
    )


if __name__ == "__main__":
    main()
