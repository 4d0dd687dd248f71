"""A box that two hands carry is moved 40 cm: do they stay on it, and what does a move cost?

    python benchmarks/spacetime_props.py

The box of `biped:carry`, held at the middle of its way, in six directions; and, where
../shared/data/bvh is there, boxes between the hands of people who carried something. Times are
CPU milliseconds per move on one thread.

off    largest distance of a palm from where it first lay on the box, over carried quarter frames
apart  largest change of the distance between the palms, over the same
feet   largest slip of a planted foot from its mean place
short  distance of the box from the drag target
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright import read
from arcwright.arrays import Floats
from arcwright.characters.biped_carry import RIG
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Contact
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.scene import Prop, Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool

DATA = Path(__file__).parents[2] / "shared" / "data" / "bvh" / "cmu"
REAL = {  # file: s, from when to when something is carried
    "143_13_pickup_basket": (1.25, 3.45),
    "69_69_pickup_carry_back": (3.75, 6.5),
}
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


def real(name: str, start: float, end: float) -> Scene:
    """A captured scene with a box between the hands; before and after it lies still."""
    scene = read(DATA / f"{name}.bvh")
    take = scene.characters[0].takes[0]
    times = take.frame_times()
    carried = np.clip(np.arange(len(times)), *(round(t * take.rate) for t in (start, end)))
    hands = [
        trail(take, Point(f"{side}Hand"), times).position[carried] for side in ("Left", "Right")
    ]
    across = hands[0] - hands[1]
    values = np.tile(RIG.channels.default, (len(times), 1))
    slides = [RIG.channel(f"Box.translate.{axis}") for axis in "xyz"]
    values[:, slides] = (hands[0] + hands[1]) / 2 - RIG.offset[0]
    values[:, RIG.channel("Box.rotate.y")] = np.unwrap(np.arctan2(-across[:, 2], across[:, 0]))
    box = Prop("Box", RIG, (Take(RIG, Motion(take.name, times, values, take.rate)),))
    held = tuple(
        Contact(Point(f"{side}Hand"), start, end, relative_to=BOX) for side in ("Left", "Right")
    )
    return replace(scene, props=(box,), constraints=(*footplants(take), *held))


def hands(scene: Scene) -> tuple[float, float]:
    """How far hands leave their place on the box, and each other, m."""
    held = [each for each in scene.contacts if each.relative_to is not None]
    take, box = scene.characters[0].takes[0], scene.actor("Box").takes[0]
    count = round((held[0].end - held[0].start) * take.rate * 4)
    times = np.linspace(held[0].start, held[0].end, count + 1)
    frames = forward(box.rig, values_at(box, times), [0])[:, 0]
    paths = [trail(take, each.point, times).position for each in held]
    off = []
    for path in paths:
        wide = np.append(path, np.ones((len(path), 1)), axis=1)[..., None]
        on = np.linalg.solve(frames, wide)[:, :3, 0]
        off.append(float(np.linalg.norm(on - on[0], axis=1).max()))
    apart = np.linalg.norm(paths[0] - paths[1], axis=1)
    return max(off), float(np.abs(apart - apart[0]).max())


def slip(scene: Scene) -> float:
    """How far planted feet leave their mean place, m."""
    worst = 0.0
    for each in scene.contacts:
        if each.relative_to is None and each.end - each.start > 0.1:
            times = np.linspace(each.start + 0.04, each.end - 0.04, 60)
            path = trail(scene.characters[0].takes[0], each.point, times).position
            worst = max(worst, float(np.linalg.norm(path - path.mean(axis=0), axis=1).max()))
    return worst


def moved(scene: Scene, by: Floats) -> tuple[Scene, float, list[float]]:
    """The scene after the drag, how far the box is from the drag target, milliseconds per move."""
    held = next(each for each in scene.contacts if each.relative_to is not None)
    rate = scene.characters[0].takes[0].rate
    moment = round((held.start + held.end) / 2 * rate) / rate
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


def table(name: str, scene: Scene, ways: Iterable[str]) -> None:
    """Print the lines of one scene."""
    off, apart = hands(scene)
    print(
        f"{name:24} {'off mm':>8} {'apart mm':>8} {'feet mm':>8} {'short mm':>8}"
        f" {'p50 ms':>7} {'p95 ms':>7}"
    )
    print(f"  {'before':22} {off * 1e3:8.2f} {apart * 1e3:8.2f} {slip(scene) * 1e3:8.2f}")
    for way in ways:
        by = BY * np.array(WAYS[way]) / np.linalg.norm(WAYS[way])
        after, short, spent = moved(scene, by)
        off, apart = hands(after)
        print(
            f"  {way:22} {off * 1e3:8.2f} {apart * 1e3:8.2f} {slip(after) * 1e3:8.2f}"
            f" {short * 1e3:8.3f} {np.median(spent):7.1f} {np.percentile(spent, 95):7.1f}"
        )


def main() -> None:
    """Print the tables."""
    table("biped:carry, 40 cm", read("biped:carry"), WAYS)
    for name, span in REAL.items():
        if DATA.is_dir():
            table(name, real(name, *span), ("aside", "up", "ahead"))


if __name__ == "__main__":
    main()
