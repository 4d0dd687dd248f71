"""Hands at the desk: what is told while they move, and how they end."""

import time

import numpy as np
import pytest

from arcwright.server import messages as m
from builders import arm_scene
from seats import FRAMES, GRAB, HIPS, KEYS, PIN, SHOW, Seat, desk_with, drag, kinds, lift


def test_a_move_is_answered_with_pose_curves_frames_and_keys_under_50_kb(seat):
    seat.say(SHOW, FRAMES, KEYS, GRAB)
    seat.quiet()
    seat.say(lift(seat, 0.03))
    heard = seat.quiet()
    assert kinds(heard) == ["Preview", "Curve", "Curve", "Frames", "Keys"]
    preview, arrays = heard[0]
    assert preview.remaining < 1e-4
    assert arrays["pose"].shape == (364,)
    assert all(message.preview_of == 1 for message, _ in heard[1:])
    size = sum(array.nbytes for _, arrays in heard for array in arrays.values())
    assert size < 50_000
    # the pose at the held time is that of the live frames around it
    poses = heard[3][1]["poses"]
    between = poses[9 - heard[3][0].first][:3], poses[10 - heard[3][0].first][:3]
    np.testing.assert_allclose(arrays["pose"][:3], np.mean(between, axis=0), atol=0.02)


def test_the_document_is_untouched_until_the_hand_lets_go(desk, seat):
    before = desk.story.scene
    seat.say(GRAB, lift(seat, 0.03))
    seat.wait(m.Preview)
    assert desk.story.scene is before
    seat.say(m.CommitInteraction(1))
    heard = seat.wait(m.InteractionEnded)
    assert heard[-1][0].committed
    assert heard[-1][0].label == "Drag Hips at frame 9.6"
    assert desk.story.scene is not before


def test_letting_go_tells_what_changed_then_the_document_then_the_end(seat):
    seat.say(SHOW, FRAMES, KEYS)
    seat.quiet()
    heard = drag(seat)
    assert kinds(heard) == ["Keys", "Frames", "Curve", "Curve", "Document", "InteractionEnded"]
    assert all(message.preview_of is None for message, _ in heard[:4])
    frames = heard[1][0].first, len(heard[1][1]["poses"])
    assert frames == (0, 13)  # half the walk


def test_undo_while_a_hand_holds_forgets_the_hand_first(desk, seat):
    drag(seat)
    start = desk.story.scene
    seat.say(
        m.BeginInteraction(2, "tangent", "biped", "walk", {}), lift(seat, -0.02, hand=2), m.Undo()
    )
    heard = seat.wait(m.Document)
    ended = next(message for message, _ in heard if isinstance(message, m.InteractionEnded))
    assert (ended.interaction, ended.committed) == (2, False)
    assert desk.story.scene is not start
    seat.say(lift(seat, 0.1, hand=2), m.CommitInteraction(2))
    assert seat.quiet() == []


def test_forgetting_a_hand_leaves_the_document_alone(desk, seat):
    before = desk.story.scene
    seat.say(GRAB, lift(seat, 0.03))
    seat.wait(m.Preview)
    seat.say(m.CancelInteraction(1))
    ended = seat.wait(m.InteractionEnded)[-1][0]
    assert not ended.committed
    assert desk.story.scene is before
    assert desk.story.history.done == ()


def test_a_drag_to_where_the_point_is_leaves_no_step(desk, seat):
    heard = drag(seat, by=0.0)
    assert not heard[-1][0].committed
    assert "Document" not in kinds(heard)
    assert desk.story.history.done == ()


def test_moving_back_takes_live_parts_back(seat):
    seat.say(SHOW, FRAMES, KEYS)
    still = seat.quiet()
    seat.say(GRAB, lift(seat, 0.05))
    seat.quiet()
    seat.say(lift(seat, 0.0))
    heard = seat.quiet()
    curves = [(message, arrays) for message, arrays in heard if isinstance(message, m.Curve)]
    assert [len(arrays["times"]) for _, arrays in curves] == [0, 0]
    ((frames, arrays),) = [each for each in heard if isinstance(each[0], m.Frames)]
    poses = next(arrays for message, arrays in still if isinstance(message, m.Frames))["poses"]
    own = slice(frames.first, frames.first + len(arrays["poses"]))
    np.testing.assert_array_equal(arrays["poses"], poses[own])


def test_tuning_a_hand_repeats_its_drag_with_other_options(seat):
    seat.say(GRAB, lift(seat, 0.03))
    narrow = seat.wait(m.Preview)[-1][0]
    seat.say(m.SetOptions(1, {"reach": 2}))
    wide = seat.wait(m.Preview)[-1][0]
    assert wide.interaction == 1
    assert wide.span[1] - wide.span[0] > narrow.span[1] - narrow.span[0]
    assert wide.remaining < 1e-3


def test_tuning_back_tells_again_what_lies_outside_the_shorter_reach(seat):
    seat.say(FRAMES, GRAB, lift(seat, 0.03), m.SetOptions(1, {"reach": 2}))
    seat.quiet()
    seat.say(m.SetOptions(1, {"reach": 0}))
    frames = next(each for each in seat.quiet() if isinstance(each[0], m.Frames))
    assert len(frames[1]["poses"]) == 25


