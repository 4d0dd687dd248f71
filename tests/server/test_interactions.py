"""Hands at the worker: what is sent while they move, and how they end."""

import time

import numpy as np
import pytest

from arcwright.server import messages as m
from arcwright.tools.gesture import Performance
from builders import arm_scene
from local_clients import (
    BEGIN,
    HIPS,
    PIN,
    REQUEST_FRAMES,
    REQUEST_KEYS,
    SUBSCRIBE,
    LocalClient,
    drag,
    kinds,
    lift,
    worker_with,
)


def test_a_move_is_answered_with_pose_curves_frames_and_keys_under_50_kb(client):
    client.send(SUBSCRIBE, REQUEST_FRAMES, REQUEST_KEYS, BEGIN)
    client.sync()
    client.send(lift(client, 0.03))
    received = client.sync()
    assert kinds(received) == ["Preview", "Curve", "Curve", "Frames", "Keys"]
    preview, arrays = received[0]
    assert preview.drag.remaining < 1e-4
    assert arrays["pose0"].shape == (364,)
    assert all(message.preview_of == 1 for message, _ in received[1:])
    size = sum(array.nbytes for _, arrays in received for array in arrays.values())
    assert size < 50_000
    # the pose at the held time is that of the live frames around it
    poses = received[3][1]["poses"]
    between = poses[9 - received[3][0].first][:3], poses[10 - received[3][0].first][:3]
    np.testing.assert_allclose(arrays["pose0"][:3], np.mean(between, axis=0), atol=0.02)


def test_the_document_is_untouched_until_the_commit(worker, client):
    before = worker.opened.document.scene
    client.send(BEGIN, lift(client, 0.03))
    client.wait(m.Preview)
    assert worker.opened.document.scene is before
    client.send(m.CommitInteraction(1))
    received = client.wait(m.InteractionEnded)
    assert received[-1][0].committed
    assert received[-1][0].label == "Drag Hips at frame 9.6"
    assert worker.opened.document.scene is not before


def test_a_commit_sends_changes_then_the_document_then_the_end(client):
    client.send(SUBSCRIBE, REQUEST_FRAMES, REQUEST_KEYS)
    client.sync()
    received = drag(client)
    assert kinds(received) == ["Keys", "Frames", "Curve", "Curve", "Document", "InteractionEnded"]
    assert all(message.preview_of is None for message, _ in received[:4])
    frames = received[1][0].first, len(received[1][1]["poses"])
    assert frames == (0, 13)  # half the walk


def test_undo_cancels_the_clients_interaction_first(worker, client):
    drag(client)
    start = worker.opened.document.scene
    client.send(
        m.BeginInteraction(2, "tangent", "biped", "walk", {}),
        lift(client, -0.02, interaction=2),
        m.Undo(),
    )
    received = client.wait(m.Document)
    ended = next(message for message, _ in received if isinstance(message, m.InteractionEnded))
    assert (ended.interaction, ended.committed) == (2, False)
    assert worker.opened.document.scene is not start
    client.send(lift(client, 0.1, interaction=2), m.CommitInteraction(2))
    assert client.sync() == []


def test_cancelling_leaves_the_document_alone(worker, client):
    before = worker.opened.document.scene
    client.send(BEGIN, lift(client, 0.03))
    client.wait(m.Preview)
    client.send(m.CancelInteraction(1))
    ended = client.wait(m.InteractionEnded)[-1][0]
    assert not ended.committed
    assert worker.opened.document.scene is before
    assert worker.opened.document.history.done == ()


def test_a_drag_to_where_the_point_is_leaves_no_step(worker, client):
    received = drag(client, by=0.0)
    assert not received[-1][0].committed
    assert "Document" not in kinds(received)
    assert worker.opened.document.history.done == ()


def test_moving_back_takes_live_parts_back(client):
    client.send(SUBSCRIBE, REQUEST_FRAMES, REQUEST_KEYS)
    still = client.sync()
    client.send(BEGIN, lift(client, 0.05))
    client.sync()
    client.send(lift(client, 0.0))
    received = client.sync()
    curves = [(message, arrays) for message, arrays in received if isinstance(message, m.Curve)]
    assert [len(arrays["times"]) for _, arrays in curves] == [0, 0]
    ((frames, arrays),) = [each for each in received if isinstance(each[0], m.Frames)]
    poses = next(arrays for message, arrays in still if isinstance(message, m.Frames))["poses"]
    own = slice(frames.first, frames.first + len(arrays["poses"]))
    np.testing.assert_array_equal(arrays["poses"], poses[own])


