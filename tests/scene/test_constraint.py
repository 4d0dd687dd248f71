import numpy as np
import pytest
from hypothesis import given, settings

from arcwright.errors import BadValue
from arcwright.scene.constraint import (
    Apart,
    Balance,
    Flight,
    Floor,
    Follow,
    Meet,
    Stay,
    Turned,
    name_of,
)
from arcwright.scene.point import Point
from arcwright.scene.region import Ball, Box, Cylinder, HalfSpace
from arcwright.scene.scene import Scene
from random_constraints import constraints

HAND, FOOT = Point("LeftHand"), Point("LeftFoot")
BALL = Ball([0, 1, 0], 0.5)
NAN, INF = float("nan"), float("inf")


@settings(max_examples=60)
@given(constraints())
def test_every_constraint_has_a_name_and_a_span_and_cannot_be_written_to(constraint):
    assert name_of(constraint)
    assert constraint.start <= constraint.end
    for value in vars(constraint).values():
        assert not (isinstance(value, np.ndarray) and value.flags.writeable)


def test_names_are_those_of_notes():
    names = {
        Apart(HAND, FOOT, 0, 1): "LeftHand to LeftFoot distance",
        Meet(FOOT, 0, 1): "LeftFoot return",
        Follow(HAND, [0, 1], np.zeros((2, 3))): "LeftHand path",
        Turned(HAND, 0, 1, [1, 0, 0, 0]): "LeftHand turn",
        Stay(HAND, 0, 1, BALL): "LeftHand region",
        Floor(0, 1): "floor",
        Floor(0, 1, point=FOOT): "LeftFoot floor",
        Balance(0, 1): "balance",
        Flight(0, 1): "flight",
    }
    assert [name_of(constraint) for constraint in names] == list(names.values())


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Meet(FOOT, 1, 0), r"Meet.end: expected at or after start \(1 s\)"),
        (lambda: Balance(0, INF), "Balance.end"),
        (lambda: Balance(NAN, 1), "Balance.end"),
        (lambda: Balance(0, 1, -0.1), "Balance.around"),
        (lambda: Apart(HAND, FOOT, 0, 1, NAN), "Apart.size"),
        (lambda: Apart(HAND, FOOT, 0, 1, 1e9), "Apart.size"),
        (lambda: Follow(HAND, [], np.zeros((0, 3))), "Follow.places"),
        (lambda: Follow(HAND, [0, 1], np.zeros((1, 3))), "Follow.places"),
        (lambda: Follow(HAND, [1, 0], np.zeros((2, 3))), "Follow.times: expected increasing times"),
        (lambda: Follow(HAND, [0, 1], np.full((2, 3), 1e9)), "Follow.places: expected within"),
        (lambda: Turned(HAND, 0, 1, [1, 1, 0, 0]), "unit quaternion"),
        (lambda: Turned(HAND, 0, 1, [1e300] * 4), "unit quaternion"),
        (lambda: Flight(0, 1, NAN), "Flight.gravity"),
        (lambda: Flight(0, 1, 1e9), "Flight.gravity"),
        (lambda: Floor(0, 1, INF), "Floor.height"),
        (lambda: Floor(0, 1, 0, FOOT, "biped"), "Floor.character"),
        (lambda: Ball([0, 0, 0], 0), "Ball.radius"),
        (lambda: Ball([0, 0, NAN], 1), "Ball.middle"),
        (lambda: Box([0, 0, 0], [1, 0, 1]), "Box.high: expected above low"),
        (lambda: HalfSpace([0, 0, 0], [0, 0, 0]), "HalfSpace.normal: expected a direction"),
        (lambda: HalfSpace([0, 0, 0], [1e308] * 3), "HalfSpace.normal: expected a direction"),
        (lambda: Cylinder([0, 0, 0], [0, 0, 0], 1), "Cylinder.end: expected elsewhere"),
        (lambda: Cylinder([0, 0, 0], [0, 1, 0], INF), "Cylinder.radius"),
    ],
)
def test_values_that_make_no_sense_are_refused_by_name(make, said):
    with pytest.raises(BadValue, match=said):
        make()


def test_whole_numbers_become_seconds_and_metres():
    floor = Floor(0, 1, 0)
    assert [type(each) for each in (floor.start, floor.end, floor.height)] == [float] * 3


def test_a_normal_gets_length_one_and_then_stays_as_it_is():
    normal = HalfSpace([0, 0, 0], [1, 2, -1]).normal
    assert np.linalg.norm(normal) == pytest.approx(1)
    assert HalfSpace([0, 0, 0], normal).normal is normal


def test_a_scene_holds_constraints_as_a_tuple():
    assert Scene().constraints == ()
    assert isinstance(Scene(constraints=[Balance(0, 1)]).constraints, tuple)
