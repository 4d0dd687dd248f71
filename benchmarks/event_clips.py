"""Clips whose events were marked by hand, the props in them, and the halves they are split into.

`benchmarks/events/README.md` says what counts as an event and how they were marked. Frames are
frames at 30 per second: frame f is the moment f / 30 s of the take that `load` gives.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import arcwright
from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.scene.motion import Motion
from arcwright.scene.take import Take
from stance_clips import DATA, PACKED, packed_take

MARKS = Path(__file__).resolve().parent / "events"
RATE = 30.0
AFTER = 30  # frames after a range in which its props are placed, too
GRIPS = {"LeftHand": "LeftHandIndex1", "RightHand": "RightHandIndex1", "Hips": "Hips"}
"""The joint whose place is on a prop while the element holds or touches it."""


@dataclass(frozen=True)
class MarkedEvent:
    """A moment at which something happens to an element of the body."""

    frame: int
    element: str  # joint
    kind: str
    prop: str = ""


@dataclass(frozen=True)
class MarkedProp:
    """An object that the marks imply, and where on it each element is."""

    name: str
    moves: bool  # with the hands that hold it; otherwise it stands where it is touched
    on: dict[str, str]  # element: the part of the prop that it holds or touches
    held_before: tuple[str, ...] = ()  # hands that hold it when the range begins


@dataclass(frozen=True)
class MarkedClip:
    """A clip, the frames and elements that were looked at, its events and props."""

    name: str
    motion: str
    file: str  # below the folder of real data; the packed library for its clips
    rate: float  # frames per second it was recorded at; 0 as the file says
    half: str  # "seen", "unseen": development looked at them; "final": for the final table only
    frames: tuple[int, int]
    elements: tuple[str, ...]
    events: tuple[MarkedEvent, ...]
    props: tuple[MarkedProp, ...]

    def load(self) -> Take:
        """The take, at the rate it was recorded at."""
        if self.file == PACKED:
            return packed_take(self.name)
        take = arcwright.read(DATA / self.file).characters[0].takes[0]
        base = take.base
        if not self.rate or not isinstance(base, Motion):
            return take
        time = np.arange(len(base.time)) / self.rate
        return replace(take, base=replace(base, time=time, rate=self.rate))

    def holders(self, prop: MarkedProp) -> list[tuple[str, int, int]]:
        """Element, first and last frame of each time that the prop is held or touched."""
        since = dict.fromkeys(prop.held_before, self.frames[0])
        spans = []
        for event in self.events:
            if event.prop != prop.name:
                continue
            if event.kind in ("grab", "contact start"):
                since[event.element] = event.frame
            elif event.kind in ("release", "contact end"):
                spans.append((event.element, since.pop(event.element), event.frame))
        spans += [(element, first, self.frames[1] + AFTER) for element, first in since.items()]
        return sorted(spans, key=lambda span: span[1])

    def prop_places(self, prop: MarkedProp) -> Floats:
        """(F, 3) m: where the prop is in each frame of the range, and a second longer.

        It stands where the hand is at the first grab, follows the mean of the hands that hold it
        and stays where it was released. What does not move is where it is first touched. What is
        held when the range ends is held on.
        """
        first, last = self.frames[0], self.frames[1] + AFTER
        grips = self._grips(first, last)
        spans = [(element, a - first, b - first) for element, a, b in self.holders(prop)]
        start = grips[spans[0][0]][spans[0][1]]
        places = np.tile(start, (last - first + 1, 1))
        if not prop.moves:
            return places
        for frame in range(spans[0][1] + 1, len(places)):
            both = [e for e, a, b in spans if a < frame <= b]
            steps = [grips[element][frame] - grips[element][frame - 1] for element in both]
            places[frame] = places[frame - 1] + (np.mean(steps, axis=0) if steps else 0.0)
        return places

    def _grips(self, first: int, last: int) -> dict[str, Floats]:
        """(F, 3) m of each element: the place of its grip."""
        take = self.load()
        values = values_at(take, np.arange(first, last + 1) / RATE)
        joints = [take.rig.joint(GRIPS[element]) for element in self.elements]
        places = forward(take.rig, values, joints)[:, :, :3, 3]
        return {element: places[:, row] for row, element in enumerate(self.elements)}


def marked_clips() -> list[MarkedClip]:
    """All marked clips, by kind of motion and name."""
    rows = [json.loads(path.read_text()) for path in sorted(MARKS.glob("*.json"))]
    return sorted(map(_clip, rows), key=lambda clip: (clip.motion, clip.name))


def _clip(row: dict) -> MarkedClip:
    events = [MarkedEvent(*event) for event in row["events"]]
    props = [
        MarkedProp(name, prop["moves"], prop["on"], tuple(prop.get("held_before", ())))
        for name, prop in row.get("props", {}).items()
    ]
    return MarkedClip(
        row["clip"],
        row["motion"],
        row["file"],
        row.get("rate", 0.0),
        row["half"],
        (row["frames"][0], row["frames"][1]),
        tuple(row["elements"]),
        tuple(sorted(events, key=lambda event: event.frame)),
        tuple(props),
    )
