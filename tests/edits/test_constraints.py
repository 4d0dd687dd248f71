from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.arrays import same
from arcwright.edits.constraints import add_constraint, change_constraint, remove_constraint
from arcwright.edits.takes import (
    add_scene,
    copy_take,
    remove_actor,
    remove_take,
    rename_take,
    set_timing,
)
from arcwright.errors import BadValue, UnknownName
from arcwright.scene.constraint import (
    BalanceConstraint,
    CoincidentConstraint,
    DistanceConstraint,
    FlightConstraint,
    FloorConstraint,
    PathConstraint,
    RegionConstraint,
)
from arcwright.scene.point import Point
from arcwright.scene.region import Sphere
from arcwright.scene.scene import Scene
from builders import arm_constraints, arm_scene
from random_cases import examples
from random_constraints import constraints
from random_scenes import assert_exact, random_scene, seeds

some = examples(12, 30)
any_of_two = constraints(whose=("one", "two"), clips=("", "walk"))


@some
@given(seeds, any_of_two, any_of_two)
def test_adding_changing_and_removing_are_undone_exactly(seed, constraint, other):
    scene = random_scene(seed)
    place = len(scene.constraints)
    added = assert_exact(scene, add_constraint(scene, constraint))
    assert same(added.constraints[place], constraint)
    assert added.characters is scene.characters
    changed = assert_exact(added, change_constraint(added, place, other))
    assert same(changed.constraints[place], other)
    gone = assert_exact(changed, remove_constraint(changed, place))
    assert same(gone, scene)


@pytest.mark.parametrize("constraint", arm_constraints(), ids=lambda each: type(each).__name__)
def test_every_kind_is_added_once_by_the_name_of_its_character(constraint):
    scene = arm_scene()
    after = assert_exact(scene, add_constraint(scene, constraint))
    assert add_constraint(after, constraint).empty
    assert change_constraint(after, len(scene.constraints), constraint).empty
    added = after.constraints[-1]
    point = getattr(added, "point", None)
    assert (point.character if point is not None else added.character) == "arm"


def test_a_constraint_on_an_unnamed_actor_is_not_added_twice():
    scene = replace(arm_scene(), constraints=(BalanceConstraint(0, 1),))
    assert add_constraint(scene, BalanceConstraint(0, 1, character="arm")).empty
    assert change_constraint(scene, 0, BalanceConstraint(0, 1)).empty


def test_labels_name_the_constraint_and_its_frames():
    scene = replace(arm_scene(), constraints=(FlightConstraint(0, 1),))
    tip, root = Point("joint2"), Point("joint0")
    for constraint, expected in (
        (DistanceConstraint(tip, root, 0, 1), "Add joint2 to joint0 distance, frames 0-24"),
        (CoincidentConstraint(tip, 0.25, 0.5), "Add joint2 position match, frames 6-12"),
        (PathConstraint(tip, [0, 0.5], np.zeros((2, 3))), "Add joint2 path, frames 0-12"),
        (RegionConstraint(tip, 0.5, 0.5, Sphere([0, 0, 0], 1)), "Add joint2 region, frame 12"),
        (FloorConstraint(0, 1), "Add floor, frames 0-24"),
        (BalanceConstraint(0, 1), "Add balance, frames 0-24"),
    ):
        assert add_constraint(scene, constraint).label == expected
    assert (
        change_constraint(scene, 0, FlightConstraint(0, 0.5)).label == "Change flight, frames 0-12"
    )
    assert remove_constraint(scene, 0).label == "Remove flight"


def test_constraints_on_unknown_names_are_refused():
    scene, tip = arm_scene(), Point("joint2")
    with pytest.raises(UnknownName, match="no joint named 'joint9'"):
        add_constraint(scene, CoincidentConstraint(Point("joint9"), 0, 1))
    with pytest.raises(UnknownName, match="no joint named 'joint9'"):
        add_constraint(scene, DistanceConstraint(tip, Point("joint9"), 0, 1))
    with pytest.raises(UnknownName, match="no character named 'leg'"):
        add_constraint(scene, BalanceConstraint(0, 1, character="leg"))
    with pytest.raises(UnknownName, match="no take named 'swim'"):
        add_constraint(scene, FloorConstraint(0, 1, take="swim"))
    with pytest.raises(UnknownName, match="there is none"):
        add_constraint(Scene(), BalanceConstraint(0, 1))
    with pytest.raises(BadValue, match="expected none; the scene has no constraints, got 0"):
        remove_constraint(replace(scene, constraints=()), 0)
    with pytest.raises(BadValue, match="constraint: expected 0 to 7, got -1"):
        change_constraint(random_scene(0), -1, BalanceConstraint(0, 1))


