"""The worker: what clients receive, steps and undo, and errors."""

import pytest

from arcwright import read, same
from arcwright.scene.constraint import Pin
from arcwright.scene.constraint_values import constraint_values
from arcwright.scene.point import Point
from arcwright.server import messages as m
from local_clients import (
    BEGIN,
    HIPS,
    PIN,
    REQUEST_FRAMES,
    REQUEST_KEYS,
    SUBSCRIBE,
    LocalClient,
    MemoryLog,
    drag,
    kinds,
    lift,
    worker_with,
)


def test_a_new_client_is_sent_everything_first(client):
    assert kinds(client.received) == ["Welcome", "SceneInfo", "Document"]
    document = client.received[-1][0]
    assert [take.name for take in document.takes["biped"]] == ["walk"]
    assert document.saved


def test_only_those_who_may_edit_are_sent_the_link_of_a_phone():
    with worker_with() as worker:
        worker.phone = m.PhoneLink("https://192.0.2.7/?token=x&perform=1", ["1"])
        editor, viewer = (LocalClient(worker, role).received[0][0] for role in ("edit", "view"))
    assert (editor.phone, viewer.phone) == (worker.phone, None)


def test_a_tool_that_breaks_at_its_beginning_ends_the_interaction(client, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError

    monkeypatch.setattr("arcwright.tools.tangent.tool.TangentTool.begin", broken)
    client.send(BEGIN)
    assert not client.wait(m.InteractionEnded)[-1][0].committed


def test_takes_that_a_tool_finds_by_name_are_named(client):
    assert client.received[-1][0].found_takes["puppet"]["biped"]["walk"] == "walk"


def test_shown_points_get_whole_curves(client):
    client.send(SUBSCRIBE)
    received = client.sync()
    assert kinds(received) == ["Curve", "Curve"]
    assert [message.point.joint for message, _ in received] == ["Hips", "LeftHand"]
    assert all(message.first == 0 and message.keys for message, _ in received)


def test_frames_are_sent_up_to_the_last_one(client):
    message, arrays = client.request(REQUEST_FRAMES, m.Frames)
    assert (message.first, len(arrays["poses"])) == (0, 25)
    client.send(
        m.RequestFrames("biped", "walk", 1000, 2000), m.RequestFrames("biped", "walk", 5, -7)
    )
    assert client.sync() == []


def test_undo_gives_back_every_number_and_redo_too(worker, client):
    before = worker.opened.document.scene
    client.send(SUBSCRIBE, REQUEST_FRAMES, REQUEST_KEYS)
    first = {type(message): arrays for message, arrays in client.sync()}
    drag(client)
    after = worker.opened.document.scene
    client.send(m.Undo())
    received = client.wait(m.Document)
    assert same(worker.opened.document.scene, before)
    keys = next(arrays for message, arrays in received if isinstance(message, m.Keys))["keys"]
    rows = {row.tobytes() for row in first[m.Keys]["keys"]}
    assert all(row.tobytes() in rows for row in keys)
    assert received[-1][0].undone == ["Drag Hips at frame 9.6"]
    assert received[-1][0].saved
    client.send(m.Redo())
    client.wait(m.Document)
    assert same(worker.opened.document.scene, after)


def test_undo_without_a_step_sends_nothing(client):
    client.send(m.Undo(), m.Redo(), m.GoToStep(0))
    assert client.sync() == []


def test_two_clients_receive_the_same_revisions(worker, client):
    other = LocalClient(worker)
    drag(client)
    client.send(m.Undo(), m.Redo())
    client.sync()
    other.sync()
    documents = [
        [message.revision for message, _ in each.received if isinstance(message, m.Document)]
        for each in (client, other)
    ]
    assert documents[0][-1] == documents[1][-1] == worker.opened._revision
    assert set(documents[1]) <= set(documents[0])


def test_travel_goes_to_any_step(worker, client):
    scenes = [worker.opened.document.scene]
    for interaction, by in ((1, 0.02), (2, -0.02), (3, 0.04)):
        drag(client, by, interaction)
        scenes.append(worker.opened.document.scene)
    for step in (0, 2, 3, 1):
        client.send(m.GoToStep(step))
        document = client.wait(m.Document)[-1][0]
        assert len(document.done) == step
        assert len(document.undone) == 3 - step
        assert same(worker.opened.document.scene, scenes[step])


def test_a_change_at_once_is_a_step(worker, client):
    client.send(m.ApplyChange(PIN))
    document = client.wait(m.Document)[-1][0]
    assert document.constraints[-1].name == "Head pin"
    assert document.constraints[-1].take == "walk"
    assert len(document.done) == 1
    assert not document.saved


def test_changes_together_are_one_step_and_undo_together(worker, client):
    feet = [
        m.AddConstraint("biped", "walk", constraint_values(Pin(Point(joint), 0.0, 0.5)))
        for joint in ("LeftFoot", "RightFoot", "LeftFoot")
    ]
    before = worker.opened.document.scene
    client.send(m.ApplyChanges(feet))
    document = client.wait(m.Document)[-1][0]
    pins = [each for each in document.constraints if each.constraint["kind"] == "pin"]
    assert [each.name for each in pins] == ["LeftFoot pin", "RightFoot pin"]
    assert document.done == ["Add LeftFoot pin, frames 0-12, and 1 more"]
    gone = [m.RemoveConstraint("biped", "walk", each.index) for each in reversed(pins)]
    client.send(m.ApplyChanges(gone))
    left = client.wait(m.Document)[-1][0].constraints
    assert {each.constraint["kind"] for each in left} == {"contact"}
    client.send(m.Undo(), m.Undo())
    client.wait(m.Document, lambda message: not message.done)
    assert same(worker.opened.document.scene, before)


def test_changes_together_are_all_made_or_none(worker, client):
    before = worker.opened.document.scene
    client.send(m.ApplyChanges([PIN, m.RemoveConstraint("biped", "walk", 99)]))
    client.wait(m.Failure)
    assert worker.opened.document.scene is before
    client.send(m.ApplyChanges([PIN, m.DetectContacts("biped", "walk")]))
    client.wait(m.Failure)
    assert worker.opened.document.scene is before


def test_a_locked_length_sends_the_scene_info_again_and_is_undone(worker, client):
    before = worker.opened.document.scene
    client.send(m.ApplyChange(m.SetLengths("biped", "walk", [0], "locked")))
    received = client.wait(m.Document)
    assert kinds(received) == ["SceneInfo", "Document"]
    hips = received[0][0].rigs[0].analysis[0]
    assert (hips.length, hips.free, hips.why) == ("locked", False, "locked")
    assert received[1][0].done == ["Lock the length of Hips"]
    client.send(m.Undo())
    hips = client.wait(m.Document)[0][0].rigs[0].analysis[0]
    assert (hips.length, hips.free, hips.why) == ("", True, "carries the body")
    assert same(worker.opened.document.scene, before)


def test_changed_limits_send_the_scene_info_again_with_the_same_model(worker, client):
    cast = next(message for message, _ in client.received if isinstance(message, m.SceneInfo))
    client.send(m.ApplyChange(m.SetLimits("biped", "walk", 4, -0.1, None)))
    received = client.wait(m.Document)
    assert kinds(received) == ["SceneInfo", "Document"]
    assert received[0][0].model == cast.model
    assert received[0][0].rigs[0].channels[4].low == -0.1
    assert received[0][0].rigs[0].channels[4].high is None


@pytest.mark.parametrize(
    "message",
    [
        m.RequestFrames("nobody", "walk", 0, 5),
        m.RequestKeys("biped", "dance"),
        m.BeginInteraction(1, "hammer", "biped", "walk", {}),
        m.BeginInteraction(1, "tangent", "nobody", "walk", {}),
        m.ApplyChange(m.MoveKeys("biped", "walk", [(9999, 0)], time=1.0)),
        m.ApplyChange(m.MoveKeys("biped", "walk", [(0, 9999)], time=1.0)),
        m.ApplyChange(m.RemoveConstraint("biped", "walk", 77)),
        m.ApplyChange(m.SetTiming("biped", "walk", 1e300, 1e300, False)),
        m.ApplyChange(m.SetTiming("biped", "walk", 24.0, 1e9, False)),
        m.ApplyChange(m.SetStiffness("biped", "walk", [-1], 2.0)),
        m.ApplyChange(m.SetLimits("biped", "walk", 10**9, 0.0, 1.0)),
        m.ApplyChange(m.SetLengths("biped", "walk", [10**9], "free")),
        m.ApplyChange(m.SetRoot("biped", "walk", 1)),
        m.ApplyChange(m.SetAttached("biped", "walk", 2, 10**9)),
    ],
)
def test_invalid_messages_are_answered_and_survived(worker, client, message):
    before = worker.opened.document.scene
    client.send(message)
    failure = client.wait(m.Failure)[-1][0]
    assert failure.text
    assert "did not work" not in failure.text
    assert worker.opened.document.scene is before
    assert drag(client, interaction=7)[-1][0].committed


def test_points_that_are_not_there_are_not_drawn(client):
    client.send(
        m.Subscribe(
            "biped", "walk", [m.PointRef("Nose"), HIPS, m.PointRef("Hips", character="ghost")]
        )
    )
    assert [message.point.joint for message, _ in client.sync()] == ["Hips"]


def test_every_step_is_recorded_before_it_is_sent():
    log = MemoryLog()
    with worker_with(log=log) as worker:
        client = LocalClient(worker)
        drag(client)
        client.send(m.Undo(), m.Redo(), m.GoToStep(0))
        client.sync()
    assert log.lines == ["Drag Hips at frame 9.6", "undo", "redo", "undo", "closed"]


def test_a_step_that_cannot_be_written_is_kept_and_reported():
    log = MemoryLog()
    with worker_with(log=log) as worker:
        client = LocalClient(worker)
        log.full = True
        client.send(BEGIN, lift(client, 0.03), m.CommitInteraction(1))
        received = client.wait(m.Failure)
        assert kinds(received)[-3:] == ["Document", "InteractionEnded", "Failure"]
        assert received[-2][0].committed
        assert "make room" in received[-1][0].text
        assert len(worker.opened.document.history.done) == 1
        log.full = False
        client.send(m.Undo())
        client.wait(m.Document)
        assert same(worker.opened.document.scene, read("biped:walk"))