@pytest.mark.parametrize(
    "options",
    [{"reach": "far"}, {"reach": 1.5}, {"tangents": "loose"}, {"nose": 1}, {"floor": True}],
)
def test_options_that_make_no_sense_are_refused_and_the_hand_ends(seat, options):
    seat.say(m.BeginInteraction(1, "tangent", "biped", "walk", options))
    heard = seat.wait(m.Failure)
    assert kinds(heard) == ["InteractionEnded", "Failure"]


def test_another_window_s_step_is_followed_by_a_hand_that_holds(desk, seat):
    other = Seat(desk)
    seat.say(GRAB, lift(seat, 0.03))
    seat.wait(m.Preview)
    other.say(m.ApplyChange(PIN))
    other.wait(m.Document)
    seat.say(lift(seat, 0.02), m.CommitInteraction(1))
    assert seat.wait(m.InteractionEnded)[-1][0].committed
    labels = [edit.label for edit in desk.story.history.done]
    assert labels[-1] == "Drag Hips at frame 9.6"
    assert len(labels) == 2


def test_hands_of_a_window_that_leaves_are_forgotten(desk, seat):
    other = Seat(desk)
    other.say(GRAB, lift(other, 0.03))
    other.wait(m.Preview)
    desk.leave(other.window)
    heard = seat.wait(m.InteractionEnded)
    assert not heard[-1][0].committed
    assert desk.story.history.done == ()


def test_a_window_cannot_move_the_hand_of_another(desk, seat):
    other = Seat(desk)
    seat.say(GRAB, lift(seat, 0.03))
    seat.wait(m.Preview)
    other.say(m.CommitInteraction(1), m.CancelInteraction(1))
    other.quiet()
    seat.say(m.CommitInteraction(1))
    assert seat.wait(m.InteractionEnded)[-1][0].committed


def test_a_sliding_change_is_live_until_it_is_let_go(desk, seat):
    seat.say(SHOW, FRAMES, KEYS)
    seat.quiet()
    before = desk.story.scene
    channel = next(c for c, curve in enumerate(before.characters[0].takes[0].base.curves) if curve)
    for by in (0.01, 0.02, 0.03):
        seat.say(m.PreviewChange(5, m.MoveKeys("biped", "walk", [(channel, 1)], value=by)))
    heard = seat.quiet()
    assert {message.preview_of for message, _ in heard} == {5}
    assert {"Keys", "Frames", "Curve"} <= {*kinds(heard)}
    assert desk.story.scene is before
    seat.say(m.CommitInteraction(5))
    assert seat.wait(m.InteractionEnded)[-1][0].committed
    curve = desk.story.scene.characters[0].takes[0].base.curves[channel]
    was = before.characters[0].takes[0].base.curves[channel]
    assert curve.value[1] == pytest.approx(was.value[1] + 0.03)
    assert len(desk.story.history.done) == 1


def test_a_slide_that_is_forgotten_leaves_no_trace(desk, seat):
    before = desk.story.scene
    seat.say(
        m.PreviewChange(5, m.MoveKeys("biped", "walk", [(0, 1)], value=0.5)), m.CancelInteraction(5)
    )
    assert not seat.wait(m.InteractionEnded)[-1][0].committed
    assert desk.story.scene is before


@pytest.mark.parametrize(
    "move",
    [
        m.UpdateInteraction(1, m.PointRef("Nose"), 0.5, (0.0, 1.0, 0.0)),
        m.UpdateInteraction(1, HIPS, 0.5),
        m.UpdateInteraction(1, HIPS, 0.5, None, (0.0, 0.0, 0.0, 0.0)),
        m.UpdateInteraction(1, HIPS, 0.5, None, None, 1e308),
    ],
)
def test_a_move_that_cannot_be_ends_its_hand(seat, move):
    seat.say(GRAB, move)
    heard = seat.quiet()
    if "Failure" in kinds(heard):
        assert kinds(heard) == ["InteractionEnded", "Failure"]
    assert drag(seat, hand=7)[-1][0].committed


def test_samples_cannot_be_grabbed_and_it_says_what_to_do():
    with desk_with(arm_scene()) as desk:
        seat = Seat(desk)
        seat.say(m.BeginInteraction(1, "tangent", "arm", "recorded", {}))
        failure = seat.wait(m.Failure)[-1][0]
        assert "fit" in failure.text


def test_no_move_waits_in_a_growing_line(desk, seat):
    """Many more moves than can be solved: the last one is answered, few of the others are."""
    seat.say(GRAB)
    for step in range(400):
        seat.say(lift(seat, 0.03 * step / 400))
        time.sleep(0.0005)
    last = lift(seat, 0.03)
    seat.say(last)
    heard = seat.quiet()
    previews = [message for message, _ in heard if isinstance(message, m.Preview)]
    assert len(desk._waiting) == 0
    assert previews[-1].reached[1] == pytest.approx(last.position[1], abs=1e-3)
