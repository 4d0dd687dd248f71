"""Layers as clients receive and change them."""

import re
import time

import numpy as np
import pytest

from arcwright import same
from arcwright.server import messages as m
from arcwright.server.document import array_messages
from arcwright.server.interactions import preview_stream
from arcwright.server.jobs import jobs
from arcwright.server.messages import encoding
from arcwright.server.storage.folder import Folder
from arcwright.server.storage.journal import recover
from arcwright.server.transport.start import open_document
from local_clients import LONG, LocalClient, lift

AT = "biped", "walk"


@pytest.fixture
def client(tmp_path, monkeypatch):
    """A client on a walk; no progress bars, however slow the machine is."""
    monkeypatch.setattr(jobs, "SHOWN_AFTER", 60.0)
    worker = open_document("biped:walk", Folder(tmp_path), tmp_path)
    worker.start()
    yield LocalClient(worker)
    worker.stop()


def layered(client, count=1):
    """Drags of the hips with the spacetime tool: each leaves a layer."""
    for interaction in range(1, count + 1):
        client.send(
            m.BeginInteraction(interaction, "spacetime", *AT, {}),
            lift(client, -0.01 * interaction, interaction),
            m.CommitInteraction(interaction),
        )
        assert client.wait(m.InteractionEnded)[-1][0].committed
    return message(client)


def message(client):
    client.sync()
    documents = [message for message, _ in client.received if isinstance(message, m.Document)]
    return documents[-1].takes["biped"][0].layers


def test_layers_are_sent_with_name_range_weight_and_mute(client):
    (layer,) = layered(client)
    take = client.document.scene.characters[0].takes[0]
    assert layer == m.LayerInfo("Hips at frame 9.6", 0.0, take.duration, 1.0, False)


def test_every_change_of_layers_is_one_step_that_undo_takes_back(client):
    layered(client, 2)
    before = client.document.scene
    for change, expected in (
        (m.MuteLayer(*AT, 1, True), "Mute Hips at frame 9.6"),
        (m.SetLayerWeight(*AT, 0, 0.25), "Weight of Hips at frame 9.6: 25 %"),
        (m.RenameLayer(*AT, 0, "sag"), "Rename Hips at frame 9.6 to sag"),
        (m.MoveLayer(*AT, 0, 1), "Raise Hips at frame 9.6"),
        (m.CopyLayer(*AT, 0), "Copy Hips at frame 9.6"),
        (m.RemoveLayer(*AT, 0), "Remove Hips at frame 9.6"),
    ):
        client.send(m.ApplyChange(change))
        client.sync()
        assert client.document.history.done[-1].label == expected
        assert len(client.document.history.done) == 3
        client.send(m.Undo())
        client.sync()
        assert same(client.document.scene, before)


def test_a_dragged_layer_weight_is_previewed_and_is_one_step(client):
    layered(client)
    client.request(m.RequestFrames(*AT, 0, 24), m.Frames)
    whole = client.document.scene
    for weight in (0.8, 0.5, 0.2):
        client.send(m.PreviewChange(7, m.SetLayerWeight(*AT, 0, weight)))
        live = [message for message, _ in client.sync() if isinstance(message, m.Frames)]
        assert [message.preview_of for message in live] == [7]
        assert same(client.document.scene, whole)
    client.send(m.CommitInteraction(7))
    assert client.wait(m.InteractionEnded)[-1][0].label == "Weight of Hips at frame 9.6: 20 %"
    assert [layer.weight for layer in message(client)] == [0.2]
    client.send(m.Undo())
    client.sync()
    assert same(client.document.scene, whole)


def test_flattened_layers_are_reported_with_their_error_and_recovered_from_the_journal(
    client, tmp_path
):
    layered(client, 2)
    before = client.document.scene
    report, _ = client.request(m.ApplyChange(m.FlattenLayers(*AT, 0.005)), m.Report)
    found = re.fullmatch(r"Flatten walk into (\d+) keys, within ([\d.]+) mm", report.text)
    assert found
    assert float(found[2]) <= 5
    assert message(client) == []
    history = client.document.history
    assert int(found[1]) == history.scene.characters[0].takes[0].base.key_count
    client.send(m.Undo())
    client.sync()
    assert same(client.document.scene, before)
    client.worker.stop()
    again, _, journal = recover(tmp_path, client.worker.opened.document.log.name)
    journal.close()
    assert same(again.scene, before)
    assert same(again.undone, (history.done[-1],))


def test_a_muted_layer_is_shown_as_if_it_were_not_there(client):
    plain, there = client.request(m.RequestFrames(*AT, 0, 24), m.Frames)
    layered(client)
    client.send(m.ApplyChange(m.MuteLayer(*AT, 0, True)))
    received = [
        (message, arrays) for message, arrays in client.sync() if isinstance(message, m.Frames)
    ]
    message, arrays = received[-1]
    assert (message.first, message.preview_of) == (plain.first, None)
    np.testing.assert_array_equal(arrays["poses"], there["poses"])


def test_invalid_layer_changes_are_refused_and_change_nothing(client):
    layered(client)
    before = client.document.history
    for change, reported in (
        (m.MuteLayer(*AT, 3, True), "layer of 'walk': expected 0 to 0, got 3"),
        (m.SetLayerWeight(*AT, 0, 2.0), "0 to 1"),
        (m.BakeLayers(*AT), "samples; use flatten for keyframes"),
    ):
        failure, _ = client.request(m.ApplyChange(change), m.Failure)
        assert reported in failure.text
    assert client.document.history is before


def test_poses_too_large_for_one_answer_are_sent_when_the_pointer_rests(client, monkeypatch):
    monkeypatch.setattr(preview_stream, "MAX_BYTES", 9000)
    client.request(m.RequestFrames(*AT, 0, 24), m.Frames)
    client.send(m.BeginInteraction(1, "spacetime", *AT, {}))
    for by in (-0.01, -0.02, -0.03):
        client.send(lift(client, by))
    client.sync()
    interaction = client.worker.interactions._active[1]
    until = time.monotonic() + LONG
    while interaction.previews.poses_deferred and time.monotonic() < until:
        time.sleep(0.002)
    client.sync()
    previewed = [each for each in client.received if getattr(each[0], "preview_of", None) == 1]
    last = [each for each in previewed if isinstance(each[0], m.Frames)][-1]
    after = interaction.preview.edit.apply(interaction.scene).characters[0].takes[0]
    layout = client.document.model.layouts["biped"]
    _, expected = encoding.decode(array_messages.frames(layout, after, "biped", 0, 24, 1))
    np.testing.assert_array_equal(last[1]["poses"], expected["poses"])
    client.send(m.CancelInteraction(1))
    assert not client.wait(m.InteractionEnded)[-1][0].committed
