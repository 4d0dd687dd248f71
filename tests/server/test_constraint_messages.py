"""Constraints as clients receive and change them."""

from dataclasses import replace

import msgspec
import numpy as np
import pytest
from hypothesis import given

from arcwright import same
from arcwright.edits.ownership import with_owner_names
from arcwright.kinematics.path import path_through
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Balance, Floor
from arcwright.scene.point import Point
from arcwright.server import messages as m
from arcwright.server.document import constraints as messages
from arcwright.server.messages import encoding
from builders import arm_constraints, arm_scene
from local_clients import LocalClient, lift, worker_with
from random_cases import examples
from random_constraints import constraints

AT = "biped", "walk"
HAND, HEAD = m.PointRef("LeftHand"), m.PointRef("Head", (0.0, 0.1, 0.0))
REGIONS = (
    m.HalfSpace((0.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
    m.Box((-1.0, 0.0, 0.0), (1.0, 1.0, 1.0)),
    m.Ball((0.0, 1.0, 0.0), 0.5),
    m.Cylinder((0.0, 0.0, 0.0), (0.0, 1.0, 0.0), 0.25),
)
EVERY = (
    m.Apart(HAND, HEAD, 0.0, 0.5, None),
    m.Meet(HAND, 0.125, 0.875),
    m.Follow(HAND, [0.0, 0.5, 0.75], [(0.0, 1.0, 0.0), (0.1, 1.0, 0.0), (0.0, 1.0, 0.5)]),
    m.Turned(HEAD, 0.0, 0.5, (0.6, 0.0, 0.8, 0.0)),
    *(m.Stay(HAND, 0.0, 1.0, region, False) for region in REGIONS),
    m.Floor(0.0, 1.0, 0.02, None),
    m.Floor(0.0, 1.0, None, HAND),
    m.Balance(0.0, 1.0, 0.2),
    m.Flight(0.25, 0.5, 9.81),
)


@pytest.fixture
def client():
    with worker_with() as worker:
        yield LocalClient(worker)


def message(client):
    client.sync()
    documents = [message for message, _ in client.received if isinstance(message, m.Document)]
    return documents[-1].constraints


def named_by_whom(reported):
    """What a client sent, with the character that the server names."""
    points = {
        field: msgspec.structs.replace(point, character="biped")
        for field in ("point", "other")
        if isinstance(point := getattr(reported, field, None), m.PointRef)
    }
    return msgspec.structs.replace(reported, **points)


@pytest.mark.parametrize("constraint", EVERY, ids=lambda each: type(each).__name__)
def test_an_added_constraint_is_sent_back_and_undone(client, constraint):
    before = client.document.scene
    client.send(
        encoding.decode_client(
            encoding.encode_client(m.ApplyChange(m.AddConstraint(*AT, constraint)))
        )
    )
    (found,) = message(client)
    assert found.constraint == named_by_whom(constraint)
    assert (found.index, found.character, found.take) == (0, "biped", "walk")
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
    assert found.take == constraint.clip
    again = messages.add_constraint(
        scene, m.AddConstraint("arm", constraint.clip, found.constraint)
    )
    assert again.empty
    (same_one,) = scene.constraints
    assert same(with_owner_names(scene, same_one), with_owner_names(scene, constraint))


def test_a_constraint_changes_and_goes_as_one_step_each(client):
    client.send(m.ApplyChange(m.AddConstraint("biped", "", m.Balance(0.0, 1.0, 0.1))))
    client.send(m.ApplyChange(m.ChangeConstraint(*AT, 0, m.Balance(0.0, 0.5, 0.2))))
    (found,) = message(client)
    assert (found.take, found.end, found.constraint.around) == ("", 0.5, 0.2)
    client.send(m.ApplyChange(m.RemoveConstraint(*AT, 0)))
    assert message(client) == []
    assert [edit.label for edit in client.document.history.done] == [
        "Add balance, frames 0-24",
        "Change balance, frames 0-12",
        "Remove balance",
    ]


def test_a_dragged_box_is_one_step(client):
    low, high = (-1.0, 0.0, 0.0), (1.0, 1.0, 1.0)
    client.send(
        m.ApplyChange(m.AddConstraint(*AT, m.Stay(HAND, 0.0, 1.0, m.Box(low, high), False)))
    )
    for up in (1.5, 2.0):
        taller = m.Stay(HAND, 0.0, 1.0, m.Box(low, (1.0, up, 1.0)), False)
        client.send(m.PreviewChange(7, m.ChangeConstraint(*AT, 0, taller)))
    client.send(m.CommitInteraction(7))
    assert client.wait(m.InteractionEnded)[-1][0].label == "Change LeftHand region, frames 0-24"
    (found,) = message(client)
    assert found.constraint.region.high == (1.0, 2.0, 1.0)
    assert len(client.document.history.done) == 2


def test_invalid_constraints_are_refused_and_change_nothing(client):
    before = client.document.history
    for change, reported in (
        (m.AddConstraint(*AT, m.Meet(m.PointRef("Tail"), 0.0, 1.0)), "no joint named 'Tail'"),
        (m.AddConstraint("nobody", "", m.Balance(0.0, 1.0, 0.1)), "no character named 'nobody'"),
        (m.AddConstraint("biped", "swim", m.Flight(0.0, 1.0, None)), "no take named 'swim'"),
        (m.AddConstraint(*AT, m.Balance(1.0, 0.0, 0.1)), "at or after start"),
        (m.AddConstraint(*AT, m.Turned(HAND, 0.0, 1.0, (1.0, 1.0, 1.0, 1.0))), "unit quaternion"),
        (m.AddConstraint(*AT, m.Stay(HAND, 0.0, 1.0, m.Ball((0.0,) * 3, -1.0), True)), "radius"),
        (m.AddConstraint(*AT, m.Follow(HAND, [0.0], [(0.0,) * 3] * 2)), "one per time"),
        (m.ChangeConstraint(*AT, 3, m.Balance(0.0, 1.0, 0.1)), "the scene has no constraints"),
        (m.RemoveConstraint(*AT, 0), "the scene has no constraints"),
    ):
        failure, _ = client.request(m.ApplyChange(change), m.Failure)
        assert reported in failure.text
    assert client.document.history is before


def test_a_path_is_sent_with_its_line():
    follow = arm_constraints()[2]
    (found,) = messages.constraint_infos(replace(arm_scene(), constraints=(follow,)))
    times = np.linspace(0, 1, len(found.line))
    np.testing.assert_allclose(found.line, path_through(follow.times, follow.places, times))


def test_balance_is_sent_with_the_masses_of_the_body():
    scene = replace(arm_scene(), constraints=(Balance(0, 1), Floor(0, 1, point=Point("joint1"))))
    balance, floor = messages.constraint_infos(scene)
    assert sum(each.share for each in balance.masses) == pytest.approx(1)
    assert {each.point.character for each in balance.masses} == {"arm"}
    assert floor.masses == []


def test_a_spacetime_edit_keeps_an_added_constraint(client):
    client.send(
        m.ApplyChange(m.AddConstraint(*AT, m.Apart(HAND, m.PointRef("RightHand"), 0.0, 1.0, 0.4)))
    )
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