def test_a_distance_is_between_points_of_one_character():
    apart = DistanceConstraint(
        Point("joint1", character="one"), Point("joint1", character="two"), 0, 1
    )
    with pytest.raises(
        BadValue, match="DistanceConstraint.other: expected a point of one, got two"
    ):
        add_constraint(random_scene(0), apart)


def names(scene):
    return [type(each).__name__ for each in scene.constraints]


def test_removing_an_actor_removes_its_constraints():
    scene = random_scene(5)
    without_one = assert_exact(scene, remove_actor(scene, "one"))
    assert names(without_one) == ["Contact", "BalanceConstraint"]
    without_two = assert_exact(scene, remove_actor(scene, "two"))
    assert names(without_two) == [
        *("Pin", "Pin", "Contact"),
        *("DistanceConstraint", "PathConstraint", "FlightConstraint"),
    ]
    without_box = assert_exact(scene, remove_actor(scene, "box"))
    assert len(without_box.constraints) == len(scene.constraints) - 1


def test_constraints_of_an_added_scene_use_the_new_names():
    scene = random_scene(3)
    after = assert_exact(scene, add_scene(scene, random_scene(4)))
    apart, follow, balance, flight = after.constraints[-4:]
    assert apart.point.character == apart.other.character == "one 2"
    assert follow.point.character == flight.character == "one 2"
    assert balance.character == "two 2"


def test_a_prop_keeps_its_constraints_when_the_first_character_comes():
    scene = Scene(
        props=random_scene(0).props, constraints=(FloorConstraint(0, 1), BalanceConstraint(0, 1))
    )
    after = assert_exact(scene, add_scene(scene, arm_scene()))
    assert [each.character for each in after.constraints[:2]] == ["box", "box"]


def test_constraints_of_a_take_are_copied_renamed_and_removed_with_it():
    scene = random_scene(6)
    copied = assert_exact(scene, copy_take(scene, "one", "walk", "again"))
    assert [each.take for each in copied.constraints] == [
        *("walk", "again", "", "", ""),
        *("walk", "again", "walk", "again"),
        *("walk", ""),
    ]
    called = assert_exact(scene, rename_take(scene, "one", "walk", "stroll"))
    assert [each.take for each in called.constraints] == [
        *("stroll", "", "", "", "stroll", "stroll", "walk", "")
    ]
    removed = assert_exact(scene, remove_take(scene, "one", "walk"))
    assert names(removed)[-2:] == ["BalanceConstraint", "FlightConstraint"]
    assert len(removed.constraints) == len(scene.constraints) - 3


@pytest.mark.parametrize("clip", ["walk", "run"])
def test_constraints_keep_their_frames_with_their_take(clip):
    scene = random_scene(7)
    after = assert_exact(scene, set_timing(scene, "one", clip, rate=48.0, keep="frames"))
    scale = 0.5 if clip == "walk" else 1.0
    assert [(each.start, each.end) for each in after.constraints[4:]] == [
        (0.1 * scale, 0.9 * scale),
        (0.25 * scale, 0.5 * scale),
        (0.25, 0.5),  # of somebody else
        (0.25, 0.5),  # of every take
    ]


@some
@given(st.lists(constraints(whose=("", "one", "two"), clips=("", "walk")), max_size=6), seeds)
def test_any_constraints_are_removed_with_their_characters_and_takes(constraints_given, seed):
    scene = replace(random_scene(seed), constraints=tuple(constraints_given))
    for edit in (
        add_scene(scene, scene),
        remove_actor(scene, "one"),
        copy_take(scene, "two", "walk", "again"),
        set_timing(scene, "two", "walk", rate=30.0, keep="frames"),
    ):
        after = assert_exact(scene, edit)
        there = {actor.name for actor in after.actors}
        for each in after.constraints:
            point = getattr(each, "point", None)
            assert (point.character if point is not None else each.character) in {"", *there}
