"""Timing of edited jumps and steps: air times against ballistic ones, feet against boxes.

Jumps: hips or head are dragged up at the apex, with timing adapted and without it.
air       air time before and after, s, and the ballistic time of the new height, with the gravity
          that the file has
off       by how much the air time differs from it; "was" is the original's own
fixed     the same where timing does not adapt
speed     slowest and quickest playing speed
shift     frames by which later frames move; with the length kept, 0
p95       CPU ms of a move, and with timing off

Boxes: a box stands in the way of a swinging foot, or where it lands, and its footplant is dragged
onto it.
inside    how deep heel, ball, tip or what lies between are in the box, cm
height    highest point of the toes above the ground, m, and before
accel     peak acceleration of the toes in the swing over that of the original
slip      of the footplant on the box, mm

Clips of the first half were used to develop this, those of the second half were not.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

import arcwright
from arcwright.arrays import Floats
from arcwright.curves.time_warp import TimeWarp
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.flights import Flight, find_flights
from arcwright.kinematics.regions import RegionDistance
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.soles import soles
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Contact, RegionConstraint
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.region import Box
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.flight_rise import centre_heights
from arcwright.tools.spacetime.session import SpacetimeSession
from arcwright.tools.spacetime.stiffness import mass_points
from arcwright.tools.spacetime.timing import peak_acceleration
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool

DATA = Path(__file__).parents[2] / "shared" / "data" / "bvh"
JUMPS = {
    "first": ("cmu/16_05_forward_jump.bvh", "biped:jump", "cmu/143_05_jump_distances.bvh"),
    "second": (
        "cmu/22_16_jumping_jacks.bvh",
        "cmu/14_20_jumping_jacks_mix.bvh",
        "other-skeletons/fair_jumping.bvh",
        "other-skeletons/cmu_jumping_jacks_30fps.bvh",
    ),
}
WALKS = {
    "first": ("cmu/02_01_walk.bvh", "cmu/07_12_brisk_walk.bvh", "cmu/138_01_march.bvh"),
    "second": (
        "cmu/105_29_normal_walk_long.bvh",
        "cmu/143_32_walk.bvh",
        "cmu/111_36_walk_and_carry.bvh",
        "cmu/120_08_sneaky_walk.bvh",
        "cmu/139_29_sneaking.bvh",
    ),
}
RISES = 0.1, 0.2, 0.3  # m
BOXES = 0.12, 0.2, 0.3  # m high
BOX_DEPTH, BOX_PLACES = 0.15, (0.5, 0.7)  # m along the way, and where in the swing
MOVES = 10
LEAST_STEP = 0.5  # m


def scene_of(name: str) -> Scene:
    """A built-in, or a file of the data set."""
    return arcwright.read(name if ":" in name else DATA / name)


def take_of(scene: Scene) -> Take:
    """The take that is edited."""
    return scene.characters[0].takes[0]


def centre(scene: Scene, times: Floats) -> Floats:
    """(T,) m, heights of the centre of mass."""
    actor, take = scene.characters[0], take_of(scene)
    return centre_heights(take.rig, mass_points(actor, take), values_at(take, times))


@dataclass
class Dragged:
    """A drag, what came of it, and what it took."""

    after: Scene
    warp: TimeWarp | None
    ms: list[float]
    finish: float  # s

    def moved(self, times: Floats) -> Floats:
        """New times of old ones."""
        return times if self.warp is None else self.warp(times)


def dragged(scene: Scene, drag: Drag, options: SpacetimeOptions, more: tuple = ()) -> Dragged:
    """Drag a point to its target in some moves, and release it."""
    session = SpacetimeTool().begin(scene, Target(), options, more)
    assert isinstance(session, SpacetimeSession)
    assert drag.position is not None
    start = trail(take_of(scene), drag.point, [drag.time]).position[0]
    spent = []
    for move in range(1, MOVES + 1):
        began = time.thread_time()
        position = start + (drag.position - start) * move / MOVES
        session.update(Drag(drag.point, drag.time, position=position))
        spent.append(1000 * (time.thread_time() - began))
    began = time.thread_time()
    after = session.finish().apply(scene)
    return Dragged(after, session.warp(), spent[1:], time.thread_time() - began)


def ballistic(scene: Scene, start: float, end: float, gravity: float) -> float:
    """The time of a fall from the apex to both ends of a flight, s."""
    height = centre(scene, np.linspace(start, end, 200))
    falls = np.maximum(height.max() - height[[0, -1]], 0.0)
    return float(np.sqrt(2 * falls / gravity).sum())


def off(scene: Scene, start: float, end: float, flight: Flight) -> float:
    """By how much the air time differs from the ballistic one, as a share."""
    return (end - start) / ballistic(scene, start, end, flight.gravity) - 1


def jump_rows(name: str) -> Iterator[str]:
    """A row for each point and rise."""
    scene = scene_of(name)
    take = take_of(scene)
    frames = take.frame_times()
    flights = find_flights(frames, centre(scene, frames))
    flight = flights[len(flights) // 2]
    apex = round(flight.middle * take.rate) / take.rate
    was = off(scene, flight.start, flight.end, flight)
    for joint in ("Hips", "Head"):
        at = trail(take, Point(joint), [apex]).position[0]
        for rise in RISES:
            drag = Drag(Point(joint), apex, position=at + np.array([0, rise, 0]))
            found = dragged(scene, drag, SpacetimeOptions())
            fixed = dragged(scene, drag, SpacetimeOptions(adapt_timing="off"))
            kept = dragged(scene, drag, SpacetimeOptions(keep_length=True))
            yield _jump_row(f"{name} {joint}", rise, scene, flight, was, found, fixed, kept)


def _jump_row(
    name: str,
    rise: float,
    scene: Scene,
    flight: Flight,
    was: float,
    found: Dragged,
    fixed: Dragged,
    kept: Dragged,
) -> str:
    ends = np.array([flight.start, flight.end])
    start, end = found.moved(ends)
    now = off(found.after, start, end, flight)
    early, late = kept.moved(ends)
    with_length = off(kept.after, early, late, flight)
    without = off(fixed.after, *ends, flight)
    stretch = np.ones(2) if found.warp is None else found.warp.stretch
    frames = take_of(found.after).frame_count - take_of(scene).frame_count
    same = take_of(kept.after).frame_count - take_of(scene).frame_count
    expected = ballistic(found.after, start, end, flight.gravity)
    return (
        f"| {name} | {100 * rise:.0f} | {flight.end - flight.start:.2f} → {end - start:.2f}"
        f" ({expected:.2f}) | {100 * now:+.1f} ({100 * was:+.1f}) | {100 * with_length:+.1f}"
        f" | {100 * without:+.1f} | {1 / stretch.max():.2f} to {1 / stretch.min():.2f}"
        f" | {frames}, {same} | {np.percentile(found.ms, 95):.0f},"
        f" {np.percentile(fixed.ms, 95):.0f} | {found.finish:.2f} |"
    )


def swings(take: Take) -> list[tuple[str, Contact, Contact]]:
    """Toes and the footplants before and after each longer step, in the order of time."""
    plants: dict[str, list[Contact]] = {}
    for each in footplants(take):
        plants.setdefault(each.point.joint, []).append(each)
    found = []
    for joint, own in plants.items():
        for before, after in pairwise(own):
            ends = trail(take, Point(joint), [before.end, after.start]).position
            if np.linalg.norm((ends[1] - ends[0])[[0, 2]]) > LEAST_STEP:
                found.append((joint, before, after))
    return sorted(found, key=lambda each: each[1].end)


def box_around(place: Floats, way: Floats, depth: float, bottom: float, top: float) -> Box:
    """A box across a way along x or z."""
    half = np.array([0.3, 0.0, 0.3])
    half[0 if abs(way[0]) > abs(way[2]) else 2] = depth / 2
    low, high = place - half, place + half
    low[1], high[1] = bottom, top
    return Box(low, high)


def box_rows(name: str) -> Iterator[str]:
    """A row for each box in the way of a foot, then for each that it steps onto."""
    scene = scene_of(name)
    take = take_of(scene)
    joint, before, after = swings(take)[len(swings(take)) // 2]
    start, end = trail(take, Point(joint), [before.end, after.start]).position
    ground = min(start[1], end[1])
    for high in BOXES:
        for place in BOX_PLACES:
            at = start + place * (end - start)
            top = ground - 0.03 + high
            box = box_around(at, end - start, BOX_DEPTH, ground - 0.15, top)
            title = f"{name} over {100 * high:.0f} cm at {place:g}"
            ends = np.array([before.end, after.start])
            if inside(scene.characters[0], take, take, joint, box, ends) > 0:
                yield f"| {title} | the foot stands in the box | | | | |"
                continue
            stay = RegionConstraint(Point(joint), before.end, after.start, box)
            began = time.thread_time()
            solved = SpacetimeTool().solve(scene, Target(), SpacetimeOptions(), [stay])
            spent = time.thread_time() - began
            result = Dragged(solved.edit.apply(scene), solved.warp, [], spent)
            yield _box_row(title, scene, result, joint, before, after, box)
    for high in BOXES[:2]:
        middle = (after.start + after.end) / 2
        at = trail(take, Point(joint), [middle]).position[0]
        box = box_around(at, end - start, 0.56, ground - 0.3, at[1] + high - 0.005)
        stay = RegionConstraint(Point(joint), before.end, after.end, box)
        drag = Drag(Point(joint), middle, position=at + np.array([0, high, 0]))
        result = dragged(scene, drag, SpacetimeOptions(), (stay,))
        yield _box_row(f"{name} onto {100 * high:.0f} cm", scene, result, joint, before, after, box)


def inside(actor: Actor, old: Take, new: Take, joint: str, box: Box, times: Floats) -> float:
    """How deep any point of a foot is in a box, m, negative outside."""
    foot = next(each for each in soles(actor, old) if joint in each.joints)
    paths = [trail(new, point, times).position for point in foot.volume(old.rig)]
    return max(float(-RegionDistance(box).signed(path)[0].min()) for path in paths)


def _box_row(
    title: str,
    scene: Scene,
    result: Dragged,
    joint: str,
    before: Contact,
    after: Contact,
    box: Box,
) -> str:
    old, new = take_of(scene), take_of(result.after)
    fine = np.linspace(before.end, after.start, 300)
    moved = result.moved(fine)
    deepest = inside(scene.characters[0], old, new, joint, box, moved)
    paths = [trail(take, Point(joint), at).position for take, at in ((old, fine), (new, moved))]
    ground = paths[0][[0, -1], 1].min()
    highest = [path[:, 1].max() - ground for path in paths]
    peaks = [peak_acceleration(*each) for each in ((fine, paths[0]), (moved, paths[1]))]
    stands = result.moved(np.linspace(after.start, after.end, 60))
    place = trail(new, Point(joint), stands).position
    slip = np.linalg.norm(place - place.mean(axis=0), axis=1).max()
    return (
        f"| {title} | {100 * max(deepest, 0.0):.1f} | {highest[1]:.2f} ({highest[0]:.2f})"
        f" | {peaks[1] / peaks[0]:.2f} | {1000 * slip:.1f} | {result.finish:.2f} |"
    )


def move_rows() -> Iterator[str]:
    """CPU time of moves on a jump of 88 frames, with timing off and adapted."""
    scene = scene_of(JUMPS["first"][0])
    actor, take = scene.characters[0], take_of(scene)
    times = np.arange(88) / 36
    base = Motion(take.name, times, values_at(take, times), 36.0)
    scene = replace(scene, characters=(replace(actor, takes=(replace(take, base=base),)),))
    flight = find_flights(times, centre(scene, times))[0]
    apex = round(flight.middle * 36) / 36
    for joint in ("Hips", "Head", "LeftHand"):
        at = trail(take_of(scene), Point(joint), [apex]).position[0]
        drag = Drag(Point(joint), apex, position=at + np.array([0, 0.2, 0]))
        for choice in ("off", "automatic"):
            found = dragged(scene, drag, SpacetimeOptions(adapt_timing=choice))
            p50, p95 = np.percentile(found.ms, [50, 95])
            yield f"| {joint} | {choice} | {p50:.1f} | {p95:.1f} | {found.finish:.2f} |"


def main() -> None:
    """Print both tables, of one half of the clips or of both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("first", "second"), action="append")
    halves = parser.parse_args().half or ["first", "second"]
    print("\n| 88 frames | timing | p50 ms | p95 ms | finish s |\n|---|---|---|---|---|")
    for row in move_rows():
        print(row, flush=True)
    for half in halves:
        print(f"\nJumps, {half} half\n")
        print("| clip, point | up cm | air s (ballistic) | off % (was) | length kept % | fixed %")
        print("| speed | shift, kept | p95 ms, fixed | finish s |")
        print("|---|---|---|---|---|---|---|---|---|---|", flush=True)
        for name in JUMPS[half]:
            for row in jump_rows(name):
                print(row, flush=True)
    for half in halves:
        print(f"\nBoxes, {half} half\n")
        print("| clip | inside cm | height m (was) | accel | slip mm | solve s |")
        print("|---|---|---|---|---|---|", flush=True)
        for name in WALKS[half]:
            for row in box_rows(name):
                print(row, flush=True)


if __name__ == "__main__":
    main()
