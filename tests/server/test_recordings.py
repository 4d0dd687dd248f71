"""Recordings of a document: listed, journalled, and made into their layer again by a client."""

import arcwright
from acting import ball_scene, circles, performed
from arcwright.arrays import same
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.server import messages as m
from arcwright.server.messages.gestures import ChoicesOverlay
from arcwright.tools.cycle.recording.record import RecordingSession
from journalled import Document, found
from local_clients import LocalClient, worker_with

BALL = Target("Ball", "", Point("joint0", character="Ball"))


def acted_scene():
    return performed(ball_scene(), BALL, circles(1.0, 6, noise=0.01), gain=2.0)[0]


def test_recordings_come_back_from_the_journal(tmp_path):
    _, interaction = performed(ball_scene(), BALL, circles(1.0, 5.0))
    document = Document(tmp_path, ball_scene())
    document.edit(interaction.finish())
    document.undo()
    document.redo()
    history, _, _ = found(tmp_path, document.crash())
    assert same(history, document.history)
    assert len(history.scene.recordings) == 1


def test_recordings_of_the_starting_scene_are_parts_of_the_journal(tmp_path):
    scene = acted_scene()
    document = Document(tmp_path, scene)
    assert same(found(tmp_path, document.crash())[0].scene, scene)


def test_a_client_lists_recordings_and_makes_one_again_with_another_shape():
    scene = acted_scene()
    with worker_with(scene) as worker:
        client = LocalClient(worker)
        sent = [message for message, _ in client.received if isinstance(message, m.Document)][-1]
        (info,) = sent.recordings
        assert (info.character, info.take, info.item) == ("Ball", "loop", "joint0")
        assert info.options == {"gain": 2.0}
        options = {**info.options, "shape": "best"}
        client.send(
            m.BeginInteraction(1, info.tool, info.character, info.take, options, recording=0),
            m.SetOptions(1, options),
            m.CommitInteraction(1),
        )
        client.wait(m.InteractionEnded)
        expected = arcwright.record_again(scene, 0, shape="best").apply(scene)
        assert same(client.document.scene, expected)
        client.send(m.Undo())
        client.sync()
        assert same(client.document.scene, scene)


def test_an_unknown_recording_is_refused():
    with worker_with(acted_scene()) as worker:
        client = LocalClient(worker)
        client.send(m.BeginInteraction(1, "cycle", "Ball", "loop", {}, recording=1))
        assert "recording" in client.wait(m.Failure)[-1][0].text


def acted(number, cycles):
    """A client's message with the samples of circles, and the one that begins it."""
    device = circles(1.5, cycles)
    ball = m.PointRef("joint0", (0.0, 0.0, 0.0), "Ball")
    begin = m.BeginInteraction(number, "cycle", "Ball", "loop", {}, point=ball)
    return begin, m.AppendPerformance(number, device)


def test_a_commit_without_a_loop_leaves_the_recording_open_with_its_reason_and_choices():
    with worker_with(ball_scene()) as worker:
        client = LocalClient(worker)
        client.send(*acted(1, 1.02), m.CommitInteraction(1, if_changed=True))
        received = [message for message, _ in client.wait(m.InteractionUnchanged)]
        notes = [each for each in received if isinstance(each, m.Notes)][-1]
        assert "close this one as a cycle" in notes.notes[0].text
        shown = [each for each in received if isinstance(each, m.Preview)][-1]
        (choices,) = [each for each in shown.overlays if isinstance(each, ChoicesOverlay)]
        client.send(
            m.SetOptions(1, {"period": choices.choices[1].value}),
            m.CommitInteraction(1, if_changed=True),
        )
        assert client.wait(m.InteractionEnded)[-1][0].committed
        assert len(client.document.scene.recordings) == 1


def test_undo_and_refused_messages_leave_a_recording_open():
    with worker_with(ball_scene()) as worker:
        client = LocalClient(worker)
        client.send(
            *acted(1, 1.02),
            m.UpdateInteraction(1, None, 0.0, position=(0.0, 0.0, 0.0), handle="cut"),
            m.SetOptions(1, {"gain": "much"}),
            m.Undo(),
            m.SetOptions(1, {"period": 1.5}),
            m.CommitInteraction(1, if_changed=True),
        )
        received = client.wait(m.InteractionEnded)
        assert sum(isinstance(message, m.Failure) for message, _ in received) >= 2
        assert received[-1][0].committed


def test_a_recording_that_cannot_be_finished_stays_open(monkeypatch):
    def fail(_):
        raise ArithmeticError("a defect")

    with worker_with(ball_scene()) as worker:
        client = LocalClient(worker)
        with monkeypatch.context() as broken:
            broken.setattr(RecordingSession, "finish", fail)
            client.send(*acted(1, 4), m.CommitInteraction(1, if_changed=True))
            client.wait(m.InteractionUnchanged)
        client.send(m.CommitInteraction(1, if_changed=True))
        assert client.wait(m.InteractionEnded)[-1][0].committed
