"""Strips of eight edits of activities, before and after.

python benchmarks/activity_shots.py FOLDER [NAME ...]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

from activity_sampled import Sampled, examples
from activity_scenes import SIZE
from activity_swaps import swapped
from arcwright.kinematics.rotation import quaternion_from_vector, quaternion_multiply
from arcwright.picture import strip
from arcwright.picture.film import film
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.activity.new_props import swapped_prop
from arcwright.tools.activity.options import ActivityOptions
from arcwright.tools.activity.session import ActivitySession
from arcwright.tools.activity.tool import ActivityTool
from arcwright.tools.gesture import Drag, ToolHandle
from tea_sets import tea_sets

Vector = tuple[float, float, float]
VIEW = (-0.6, -0.3, -1.0)


def edited(
    scene: Scene,
    activity: str,
    element: str,
    event: str,
    by: Vector | None = None,
    turn: Vector | None = None,
    scale: float | None = None,
    mode: str = "stop",
) -> Scene:
    """The scene after one drag."""
    session = ActivityTool().begin(
        scene, Target(activity=activity), ActivityOptions(out_of_reach=mode)
    )
    assert isinstance(session, ActivitySession)
    about = next(each for each in scene.activities if not activity or each.name == activity)
    at = next(n for n, each in enumerate(about.events) if each.name == event)
    place, orientation = session.original_place(at, element)
    drag = Drag(
        ToolHandle(session.handle(at, element)),
        session.event_time(at),
        None if by is None else place + np.array(by),
        orientation=None
        if turn is None
        else quaternion_multiply(quaternion_from_vector(np.array(turn)), orientation),
        scale=None if scale is None else np.full(3, scale),
    )
    session.update(drag)
    for note in session.notes():
        print("   ", note.text)
    return session.finish().apply(scene)


def naive(scene: Scene) -> Scene:
    """The scene with a pot of a short spout in place of its own, and nothing else changed."""
    pot, _ = tea_sets()["short spout"]
    props = tuple(
        swapped_prop(each, pot.prop()) if each.name == "Pot" else each for each in scene.props
    )
    return replace(scene, props=props)


def _drag(*what: object, **how: object) -> Callable[[Scene], Scene]:
    return lambda scene: edited(scene, *what, **how)  # type: ignore[arg-type]


EDITS: dict[str, tuple[str, tuple[str, ...], dict[str, Callable[[Scene], Scene]]]] = {
    "point": (
        "point right",
        ("point",),
        {"moved": _drag("", "right hand", "point", by=(0.1, 0.3, 0.1))},
    ),
    "cup": (
        "tea",
        ("steady", "pour", "put down"),
        {"aside": _drag("", "cup", "pour", by=(0.15, 0.0, 0.05))},
    ),
    "scaled": (
        "tea",
        ("steady", "pour", "put down"),
        {"larger": _drag("", "cup", "pour", scale=1.6)},
    ),
    "rotated": (
        "tea",
        ("lift", "pour", "put down"),
        {"rotated": _drag("", "pot", "pour", turn=(0.0, 0.5, 0.0))},
    ),
    "spout": (
        "tea",
        ("lift", "pour", "put down"),
        {"swapped": lambda scene: swapped(scene, *tea_sets()["short spout"])[0], "naive": naive},
    ),
    "sit": (
        "captured sit",
        ("sit", "hands on knees", "stand"),
        {"lower": _drag("", "pelvis", "hands on knees", by=(0.0, -0.12, 0.0))},
    ),
    "lamp": (
        "lamp follows hand",
        ("lift", "examine apple", "put down"),
        {
            "hand leads": _drag("lamp follows hand", "right hand", "examine apple", by=(0, 0.2, 0)),
            "lamp leads": _drag("hand follows lamp", "lamp", "examine apple", by=(0, 0.2, 0)),
        },
    ),
    "walk": (
        "tea",
        ("grab", "steady", "pour", "put down"),
        {"far": _drag("", "cup", "pour", by=(0.9, 0.0, 0.3), mode="walk")},
    ),
}


def shoot(name: str, folder: Path) -> None:
    """One strip: a row of events for the original and for each result."""
    label, events, results = EDITS[name]
    scene, activity = examples()[label]
    panels = []
    for caption, each in {"original": scene, **{k: of(scene) for k, of in results.items()}}.items():
        sampled = Sampled.of(each, activity)
        for event in sampled.activity.events:
            if event.name in events:
                image = film(
                    each, points=(), start=event.time, end=event.time, size=SIZE, view=VIEW
                )[0]
                panels.append((image, f"{caption}: {event.name}"))
    strip(panels, folder / f"{name}.png", columns=len(events), title=f"{label}: {name}")


if __name__ == "__main__":
    for name in sys.argv[2:] or EDITS:
        print(name)
        shoot(name, Path(sys.argv[1]))