def test_setting_options_repeats_the_drag_with_them(client):
    client.send(BEGIN, lift(client, 0.03))
    narrow = client.wait(m.Preview)[-1][0]
    client.send(m.SetOptions(1, {"time_reach": 2}))
    wide = client.wait(m.Preview)[-1][0]
    assert wide.interaction == 1
    assert wide.span[1] - wide.span[0] > narrow.span[1] - narrow.span[0]
    assert wide.drag.remaining < 1e-3


def test_a_shorter_time_reach_sends_again_what_lies_outside_it(client):
    client.send(REQUEST_FRAMES, BEGIN, lift(client, 0.03), m.SetOptions(1, {"time_reach": 2}))
    client.sync()
    client.send(m.SetOptions(1, {"time_reach": 0}))
    frames = next(each for each in client.sync() if isinstance(each[0], m.Frames))
    assert len(frames[1]["poses"]) == 25


@pytest.mark.parametrize(
    "options",
    [
        {"time_reach": "far"},
        {"time_reach": 1.5},
        {"tangents": "loose"},
        {"nose": 1},
        {"floor_height": True},
    ],
)
def test_invalid_options_are_refused_and_end_the_interaction(client, options):
    client.send(m.BeginInteraction(1, "tangent", "biped", "walk", options))
    received = client.wait(m.Failure)
    assert kinds(received) == ["InteractionEnded", "Failure"]


def test_an_interaction_continues_after_a_step_of_another_client(worker, client):
    other = LocalClient(worker)
    client.send(BEGIN, lift(client, 0.03))
    client.wait(m.Preview)
    other.send(m.ApplyChange(PIN))
    other.wait(m.Document)
    client.send(lift(client, 0.02), m.CommitInteraction(1))
    assert client.wait(m.InteractionEnded)[-1][0].committed
    labels = [edit.label for edit in worker.opened.document.history.done]
    assert labels[-1] == "Drag Hips at frame 9.6"
    assert len(labels) == 2


def test_interactions_of_a_client_that_leaves_are_cancelled(worker, client):
    other = LocalClient(worker)
    other.send(BEGIN, lift(other, 0.03))
    other.wait(m.Preview)
    worker.leave(other.client)
    received = client.wait(m.InteractionEnded)
    assert not received[-1][0].committed
    assert worker.opened.document.history.done == ()


def test_a_client_cannot_update_the_interaction_of_another(worker, client):
    other = LocalClient(worker)
    client.send(BEGIN, lift(client, 0.03))
    client.wait(m.Preview)
    other.send(m.CommitInteraction(1), m.CancelInteraction(1))
    other.sync()
    client.send(m.CommitInteraction(1))
    assert client.wait(m.InteractionEnded)[-1][0].committed


def test_a_change_is_previewed_until_it_is_committed(worker, client):
    client.send(SUBSCRIBE, REQUEST_FRAMES, REQUEST_KEYS)
    client.sync()
    before = worker.opened.document.scene
    channel = next(c for c, curve in enumerate(before.characters[0].takes[0].base.curves) if curve)
    for by in (0.01, 0.02, 0.03):
        client.send(m.PreviewChange(5, m.MoveKeys("biped", "walk", [(channel, 1)], value=by)))
    received = client.sync()
    assert {message.preview_of for message, _ in received} == {5}
    assert {"Keys", "Frames", "Curve"} <= {*kinds(received)}
    assert worker.opened.document.scene is before
    client.send(m.CommitInteraction(5))
    assert client.wait(m.InteractionEnded)[-1][0].committed
    curve = worker.opened.document.scene.characters[0].takes[0].base.curves[channel]
    was = before.characters[0].takes[0].base.curves[channel]
    assert curve.value[1] == pytest.approx(was.value[1] + 0.03)
    assert len(worker.opened.document.history.done) == 1


def test_a_cancelled_change_preview_leaves_no_trace(worker, client):
    before = worker.opened.document.scene
    client.send(
        m.PreviewChange(5, m.MoveKeys("biped", "walk", [(0, 1)], value=0.5)), m.CancelInteraction(5)
    )
    assert not client.wait(m.InteractionEnded)[-1][0].committed
    assert worker.opened.document.scene is before


