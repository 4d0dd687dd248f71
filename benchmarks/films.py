"""Moving pictures of the tools for the docs: an edit, before beside after; an acted cycle alone.

Run `make films`; it writes animated PNGs to docs/pictures/films. Names choose some of them.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.arrays import AnyArray
from arcwright.picture import png
from arcwright.picture.film import animated, film
from arcwright.replay import read_case, replay_on, scene_of
from arcwright.scene.scene import Scene

ROOT = Path(__file__).resolve().parents[1]
GESTURES = ROOT / "tests" / "gestures"
OUT = ROOT / "docs" / "pictures" / "films"
RATE = 12.0
SIZE = (320, 256)  # px, of one side
GAP = 4  # px between them


@dataclass(frozen=True)
class Shot:
    """A gesture file, and what is shown of the scenes before and after it."""

    gestures: str  # below tests/gestures
    points: tuple[str, ...]  # whose motion curves are drawn
    view: tuple[float, float, float]
    acted: bool = False  # nothing moved before: only what came of it is shown
    take: str = ""  # that is shown, the first by default


SHOTS = {
    "pose": Shot("pose/look_and_point.json", ("LeftHand",), (-0.6, -0.15, -1.0)),
    "tangent": Shot("tangent/arm_edit.json", ("LeftHand",), (-0.6, -0.15, -1.0)),
    "spacetime": Shot("spacetime/box_to_the_shelf.json", ("LeftHand",), (-0.9, -0.25, -1.0)),
    "puppet": Shot(
        "puppet/walk_and_jump.json", ("Head",), (-1.0, -0.15, -0.35), acted=True, take="performance"
    ),
    "activity": Shot("activity/cup.json", ("RightHand", "LeftHand"), (-0.35, -0.45, -1.0)),
    **{
        name: Shot(f"cycle/table/{name}.json", points, view, acted=True)
        for name, points, view in (
            ("dinosaur_walk", ("LeftFoot",), (-1.0, -0.15, -0.35)),
            ("human_punch", ("RightHand", "LeftHand"), (-0.8, -0.15, -1.0)),
            ("robot_swim", (), (-0.9, -0.3, -1.0)),
            ("human_dance", ("LeftHand", "RightHand"), (-0.4, -0.15, -1.0)),
            ("dinosaur_dance", ("Head",), (-0.8, -0.15, -1.0)),
            ("dragon_eat", ("Head",), (-0.9, -0.2, -0.8)),
            ("dragon_fly", (), (-0.9, -0.35, -1.0)),
            ("human_juggle", (), (-0.25, -0.1, -1.0)),
            ("dinosaur_leap", ("Hips",), (-1.0, -0.15, -0.35)),
            ("human_kick", ("RightFoot",), (-0.9, -0.15, -0.8)),
        )
    },
}


def frames(scene: Scene, shot: Shot) -> list[AnyArray]:
    """The pictures of one side."""
    about = {"points": shot.points, "rate": RATE, "size": SIZE, "view": shot.view}
    return film(scene, take=shot.take, **about)


def _pairs(before: Scene, after: Scene, shot: Shot) -> list[AnyArray]:
    gap = np.full((SIZE[1], GAP, 3), 90, np.uint8)
    pairs = zip(frames(before, shot), frames(after, shot), strict=True)
    return [np.hstack([left, gap, right]) for left, right in pairs]


def main() -> None:
    """Film the shots that are named, or all."""
    for name in sys.argv[1:] or SHOTS:
        shot = SHOTS[name]
        path = GESTURES / shot.gestures
        case = read_case(path)
        before = scene_of(case, path)
        after, _, lines = replay_on(case, before)
        content = animated(frames(after, shot) if shot.acted else _pairs(before, after, shot), RATE)
        png.save(content, OUT / f"{name}.png")
        print(f"{name}: {len(content) / 1000:.0f} kB; {'; '.join(lines)}")


if __name__ == "__main__":
    main()
