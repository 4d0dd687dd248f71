"""Longer steps from one drag at the last frame, with floating footplants (fig. 5 of the paper).

The left hand or the hips are dragged ahead at the last frame of captured walks, by a share of the
way that the body goes in the range.

growth    of every step: from one footplant of a foot to its next, over the same in the original,
          smallest to largest
skate     way along the floor of planted toes, cm/s, and before
hit       distance of the held point from the drag target, mm
release   how far any of hips, head, hands, knees and toes moves from the last preview, cm; and
          from 0.1 s after the start of the range on, as these files begin with another pose
p95       CPU ms of a move; finish: CPU s of the release

Walks of the first half were used to develop this, those of the second half were not.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

import arcwright
from arcwright.arrays import Floats
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.session import SpacetimeSession
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool

DATA = Path(__file__).parents[2] / "shared" / "data" / "bvh" / "cmu"
WALKS = {
    "first": ("02_01_walk.bvh", "07_12_brisk_walk.bvh", "138_01_march.bvh"),
    "second": (
        "105_29_normal_walk_long.bvh",
        "143_32_walk.bvh",
        "111_36_walk_and_carry.bvh",
        "120_08_sneaky_walk.bvh",
        "139_29_sneaking.bvh",
    ),
}
SHARES = 0.1, 0.2, 0.3  # of the way, by which it grows
SECONDS = 6.0  # of longer takes, the last part that is edited
MOVES = 12
LEAST_STEP = 0.3  # m; shorter ones are turns on the spot
MOVING = 0.1  # s
WATCHED = (
    *("Hips", "Head", "LeftHand", "RightHand"),
    *("LeftLeg", "RightLeg", "LeftToeBase", "RightToeBase"),
)


def steps(take: Take, plants: Sequence[Contact]) -> Floats:
    """(N,) m, between the middles of successive footplants of each foot."""
    found = []
    for joint in {each.point.joint for each in plants}:
        own = [each for each in plants if each.point.joint == joint]
        middles = [(each.start + each.end) / 2 for each in own]
        places = trail(take, Point(joint), middles).position[:, [0, 2]]
        found += np.linalg.norm(np.diff(places, axis=0), axis=1).tolist()
    return np.array(found)


def skate(take: Take, plants: Sequence[Contact]) -> float:
    """Way of planted toes along the floor, cm/s."""
    way = spent = 0.0
    for each in plants:
        frames = np.arange(np.ceil(each.start * take.rate), np.floor(each.end * take.rate) + 1)
        path = trail(take, each.point, frames / take.rate).position[:, [0, 2]]
        way += float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
        spent += (len(frames) - 1) / take.rate
    return 100 * way / max(spent, 1e-9)


def row(name: str, scene: Scene, joint: str, share: float) -> str:
    """One drag."""
    take = scene.characters[0].takes[0]
    start = max(take.duration - SECONDS, 0.0)
    end = float(take.frame_times()[-1])
    options = SpacetimeOptions(
        floating_footplants=True, adapt_timing="off", start=start, end=end if start else 0.0
    )
    times = take.frame_times()
    times = times[times >= start + MOVING]
    plants = [each for each in footplants(take) if each.start > start + 0.3]
    way = trail(take, Point("Hips"), times[[0, -1]]).position
    ahead = (way[1] - way[0]) * [1.0, 0.0, 1.0]
    held = trail(take, Point(joint), [end]).position[0]
    session = SpacetimeTool().begin(scene, Target(), options)
    assert isinstance(session, SpacetimeSession)
    spent, target, preview = [], held, None
    for move in range(1, MOVES + 1):
        target = held + share * ahead * move / MOVES
        began = time.thread_time()
        preview = session.update(Drag(Point(joint), end, position=target))
        spent.append(1000 * (time.thread_time() - began))
    assert preview is not None
    shown = preview.edit.apply(scene).characters[0].takes[0]
    began = time.thread_time()
    new = session.finish().apply(scene).characters[0].takes[0]
    finish = time.thread_time() - began
    moved = [
        np.linalg.norm(
            trail(new, Point(each), times).position - trail(shown, Point(each), times).position,
            axis=1,
        ).max()
        for each in WATCHED
    ]
    old = steps(take, plants)
    growth = (steps(new, plants) / np.maximum(old, 1e-9))[old > LEAST_STEP]
    hit = float(np.linalg.norm(trail(new, Point(joint), [end]).position[0] - target))
    grown = f"{growth.min():.2f} to {growth.max():.2f} ({len(growth)})" if len(growth) else "none"
    return (
        f"| {name} {joint} | {100 * share:.0f} % of {np.linalg.norm(ahead):.1f} m | {grown}"
        f" | {skate(new, plants):.1f} ({skate(take, plants):.1f}) | {1000 * hit:.1f}"
        f" | {100 * max(moved):.1f} | {np.percentile(spent[1:], 95):.0f} | {finish:.2f} |"
    )


def main() -> None:
    """Print the table, of one half of the walks or of both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("first", "second"), action="append")
    for half in parser.parse_args().half or ["first", "second"]:
        print(f"\nLonger steps, {half} half\n")
        print(
            "| walk, point | ahead | growth of steps | skate cm/s (was) | hit mm | release cm",
            end="",
        )
        print(" | p95 ms | finish s |\n|---|---|---|---|---|---|---|---|", flush=True)
        for name in WALKS[half]:
            scene = arcwright.read(DATA / name)
            for joint in ("LeftHand", "Hips"):
                for share in SHARES:
                    print(row(name, scene, joint, share), flush=True)


if __name__ == "__main__":
    main()
