"""Ten other pots and cups in the place of those of `biped:tea`: is the spout over the cup.

    python benchmarks/activity_swaps.py

Measured in the takes of the edited scene, at all frames of pouring; beside it what comes of
replacing the props alone.
"""

from __future__ import annotations

import one_thread  # noqa: F401

# isort: split
import numpy as np

import arcwright
from activity_sampled import Sampled
from arcwright.arrays import Floats
from arcwright.characters.tableware import Cup, Teapot
from arcwright.scene.activity import Pair
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.activity.new_props import SwappedProp
from arcwright.tools.activity.options import ActivityOptions
from arcwright.tools.activity.session import ActivitySession
from arcwright.tools.activity.tool import ActivityTool
from tea_sets import tea_sets

WITHIN = 0.002  # m


def swapped(scene: Scene, pot: Teapot, cup: Cup) -> tuple[Scene, list[str]]:
    """The scene with another pot and cup, and the notes."""
    session = ActivityTool().begin(scene, Target(), ActivityOptions())
    assert isinstance(session, ActivitySession)
    for name, new in (("pot", pot), ("cup", cup)):
        about = new.object()
        session.swap(name, SwappedProp(new.prop(), about.anchor_names, about.anchor_offsets))
    return session.finish().apply(scene), [each.text for each in session.notes()]


def spout_from_rim(
    sampled: Sampled, spout: Floats | None = None, rim: Floats | None = None
) -> Floats:
    """(T, 3) m, with other anchors of both if given."""
    places = []
    for name, anchor, other in (("pot", "spout", spout), ("cup", "rim", rim)):
        pose = sampled.elements[name]
        offset = sampled.activity.object(name).anchor(anchor) if other is None else other
        places.append(pose[:, :3, :3] @ offset + pose[:, :3, 3])
    return places[0] - places[1]


def _grip(sampled: Sampled) -> Floats:
    """(T, 3) m, the hand from the handle, in the pot."""
    return sampled.apart(Pair("right hand", "pot.handle"))


def main() -> None:
    """Print the table."""
    scene = arcwright.read("biped:tea")
    before = Sampled.of(scene)
    names = [each.name for each in before.activity.events]
    pouring = slice(before.frames[names.index("pour")], before.frames[names.index("pour end")] + 1)
    wanted = spout_from_rim(before)[pouring]
    print("spout over rim, mm from where it was, most of all frames of pouring; hands: of the grip")
    print(f"{'set':22} {'spout':>6} {'hand':>6} {'naive':>6}  notes")
    good = 0
    for name, (pot, cup) in tea_sets().items():
        scene_after, notes = swapped(scene, pot, cup)
        after = Sampled.of(scene_after)
        spout = np.linalg.norm(spout_from_rim(after)[pouring] - wanted, axis=1).max()
        naive = spout_from_rim(before, pot.anchors["spout"], cup.anchors["rim"])[pouring]
        alone = np.linalg.norm(naive - wanted, axis=1).max()
        hand = max(
            np.linalg.norm((_grip(after) - _grip(before))[frames], axis=1).max()
            for pair, frames in before.holds()
            if pair.constraining == "pot.handle"
        )
        good += spout <= WITHIN
        print(
            f"{name:22} {1e3 * spout:6.2f} {1e3 * hand:6.1f} {1e3 * alone:6.1f}  {'; '.join(notes)}"
        )
    print(f"{good} of {len(tea_sets())} within {1e3 * WITHIN:.0f} mm")


if __name__ == "__main__":
    main()
