"""Detected events against those marked by hand: precision and recall at +-3 frames of 30 a second.

A marked and a detected event match if they are of one element, at most three frames apart and of
compatible kinds; each counts once, near pairs first. Arrivals (grab, contact start, reach, closest,
rest start) are compatible with each other, departures (release, contact end, rest end) likewise. A
turn is an arrival and a departure at once, and compatible with both. Detected events count from a
confidence of 0.5 on, within the marked frames and of the marked elements.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import replace

import numpy as np

import one_thread  # noqa: F401

# isort: split
from arcwright.activity_detection import detected_events
from arcwright.characters.skeleton import root, skeleton
from arcwright.kinematics.movement_events import ARRIVALS, DEPARTURES, MovementEvent
from arcwright.scene.motion import Motion
from arcwright.scene.scene import Character, Prop, Scene
from arcwright.scene.take import Take
from event_clips import RATE, MarkedClip, MarkedEvent, MarkedProp, marked_clips

APART = 3  # frames
HALVES = "seen", "unseen", "final"
SURE = 0.5
ELEMENTS = {"LeftHand": "LeftHand", "RightHand": "RightHand", "Pelvis": "Hips"}
Found = tuple[float, MovementEvent]  # frame and event


class Tally:
    """Counts of marked, detected and matched events by kind."""

    def __init__(self) -> None:
        self.marked: Counter[str] = Counter()
        self.recalled: Counter[str] = Counter()
        self.detected: Counter[str] = Counter()
        self.precise: Counter[str] = Counter()

    def add(self, marks: list[MarkedEvent], found: list[Found], pairs: dict[int, int]) -> None:
        """Count one clip."""
        self.marked.update(mark.kind for mark in marks)
        self.recalled.update(marks[at].kind for at in pairs)
        self.detected.update(event.kind for _, event in found)
        self.precise.update(found[at][1].kind for at in pairs.values())

    def rows(self) -> list[str]:
        """A row for each kind, and one for all."""
        kinds = sorted({*self.marked, *self.detected})
        return [self._row(kind, [kind]) for kind in kinds] + [self._row("all", kinds)]

    def _row(self, name: str, kinds: list[str]) -> str:
        marked, recalled, detected, precise = (
            sum(counts[kind] for kind in kinds)
            for counts in (self.marked, self.recalled, self.detected, self.precise)
        )
        recall = f"{recalled / marked:6.2f}" if marked else "     -"
        precision = f"{precise / detected:9.2f}" if detected else "        -"
        return f"{name:14} {marked:6} {recalled:8} {recall} {detected:9} {precise:8} {precision}"


def main() -> None:
    """Print the tables of both halves that development looked at, of the final clips, or of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=(*HALVES, "both", "all"), default="both")
    parser.add_argument("--list", action="store_true", help="misses and false events, too")
    chosen = parser.parse_args()
    several = {"both": HALVES[:2], "all": HALVES}
    for half in several.get(chosen.half, (chosen.half,)):
        clips = [clip for clip in marked_clips() if clip.half == half]
        for props in (True, False):
            _print_table(half, clips, props=props, listed=chosen.list)


def _print_table(half: str, clips: list[MarkedClip], *, props: bool, listed: bool) -> None:
    kinds, any_kind, levels = Tally(), Tally(), Counter[tuple[int, bool]]()
    print(f"\n{half}, {'props placed from the marks' if props else 'without props'}")
    for clip in clips:
        every = found_events(clip, props=props)
        found = [each for each in every if each[1].confidence >= SURE]
        marks = list(clip.events)
        pairs = matched(marks, found, same_kind=True)
        kinds.add(marks, _counted(clip, found, pairs), _recounted(clip, found, pairs))
        loose = matched(marks, found, same_kind=False)
        any_kind.add(marks, _counted(clip, found, loose), _recounted(clip, found, loose))
        hits = set(matched(marks, every, same_kind=True).values())
        levels.update(
            (min(int(event.confidence * 4), 3), at in hits)
            for at, (frame, event) in enumerate(every)
            if at in hits or clip.frames[0] <= frame <= clip.frames[1]
        )
        if listed:
            _print_misses(clip, marks, _counted(clip, found, pairs), _recounted(clip, found, pairs))
    print(
        f"{'kind':14} {'marked':>6} {'recalled':>8} recall {'detected':>9} {'right':>8} precision"
    )
    for row in kinds.rows():
        print(row)
    print(any_kind.rows()[-1].replace("all     ", "any kind", 1))
    for level in range(4):
        right, wrong = levels[level, True], levels[level, False]
        span = f"{level / 4:.2f} to {level / 4 + 0.25:.2f}"
        print(f"confidence {span}: {right} of {right + wrong} right")


