"""Layers as windows are told of them and change them."""

import re
import time

import numpy as np
import pytest

from arcwright import same
from arcwright.server import messages as m
from arcwright.server.document import array_messages as numbers
from arcwright.server.interactions import preview_stream as live
from arcwright.server.jobs import jobs
from arcwright.server.messages import encoding as wire
from arcwright.server.storage.folder import Folder
from arcwright.server.storage.journal import recover
from arcwright.server.transport.start import document
from seats import LONG, Seat, lift

AT = "biped", "walk"


@pytest.fixture
def seat(tmp_path, monkeypatch):
    """A window on a walk; no bars, however slow the machine is."""
    monkeypatch.setattr(jobs, "PATIENCE", 60.0)
    desk, errands = document("biped:walk", Folder(tmp_path), tmp_path)
    desk.start()
    yield Seat(desk)
    desk.stop()
    errands.close()


def layered(seat, count=1):
    """Drags of the hips with the spacetime tool: each leaves a layer."""
    for hand in range(1, count + 1):
        seat.say(
            m.BeginInteraction(hand, "spacetime", *AT, {}),
            lift(seat, -0.01 * hand, hand),
            m.CommitInteraction(hand),
        )
        assert seat.wait(m.InteractionEnded)[-1][0].committed
    return told(seat)


def told(seat):
    seat.quiet()
    documents = [message for message, _ in seat.heard if isinstance(message, m.Document)]
    return documents[-1].takes["biped"][0].layers


def test_layers_are_told_with_name_range_weight_and_mute(seat):
    (layer,) = layered(seat)
    take = seat.desk.story.scene.characters[0].takes[0]
    assert layer == m.LayerInfo("Hips at frame 9.6", 0.0, take.duration, 1.0, False)


def test_every_change_of_layers_is_one_step_that_undo_takes_back(seat):
    layered(seat, 2)
    before = seat.desk.story.scene
    for change, expected in (
        (m.MuteLayer(*AT, 1, True), "Mute Hips at frame 9.6"),
        (m.SetLayerWeight(*AT, 0, 0.25), "Weight of Hips at frame 9.6: 25 %"),
        (m.RenameLayer(*AT, 0, "sag"), "Rename Hips at frame 9.6 to sag"),
        (m.MoveLayer(*AT, 0, 1), "Raise Hips at frame 9.6"),
        (m.CopyLayer(*AT, 0), "Copy Hips at frame 9.6"),
        (m.RemoveLayer(*AT, 0), "Remove Hips at frame 9.6"),
    ):
        seat.say(m.ApplyChange(change))
        seat.quiet()
        assert seat.desk.story.history.done[-1].label == expected
        assert len(seat.desk.story.history.done) == 3
        seat.say(m.Undo())
        seat.quiet()
        assert same(seat.desk.story.scene, before)


def test_a_weight_that_slides_is_told_live_and_is_one_step(seat):
    layered(seat)
    seat.ask(m.RequestFrames(*AT, 0, 24), m.Frames)
    whole = seat.desk.story.scene
    for weight in (0.8, 0.5, 0.2):
        seat.say(m.PreviewChange(7, m.SetLayerWeight(*AT, 0, weight)))
        live = [message for message, _ in seat.quiet() if isinstance(message, m.Frames)]
        assert [message.preview_of for message in live] == [7]
        assert same(seat.desk.story.scene, whole)
    seat.say(m.CommitInteraction(7))
    assert seat.wait(m.InteractionEnded)[-1][0].label == "Weight of Hips at frame 9.6: 20 %"
    assert [layer.weight for layer in told(seat)] == [0.2]
    seat.say(m.Undo())
    seat.quiet()
    assert same(seat.desk.story.scene, whole)


def test_flattened_layers_are_reported_with_their_error_and_recovered_from_the_journal(
    seat, tmp_path
):
    layered(seat, 2)
    before = seat.desk.story.scene
    report, _ = seat.ask(m.ApplyChange(m.FlattenLayers(*AT, 0.005)), m.Report)
    found = re.fullmatch(r"Flatten walk into (\d+) keys, within ([\d.]+) mm", report.text)
    assert found
    assert float(found[2]) <= 5
    assert told(seat) == []
    history = seat.desk.story.history
    assert int(found[1]) == history.scene.characters[0].takes[0].base.key_count
    seat.say(m.Undo())
    seat.quiet()
    assert same(seat.desk.story.scene, before)
    seat.desk.stop()
    again, _, journal = recover(tmp_path, seat.desk.story.diary.name)
    journal.close()
    assert same(again.scene, before)
    assert same(again.undone, (history.done[-1],))


def test_a_muted_layer_is_shown_as_if_it_were_not_there(seat):
    plain, there = seat.ask(m.RequestFrames(*AT, 0, 24), m.Frames)
    layered(seat)
    seat.say(m.ApplyChange(m.MuteLayer(*AT, 0, True)))
    heard = [(message, arrays) for message, arrays in seat.quiet() if isinstance(message, m.Frames)]
    message, arrays = heard[-1]
    assert (message.first, message.preview_of) == (plain.first, None)
    np.testing.assert_array_equal(arrays["poses"], there["poses"])


def test_what_cannot_be_done_is_said_and_changes_nothing(seat):
    layered(seat)
    before = seat.desk.story.history
    for change, said in (
        (m.MuteLayer(*AT, 3, True), "layer of 'walk': expected 0 to 0, got 3"),
        (m.SetLayerWeight(*AT, 0, 2.0), "0 to 1"),
        (m.BakeLayers(*AT), "samples; flatten keys into keys"),
    ):
        failure, _ = seat.ask(m.ApplyChange(change), m.Failure)
        assert said in failure.text
    assert seat.desk.story.history is before


def test_poses_too_many_for_one_answer_are_told_when_the_hand_rests(seat, monkeypatch):
    monkeypatch.setattr(live, "MOST", 9000)
    seat.ask(m.RequestFrames(*AT, 0, 24), m.Frames)
    seat.say(m.BeginInteraction(1, "spacetime", *AT, {}))
    for by in (-0.01, -0.02, -0.03):
        seat.say(lift(seat, by))
    seat.quiet()
    hand = seat.desk._holding._hands[1]
    until = time.monotonic() + LONG
    while hand.live.owed and time.monotonic() < until:
        time.sleep(0.002)
    seat.quiet()
    told_live = [each for each in seat.heard if getattr(each[0], "preview_of", None) == 1]
    last = [each for each in told_live if isinstance(each[0], m.Frames)][-1]
    after = hand.preview.edit.apply(hand.scene).characters[0].takes[0]
    body = seat.desk.story.model.bodies["biped"]
    _, expected = wire.decode(numbers.frames(body, after, "biped", 0, 24, 1))
    np.testing.assert_array_equal(last[1]["poses"], expected["poses"])
    seat.say(m.CancelInteraction(1))
    assert not seat.wait(m.InteractionEnded)[-1][0].committed
