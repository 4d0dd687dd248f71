"""Overlays: which keys are completed between, the ways of main points, and other alternatives."""

from __future__ import annotations

import re

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.forward import forward
from arcwright.scene.rig import Rig
from arcwright.scene.take import Take
from arcwright.tools.autocomplete.key_poses import KeyPoses
from arcwright.tools.autocomplete.model import FEW, Completed
from arcwright.tools.overlay import (
    Choice,
    ChoicesOverlay,
    CurveOverlay,
    HandleOverlay,
    MarkersOverlay,
    Overlay,
    SpanOverlay,
    Style,
)

NAME = re.compile(r"key at frame (\d+(?:\.\d+)?)")
MOST_KEYS = 60  # that are drawn one by one
MOST_GHOSTS = 4  # other answers that are drawn
MOST_POINTS = 120  # of a way: previews are sent often


def key_name(frame: float) -> str:
    """The name of the handle of a key."""
    return f"key at frame {round(frame, 3):g}"


def frame_of(name: str) -> float | None:
    """The frame that the handle of a key names; None where it is no such handle."""
    found = NAME.fullmatch(name)
    return None if found is None else float(found[1])


def key_overlays(take: Take, keys: KeyPoses, joints: Ints) -> tuple[Overlay, ...]:
    """A span of the timeline between keys, a handle of the root at each, and where others are.

    Baked clips have a key at nearly every frame: then one span is all.
    """
    if len(keys.times) > MOST_KEYS:
        return (SpanOverlay(*keys.range, "Complete", "guide"),)
    spans = tuple(
        SpanOverlay(float(start), float(end), "Complete", "guide")
        for start, end in zip(keys.times[:-1], keys.times[1:], strict=True)
    )
    places = forward(take.rig, keys.values, joints.tolist())[..., :3, 3]
    handles = tuple(
        HandleOverlay(
            key_name(time * take.rate),
            place,
            label=f"Key at frame {round(time * take.rate, 3):g}",
            time=time,
        )
        for time, place in zip(keys.times.tolist(), places[:, 0], strict=True)
    )
    others = (MarkersOverlay(places[:, 1:].reshape(-1, 3), "guide"),) if len(joints) > 1 else ()
    return (*spans, *handles, *others)


def answer_overlays(
    rig: Rig, completed: Completed, chosen: int, joints: Ints, others: bool = True
) -> tuple[Overlay, ...]:
    """The ways of some joints in the chosen answer and in others, and a choice among them.

    Of long motions the others are left out while a key is dragged.
    """
    found: list[Overlay] = []
    shown = others or len(completed.times) <= FEW
    ghosts = [at for at in range(len(completed.names)) if at != chosen and shown][:MOST_GHOSTS]
    for at in (*ghosts, chosen):
        values = completed.answer(at) if at == chosen else completed.glimpse(at)
        places = _places(rig, values, joints)
        style: Style = "edit" if at == chosen else "guide"
        found += [CurveOverlay(places[:, joint], style) for joint in range(len(joints))]
    choices = tuple(Choice(name, at) for at, name in enumerate(completed.names))
    return (*found, ChoicesOverlay("alternative", "Alternative", choices, chosen))


def _places(rig: Rig, values: Floats, joints: Ints) -> Floats:
    """(T, J, 3) m of some joints; some of the frames where there are many."""
    step = max(1, -(-len(values) // MOST_POINTS))
    rows = np.unique(np.append(np.arange(0, len(values), step), len(values) - 1))
    return forward(rig, values[rows], joints.tolist())[..., :3, 3]
