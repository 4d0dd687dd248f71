"""Constraints solved without a drag: one undo step, one layer, and notes of what is missed."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright import read, same
from arcwright.errors import BadValue
from arcwright.scene.constraint import (
    BalanceConstraint,
    CoincidentConstraint,
    Contact,
    DistanceConstraint,
    FloorConstraint,
    OrientationConstraint,
    PathConstraint,
    RegionConstraint,
)
from arcwright.scene.point import Point
from arcwright.scene.region import Box, Sphere
from arcwright.scene.target import Target
from arcwright.tools.replay.gesture_file import parse_gesture_file
from arcwright.tools.replay.replay import apply, can_apply
from arcwright.tools.spacetime.solve_constraints import LABEL, solve_constraints
from arcwright.tools.spacetime.tool import SpacetimeOptions
from chains import chain_scene, place
from spacetime_edits import LEFT, RIGHT, TOES, long_walk, met, sampled, walking

FRAMES = np.arange(25) / 24


def sampled_walk():
    return sampled(walking())


@pytest.fixture(params=[walking, sampled_walk], ids=["keys", "samples"])
def scene(request):
    return request.param()


def test_a_distance_is_met_without_a_drag_and_leaves_one_layer(scene):
    after, done = met(scene, DistanceConstraint(LEFT, RIGHT, 0.25, 0.75, 0.4))
    inside = FRAMES[6:19]
    apart = np.linalg.norm(place(after, LEFT, inside) - place(after, RIGHT, inside), axis=1)
    assert np.abs(apart - 0.4).max() < 2e-3
    assert done.notes == ()
    (layer,) = after.characters[0].takes[0].layers
    assert layer.name == "Constraints"
    assert done.edit.label == LABEL
    assert same(after.characters[0].takes[0].base, scene.characters[0].takes[0].base)
    assert same(done.edit.inverse().apply(after).characters, scene.characters)


def test_a_meeting_a_path_and_an_orientation_are_met(scene):
    after, _ = met(scene, CoincidentConstraint(LEFT, 0.25, 0.75))
    assert np.linalg.norm(np.subtract(*place(after, LEFT, [0.25, 0.75]))) < 4e-3
    there = place(scene, LEFT, [0.25, 0.5]) + [0.05, 0.1, 0]
    after, _ = met(scene, PathConstraint(LEFT, [0.25, 0.5], there))
    assert np.abs(place(after, LEFT, [0.25, 0.5]) - there).max() < 2e-3
    after, done = met(scene, OrientationConstraint(Point("Head"), 0.25, 0.5, [1, 0, 0, 0]))
    assert not done.edit.empty
    assert done.notes == ()


def test_points_leave_regions_and_enter_them(scene):
    middle = place(scene, LEFT, [0.5])[0]
    out = RegionConstraint(LEFT, 0, 1, Sphere(middle, 0.1))
    after, _ = met(scene, out)
    assert np.linalg.norm(place(after, LEFT, FRAMES) - middle, axis=1).min() > 0.1 - 3e-3
    path = place(scene, Point("Head"), FRAMES)
    low, high = path.min(axis=0) - 0.5, path.max(axis=0) + 0.5
    high[1] = path[:, 1].min() - 0.02  # low
    after, _ = met(scene, RegionConstraint(Point("Head"), 0, 1, Box(low, high), inside=True))
    assert place(after, Point("Head"), FRAMES)[:, 1].max() < high[1] + 3e-3


def test_footplants_rise_to_a_higher_floor(scene):
    height = max(place(scene, toe, FRAMES)[:, 1].min() for toe in TOES) + 0.03
    after, _ = met(scene, FloorConstraint(0, 1, height))
    for toe in TOES:
        assert place(after, toe, FRAMES)[:, 1].min() > height - 3e-3


def test_balance_brings_the_centre_of_mass_over_the_support():
    scene = sampled(walking())
    _, done = met(scene, BalanceConstraint(0, 1))
    assert not done.edit.empty
    residuals = [note for note in done.notes if note.kind == "residual"]
    assert all(note.amount < 0.03 for note in residuals), done.notes
    after, _ = met(scene, BalanceConstraint(0, 1), start=0.4, end=0.6)
    assert met(after, BalanceConstraint(0, 1), start=0.4, end=0.6)[1].edit.empty


def test_footplants_that_slide_come_to_a_stop():
    scene = sampled(walking())
    slid = replace(scene, constraints=(Contact(TOES[0], 0.1, 0.4), Contact(TOES[1], 0.6, 0.9)))
    after, done = met(slid)
    for contact in slid.contacts:
        times = np.arange(np.ceil(contact.start * 24), np.floor(contact.end * 24) + 1) / 24
        path = place(after, contact.point, times)
        assert np.linalg.norm(path - path.mean(axis=0), axis=1).max() < 3e-3
    assert not done.edit.empty


def test_where_all_constraints_hold_there_is_no_undo_step(scene):
    constraint = DistanceConstraint(LEFT, RIGHT, 0.25, 0.75, 0.4)
    after, _ = met(scene, constraint)
    again = solve_constraints(after, Target(), SpacetimeOptions())
    assert again.edit.empty
    assert again.notes == ()


def test_a_rig_without_constraints_stays_as_it_is():
    assert solve_constraints(chain_scene(), Target(), SpacetimeOptions()).edit.empty


@pytest.mark.parametrize(
    "scene",
    [
        pytest.param(walking, marks=pytest.mark.slow, id="keys"),
        pytest.param(sampled_walk, id="samples"),
    ],
    indirect=True,
)
def test_what_cannot_be_met_is_noted_with_its_residual_and_solved_once_only(scene):
    far = place(scene, LEFT, [0.5])[0] + [3.0, 0, 0]
    feet = [Contact(toe, 0, 1) for toe in TOES]
    hips = Contact(Point("Hips"), 0, 1)
    bound = replace(scene, constraints=(*feet, hips))
    path = PathConstraint(LEFT, [0.5], [far])
    after, done = met(bound, path)
    (note,) = [each for each in done.notes if "LeftHand" in each.text]
    left = np.linalg.norm(place(after, LEFT, [0.5])[0] - far)
    assert note.amount == pytest.approx(left, abs=2e-3)
    assert f"{1000 * note.amount:.0f} mm" in note.text
    assert left > 1.0
    for _ in range(8):  # each brings it nearer by less
        done = solve_constraints(after, Target(), SpacetimeOptions())
        after = done.edit.apply(after)
    assert done.edit.empty
    assert any("LeftHand" in each.text for each in done.notes)


def test_a_long_take_changes_only_around_the_constraint():
    scene = long_walk()
    take = scene.characters[0].takes[0]
    after, done = met(scene, DistanceConstraint(LEFT, RIGHT, 10.0, 10.5, 0.4))
    (layer,) = after.characters[0].takes[0].layers
    assert (layer.start, layer.end) == pytest.approx((7.0, 13.5), abs=0.1)
    assert done.used["start"] == layer.start
    times = take.frame_times()
    outside = times[(times < layer.start) | (times > layer.end)]
    assert np.array_equal(place(after, LEFT, outside), place(scene, LEFT, outside))


def test_a_chosen_range_is_used(scene):
    after, _ = met(scene, DistanceConstraint(LEFT, RIGHT, 0.4, 0.6, 0.4), start=0.25, end=0.75)
    (layer,) = after.characters[0].takes[0].layers
    assert (layer.start, layer.end) == (0.25, 0.75)


def test_a_prop_has_no_constraints_to_solve():
    with pytest.raises(BadValue, match="not a prop"):
        solve_constraints(read("biped:carry"), Target("Box"), SpacetimeOptions())


def test_progress_is_reported_and_may_cancel_the_solve():
    scene = replace(walking(), constraints=(DistanceConstraint(LEFT, RIGHT, 0.25, 0.75, 0.4),))
    progress = []
    solve_constraints(scene, Target(), SpacetimeOptions(), (), progress.append)
    assert progress == sorted(progress)
    assert 0 < progress[0] < progress[-1] <= 1

    def enough(share):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        solve_constraints(scene, Target(), SpacetimeOptions(), (), enough)


def test_a_gesture_file_without_drags_solves_its_constraints():
    given = {
        "scene": "biped:walk",
        "tool": "spacetime",
        "options": {"knot_spacing": 0.02},
        "constraints": [
            {
                "kind": "apart",
                "point": {"joint": "LeftHand"},
                "other": {"joint": "RightHand"},
                "frames": [6, 18],
                "size": 0.4,
            }
        ],
    }
    case = parse_gesture_file(given)
    assert can_apply(case)
    assert not can_apply(parse_gesture_file(given | {"tool": "tangent"}))
    after, done = apply(case, read("biped:walk"))
    apart = place(after, LEFT, FRAMES[6:19]) - place(after, RIGHT, FRAMES[6:19])
    assert np.abs(np.linalg.norm(apart, axis=1) - 0.4).max() < 2e-3
    assert done.as_json()["changed"]
    assert done.used["knot_spacing"] > 0.02


def test_a_path_out_of_reach_does_not_pull_feet_off_the_floor(scene):
    times = np.array([0.3, 0.5, 0.7])
    _, done = met(scene, PathConstraint(LEFT, times, place(scene, LEFT, times) + [0.0, 4.0, 0.0]))
    assert any("LeftHand path is off by up to 2" in note.text for note in done.notes)
    torn = [note.amount for note in done.notes if "Toes contact is off" in note.text]
    assert max(torn, default=0.0) < 0.1