@pytest.mark.parametrize(
    "move",
    [
        m.UpdateInteraction(1, m.PointRef("Nose"), 0.5, (0.0, 1.0, 0.0)),
        m.UpdateInteraction(1, HIPS, 0.5),
        m.UpdateInteraction(1, HIPS, 0.5, None, (0.0, 0.0, 0.0, 0.0)),
        m.UpdateInteraction(1, HIPS, 0.5, None, None, 1e308),
    ],
)
def test_an_invalid_update_ends_its_interaction(client, move):
    client.send(BEGIN, move)
    received = client.sync()
    if "Failure" in kinds(received):
        assert kinds(received) == ["InteractionEnded", "Failure"]
    assert drag(client, interaction=7)[-1][0].committed


def test_dragging_samples_is_refused_with_advice():
    with worker_with(arm_scene()) as worker:
        client = LocalClient(worker)
        client.send(m.BeginInteraction(1, "tangent", "arm", "recorded", {}))
        failure = client.wait(m.Failure)[-1][0]
        assert "fit" in failure.text


def test_updates_do_not_pile_up_in_the_queue(worker, client):
    """Many more moves than can be solved: the last one is answered, few of the others are."""
    client.send(BEGIN)
    for step in range(400):
        client.send(lift(client, 0.03 * step / 400))
        time.sleep(0.0005)
    last = lift(client, 0.03)
    client.send(last)
    received = client.sync()
    previews = [message for message, _ in received if isinstance(message, m.Preview)]
    assert len(worker._queue) == 0
    assert previews[-1].drag.position[1] == pytest.approx(last.position[1], abs=1e-3)


def test_samples_that_are_refused_do_not_end_their_performance():
    def circles(start, count=40):
        angles = [start + 0.15 * each for each in range(count)]
        poses = [[[0.1 * np.cos(a), 0.1 * np.sin(a), 0, 1, 0, 0, 0]] for a in angles]
        return m.AppendPerformance(1, Performance([a / 6.28 for a in angles], poses))

    with worker_with("biped:stand") as worker:
        client = LocalClient(worker)
        hand = m.PointRef("RightHand", (0.0, 0.0, 0.0))
        client.send(m.BeginInteraction(1, "cycle", "biped", "stand", {}, point=hand))
        client.send(circles(0.0, 120))
        client.wait(m.Preview)
        client.send(circles(0.0))  # from before
        assert "or later" in client.wait(m.Failure)[-1][0].text
        client.send(circles(18.1, 60))
        client.wait(m.Preview)
        client.send(m.CommitInteraction(1))
        assert client.wait(m.InteractionEnded)[-1][0].committed


def test_notes_on_a_stroke_are_sent_when_it_is_committed(worker, client):
    """Nobody has to rest before the release to read what a stroke has found."""
    camera = m.CameraInfo((3.0, 0.5, 0.0), (0.7071068, 0.0, 0.7071068, 0.0), 0.6, 800, 600)
    points, times = [(100.0 + 30 * i, 20.0) for i in range(20)], [i / 60 for i in range(20)]
    client.send(
        m.BeginInteraction(5, "cycle", "biped", "walk", {}),
        m.AppendStroke(5, camera, points, times),
        m.CommitInteraction(5),
    )
    received = client.wait(m.InteractionEnded)
    (notes,) = [message for message, _ in received if isinstance(message, m.Notes)]
    assert notes.interaction == 5
    assert notes.notes[0].text.startswith("No contact")


@pytest.mark.parametrize("pause", [0.0, 0.06])
def test_samples_that_come_late_make_the_same_take(pause):
    """Samples are on their way for a while: the clock of a performance waits for them."""
    seconds = np.arange(60) / 60
    poses = np.array([[[0.0, 1.6, -1.5 + 1.2 * t, 1, 0, 0, 0]] for t in seconds])

    def performed(chunks):
        with worker_with("biped:walk") as worker:
            client = LocalClient(worker)
            client.send(m.BeginInteraction(1, "puppet", "biped", "walk", {}))
            for chunk in np.array_split(np.arange(60), chunks):
                client.sync()
                time.sleep(pause)  # longer than a tick
                client.send(m.AppendPerformance(1, Performance(seconds[chunk], poses[chunk])))
            client.send(m.CommitInteraction(1))
            client.wait(m.InteractionEnded)
            return worker.opened.scene.characters[0].takes[-1].base.values

    np.testing.assert_array_equal(performed(12), performed(1))
