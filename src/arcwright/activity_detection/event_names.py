"""Names of detected events: who does what, and how high a hand is then."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from arcwright.activity_detection.watched import WatchedBody
from arcwright.kinematics.effectors import effector_words
from arcwright.kinematics.movement_events import ElementPath, MovementEvent

CALLED = {name: effector_words(name) for name in ("LeftHand", "RightHand", "Pelvis")}
_VERBS = {
    "reach": "reaches",
    "closest": "at the mouth",
    "rest start": "rests",
    "rest end": "leaves",
    "turn": "turns",
    "contact start": "touches",
    "contact end": "leaves",
}
_OF_PROPS = {"rest start": "stops", "rest end": "moves"}
_HEIGHTS = "low", "waist high", "chest high", "head high", "overhead"
_AT_WAIST, _AT_CHEST = 0.0, 0.45  # of the way from pelvis to shoulder: where these begin
_AT_HEAD, _ABOVE = 0.5, 1.6  # of the way from shoulder to head


@dataclass(frozen=True, eq=False)
class EventNames:
    """Names elements, and from them events."""

    body: WatchedBody
    called: Mapping[str, str]  # of elements

    def name(self, event: MovementEvent) -> str:
        """What happens, in words: `grab pot`, `right hand turns chest high`."""
        if event.kind in ("grab", "release"):
            return f"{event.kind} {self.called[event.prop]}"
        words = [self.called[event.element], _VERBS[event.kind]]
        if event.element not in CALLED:
            words[1] = _OF_PROPS.get(event.kind, words[1])
        if event.prop:
            words.append(self.called[event.prop])
        elif event.kind.startswith("contact"):
            words[1] = "sits down" if event.kind == "contact start" else "gets up"
        elif event.kind != "closest":
            words.append(self._height(event))
        return " ".join(filter(None, words))

    def _height(self, event: MovementEvent) -> str:
        """How high a hand is beside its trunk; "" for anything else."""
        path = next((each for each in self.body.paths if each.name == event.element), None)
        if path is None or path.pelvis is None or path.shoulder is None:
            return ""
        at = int(np.argmin(np.abs(self.body.time - event.time)))
        return _HEIGHTS[int(np.searchsorted(_bounds(path, at), path.position[at, 1]))]


def _bounds(path: ElementPath, at: int) -> list[float]:
    """m, the heights from which on a hand is more than low, in the order of `_HEIGHTS`."""
    assert path.pelvis is not None
    assert path.shoulder is not None
    pelvis, shoulder = float(path.pelvis[at, 1]), float(path.shoulder[at, 1])
    trunk = max(shoulder - pelvis, 1e-9)
    neck = trunk / 2 if path.head is None else float(path.head[at, 1]) - shoulder
    bounds = [pelvis + share * trunk for share in (_AT_WAIST, _AT_CHEST)]
    return [*bounds, *(shoulder + share * max(neck, 1e-9) for share in (_AT_HEAD, _ABOVE))]
