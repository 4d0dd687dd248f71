"""Strips and films of edits of activities, before and after.

    python benchmarks/activity_shots.py FOLDER [NAME ...]
    python benchmarks/activity_shots.py --films FOLDER [NAME ...]

Films are animated PNGs, the original beside the result.
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
from arcwright.picture import png, strip
from arcwright.picture.film import animated, film
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
SMALL = (180, 200)  # px
RATE = 12.0  # of films


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


CAPTURED: dict[str, tuple[str, str, tuple[str, ...], Vector]] = {
    "point_14_24": ("captured point", "left hand", ("point",), (0.1, 0.3, 0.1)),
    "point_139_25": ("captured directions", "right hand", ("point ahead",), (0.2, 0.25, 0.0)),
    "drink_79_38": ("captured drink", "glass", ("grab", "drink"), (0.12, 0.0, 0.1)),
    "drink_137_26": ("captured mug", "mug", ("grab", "drink"), (0.1, 0.05, 0.12)),
    "drink_14_37": (
        "14_37",
        "can",
        ("left hand rest start", "left hand closest"),
        (0.1, 0.25, 0.1),
    ),
    "pick_up_69_70": ("captured pick up", "box", ("set down", "lift"), (0.25, 0.3, 0.1)),
    "pick_up_69_69": (
        "69_69",
        "object",
        ("right hand grab", "right hand rest start"),
        (0.1, 0.15, 0.1),
    ),
    "pick_up_143_10": (
        "143_10",
        "toolbox",
        ("left hand release", "left hand grab"),
        (0.2, 0.35, 0.1),
    ),
    "pick_up_143_13": (
        "143_13",
        "basket",
        ("left hand release", "left hand grab"),
        (0.0, 0.3, 0.1),
    ),
    "sit_75_18": (
        "75_18",
        "seat",
        ("pelvis contact start", "right hand rest start"),
        (0.0, -0.12, 0.0),
    ),
    "sit_143_18": (
        "143_18",
        "seat",
        ("pelvis contact start", "pelvis contact end"),
        (0.0, -0.1, 0.0),
    ),
    "reach_15_06": ("15_06", "left hand", ("left hand reach",), (0.0, 0.3, 0.1)),
    "reach_15_07": ("15_07", "left hand", ("left hand reach",), (0.0, -0.3, 0.1)),
    "window_14_11": ("14_11", "right hand", ("right hand reach",), (0.0, -0.35, 0.1)),
    "window_79_44": ("79_44", "left hand", ("left hand reach",), (0.1, 0.25, 0.1)),
}
EDITS |= {
    name: (label, events[:1], {"edited": _drag("", element, events[0], by=by)})
    for name, (label, element, events, by) in CAPTURED.items()
}


def filmed(name: str, folder: Path) -> None:
    """One film: the original beside the first result."""
    label, _, results = EDITS[name]
    scene, activity = examples()[label]
    del activity
    after = next(iter(results.values()))(scene)
    last = min(each.characters[0].takes[0].duration for each in (scene, after))
    sides = [
        film(each, points=(), rate=RATE, start=0.0, end=last, size=SMALL, view=VIEW)
        for each in (scene, after)
    ]
    pictures = [np.hstack(pair) for pair in zip(*sides, strict=True)]
    png.save(animated(pictures, RATE), folder / f"{name}_film.png")


def shoot(name: str, folder: Path) -> None:
    """One strip: a row of events for the original and for each result."""
    label, events, results = EDITS[name]
    scene, activity = examples()[label]
    panels, size = [], SMALL if name in CAPTURED else SIZE
    for caption, each in {"original": scene, **{k: of(scene) for k, of in results.items()}}.items():
        sampled = Sampled.of(each, activity)
        for event in sampled.activity.events:
            if event.name in events:
                image = film(
                    each, points=(), start=event.time, end=event.time, size=size, view=VIEW
                )[0]
                panels.append((image, caption if name in CAPTURED else f"{caption}: {event.name}"))
    columns = 2 * len(events) if name in CAPTURED else len(events)
    strip(panels, folder / f"{name}.png", columns=columns, title=name.replace("_", " "))


if __name__ == "__main__":
    given = [each for each in sys.argv[1:] if each != "--films"]
    make = filmed if "--films" in sys.argv else shoot
    for name in given[1:] or EDITS:
        print(name, flush=True)
        make(name, Path(given[0]))
