"""Moving pictures of the tools for the docs: an edit, before beside after.

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


SHOTS = {
    "pose": Shot("pose/look_and_point.json", ("LeftHand",), (-0.6, -0.15, -1.0)),
    "tangent": Shot("tangent/arm_edit.json", ("LeftHand",), (-0.6, -0.15, -1.0)),
    "spacetime": Shot("spacetime/box_to_the_shelf.json", ("LeftHand",), (-0.9, -0.25, -1.0)),
}


def frames(scene: Scene, shot: Shot) -> list[AnyArray]:
    """The pictures of one side."""
    return film(scene, points=shot.points, rate=RATE, size=SIZE, view=shot.view)


def main() -> None:
    """Film the shots that are named, or all."""
    for name in sys.argv[1:] or SHOTS:
        shot = SHOTS[name]
        path = GESTURES / shot.gestures
        case = read_case(path)
        before = scene_of(case, path)
        after, _, lines = replay_on(case, before)
        gap = np.full((SIZE[1], GAP, 3), 90, np.uint8)
        pairs = zip(frames(before, shot), frames(after, shot), strict=True)
        content = animated([np.hstack([left, gap, right]) for left, right in pairs], RATE)
        png.save(content, OUT / f"{name}.png")
        print(f"{name}: {len(content) / 1000:.0f} kB; {'; '.join(lines)}")


if __name__ == "__main__":
    main()
