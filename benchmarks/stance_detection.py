"""Detected stances against those marked by hand: recall and precision, per frame and per stance.

With `--footplants`, a foot is detected to stand in the frames of its footplants, of toes and heel
together; these exclude a rolling foot. A stance is found if a detected one overlaps it by at least
half (intersection over union); each counts once. Stances of less than 0.05 s at an end of the
marked frames are cut by it, and count per frame only.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools
from arcwright.kinematics import contact
from arcwright.kinematics.stances import stances
from arcwright.scene.take import Take
from stance_clips import MarkedClip, marked_clips

OVERLAP = 0.5  # intersection over union
CUT = 0.05  # s, shorter stances at an end are not counted
Span = tuple[int, int]


@dataclass(frozen=True)
class Score:
    """Counts of a clip: frames and stances, both marked and detected, and those in common."""

    frames: tuple[int, int, int]  # marked, detected, both
    stances: tuple[int, int, int]

    def __add__(self, other: Score) -> Score:
        frames, stances = (
            tuple(a + b for a, b in zip(mine, yours, strict=True))
            for mine, yours in ((self.frames, other.frames), (self.stances, other.stances))
        )
        return Score(frames, stances)  # type: ignore[arg-type]

    def shares(self) -> tuple[float, float, float, float]:
        """Recall and precision per frame, then per stance."""
        return (*_shares(self.frames), *_shares(self.stances))


def main() -> None:
    """Print a table for the half that may be looked at, the unseen half, or both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("seen", "unseen", "both"), default="seen")
    parser.add_argument("--footplants", action="store_true", help="of toes and heels instead")
    parser.add_argument("--list", action="store_true", help="the spans of each foot, too")
    chosen = parser.parse_args()
    halves = ("seen", "unseen") if chosen.half == "both" else (chosen.half,)
    print(f"{'':34}     per frame         per stance")
    print(f"{'clip':34} recall precision  recall precision")
    for half in halves:
        clips = [clip for clip in marked_clips() if clip.seen == (half == "seen")]
        for name, in_place in ((half, False), (f"{half}, in place", True)):
            own = [clip for clip in clips if clip.in_place == in_place]
            _print_half(name, own, footplants=chosen.footplants, spans=chosen.list)


def _print_half(half: str, clips: list[MarkedClip], *, footplants: bool, spans: bool) -> None:
    scores = []
    for clip in clips:
        detected = detected_stances(clip, clip.load(), footplants=footplants)
        scores.append(score(clip, detected))
        print(_row(f"{clip.kind}: {clip.name}", scores[-1].shares()))
        for side in clip.feet if spans else ():
            print(f"    {side}: marked {list(clip.stances[side])} detected {detected[side]}")
    if scores:
        print(_row(f"{half}: mean of clips", tuple(np.mean([s.shares() for s in scores], axis=0))))
        print(_row(f"{half}: all together", sum(scores[1:], scores[0]).shares()))


def detected_stances(clip: MarkedClip, take: Take, *, footplants: bool) -> dict[str, list[Span]]:
    """First and last frame of the stances of each foot, within the marked frames."""
    first, last = clip.frames
    plants = contact.footplants(take, heels=True) if footplants else ()
    times = [(each.joint, each.start, each.end) for each in stances(take)]
    times = [(each.point.joint, each.start, each.end) for each in plants] if footplants else times
    found = {}
    for side, joints in clip.feet.items():
        stands = np.zeros(last + 2, bool)
        for joint, *span in times:
            if joint in joints:
                a, b = (round(time * take.rate) for time in span)
                stands[max(a, first) : max(min(b, last) + 1, 0)] = True
        found[side] = _runs(stands)
    return found


def score(clip: MarkedClip, detected: dict[str, list[Span]]) -> Score:
    """Count frames and stances of both feet."""
    total = Score((0, 0, 0), (0, 0, 0))
    for side, marked in clip.stances.items():
        flags = [_flags(spans, clip.frames[1]) for spans in (list(marked), detected[side])]
        frames = int(flags[0].sum()), int(flags[1].sum()), int((flags[0] & flags[1]).sum())
        total += Score(frames, _count(clip, list(marked), detected[side]))
    return total


def _count(clip: MarkedClip, marked: list[Span], detected: list[Span]) -> tuple[int, int, int]:
    """Marked and detected stances, and pairs of them that overlap enough."""
    whole = [span for span in marked if not _cut(clip, span)]
    edge = [span for span in marked if _cut(clip, span)]
    pairs = sum(any(_overlap(a, b) >= OVERLAP for b in detected) for a in whole)
    matched = [b for b in detected if any(_overlap(a, b) >= OVERLAP for a in whole)]
    others = [b for b in detected if b not in matched and not _cut(clip, b)]
    others = [b for b in others if not any(_overlap(a, b) > 0 for a in edge)]
    return len(whole), len(matched) + len(others), pairs


def _cut(clip: MarkedClip, span: Span) -> bool:
    """Whether a stance at an end of the marked frames is too short to be counted."""
    rate = 24.0 if clip.in_place else 30.0 if clip.uncertainty == 1 else 120.0
    at_end = span[0] <= clip.frames[0] + 1 or span[1] >= clip.frames[1] - 1
    return at_end and span[1] - span[0] + 1 < CUT * rate


def _overlap(a: Span, b: Span) -> float:
    common = min(a[1], b[1]) - max(a[0], b[0]) + 1
    return max(common, 0) / (max(a[1], b[1]) - min(a[0], b[0]) + 1)


def _flags(spans: list[Span], last: int) -> Bools:
    flags = np.zeros(last + 1, bool)
    for a, b in spans:
        flags[a : b + 1] = True
    return flags


def _runs(flags: Bools) -> list[Span]:
    edge = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(int)))
    return [(int(a), int(b) - 1) for a, b in zip(edge[::2], edge[1::2], strict=True)]


def _shares(counts: tuple[int, int, int]) -> tuple[float, float]:
    marked, detected, both = counts
    return both / max(marked, 1), both / detected if detected else 0.0


def _row(name: str, shares: tuple[float, ...]) -> str:
    return f"{name:34} {shares[0]:6.2f} {shares[1]:9.2f}  {shares[2]:6.2f} {shares[3]:9.2f}"


if __name__ == "__main__":
    main()
