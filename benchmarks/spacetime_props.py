"""A box that two hands carry is moved 40 cm: do they stay on it, and what does a move cost?

    python benchmarks/spacetime_props.py

The box of `biped:carry`, held at the middle of its way, in six directions. Times are CPU
milliseconds per move on one thread.

off    largest distance of a palm from where it first lay on the box, over carried quarter frames
apart  largest change of the distance between the palms, over the same
feet   largest slip of a planted foot from its mean place
short  distance of the box from the hand
"""

from __future__ import annotations

import time

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright import read
from arcwright.arrays import Floats
from arcwright.characters.biped_carry import palm
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool
from arcwright.tools.tool import Target

BOX = Point("Box", character="Box")
BY = 0.4  # m
MOVES = 20
WAYS = {
    "aside": (1, 0, 0),
    "back": (-1, 0, 0),
    "up": (0, 1, 0),
    "down": (0, -1, 0),
    "ahead": (0, 0, 1),
    "up aside": (0.7, 0.5, 0.5),
}


def hands(scene: Scene) -> tuple[float, float]:
    """How far palms leave the box and each other, m."""
    held = [each for each in scene.contacts if each.relative_to is not None]
    rate = scene.characters[0].takes[0].rate
    count = round((held[0].end - held[0].start) * rate * 4)
    times = np.linspace(held[0].start, held[0].end, count + 1)
    box = trail(scene.actor("Box").takes[0], BOX, times).position
    left, right = (
        trail(scene.characters[0].takes[0], palm(side), times).position
        for side in ("Left", "Right")
    )
    off = [np.linalg.norm(hand - box - (hand - box)[0], axis=1).max() for hand in (left, right)]
    apart = np.linalg.norm(left - right, axis=1)
    return float(max(off)), float(np.abs(apart - apart[0]).max())


def slip(scene: Scene) -> float:
    """How far planted feet leave their mean place, m."""
    worst = 0.0
    for each in scene.contacts:
        if each.relative_to is None:
            times = np.linspace(each.start + 0.04, each.end - 0.04, 60)
            path = trail(scene.characters[0].takes[0], each.point, times).position
            worst = max(worst, float(np.linalg.norm(path - path.mean(axis=0), axis=1).max()))
    return worst


def moved(scene: Scene, by: Floats) -> tuple[Scene, float, list[float]]:
    """The scene after the drag, how far the box is from the hand, milliseconds per move."""
    moment = 32 / 24
    start = trail(scene.actor("Box").takes[0], BOX, [moment]).position[0]
    session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions())
    spent = []
    for share in np.linspace(1 / MOVES, 1, MOVES):
        began = time.process_time()
        session.update(Drag(BOX, moment, position=start + share * by))
        spent.append((time.process_time() - began) * 1e3)
    after = session.finish().apply(scene)
    away = trail(after.actor("Box").takes[0], BOX, [moment]).position[0] - start - by
    return after, float(np.linalg.norm(away)), spent[1:]


def main() -> None:
    """Print the table."""
    scene = read("biped:carry")
    off, apart = hands(scene)
    print(
        f"{'box 40 cm':10} {'off mm':>8} {'apart mm':>8} {'feet mm':>8} {'short mm':>8}"
        f" {'p50 ms':>7} {'p95 ms':>7}"
    )
    print(f"{'before':10} {off * 1e3:8.2f} {apart * 1e3:8.2f} {slip(scene) * 1e3:8.2f}")
    for name, way in WAYS.items():
        by = BY * np.array(way) / np.linalg.norm(way)
        after, short, spent = moved(scene, by)
        off, apart = hands(after)
        print(
            f"{name:10} {off * 1e3:8.2f} {apart * 1e3:8.2f} {slip(after) * 1e3:8.2f}"
            f" {short * 1e3:8.3f} {np.median(spent):7.1f} {np.percentile(spent, 95):7.1f}"
        )


if __name__ == "__main__":
    main()
