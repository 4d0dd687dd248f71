"""Reach of activities: the zone of the overlay, and targets out of reach with steps and without.

    python benchmarks/activity_reach.py [--points N] [--cases N]

The zone is held against the geometric test of `activity_geometry`; walks to the cup of tea are
measured in the takes of the edited scene.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from itertools import pairwise

import one_thread  # noqa: F401

# isort: split
import numpy as np

import arcwright
from activity_geometry import SHOULDER, STRETCH, arm_length, limbs
from activity_published import prepared_of
from activity_sampled import Sampled, examples
from arcwright.arrays import Bools, Floats
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.activity.options import ActivityOptions
from arcwright.tools.activity.tool import ActivityTool
from arcwright.tools.gesture import Drag, ToolHandle

STANDS = 0.02  # m above its lowest place, under which a foot may stand
PLANTED = 0.005  # m a frame, of a foot that does not swing
GAP = 40  # frames between steps of two walks
SPAN = 4  # frames that a foot stands at least
AWAY = 0.3, 1.5  # m out of reach
POUR = "pour"


def zones(points: int) -> None:
    """Precision and recall of the overlay's zone, of each hand at each event of it."""
    print(f"{'scene':26} {'hand':11} {'precision':>9} {'recall':>7}")
    rng = np.random.default_rng(1)
    for label, (scene, name) in examples().items():
        sampled = Sampled.of(scene, name)
        prepared = prepared_of(sampled)
        for hand, limb in limbs(sampled).items():
            if hand not in prepared.body.effectors:
                continue
            inside: list[tuple[Bools, Bools]] = []
            for event in sampled.events_of(hand):
                shoulder = sampled.joint(limb.root)[sampled.frames[event]]
                radius = STRETCH * arm_length(sampled, hand) + SHOULDER
                places = shoulder + 1.5 * radius * rng.uniform(-1, 1, (points, 3))
                zone = prepared.zone(event, hand)
                assert zone is not None
                within = np.linalg.norm(places - shoulder, axis=1) <= radius
                inside.append((zone.holds(places), within))
            drawn, truth = (np.concatenate(each) for each in zip(*inside, strict=True))
            both = (drawn & truth).sum()
            print(f"{label:26} {hand:11} {both / drawn.sum():9.3f} {both / truth.sum():7.3f}")


@dataclass(frozen=True)
class Feet:
    """How feet go, m."""

    longest: float  # step
    alternate: bool
    skate: float  # mean way along the floor of a foot that stands, a frame
    fastest: float  # the most of it in a frame


def out_of_reach(sampled: Sampled, count: int) -> list[Floats]:
    """Displacements of the cup on the ground that leave it so far beyond reach of a hand."""
    rng = np.random.default_rng(2)
    at = next(n for n, each in enumerate(sampled.activity.events) if each.name == POUR)
    frame, found = sampled.frames[at], []
    while len(found) < count:
        angle, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.3, 2.5)
        by = far * np.array([np.sin(angle), 0.0, np.cos(angle)])
        beyond = []
        for hand, limb in limbs(sampled).items():
            goal = sampled.elements[hand][frame, :3, 3] + by
            shoulder = sampled.joint(limb.root)[frame]
            radius = STRETCH * arm_length(sampled, hand) + SHOULDER
            beyond.append(np.linalg.norm(goal - shoulder) - radius)
        if AWAY[0] <= max(beyond) <= AWAY[1]:
            found.append(by)
    return found


def edited(scene: Scene, sampled: Sampled, by: Floats, mode: str) -> tuple[Scene, list[str]]:
    """The scene with the cup elsewhere at pouring, and the notes."""
    session = ActivityTool().begin(scene, Target(), ActivityOptions(out_of_reach=mode))
    at = next(n for n, each in enumerate(sampled.activity.events) if each.name == POUR)
    frame = sampled.frames[at]
    start = sampled.elements["cup"][frame, :3, 3]
    session.update(Drag(ToolHandle(f"cup at frame {frame}"), frame / sampled.rate, start + by))
    return session.finish().apply(scene), [each.text for each in session.notes()]


def errors(before: Sampled, after: Sampled, by: Floats) -> tuple[float, float]:
    """How far the cup and both hands are from where they should be at pouring, m; and spout."""
    at = next(n for n, each in enumerate(before.activity.events) if each.name == POUR)
    old, new = before.frames[at], after.frames[at]
    found = []
    for name in ("cup", "left hand", "right hand"):
        goal = before.elements[name][old, :3, 3] + by
        found.append(float(np.linalg.norm(after.elements[name][new, :3, 3] - goal)))
    spouts = [each.place("pot.spout") - each.place("cup.rim") for each in (before, after)]
    return max(found), float(np.linalg.norm(spouts[0][old] - spouts[1][new]))


def feet(sampled: Sampled) -> Feet:
    """Steps of both feet: where they stand is read from the ankles alone."""
    steps: list[tuple[int, str, float]] = []
    slides: list[Floats] = []
    for side in ("Left", "Right"):
        place = sampled.joint(f"{side}Foot")
        speed = np.linalg.norm(np.diff(place, axis=0), axis=1)
        low = place[:-1, 1] < np.percentile(place[:, 1], 5) + STANDS
        spans = _spans(low & (speed < PLANTED))
        flat = np.linalg.norm(np.diff(place[:, [0, 2]], axis=0), axis=1)
        slides += [flat[a + 1 : b - 1] for a, b in spans]
        middles = [(a, place[(a + b) // 2]) for a, b in spans]
        for (_, old), (lands, new) in pairwise(middles):
            length = float(np.linalg.norm((new - old)[[0, 2]]))
            if length > 0.05:
                steps.append((lands, side, length))
    alternate = all(a[1] != b[1] or b[0] - a[0] > GAP for a, b in pairwise(sorted(steps)))
    longest = max([length for _, _, length in steps], default=0.0)
    every = np.concatenate(slides)
    return Feet(longest, alternate, float(every.mean()), float(every.max()))


def _spans(flags: Bools) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(int)))
    return [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a >= SPAN]


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--points", type=int, default=2000)
    parser.add_argument("--cases", type=int, default=20)
    given = parser.parse_args()
    zones(given.points)
    scene = arcwright.read("biped:tea")
    before = Sampled.of(scene)
    print("\ncup of tea out of reach: m; errors and skate in mm; what a stop says")
    print(f"{'by':>14} {'hit':>6} {'spout':>6} {'step':>5} {'alternate':>9}", end="")
    print(f" {'skate':>6} {'most':>5}  stop")
    was = feet(before)
    print(f"{'original':>29} {'':>15} {1e3 * was.skate:6.2f} {1e3 * was.fastest:5.2f}")
    for by in out_of_reach(before, given.cases):
        after = Sampled.of(edited(scene, before, by, "walk")[0])
        hit, spout = errors(before, after, by)
        found = feet(after)
        notes = [each for each in edited(scene, before, by, "stop")[1] if "out of reach" in each]
        print(
            f"{by[0]:6.2f}, {by[2]:6.2f} {1e3 * hit:6.1f} {1e3 * spout:6.1f} {found.longest:5.2f} "
            f"{'yes' if found.alternate else 'NO':>9} {1e3 * found.skate:6.2f} "
            f"{1e3 * found.fastest:5.2f}  "
            f"{'; '.join(notes) or 'NO NOTE'}",
            flush=True,
        )


if __name__ == "__main__":
    main()
