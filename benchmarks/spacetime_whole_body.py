"""A hand pulled up on captures: limbs first, or the whole body with balance?

    python benchmarks/spacetime_whole_body.py [--half 2]

For each way: the arm's share of all rotation, how far the head moves (mm), the bend of the elbow
(degrees), how far the center of mass moves along the floor (mm), CPU time of a move (ms) and of the
release (s). Medians, then 95th percentiles. `spacetime_captures.py` has the drags.
"""

from __future__ import annotations

import argparse

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.kinematics.mass import body_mass
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import BalanceConstraint
from arcwright.tools.spacetime.tool import SpacetimeOptions
from spacetime_captures import captures, edits, opened
from spacetime_figures import Played, bends, figures, play

WAYS = {
    "limbs first": (SpacetimeOptions(adapt_timing="off"), False),
    "whole body": (SpacetimeOptions(adapt_timing="off", whole_body=True), False),
    "whole body, balance": (SpacetimeOptions(adapt_timing="off", whole_body=True), True),
    "limbs first, balance": (SpacetimeOptions(adapt_timing="off"), True),
}


def elbow_bend(played: Played) -> float:
    """Degrees by which the elbow above the dragged hand bends more than before."""
    point, when, _ = played.pulled[0]
    rig = played.takes[0].rig
    hand = rig.joint(point.joint)
    elbow = int(rig.parents[hand])
    angles = []
    for take in played.takes:
        cross, dot = bends(take, np.array([when]), elbow, hand)
        angles.append(float(np.degrees(np.arctan2(np.linalg.norm(cross[0]), dot[0]))))
    return angles[1] - angles[0]


def sway(played: Played) -> float:
    """How far the center of mass moves along the floor at the dragged time, m."""
    actor = played.before.characters[0]
    mass = body_mass(actor.rig, actor.shapes)
    when = played.pulled[0][1]
    centres = [
        sum(
            share * trail(take, point, [when]).position[0]
            for share, point in zip(mass.share, mass.points(actor.rig), strict=True)
        )
        for take in played.takes
    ]
    return float(np.linalg.norm((centres[1] - centres[0])[[0, 2]]))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--half", type=int, choices=(1, 2), default=2)
    given = parser.parse_args()
    found: dict[str, list[list[float]]] = {}
    for path in captures(given.half):
        scene = opened(path, 4.0)
        _, point, when, by = next(edits(scene.characters[0].takes[0]))
        for name, (options, balanced) in WAYS.items():
            take = scene.characters[0].takes[0]
            more = [BalanceConstraint(0.0, take.duration)] if balanced else []
            played = play(scene, [(point, when, by)], options, more)
            got = figures(played)
            row = [got["arm"], got["head"], elbow_bend(played), 1e3 * sway(played)]
            found.setdefault(name, []).append([*row, got["move"], got["finish"]])
    names = "arm", "head", "elbow", "sway", "move", "finish"
    print(f"{'':24}" + "".join(f"{each:>9}" for each in names + tuple(f"{n} 95" for n in names)))
    for name, rows in found.items():
        cells = *np.nanpercentile(rows, 50, axis=0), *np.nanpercentile(rows, 95, axis=0)
        print(f"{name:24}" + "".join(f"{each:9.3g}" for each in cells))


if __name__ == "__main__":
    main()
