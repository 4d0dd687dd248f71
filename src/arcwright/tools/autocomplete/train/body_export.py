"""Export of a trained body model: rounded weights, examples, and what distance to them is usual."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from arcwright.arrays import AnyArray, Floats, Ints
from arcwright.tools.autocomplete.body.body_architecture import BodyArchitecture
from arcwright.tools.autocomplete.body.body_distance import Examples, packed_examples
from arcwright.tools.autocomplete.body.body_file import BodyFile
from arcwright.tools.autocomplete.body.captures import FRAME_TIME, Captures
from arcwright.tools.autocomplete.body.key_slerp import Poses
from arcwright.tools.autocomplete.body.rounded import Rounded
from arcwright.tools.autocomplete.train.body_training import Scores

EVERY = 3  # frames between poses of examples
LENGTH = 40  # poses of an example, at most
MOST = 60  # examples
QUERIES = 200  # pairs of keys that show what distance is usual
USUAL = 0.95  # share of pairs that are not unlike the examples


def exported(
    architecture: BodyArchitecture,
    weights: Mapping[str, AnyArray],
    scores: Scores,
    captures: Captures,
    held: Captures,
    *,
    roles: bool,
    about: str,
) -> BodyFile:
    """A model file of weights without a leading axis; usual distances are those of other clips."""
    chosen = example_windows(captures)
    examples = np.stack(
        [packed_examples(captures.rotations[rows], captures.position[rows]) for _, rows in chosen]
    ).astype(np.float16)
    labels = tuple(captures.names[clip] for clip, _ in chosen)

    def file(threshold: float) -> BodyFile:
        return BodyFile(
            architecture=architecture,
            skeleton=captures.skeleton,
            size=float(captures.size.mean()),
            roles=roles,
            mean=scores.mean,
            deviation=scores.deviation,
            scale=scores.scale,
            frame_time=FRAME_TIME,
            weights=Rounded.of(architecture, weights),
            examples=examples,
            example_time=EVERY * FRAME_TIME,
            labels=labels,
            threshold=threshold,
            about=about,
        )

    return file(usual_distance(Examples.of(file(1.0)), held))


def example_windows(captures: Captures) -> list[tuple[int, Ints]]:
    """Clips, each once and of all subjects in turn, and the frames of one example of each."""
    lengths = np.diff(captures.start)
    order = sorted(range(len(captures)), key=lambda clip: (_turn(captures, clip), clip))
    length = min(LENGTH, int((np.median(lengths) - 1) // EVERY) + 1)
    enough = [clip for clip in order if lengths[clip] > EVERY * (length - 1)][:MOST]
    found = []
    for clip in enough:
        span = EVERY * (length - 1) + 1
        first = int(captures.start[clip]) + (int(lengths[clip]) - span) // 2
        found.append((clip, first + EVERY * np.arange(length)))
    return found


def _turn(captures: Captures, clip: int) -> int:
    """How many clips of the same subject come before."""
    return int((captures.subject[:clip] == captures.subject[clip]).sum())


def usual_distance(examples: Examples, held: Captures, seed: int = 0) -> float:
    """The distance that most pairs of poses of other clips have, 0.2 to 1.5 s apart."""
    draw = np.random.default_rng(seed)
    far: list[float] = []
    lengths = np.diff(held.start)
    for _ in range(QUERIES):
        gap = int(draw.integers(6, 46))
        room = np.maximum(lengths - gap, 0)
        if not room.any():
            continue
        clip = int(draw.choice(len(room), p=room / room.sum()))
        first = int(held.start[clip] + draw.integers(0, room[clip]))
        rows = np.array([first, first + gap])
        poses = Poses(held.rotations[rows], held.position[rows])
        times: Floats = np.array([0.0, gap * FRAME_TIME])
        far.append(examples.distance(poses, times, np.arange(2)))
    return max(float(np.quantile(far, USUAL)), 1e-3) if far else 1.0