def found_events(clip: MarkedClip, *, props: bool) -> list[Found]:
    """Detected events of the marked elements, near the marked frames."""
    take = clip.load()
    scene = Scene("clip", (Character("person", take.rig, (take,)),), ())
    if props:
        placed = tuple(_prop(clip, each) for each in clip.props if clip.holders(each))
        scene = replace(scene, props=placed)
    first, last = clip.frames
    found = []
    for event in detected_events(scene, "person", take):
        element = ELEMENTS.get(event.element, "")
        frame = event.time * RATE
        if element in clip.elements and first - APART <= frame <= last + APART:
            found.append((frame, replace(event, element=element)))
    return found


def matched(marks: list[MarkedEvent], found: list[Found], *, same_kind: bool) -> dict[int, int]:
    """Marked: detected event, one to one; the nearest pairs first."""
    near = [
        (abs(frame - mark.frame), a, b)
        for a, mark in enumerate(marks)
        for b, (frame, event) in enumerate(found)
        if mark.element == event.element
        and round(abs(frame - mark.frame), 6) <= APART
        and (not same_kind or _compatible(mark.kind, event.kind))
    ]
    pairs: dict[int, int] = {}
    for _, a, b in sorted(near):
        if a not in pairs and b not in pairs.values():
            pairs[a] = b
    return pairs


def _compatible(marked: str, detected: str) -> bool:
    both = {marked, detected}
    return "turn" in both or both <= set(ARRIVALS) or both <= set(DEPARTURES)


def _counted(clip: MarkedClip, found: list[Found], pairs: dict[int, int]) -> list[Found]:
    """Those that match, and others within the marked frames."""
    return [found[at] for at in _counted_rows(clip, found, pairs)]


def _recounted(clip: MarkedClip, found: list[Found], pairs: dict[int, int]) -> dict[int, int]:
    rows = _counted_rows(clip, found, pairs)
    return {mark: rows.index(at) for mark, at in pairs.items()}


def _counted_rows(clip: MarkedClip, found: list[Found], pairs: dict[int, int]) -> list[int]:
    first, last = clip.frames
    right = set(pairs.values())
    return [at for at, (frame, _) in enumerate(found) if at in right or first <= frame <= last]


def _prop(clip: MarkedClip, marked: MarkedProp) -> Prop:
    """A point that stands and moves as the marks say."""
    places = clip.prop_places(marked)
    rig = skeleton([root(marked.name, (0.0, 0.0, 0.0))])
    values = np.tile(rig.channels.default, (len(places), 1))
    for at, axis in enumerate("xyz"):
        values[:, rig.channel(f"{marked.name}.translate.{axis}")] = places[:, at]
    time = np.arange(clip.frames[0], clip.frames[0] + len(places)) / RATE
    before = np.arange(clip.frames[0]) / RATE
    time = np.concatenate([before, time])
    values = np.concatenate([np.repeat(values[:1], len(before), axis=0), values])
    return Prop(marked.name, rig, (Take(rig, Motion("placed", time, values, RATE)),))


def _print_misses(
    clip: MarkedClip, marks: list[MarkedEvent], found: list[Found], pairs: dict[int, int]
) -> None:
    for at, mark in enumerate(marks):
        if at not in pairs:
            print(f"  {clip.name}: missed {mark.frame} {mark.element} {mark.kind}")
    for at, (frame, event) in enumerate(found):
        if at not in pairs.values():
            text = f"{frame:.1f} {event.element} {event.kind} {event.confidence:.2f} {event.prop}"
            print(f"  {clip.name}: false {text}")


if __name__ == "__main__":
    main()
