"""Gestures of a stick: learn to tell them apart, and count how often that is right.

    python benchmarks/puppet_gestures.py [--write] [--half 0|1] [--count 200] [--minutes 60]

Gestures are made by code (`tests/support/stick_gestures.py`), with even seeds for learning and odd
ones for the test (--half 1, the default). `--write` learns and stores the weights. Printed: what
was taken for what, the time from a gesture's end to its action, and false actions in ordinary
leading.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))
from arcwright.tools.puppet.actions.gesture_classifier import (
    NONE,
    WEIGHTS,
    GestureClassifier,
    standardised,
    stored_classifier,
)
from arcwright.tools.puppet.actions.stick_burst import PERSON, Burst, BurstFinder
from stick_gestures import ACTIONS, GESTURES, OTHERS, RATE, gesture, leading

LABELS = (NONE, *ACTIONS)
RIDGE, STEPS, RATE_OF_LEARNING = 1e-4, 4000, 0.5
LATE = 0.35  # s after its end: a later burst is not the gesture


def bursts(path: np.ndarray) -> list[tuple[float, Burst]]:
    """All bursts of a path, and when each ended, s."""
    finder, found = BurstFinder(PERSON), []
    for index, place in enumerate(path):
        burst = finder.see(place, 0.0, 1 / RATE)
        if burst is not None:
            found.append((index / RATE, burst))
    return found


def samples(seeds: range) -> tuple[np.ndarray, np.ndarray]:
    """Features (N, F) and labels (N,) of all bursts of made gestures."""
    rows, labels = [], []
    for kind in (*GESTURES, *OTHERS):
        for seed in seeds:
            made = gesture(kind, seed)
            for ended, burst in bursts(made.path):
                own = made.start < ended <= made.end + LATE
                rows.append(burst.features())
                labels.append(LABELS.index(made.label) if own else 0)
    for seed in range(seeds.start, 20, 2):
        quiet = [burst.features() for _, burst in bursts(leading(seed))]
        rows += quiet
        labels += [0] * len(quiet)
    return np.array(rows), np.array(labels)


def learnt(features: np.ndarray, labels: np.ndarray) -> GestureClassifier:
    """Logistic regression by gradient descent with momentum; each label counts the same."""
    mean, scale = features.mean(axis=0), features.std(axis=0)
    inputs = standardised(features, mean, scale)
    wanted = np.eye(len(LABELS))[labels]
    share = (1.0 / np.bincount(labels))[labels][:, None] / len(LABELS)
    weights, speed = np.zeros((len(LABELS), inputs.shape[1])), 0.0
    for _ in range(STEPS):
        logits = inputs @ weights.T
        likely = np.exp(logits - logits.max(axis=1, keepdims=True))
        likely /= likely.sum(axis=1, keepdims=True)
        slope = ((likely - wanted) * share).T @ inputs + RIDGE * weights
        speed = 0.9 * speed - RATE_OF_LEARNING * slope
        weights = weights + speed
    return GestureClassifier(LABELS, mean, scale, weights)


def write(found: GestureClassifier) -> None:
    """Store the weights beside the classifier."""

    def plain(values: np.ndarray) -> list:
        return np.round(values, 4).tolist()

    weights = [plain(row) for row in found.weights]
    stored = {"labels": list(found.labels), "mean": plain(found.mean), "scale": plain(found.scale)}
    WEIGHTS.write_text(json.dumps({**stored, "weights": weights}, indent=1) + "\n")


def actions(classifier: GestureClassifier, path: np.ndarray) -> list[tuple[float, str]]:
    """When each action is asked for, s, and which."""
    found = [(ended, classifier.action(burst)) for ended, burst in bursts(path)]
    return [(ended, name) for ended, name in found if name]


def main() -> None:
    """Learn, if asked to; then print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--half", type=int, choices=(0, 1), default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--minutes", type=int, default=60)
    given = parser.parse_args()
    if given.write:
        write(learnt(*samples(range(0, 400, 2))))
    classifier, late = stored_classifier(), []
    print(f"{given.count} of each, half {given.half}\n{'':8}" + "".join(f"{n:>8}" for n in LABELS))
    right = Counter[bool]()
    for kind in (*GESTURES, *OTHERS):
        row = Counter[str]()
        for seed in range(given.half, 2 * given.count, 2):
            made = gesture(kind, seed)
            found = actions(classifier, made.path)
            taken = found[0][1] if len(found) == 1 else "several" if found else NONE
            row[taken] += 1
            if taken == made.label:
                late += [1e3 * (at - made.end) for at, _ in found]
        label = kind if kind in ACTIONS else NONE
        right.update({True: row[label], False: row.total() - row[label]})
        print(f"{kind:8}" + "".join(f"{row[name]:8}" for name in LABELS), row["several"] or "")
    print(f"right: {100 * right[True] / right.total():.1f} %")
    p50, p95 = np.percentile(late, [50, 95])
    print(f"from the end of a gesture to its action: p50 {p50:.0f} ms, p95 {p95:.0f} ms")
    false = Counter[str]()
    for seed in range(given.half, 2 * given.minutes, 2):
        false.update(name for _, name in actions(classifier, leading(1000 + seed)))
    print(f"false actions in {given.minutes} min of leading: {dict(false) or 0}")


if __name__ == "__main__":
    main()
