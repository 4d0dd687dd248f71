"""How often an ordinary drag of a footplant changes the timing of a walk, with the defaults.

Three footplants of each walk of ../shared/data/bvh are dragged by 10 and 20 cm, along the way and
across it.
"""

from __future__ import annotations

from collections.abc import Iterator

import one_thread  # noqa: F401

# isort: split
import numpy as np

import arcwright
from arcwright.arrays import Floats
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Contact
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.session import SpacetimeSession
from arcwright.tools.spacetime.tool import SpacetimeOptions
from spacetime_walks import DATA, WALKS, sideways

LONG = 0.15  # s, of footplants that are dragged
FROM_END = 0.2  # s
MOVES = 5


def picked(take: Take) -> Iterator[Contact]:
    """A footplant in each quarter but the last."""
    plants = [
        each
        for each in footplants(take)
        if each.end - each.start > LONG
        and each.start > FROM_END
        and each.end < take.duration - FROM_END
    ]
    for share in (0.25, 0.5, 0.75):
        yield plants[round(share * (len(plants) - 1))]


def dragged(scene: Scene, plant: Contact, by: Floats) -> SpacetimeSession:
    """A session after the moves of one drag."""
    take = scene.characters[0].takes[0]
    moment = round((plant.start + plant.end) / 2 * take.rate) / take.rate
    session = SpacetimeSession(scene, Target(), SpacetimeOptions())
    at = trail(take, plant.point, [moment]).position[0]
    for share in np.linspace(1 / MOVES, 1, MOVES):
        session.update(Drag(plant.point, moment, position=at + share * by))
    return session


def main() -> None:
    """Print each drag that changes the timing, and how many do."""
    print("\n| walk, footplant | drag cm | longer s | furthest s |\n|---|---|---|---|")
    count = changed = 0
    for name in WALKS:
        scene = arcwright.read(DATA / name)
        take = scene.characters[0].takes[0]
        for at, plant in enumerate(picked(take)):
            across = sideways(take, plant)
            across /= np.linalg.norm(across)
            along = np.array([-across[2], 0.0, across[0]])
            ways = (along, across) if at % 2 else (across, along)
            for size, way in zip((0.1, 0.2), ways, strict=True):
                warp = dragged(scene, plant, size * way).warp()
                count += 1
                if warp is not None:
                    changed += 1
                    furthest = np.abs(warp.warped - warp.time).max()
                    row = f"{100 * size:.0f} | {warp.shift:+.2f} | {furthest:.2f}"
                    print(f"| {name}, {at + 1} | {row} |", flush=True)
    print(f"\nTiming changes in {changed} of {count} drags")


if __name__ == "__main__":
    main()
