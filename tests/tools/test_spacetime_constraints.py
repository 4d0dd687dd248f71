"""Constraints of the scene do what the same ones do that are given to a drag."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright import read, same
from arcwright.edits.actors import add_scene
from arcwright.edits.detected_contacts import detect_contacts
from arcwright.errors import BadValue
from arcwright.kinematics.sample import values_at
from arcwright.scene.constraint import (
    BalanceConstraint,
    CoincidentConstraint,
    Contact,
    DistanceConstraint,
    FlightConstraint,
    FloorConstraint,
    OrientationConstraint,
    PathConstraint,
    RegionConstraint,
)
from arcwright.scene.point import Point
from arcwright.scene.region import Box, Sphere
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool
from chains import TIP, chain_scene, place
from random_cases import examples
from random_constraints import constraints
from spacetime_edits import dragged, sampled, walking

HANDS = Point("LeftHand"), Point("RightHand")
EVERY = (
    DistanceConstraint(*HANDS, 0.1, 0.9, 0.4),
    CoincidentConstraint(HANDS[0], 0.2, 0.8),
    PathConstraint(HANDS[0], [0.2, 0.6], [[0.3, 1.0, 0.1], [0.3, 1.1, 0.4]]),
    OrientationConstraint(Point("Head"), 0.2, 0.6, [1, 0, 0, 0]),
    RegionConstraint(HANDS[0], 0, 1, Sphere([0.2, 0.9, 0.5], 0.15)),
    RegionConstraint(Point("Head"), 0, 1, Box([-1, 1, -2], [1, 1.5, 3]), True),
    FloorConstraint(0, 1, 0.05),
    FloorConstraint(0, 1, None, Point("LeftToes")),
    BalanceConstraint(0, 1),
    FlightConstraint(0.4, 0.6),
)


@pytest.mark.parametrize("constraint", EVERY, ids=lambda each: type(each).__name__)
def test_a_scene_constraint_works_like_one_given_for_a_drag(constraint):
    scene, by = walking(), [0.03, -0.04, 0]
    given, _ = dragged(scene, Point("Hips"), 0.5, by, more=(constraint,))
    kept, _ = dragged(replace(scene, constraints=(constraint,)), Point("Hips"), 0.5, by)
    assert same(given.characters, kept.characters)
    assert same(kept.constraints, (constraint,))


def test_constraints_of_other_takes_and_characters_do_not_count():
    scene = add_scene(walking(), read("biped:stand")).apply(walking())
    other = [
        replace(EVERY[0], take="run"),
        BalanceConstraint(0, 1, character="biped 2"),
        RegionConstraint(Point("LeftHand", character="biped 2"), 0, 1, Sphere([0, 1, 0], 3)),
        FloorConstraint(0, 1, 1.0, character="biped 2"),
    ]
    plain, _ = dragged(scene, Point("Hips"), 0.5, [0, -0.05, 0])
    same_one, _ = dragged(
        replace(scene, constraints=tuple(other)), Point("Hips"), 0.5, [0, -0.05, 0]
    )
    assert same(plain.characters, same_one.characters)


def test_a_constraint_of_this_take_and_character_by_name_counts():
    scene = walking()
    named = DistanceConstraint(
        *(replace(each, character="biped") for each in HANDS), 0.1, 0.9, 0.4, take="walk"
    )
    given, _ = dragged(scene, Point("Hips"), 0.5, [0, -0.05, 0], more=(EVERY[0],))
    kept, _ = dragged(replace(scene, constraints=(named,)), Point("Hips"), 0.5, [0, -0.05, 0])
    assert same(given.characters, kept.characters)


@pytest.mark.parametrize("form", [walking, lambda: sampled(walking())], ids=["keys", "samples"])
def test_feet_stay_above_a_floor(form):
    scene, times = form(), np.linspace(0, 1, 25)
    toes = [Point(f"{side}Toes") for side in ("Left", "Right")]
    lowest = [place(scene, toe, times)[:, 1].min() for toe in toes]
    floor = FloorConstraint(0, 1, max(lowest) + 0.03)
    after, _ = dragged(
        replace(scene, constraints=(floor,)),
        Point("Head"),
        0.5,
        [0, 0.002, 0],
        detect_footplants=False,
    )
    for toe in toes:
        assert place(after, toe, times)[:, 1].min() > floor.height - 3e-3


def test_a_point_stays_above_its_lowest_height_for_the_time_of_its_floor():
    scene, hand, times = walking(), HANDS[0], np.arange(6, 19) / 24
    lowest = place(scene, hand, times)[:, 1].min()
    down = [0, -0.15, 0]
    free, _ = dragged(scene, hand, 0.9, down)
    held, _ = dragged(
        replace(scene, constraints=(FloorConstraint(0.25, 0.75, point=hand),)), hand, 0.9, down
    )
    assert place(held, hand, times)[:, 1].min() > lowest - 3e-3
    assert place(free, hand, 0.9)[0] == pytest.approx(place(held, hand, 0.9)[0], abs=3e-3)


def test_a_rig_without_feet_ignores_a_floor_of_the_feet():
    plain, _ = dragged(chain_scene(), TIP, 0.5, [0.1, 0, 0])
    floor, _ = dragged(
        replace(chain_scene(), constraints=(FloorConstraint(0, 2, 5.0),)), TIP, 0.5, [0.1, 0, 0]
    )
    assert same(plain.characters, floor.characters)


def test_a_drag_that_does_not_move_changes_nothing_whatever_is_constrained():
    scene = replace(walking(), constraints=EVERY)
    session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions())
    there = place(scene, Point("Hips"), 0.5)[0]
    assert session.update(Drag(Point("Hips"), 0.5, position=there)).edit.empty
    assert session.finish().empty


def test_a_distance_between_two_characters_is_refused_with_its_place():
    scene = add_scene(walking(), read("biped:stand")).apply(walking())
    apart = DistanceConstraint(HANDS[0], Point("LeftHand", character="biped 2"), 0, 1)
    with pytest.raises(BadValue, match="DistanceConstraint.other: expected of biped, got biped 2"):
        SpacetimeTool().begin(replace(scene, constraints=(apart,)), Target(), SpacetimeOptions())


near = st.tuples(st.floats(0, 0.6), st.floats(0, 0.5)).map(lambda two: (two[0], sum(two)))
wild = constraints(("LeftHand", "Head", "LeftToes"), clips=("", "walk"), spans=near, reach=1.0)


@examples(8, 50)
@given(st.lists(wild, min_size=1, max_size=3))
def test_constraints_that_cannot_be_met_give_an_edit_all_the_same(constraints):
    scene, hips = replace(walking(), constraints=tuple(constraints)), Point("Hips")
    session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions())
    there = place(scene, hips, 0.5)[0] + [0.02, 0, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        session.update(Drag(hips, 0.5, position=there))
        after = session.finish().apply(scene)
    assert np.isfinite(values_at(after.characters[0].takes[0], np.linspace(0, 1, 25))).all()


def footplants(scene, **options):
    """Joint and start of what stands, as a drag would keep it, without heels that follow toes."""
    session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions(**options))
    (character,) = session.characters.values()
    contacts = [each for each in character.constraints if each.kind == "contact" and not each.foot]
    return {(each.point.joint, each.start) for each in contacts}


def standing():
    return replace(read("biped:stand"), constraints=())


def test_heels_are_detected_beside_contacts_of_toes():
    scene = standing()
    toes = detect_contacts(scene, holds=False).apply(scene)
    assert footplants(toes) == {("LeftToes", 0), ("RightToes", 0)}
    assert footplants(toes, include_heels=True) == footplants(scene, include_heels=True)
    assert {joint for joint, _ in footplants(toes, include_heels=True)} > {"LeftFoot", "RightFoot"}


def test_a_heel_is_not_detected_where_its_toes_have_no_contact():
    scene = standing()
    toes = detect_contacts(scene, holds=False).apply(scene)
    left = replace(toes, constraints=(*tuple(c for c in toes.contacts if "Left" in c.point.joint),))
    assert {joint for joint, _ in footplants(left, include_heels=True)} == {"LeftToes", "LeftFoot"}


def test_a_heel_with_a_contact_of_its_own_keeps_that():
    scene = standing()
    own = tuple(Contact(Point(joint), 0, 0.5) for joint in ("LeftToes", "LeftFoot"))
    assert footplants(replace(scene, constraints=own), include_heels=True) == {
        ("LeftToes", 0),
        ("LeftFoot", 0),
    }


def test_contacts_hold_and_nothing_is_detected_when_detection_is_off():
    scene = standing()
    toes = detect_contacts(scene, holds=False).apply(scene)
    assert footplants(scene, detect_footplants=False) == set()
    assert footplants(toes, detect_footplants=False, include_heels=True) == {
        ("LeftToes", 0),
        ("RightToes", 0),
    }
