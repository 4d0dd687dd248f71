"""Activities as clients see them, what their tool draws at rest, and changes of their events."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright import read, same
from arcwright.server import messages as m
from local_clients import LocalClient, worker_with
from tea import tea, tea_scene

ARM = "arm", "wave"


@pytest.fixture
def client():
    with worker_with(tea_scene(), idle=False) as worker:
        yield LocalClient(worker)


def activity(client):
    client.sync()
    *_, document = [each for each, _ in client.received if isinstance(each, m.Document)]
    (found,) = document.activities
    return found


def test_the_document_names_who_takes_part_and_what_happens_when(client):
    found = activity(client)
    assert (found.name, found.character, found.take) == ("tea", *ARM)
    assert [(each.name, each.prop) for each in found.objects] == [("pot", "pot"), ("cup", "cup")]
    assert found.objects[0].anchors == ["spout", "handle"]
    assert [(each.name, each.joint) for each in found.effectors] == [
        ("Pelvis", "joint0"),
        ("Hand", "joint2"),
    ]
    lift, pour, rest = found.events
    assert (lift.name, lift.time, lift.movable, lift.look_at) == (
        "lift",
        0.25,
        ["Hand", "pot"],
        "pot",
    )
    assert pour.pairs == [("Hand", "pot.handle"), ("pot.spout", "cup")]
    assert pour.elements == ["Hand", "pot", "cup"]
    assert rest.name == ""


def test_an_event_is_renamed_and_removed_as_one_undo_step_each(client):
    before = client.document.scene
    client.send(m.ApplyChange(m.RenameEvent(*ARM, "tea", 2, "rest")))
    assert [each.name for each in activity(client).events] == ["lift", "pour", "rest"]
    client.send(m.ApplyChange(m.RemoveEvent(*ARM, "tea", 0)))
    assert [each.name for each in activity(client).events] == ["pour", "rest"]
    labels = [edit.label for edit in client.document.history.done]
    assert labels == ["Change event rest of tea", "Remove event lift from tea"]
    client.send(m.Undo(), m.Undo())
    client.sync()
    assert same(client.document.scene, before)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (m.RenameEvent(*ARM, "tea", 2, "pour"), "each once"),
        (m.RemoveEvent(*ARM, "tea", 3), "0 to 2"),
        (m.RemoveEvent(*ARM, "coffee", 0), "coffee"),
    ],
)
def test_a_change_of_an_event_that_cannot_be_is_refused(client, change, problem):
    answer, _ = client.request(m.ApplyChange(change), m.Failure)
    assert problem in answer.text
    assert client.document.history.done == ()


def test_paths_and_handles_are_drawn_before_anything_is_dragged():
    scene = read("biped:tea")
    with worker_with(scene, idle=False) as worker:
        client = LocalClient(worker)
        at = "biped", "tea"
        answer, _ = client.request(m.RequestRestOverlays("activity", *at), m.RestOverlays)
        assert (answer.tool, answer.character, answer.take, answer.problem) == ("activity", *at, "")
        handles = {each.name: each for each in answer.overlays if hasattr(each, "symbol")}
        movable = [len(each.movable) for each in scene.activities[0].events]
        assert len(handles) == sum(movable)
        cup = handles["cup at frame 86"]
        assert (cup.label, cup.grounded) == ("cup at 'pour'", True)
        assert cup.time == pytest.approx(scene.activities[0].events[4].time)
        assert not handles["pot at frame 86"].grounded  # it is in the air
        assert client.document.scene is scene


def test_why_nothing_is_drawn_at_rest_is_said():
    twice = tea().events[1], tea().events[1]
    crowded = tea_scene(
        replace(tea(), events=(twice[0], replace(twice[1], time=0.501, name="again")))
    )
    with worker_with(crowded, idle=False) as worker:
        answer, _ = LocalClient(worker).request(
            m.RequestRestOverlays("activity", *ARM), m.RestOverlays
        )
        assert answer.overlays == []
        assert "two at frame" in answer.problem


def test_a_tool_without_handles_draws_nothing_at_rest(client):
    answer, _ = client.request(m.RequestRestOverlays("pose", *ARM), m.RestOverlays)
    assert (answer.overlays, answer.problem) == ([], "")


def test_a_prop_without_a_take_is_previewed_where_it_is_dragged_to():
    with worker_with("biped:tea", idle=False) as worker:
        client = LocalClient(worker)
        at = "biped", "tea"
        client.send(m.BeginInteraction(1, "activity", *at, {}))
        client.send(m.UpdateInteraction(1, None, 0.0, (0.24, 0.82, 0.5), handle="cup at frame 86"))
        message, arrays = client.wait(m.Preview)[-1]
        poses = {each.character: index for index, each in enumerate(message.poses)}
        assert message.poses[poses["Cup"]].take == ""
        np.testing.assert_allclose(
            arrays[f"pose{poses['Cup']}"][[3, 7, 11]], (0.24, 0.82, 0.5), atol=1e-5
        )
        assert message.poses[poses["Pot"]].take == "tea"


def test_the_result_is_previewed_where_a_prop_has_no_take_yet():
    with worker_with("biped:tea") as worker:
        client = LocalClient(worker)
        client.send(m.BeginInteraction(1, "activity", "biped", "tea", {}))
        client.send(m.UpdateInteraction(1, None, 0.0, (0.2, 0.82, 0.5), handle="cup at frame 86"))
        received = client.wait(m.Notes)  # the pointer rests
        client.sync()
        assert not [
            each for each, _ in (*received, *client.received) if isinstance(each, m.Failure)
        ]
        assert [each.character for each in latest_preview(client).poses] == ["biped", "Pot", "Cup"]


def latest_preview(client):
    return [each for each, _ in client.received if isinstance(each, m.Preview)][-1]
