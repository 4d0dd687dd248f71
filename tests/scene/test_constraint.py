import numpy as np
import pytest
from hypothesis import given, settings

from arcwright.errors import BadValue
from arcwright.scene.constraint import (
    BalanceConstraint,
    CoincidentConstraint,
    Contact,
    DistanceConstraint,
    FlightConstraint,
    FloorConstraint,
    HingeConstraint,
    OrientationConstraint,
    PathConstraint,
    Pin,
    RegionConstraint,
)
from arcwright.scene.point import Point
from arcwright.scene.region import Box, Cylinder, HalfSpace, Sphere
from arcwright.scene.scene import Scene
from random_constraints import constraints

HAND, FOOT = Point("LeftHand"), Point("LeftFoot")
BALL = Sphere([0, 1, 0], 0.5)
NAN, INF = float("nan"), float("inf")


@settings(max_examples=60)
@given(constraints())
def test_every_constraint_has_a_name_and_a_span_and_cannot_be_written_to(constraint):
    assert constraint.name
    assert constraint.start <= constraint.end
    for value in vars(constraint).values():
        assert not (isinstance(value, np.ndarray) and value.flags.writeable)


def test_names_are_those_of_notes():
    names = {
        Pin(HAND, 0, 1): "LeftHand pin",
        Contact(HAND, 0, 1, relative_to=FOOT): "LeftHand contact",
        DistanceConstraint(HAND, FOOT, 0, 1): "LeftHand to LeftFoot distance",
        CoincidentConstraint(FOOT, 0, 1): "LeftFoot position match",
        PathConstraint(HAND, [0, 1], np.zeros((2, 3))): "LeftHand path",
        OrientationConstraint(HAND, 0, 1, [1, 0, 0, 0]): "LeftHand orientation",
        RegionConstraint(HAND, 0, 1, BALL): "LeftHand region",
        FloorConstraint(0, 1): "floor",
        FloorConstraint(0, 1, point=FOOT): "LeftFoot floor",
        BalanceConstraint(0, 1): "balance",
        FlightConstraint(0, 1): "flight",
        HingeConstraint(HAND, 0, 1): "LeftHand hinge",
    }
    assert [constraint.name for constraint in names] == list(names.values())


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            lambda: CoincidentConstraint(FOOT, 1, 0),
            r"CoincidentConstraint.end: expected at or after start \(1 s\)",
        ),
        (lambda: Pin(HAND, 0, 1, position=False), "position, orientation or both"),
        (lambda: Pin(HAND, 0, 1, position="yes"), "Pin.position: expected true or false"),
        (lambda: Pin("LeftHand", 0, 1), "Pin.point: expected a point"),
        (lambda: Pin(HAND, 0, 1, take=3), "Pin.take: expected the name of a take"),
        (lambda: BalanceConstraint(0, INF), "BalanceConstraint.end"),
        (lambda: BalanceConstraint(NAN, 1), "BalanceConstraint.start"),
        (lambda: BalanceConstraint(0, 1, -0.1), "BalanceConstraint.margin"),
        (lambda: DistanceConstraint(HAND, FOOT, 0, 1, NAN), "DistanceConstraint.distance"),
        (lambda: DistanceConstraint(HAND, FOOT, 0, 1, 1e9), "DistanceConstraint.distance"),
        (lambda: PathConstraint(HAND, [], np.zeros((0, 3))), "PathConstraint.positions"),
        (lambda: PathConstraint(HAND, [0, 1], np.zeros((1, 3))), "PathConstraint.positions"),
        (
            lambda: PathConstraint(HAND, [1, 0], np.zeros((2, 3))),
            "PathConstraint.times: expected increasing times",
        ),
        (
            lambda: PathConstraint(HAND, [0, 1], np.full((2, 3), 1e9)),
            "PathConstraint.positions: expected within",
        ),
        (lambda: OrientationConstraint(HAND, 0, 1, [1, 1, 0, 0]), "unit quaternion"),
        (lambda: OrientationConstraint(HAND, 0, 1, [1e300] * 4), "unit quaternion"),
        (lambda: FlightConstraint(0, 1, NAN), "FlightConstraint.gravity"),
        (lambda: HingeConstraint(HAND, 0, 1, low=1.0, high=0.5), "HingeConstraint.high"),
        (lambda: HingeConstraint(HAND, 0, 1, low=4.0), "HingeConstraint.low"),
        (lambda: FlightConstraint(0, 1, 1e9), "FlightConstraint.gravity"),
        (lambda: FloorConstraint(0, 1, INF), "FloorConstraint.height"),
        (lambda: FloorConstraint(0, 1, 0, FOOT, "biped"), "FloorConstraint.character"),
        (lambda: Sphere([0, 0, 0], 0), "Sphere.radius"),
        (lambda: Sphere([0, 0, NAN], 1), "Sphere.center"),
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
    floor = FloorConstraint(0, 1, 0)
    assert [type(each) for each in (floor.start, floor.end, floor.height)] == [float] * 3


def test_a_normal_gets_length_one_and_then_stays_as_it_is():
    normal = HalfSpace([0, 0, 0], [1, 2, -1]).normal
    assert np.linalg.norm(normal) == pytest.approx(1)
    assert HalfSpace([0, 0, 0], normal).normal is normal


def test_a_scene_holds_constraints_as_a_tuple():
    assert Scene().constraints == ()
    assert isinstance(Scene(constraints=[BalanceConstraint(0, 1)]).constraints, tuple)


def test_pins_and_contacts_are_views_of_the_constraints():
    pin, contact, floor = Pin(HAND, 0, 1), Contact(FOOT, 0, 1), FloorConstraint(0, 1)
    scene = Scene(constraints=(floor, contact, pin))
    assert (scene.pins, scene.contacts) == ((pin,), (contact,))
    assert scene.pins is scene.pins
    with pytest.raises(TypeError):
        Scene(pins=(pin,))


def test_titles_are_those_of_lists():
    titles = {
        Pin(HAND, 0, 1): "LeftHand pin",
        DistanceConstraint(HAND, FOOT, 0, 1): "LeftHand to LeftFoot",
        CoincidentConstraint(FOOT, 0, 1): "LeftFoot position match",
        PathConstraint(HAND, [0], np.zeros((1, 3))): "LeftHand on path",
        RegionConstraint(HAND, 0, 1, BALL, True): "LeftHand inside sphere",
        RegionConstraint(HAND, 0, 1, HalfSpace([0] * 3, [0, 1, 0])): "LeftHand outside plane",
        FloorConstraint(0, 1): "Feet above floor",
        BalanceConstraint(0, 1): "Balance",
    }
    assert [constraint.title for constraint in titles] == list(titles.values())
