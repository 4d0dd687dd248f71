"""Longer steps: a drag at an end of the range with floating footplants stretches the whole path."""

from functools import cache

import numpy as np
import pytest

from arcwright.kinematics.contact import footplants
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool
from walked import walked


@cache
def scene():
    return walked()


def take(of=None):
    return (of or scene()).characters[0].takes[0]


def dragged(joint, by, *, last=True, **options):
    """The last preview and the result of a drag at an end of the walk."""
    options = SpacetimeOptions(floating_footplants=True, adapt_timing="off", **options)
    session = SpacetimeTool().begin(scene(), Target(), options)
    time = float(take().frame_times()[-1 if last else 0])
    start = trail(take(), Point(joint), [time]).position[0]
    for share in (0.3, 0.7, 1.0):
        preview = session.update(Drag(Point(joint), time, position=start + share * np.array(by)))
    after = session.finish().apply(scene())
    at = trail(take(after), Point(joint), [time]).position[0]
    assert at == pytest.approx(start + by, abs=2e-3)
    return preview.edit.apply(scene()), after


def steps(of):
    """(N,) m, ahead, from one footplant of a foot to its next."""
    found = []
    for joint in ("LeftToes", "RightToes"):
        own = [each for each in footplants(take()) if each.point.joint == joint]
        middles = [(each.start + each.end) / 2 for each in own]
        found += np.diff(trail(take(of), Point(joint), middles).position[:, 2]).tolist()
    return np.array(found)


@pytest.mark.parametrize("joint", ["Hips", "LeftHand"])
@pytest.mark.parametrize("by", [0.5, -0.4])
def test_all_steps_grow_alike(joint, by):
    way = np.ptp(trail(take(), Point("Hips"), take().frame_times()).position[:, 2])
    _, after = dragged(joint, [0, 0, by])
    assert steps(after) / steps(scene()) == pytest.approx(1 + by / way, abs=0.03)


def test_footplants_do_not_slide_and_the_release_stays_near_the_preview():
    shown, after = dragged("Hips", [0, 0, 0.5])
    for plant in footplants(take()):
        times = np.linspace(plant.start, plant.end, 20)
        old, new = (np.ptp(trail(take(each), plant.point, times).position, axis=0).max()
                    for each in (scene(), after))  # fmt: skip
        assert new < old + 4e-3
    times = take().frame_times()
    for joint in ("Hips", "Head", "LeftHand", "LeftToes", "RightToes"):
        paths = [trail(take(each), Point(joint), times).position for each in (shown, after)]
        assert np.linalg.norm(paths[0] - paths[1], axis=1).max() < 0.02


@pytest.mark.parametrize("joint", ["Hips", "LeftHand"])
def test_steps_that_bring_legs_to_their_full_length_stay_near_the_preview(joint):
    way = np.ptp(trail(take(), Point("Hips"), take().frame_times()).position[:, 2])
    shown, after = dragged(joint, [0, 0, 0.3 * way])
    places = [forward(take().rig, values_at(take(each), take().frame_times()))[..., :3, 3]
              for each in (shown, after)]  # fmt: skip
    assert np.linalg.norm(places[0] - places[1], axis=-1).max() < 0.01


def test_a_drag_at_the_first_frame_stretches_the_path_from_its_end():
    _, after = dragged("Hips", [0, 0, -0.4], last=False)
    assert (steps(after) > 1.05 * steps(scene())).all()


def test_a_drag_aside_moves_footplants_by_the_share_of_the_way():
    _, after = dragged("Hips", [0.3, 0, 0])
    for plant in footplants(take()):
        time = [(plant.start + plant.end) / 2]
        old, new = (trail(take(each), plant.point, time).position[0] for each in (scene(), after))
        share = time[0] / take().duration
        assert new[0] - old[0] == pytest.approx(0.3 * share, abs=0.04)


def test_without_floating_footplants_they_stay():
    options = SpacetimeOptions(adapt_timing="off")
    session = SpacetimeTool().begin(scene(), Target(), options)
    time = float(take().frame_times()[-1])
    start = trail(take(), Point("Hips"), [time]).position[0]
    session.update(Drag(Point("Hips"), time, position=start + [0, 0, 0.2]))
    after = session.finish().apply(scene())
    assert steps(after)[:2] == pytest.approx(steps(scene())[:2], abs=0.01)
