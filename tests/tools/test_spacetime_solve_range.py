"""What Apply looks at and changes, what it says where it changes nothing, what counts as a gain."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright import read
from arcwright.errors import BadValue
from arcwright.scene.constraint import (
    BalanceConstraint,
    CoincidentConstraint,
    Contact,
    DistanceConstraint,
    PathConstraint,
    RegionConstraint,
)
from arcwright.scene.point import Point
from arcwright.scene.region import Sphere
from arcwright.scene.target import Target
from arcwright.tools.spacetime import solve_constraints as room
from arcwright.tools.spacetime.constraints import edited_character
from arcwright.tools.spacetime.diagnosis import violated_samples
from arcwright.tools.spacetime.prepared_edit import prepare
from arcwright.tools.spacetime.solve_constraints import check_constraints, solve_constraints
from arcwright.tools.spacetime.targets import build_terms
from arcwright.tools.spacetime.tool import SpacetimeOptions
from chains import chain_scene, place
from spacetime_edits import LEFT, RIGHT, TOES, long_walk, met, sampled, walking


def loop_of(seconds):
    """A looping walk with a given duration."""
    scene = replace(read("biped:walk"), constraints=())
    (actor,) = scene.characters
    take = replace(actor.takes[0], base=replace(actor.takes[0].base, duration=seconds))
    return replace(scene, characters=(replace(actor, takes=(take,)),))


def test_a_long_loop_changes_as_a_whole_so_that_it_stays_closed():
    scene = loop_of(8.0)
    ends = np.array([0.0, 8.0])
    after, done = met(scene, DistanceConstraint(LEFT, RIGHT, 0.0, 0.6, 0.4))
    assert (done.used["start"], done.used["end"]) == (0.0, 8.0)
    first, last = place(after, LEFT, ends) - place(scene, LEFT, ends)
    assert np.linalg.norm(first) > 0.01
    assert np.abs(first - last).max() < 1e-6


@pytest.mark.slow
def test_the_reason_for_no_undo_step_is_given():
    scene = sampled(walking())
    apart = DistanceConstraint(LEFT, RIGHT, 0.1, 0.4, 0.4)
    after, done = met(scene, apart)
    assert done.unchanged is None
    assert met(after, apart)[1].unchanged == "all met"
    assert met(scene, apart, start=0.6, end=0.9)[1].unchanged == "no constraints"
    assert (
        solve_constraints(chain_scene(), Target(), SpacetimeOptions()).unchanged == "no constraints"
    )
    bound, path = out_of_reach(scene)
    for _ in range(8):
        bound, done = met(bound, path)
        if done.edit.empty:
            break
    assert done.unchanged == "no gain"


def out_of_reach(scene):
    """A body that is pinned where it stands, and a path of a hand far away."""
    feet = [Contact(toe, 0, 1) for toe in TOES]
    bound = replace(scene, constraints=(*feet, Contact(Point("Hips"), 0, 1)))
    return bound, PathConstraint(LEFT, [0.5], [place(scene, LEFT, [0.5])[0] + [3.0, 0, 0]])


def test_a_range_without_frames_is_refused():
    scene = sampled(walking())
    for chosen in ({"start": 0.8, "end": 0.2}, {"start": 5.0}):
        with pytest.raises(BadValue, match="range"):
            met(scene, DistanceConstraint(LEFT, RIGHT, 0.1, 0.4, 0.4), **chosen)


def test_a_path_in_reach_is_met_beside_one_of_the_same_point_that_is_not():
    scene = sampled(walking())
    times = np.array([0.2, 0.25])
    near = place(scene, LEFT, times) + [0.05, 0.05, 0]
    far = PathConstraint(LEFT, [0.7, 0.75], [[0, 60.0, 0]] * 2)
    after, done = met(scene, PathConstraint(LEFT, times, near), far)
    assert not done.edit.empty
    assert np.linalg.norm(place(after, LEFT, times) - near, axis=1).max() < 5e-3


def test_a_large_improvement_is_worth_a_step_however_large_the_residual_is():
    scene = sampled(walking())
    far = np.array([0, 60.0, 0])
    after, done = met(scene, PathConstraint(LEFT, [0.7, 0.75], [far] * 2))
    was, now = (np.linalg.norm(place(each, LEFT, [0.7])[0] - far) for each in (scene, after))
    assert not done.edit.empty
    assert was - now > 0.05


@pytest.mark.slow
def test_notes_describe_the_motion_as_it_stays_where_there_is_no_step():
    bound, path = out_of_reach(sampled(walking()))
    for _ in range(16):
        after, done = met(bound, path)
        if done.edit.empty:
            break
        bound = after
    assert done.edit.empty
    (note,) = [each for each in done.notes if "LeftHand path" in each.text]
    left = np.linalg.norm(place(bound, LEFT, [0.5])[0] - path.positions[0])
    assert note.amount == pytest.approx(left, abs=1e-9)


def test_a_long_take_is_checked_without_a_solver_for_all_of_it(monkeypatch):
    ranges, progress = [], []

    def noted(character, drags, options, **more):
        ranges.append((options.start, options.end, len(progress)))
        return prepare(character, drags, options, **more)

    monkeypatch.setattr(room, "prepare", noted)
    scene = replace(long_walk(), constraints=(DistanceConstraint(LEFT, RIGHT, 10.0, 10.5, 0.4),))
    done = solve_constraints(scene, Target(), SpacetimeOptions(), (), progress.append)
    assert not done.edit.empty
    assert max(end - start for start, end, _ in ranges) < 7.0
    assert ranges[0][2] > 1  # it could be cancelled before


def test_a_constraint_check_finds_the_violations_that_a_solver_finds():
    scene = sampled(walking())
    feet = (Contact(TOES[0], 0.1, 0.4), Contact(TOES[1], 0.6, 0.9))
    middle = place(scene, LEFT, [0.5])[0]
    constraints = (
        BalanceConstraint(0, 1),
        RegionConstraint(LEFT, 0, 1, Sphere(middle, 0.1)),
        CoincidentConstraint(RIGHT, 0.25, 0.75),
    )
    scene = replace(scene, constraints=(*feet, *constraints))
    options = SpacetimeOptions(end=1.0)
    character = edited_character(scene, Target(), options)
    check = check_constraints(character, options)
    prepared = prepare(character, (), options, refinement=1)
    terms, offset_count = build_terms(prepared, (), exact=True)
    model = prepared.model.with_terms(terms, offset_count)
    state = model.evaluate(*model.zero())
    assert np.array_equal(check.schedule.range.times, prepared.range.times)
    assert np.abs(check.schedule.paths - prepared.schedule.paths).max() < 1e-9
    noted = [index for index, each in enumerate(prepared.constraints) if not each.detected]
    violated = violated_samples(terms, state.poses, state.offsets, noted)
    assert 0 < violated.sum() < len(violated)
    assert np.array_equal(check.violated(), violated)


@pytest.mark.slow
def test_violations_over_minutes_are_solved_in_several_steps(monkeypatch):
    monkeypatch.setattr(room, "MAX_RANGE", 8.0)
    distances = [DistanceConstraint(LEFT, RIGHT, start, start + 0.5, 0.4) for start in (4.0, 15.0)]
    after, done = met(long_walk(), *distances)
    (layer,) = after.characters[0].takes[0].layers
    assert (layer.start, layer.end) == pytest.approx((1.0, 9.0), abs=0.1)
    assert [note.text for note in done.notes] == [
        "constraints after 9 s are not solved yet: solve again"
    ]
    again, done = met(after, *distances)
    assert done.notes == ()
    for start in (4.25, 15.25):
        apart = np.linalg.norm(place(again, LEFT, start)[0] - place(again, RIGHT, start)[0])
        assert apart == pytest.approx(0.4, abs=2e-3)
