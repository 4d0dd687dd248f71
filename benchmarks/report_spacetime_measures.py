"""What the spacetime report replays and measures."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.kinematics.contact import footplants
from arcwright.kinematics.trail import trail
from arcwright.open import read
from arcwright.scene.constraint import Contact
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.tools.replay.gesture_file import Case, parse_gesture_file
from arcwright.tools.replay.outcome import Outcome
from arcwright.tools.replay.replay import replay
from report_spacetime_cases import Example, Shown
from spacetime_walks import skates

ROOT = Path(__file__).resolve().parents[1]
GESTURES = ROOT / "tests" / "gestures" / "spacetime"
RUNS = 3  # each gesture is replayed so often; the times of the quickest run count


@dataclass(frozen=True)
class Replayed:
    """A gesture file replayed."""

    shown: Shown
    about: str
    case: Case
    before: Scene
    after: Scene
    outcome: Outcome

    @property
    def takes(self) -> tuple[Take, Take]:
        """Of the first character, before and after."""
        return self.before.characters[0].takes[0], self.after.characters[0].takes[0]

    @property
    def footplants(self) -> tuple[Contact, ...]:
        """Where feet stand: contacts of the scene, or what is found."""
        given = tuple(each for each in self.after.contacts if each.relative_to is None)
        return given or footplants(
            self.takes[0], heels=bool(self.case.options.get("include_heels"))
        )


def chosen(example: Example) -> Shown:
    """The captured case where its clip is there, else the built-in one."""
    if example.captured is None:
        return example.built_in
    clip = json.loads((GESTURES / example.captured.file).read_text(encoding="utf-8"))["scene"]
    return example.captured if (ROOT / clip).is_file() else example.built_in


def replayed(shown: Shown, *, plain: bool = False) -> Replayed:
    """Replay a gesture file; plainly, with neither footplants nor other constraints."""
    text = json.loads((GESTURES / shown.file).read_text(encoding="utf-8"))
    case = parse_gesture_file(text)
    there = ROOT / case.scene
    before = read(there if there.is_file() else case.scene)
    start = before
    if plain:
        options = {**case.options, "detect_footplants": False, "knot_spacing": 0.4}
        case = replace(case, options=options, constraints=())
        start = replace(before, constraints=())
    runs = [replay(case, start, process_time) for _ in range(RUNS)]
    after, outcomes = min(runs, key=lambda run: run[1][-1].ms_p50)
    if plain:
        after = replace(after, constraints=before.contacts)
    return Replayed(shown, text["about"], case, before, after, outcomes[-1])


def slip(take: Take, footplants: tuple[Contact, ...]) -> float:
    """Farthest that a planted point is from its mean place at any frame, m."""
    frames, worst = take.frame_times(), 0.0
    for each in footplants:
        inside = frames[(frames >= each.start) & (frames <= each.end)]
        if len(inside) > 2:
            path = trail(take, each.point, inside).position
            worst = max(worst, float(np.linalg.norm(path - path.mean(axis=0), axis=1).max()))
    return worst


def skate(take: Take, footplants: tuple[Contact, ...]) -> float:
    """Mean way along the floor per planted frame, m."""
    return float(np.concatenate(skates(take, footplants, (0.0, take.duration))).mean())


def lift(take: Take, still: Take, footplants: tuple[Contact, ...]) -> float:
    """Highest that a planted point is above where it was before the edit, m."""
    worst = 0.0
    for each in footplants:
        times = np.linspace(each.start, each.end, 40)
        now, was = (trail(own, each.point, times).position[:, 1] for own in (take, still))
        worst = max(worst, float((now - was).max()))
    return worst


def strides(take: Take, footplants: tuple[Contact, ...]) -> str:
    """How far it is along the floor from each footplant to the next, m."""
    middles = sorted(((each.start + each.end) / 2, at) for at, each in enumerate(footplants))
    places = [trail(take, footplants[at].point, [time]).position[0, [0, 2]] for time, at in middles]
    return ", ".join(f"{np.linalg.norm(step):.2f}" for step in np.diff(places, axis=0))
