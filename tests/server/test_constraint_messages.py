"""Constraints as clients receive and change them."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from arcwright import same
from arcwright.edits.ownership import with_owner_names
from arcwright.kinematics.path import path_through
from arcwright.kinematics.trail import trail
from arcwright.open import read
from arcwright.scene.constraint import (
    BalanceConstraint,
    CoincidentConstraint,
    Contact,
    DistanceConstraint,
    FlightConstraint,
    FloorConstraint,
    OrientationConstraint,
    PathConstraint,
    Pin,
    RegionConstraint,
)
from arcwright.scene.constraint_values import constraint_values
from arcwright.scene.point import Point
from arcwright.scene.region import Box, Cylinder, HalfSpace, Sphere
from arcwright.server import messages as m
from arcwright.server.document import constraints as messages
from arcwright.server.messages import encoding
from builders import arm_constraints, arm_scene
from local_clients import LocalClient, lift, worker_with
from random_cases import examples
from random_constraints import constraints

AT = "biped", "walk"
HAND, HEAD = Point("LeftHand"), Point("Head", [0.0, 0.1, 0.0])
REGIONS = (
    HalfSpace([0.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
    Box([-1.0, 0.0, 0.0], [1.0, 1.0, 1.0]),
    Sphere([0.0, 1.0, 0.0], 0.5),
    Cylinder([0.0, 0.0, 0.0], [0.0, 1.0, 0.0], 0.25),
)
EVERY = (
    Pin(HAND, 0.0, 0.5, orientation=True),
    Contact(HAND, 0.0, 0.5, relative_to=HEAD),
    DistanceConstraint(HAND, HEAD, 0.0, 0.5),
    CoincidentConstraint(HAND, 0.125, 0.875),
    PathConstraint(HAND, [0.0, 0.5, 0.75], [[0.0, 1.0, 0.0], [0.1, 1.0, 0.0], [0.0, 1.0, 0.5]]),
    OrientationConstraint(HEAD, 0.0, 0.5, [0.6, 0.0, 0.8, 0.0]),
    *(RegionConstraint(HAND, 0.0, 1.0, region) for region in REGIONS),
    FloorConstraint(0.0, 1.0, 0.02),
    FloorConstraint(0.0, 1.0, None, HAND),
    BalanceConstraint(0.0, 1.0, 0.2),
    FlightConstraint(0.25, 0.5, 9.81),
)
CONTACTS = len(read("biped:walk").contacts)
FIRST = CONTACTS  # the index of the first constraint that is added


@pytest.fixture
def client():
    with worker_with() as worker:
        yield LocalClient(worker)


def message(client):
    """The constraints that were added, as clients receive them."""
    client.sync()
    documents = [message for message, _ in client.received if isinstance(message, m.Document)]
    return documents[-1].constraints[CONTACTS:]


@pytest.mark.parametrize("constraint", EVERY, ids=lambda each: type(each).__name__)
def test_an_added_constraint_is_sent_back_and_undone(client, constraint):
    before = client.document.scene
    change = m.AddConstraint(*AT, constraint_values(constraint))
    client.send(encoding.decode_client(encoding.encode_client(m.ApplyChange(change))))
    (found,) = message(client)
    assert found.constraint == constraint_values(constraint, "biped")
    assert (found.index, found.character, found.take) == (FIRST, "biped", "walk")
    assert client.document.history.done[-1].label.startswith(f"Add {found.name}, frames ")
    client.send(m.Undo())
    assert message(client) == []
    assert same(client.document.scene, before)


@examples(24, 60)
@given(constraints(whose=("", "arm"), clips=("", "wave")))
def test_a_constraint_sent_back_unchanged_changes_nothing(constraint):
    scene = replace(arm_scene(), constraints=(constraint,))
    (found,) = messages.constraint_infos(scene)
    data = encoding.encode_client(
        m.ApplyChange(m.ChangeConstraint("arm", "wave", 0, found.constraint))
    )
    change = encoding.decode_client(data).change
    assert messages.change_constraint(scene, change).empty


@pytest.mark.parametrize("constraint", arm_constraints(), ids=lambda each: type(each).__name__)
def test_a_scene_is_described_as_it_is(constraint):
    scene = replace(arm_scene(), constraints=(constraint,))
    (found,) = messages.constraint_infos(scene)
    assert (found.start, found.end) == (constraint.start, constraint.end)
    assert found.take == constraint.take
    again = messages.add_constraint(
        scene, m.AddConstraint("arm", constraint.take, found.constraint)
    )
    assert again.empty
    (same_one,) = scene.constraints
    assert same(with_owner_names(scene, same_one), with_owner_names(scene, constraint))


def balance(start, end, margin):
    return {"kind": "balance", "start": start, "end": end, "margin": margin}


def test_a_constraint_changes_and_goes_as_one_step_each(client):
    client.send(m.ApplyChange(m.AddConstraint("biped", "", balance(0.0, 1.0, 0.1))))
    client.send(m.ApplyChange(m.ChangeConstraint(*AT, FIRST, balance(0.0, 0.5, 0.2))))
    (found,) = message(client)
    assert (found.take, found.end, found.constraint["margin"]) == ("", 0.5, 0.2)
    client.send(m.ApplyChange(m.RemoveConstraint(*AT, FIRST)))
    assert message(client) == []
    assert [edit.label for edit in client.document.history.done] == [
        "Add balance, frames 0-24",
        "Change balance, frames 0-12",
        "Remove balance",
    ]


def test_a_dragged_box_is_one_step(client):
    def region(up):
        box = Box([-1.0, 0.0, 0.0], [1.0, up, 1.0])
        return constraint_values(RegionConstraint(HAND, 0.0, 1.0, box))

    client.send(m.ApplyChange(m.AddConstraint(*AT, region(1.0))))
    for up in (1.5, 2.0):
        client.send(m.PreviewChange(7, m.ChangeConstraint(*AT, FIRST, region(up))))
    client.send(m.CommitInteraction(7))
    assert client.wait(m.InteractionEnded)[-1][0].label == "Change LeftHand region, frames 0-24"
    (found,) = message(client)
    assert found.constraint["region"]["high"] == [1.0, 2.0, 1.0]
    assert len(client.document.history.done) == 2


SPAN = {"start": 0.0, "end": 1.0}
SENT_HAND = {"joint": "LeftHand"}
ON_HAND = {"point": SENT_HAND, **SPAN}


@pytest.mark.parametrize(
    ("values", "reported"),
    [
        ({"kind": "coincident", "point": {"joint": "Tail"}, **SPAN}, "no joint named 'Tail'"),
        (balance(1.0, 0.0, 0.1), "at or after start"),
        ({"kind": "orientation", **ON_HAND, "orientation": [1, 1, 1, 1]}, "unit quaternion"),
        (
            {"kind": "region", **ON_HAND, "region": {"shape": "sphere", "center": [0, 0, 0]}},
            "constraint.region: expected center, radius",
        ),
        (
            {
                **{"kind": "region", **ON_HAND},
                "region": {"shape": "sphere", "center": [0, 0, 0], "radius": -1},
            },
            "constraint.region.radius: expected metres, 0 to 1e+06",
        ),
        ({"kind": "region", **ON_HAND, "region": {"shape": "egg"}}, "constraint.region.shape"),
        (
            {"kind": "path", "point": SENT_HAND, "times": [0], "positions": [[0, 0, 0]] * 2},
            "one per time",
        ),
        (
            {"kind": "path", "point": SENT_HAND, "times": [0] * 1001, "positions": []},
            "at most 1000 items",
        ),
        ({"kind": "pin", **SPAN}, "constraint: expected point"),
        ({"kind": "pin", **ON_HAND, "glue": 1}, "expected any of"),
        ({"kind": "pin", **ON_HAND, "position": "yes"}, "true or false"),
        ({"kind": "pin", "point": {"joint": "x" * 201}, **SPAN}, "at most 200 characters"),
        ({"kind": "glue", **SPAN}, "constraint.kind: expected any of pin, contact"),
        ({}, "constraint.kind"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_invalid_values_are_refused_and_change_nothing(client, values, reported):
    before = client.document.history
    change = m.ApplyChange(m.AddConstraint(*AT, values))
    failure, _ = client.request(change, m.Failure)
    assert reported in failure.text
    assert client.document.history is before


def test_constraints_of_unknown_names_or_indices_are_refused(client):
    before = client.document.history
    flight = {"kind": "flight", **SPAN}
    for change, reported in (
        (m.AddConstraint("nobody", "", balance(0.0, 1.0, 0.1)), "no character named 'nobody'"),
        (m.AddConstraint("biped", "swim", flight), "no take named 'swim'"),
        (m.ChangeConstraint(*AT, 99, flight), f"expected 0 to {CONTACTS - 1}"),
        (m.RemoveConstraint(*AT, -1), f"expected 0 to {CONTACTS - 1}"),
    ):
        failure, _ = client.request(m.ApplyChange(change), m.Failure)
        assert reported in failure.text
    assert client.document.history is before


def test_a_path_is_sent_with_its_line():
    follow = arm_constraints()[2]
    (found,) = messages.constraint_infos(replace(arm_scene(), constraints=(follow,)))
    times = np.linspace(0, 1, len(found.line))
    np.testing.assert_allclose(found.line, path_through(follow.times, follow.positions, times))


def test_balance_is_sent_with_the_masses_of_the_body():
    scene = replace(
        arm_scene(),
        constraints=(BalanceConstraint(0, 1), FloorConstraint(0, 1, point=Point("joint1"))),
    )
    balance, floor = messages.constraint_infos(scene)
    assert sum(each.share for each in balance.masses) == pytest.approx(1)
    assert {each.point.character for each in balance.masses} == {"arm"}
    assert floor.masses == []


def test_a_spacetime_edit_keeps_an_added_constraint(client):
    apart = DistanceConstraint(HAND, Point("RightHand"), 0.0, 1.0, 0.4)
    client.send(m.ApplyChange(m.AddConstraint(*AT, constraint_values(apart))))
    client.send(
        m.BeginInteraction(1, "spacetime", *AT, {}), lift(client, -0.03), m.CommitInteraction(1)
    )
    assert client.wait(m.InteractionEnded)[-1][0].committed
    take, times = (
        client.document.scene.characters[0].takes[0],
        np.linspace(0.1, 0.9, 9),
    )
    left, right = (trail(take, Point(f"{side}Hand"), times).position for side in ("Left", "Right"))
    np.testing.assert_allclose(np.linalg.norm(left - right, axis=1), 0.4, atol=5e-3)
