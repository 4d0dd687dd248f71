"""The desk: hands, steps, two windows, and what goes wrong."""

import time

import numpy as np
import pytest
from seats import GRAB, HIPS, Book, Seat, desk_with, kinds, lift

from arcwright import read, same
from arcwright.server import messages as m
from builders import arm_scene

SHOW = m.Show("biped", "walk", [HIPS, m.Spot("LeftHand")])
FRAMES = m.AskFrames("biped", "walk", 0, 239)
KEYS = m.AskKeys("biped", "walk")
PIN = m.AddWish("biped", "walk", "pin", m.Spot("Head"), 0.0, 0.5)


@pytest.fixture
def desk():
    with desk_with() as made:
        yield made


@pytest.fixture
def seat(desk):
    return Seat(desk)


def drag(seat, by=0.03, hand=1):
    """One whole drag; all that was told from the end of it."""
    seat.say(m.Grab(hand, "tangent", "biped", "walk", {}), lift(seat, by, hand))
    seat.quiet()
    seat.say(m.LetGo(hand))
    return seat.wait(m.HandEnded)


def test_a_window_is_told_everything_first(seat):
    assert kinds(seat.heard) == ["Welcome", "Cast", "Document"]
    document = seat.heard[-1][0]
    assert [take.name for take in document.takes["biped"]] == ["walk"]
    assert document.saved


def test_shown_points_get_whole_curves(seat):
    seat.say(SHOW)
    heard = seat.quiet()
    assert kinds(heard) == ["Curve", "Curve"]
    assert [message.point.joint for message, _ in heard] == ["Hips", "LeftHand"]
    assert all(message.first == 0 and message.keys for message, _ in heard)


def test_frames_are_told_as_far_as_there_are_any(seat):
    message, arrays = seat.ask(FRAMES, m.Frames)
    assert (message.first, len(arrays["poses"])) == (0, 25)
    seat.say(m.AskFrames("biped", "walk", 1000, 2000), m.AskFrames("biped", "walk", 5, -7))
    assert seat.quiet() == []


def test_a_move_is_answered_with_pose_curves_frames_and_keys_under_50_kb(seat):
    seat.say(SHOW, FRAMES, KEYS, GRAB)
    seat.quiet()
    seat.say(lift(seat, 0.03))
    heard = seat.quiet()
    assert kinds(heard) == ["Preview", "Curve", "Curve", "Frames", "Keys"]
    preview, arrays = heard[0]
    assert preview.short < 1e-4
    assert arrays["pose"].shape == (364,)
    assert all(message.live == 1 for message, _ in heard[1:])
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
    seat.say(m.LetGo(1))
    heard = seat.wait(m.HandEnded)
    assert heard[-1][0].kept
    assert heard[-1][0].label == "Drag Hips at frame 9.6"
    assert desk.story.scene is not before


def test_letting_go_tells_what_changed_then_the_document_then_the_end(seat):
    seat.say(SHOW, FRAMES, KEYS)
    seat.quiet()
    heard = drag(seat)
    assert kinds(heard) == ["Keys", "Frames", "Curve", "Curve", "Document", "HandEnded"]
    assert all(message.live is None for message, _ in heard[:4])
    frames = heard[1][0].first, len(heard[1][1]["poses"])
    assert frames == (0, 13)  # half the walk


def test_undo_gives_back_every_number_and_redo_too(desk, seat):
    before = desk.story.scene
    seat.say(SHOW, FRAMES, KEYS)
    first = {type(message): arrays for message, arrays in seat.quiet()}
    drag(seat)
    after = desk.story.scene
    seat.say(m.Undo())
    heard = seat.wait(m.Document)
    assert same(desk.story.scene, before)
    keys = next(arrays for message, arrays in heard if isinstance(message, m.Keys))["keys"]
    rows = {row.tobytes() for row in first[m.Keys]["keys"]}
    assert all(row.tobytes() in rows for row in keys)
    assert heard[-1][0].undone == ["Drag Hips at frame 9.6"]
    assert heard[-1][0].saved
    seat.say(m.Redo())
    seat.wait(m.Document)
    assert same(desk.story.scene, after)


def test_undo_without_a_step_says_nothing_new(seat):
    seat.say(m.Undo(), m.Redo(), m.Travel(0))
    assert seat.quiet() == []


def test_undo_while_a_hand_holds_forgets_the_hand_first(desk, seat):
    drag(seat)
    start = desk.story.scene
    seat.say(m.Grab(2, "tangent", "biped", "walk", {}), lift(seat, -0.02, hand=2), m.Undo())
    heard = seat.wait(m.Document)
    ended = next(message for message, _ in heard if isinstance(message, m.HandEnded))
    assert (ended.hand, ended.kept) == (2, False)
    assert desk.story.scene is not start
    seat.say(lift(seat, 0.1, hand=2), m.LetGo(2))
    assert seat.quiet() == []


def test_forgetting_a_hand_leaves_the_document_alone(desk, seat):
    before = desk.story.scene
    seat.say(GRAB, lift(seat, 0.03))
    seat.wait(m.Preview)
    seat.say(m.Forget(1))
    ended = seat.wait(m.HandEnded)[-1][0]
    assert not ended.kept
    assert desk.story.scene is before
    assert desk.story.history.done == ()


def test_a_drag_to_where_the_point_is_leaves_no_step(desk, seat):
    heard = drag(seat, by=0.0)
    assert not heard[-1][0].kept
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
    seat.say(m.Tune(1, {"reach": 2}))
    wide = seat.wait(m.Preview)[-1][0]
    assert wide.hand == 1
    assert wide.span[1] - wide.span[0] > narrow.span[1] - narrow.span[0]
    assert wide.short < 1e-3


def test_tuning_back_tells_again_what_lies_outside_the_shorter_reach(seat):
    seat.say(FRAMES, GRAB, lift(seat, 0.03), m.Tune(1, {"reach": 2}))
    seat.quiet()
    seat.say(m.Tune(1, {"reach": 0}))
    frames = next(each for each in seat.quiet() if isinstance(each[0], m.Frames))
    assert len(frames[1]["poses"]) == 25


@pytest.mark.parametrize(
    "options",
    [{"reach": "far"}, {"reach": 1.5}, {"tangents": "loose"}, {"nose": 1}, {"floor": True}],
)
def test_options_that_make_no_sense_are_refused_and_the_hand_ends(seat, options):
    seat.say(m.Grab(1, "tangent", "biped", "walk", options))
    heard = seat.wait(m.Failure)
    assert kinds(heard) == ["HandEnded", "Failure"]


def test_a_resting_hand_out_of_reach_hears_what_is_in_its_way_and_may_take_a_key(desk, seat):
    seat.say(GRAB, lift(seat, 0.6))
    notes = seat.wait(m.Notes)[-1][0]
    assert notes.notes[0].blocker == "LeftToes contact"
    assert "short" in notes.notes[0].text
    assert notes.offer is not None
    keys = desk.story.scene.characters[0].takes[0].base.key_count
    seat.say(m.TakeOffer(1))
    assert seat.wait(m.HandEnded)[-1][0].kept
    assert desk.story.scene.characters[0].takes[0].base.key_count > keys


def test_an_offer_taken_before_it_was_told_is_worked_out(desk, seat):
    keys = desk.story.scene.characters[0].takes[0].base.key_count
    seat.say(GRAB, lift(seat, 0.6), m.TakeOffer(1))
    assert seat.wait(m.HandEnded)[-1][0].kept
    assert desk.story.scene.characters[0].takes[0].base.key_count > keys


def test_a_hand_within_reach_hears_that_nothing_is_in_its_way(seat):
    seat.say(GRAB, lift(seat, 0.02))
    notes = seat.wait(m.Notes)[-1][0]
    assert notes.notes == []
    assert notes.offer is None


def test_two_windows_hear_the_same_revisions(desk, seat):
    other = Seat(desk)
    drag(seat)
    seat.say(m.Undo(), m.Redo())
    seat.quiet()
    other.quiet()
    documents = [
        [message.revision for message, _ in each.heard if isinstance(message, m.Document)]
        for each in (seat, other)
    ]
    assert documents[0][-1] == documents[1][-1] == desk._revision
    assert set(documents[1]) <= set(documents[0])


def test_another_window_s_step_is_followed_by_a_hand_that_holds(desk, seat):
    other = Seat(desk)
    seat.say(GRAB, lift(seat, 0.03))
    seat.wait(m.Preview)
    other.say(m.Do(PIN))
    other.wait(m.Document)
    seat.say(lift(seat, 0.02), m.LetGo(1))
    assert seat.wait(m.HandEnded)[-1][0].kept
    labels = [edit.label for edit in desk.story.history.done]
    assert labels[-1] == "Drag Hips at frame 9.6"
    assert len(labels) == 2


def test_hands_of_a_window_that_leaves_are_forgotten(desk, seat):
    other = Seat(desk)
    other.say(GRAB, lift(other, 0.03))
    other.wait(m.Preview)
    desk.leave(other.window)
    heard = seat.wait(m.HandEnded)
    assert not heard[-1][0].kept
    assert desk.story.history.done == ()


def test_a_window_cannot_move_the_hand_of_another(desk, seat):
    other = Seat(desk)
    seat.say(GRAB, lift(seat, 0.03))
    seat.wait(m.Preview)
    other.say(m.LetGo(1), m.Forget(1))
    other.quiet()
    seat.say(m.LetGo(1))
    assert seat.wait(m.HandEnded)[-1][0].kept


def test_travel_goes_to_any_step(desk, seat):
    scenes = [desk.story.scene]
    for hand, by in ((1, 0.02), (2, -0.02), (3, 0.04)):
        drag(seat, by, hand)
        scenes.append(desk.story.scene)
    for step in (0, 2, 3, 1):
        seat.say(m.Travel(step))
        document = seat.wait(m.Document)[-1][0]
        assert len(document.done) == step
        assert len(document.undone) == 3 - step
        assert same(desk.story.scene, scenes[step])


def test_a_change_at_once_is_a_step(desk, seat):
    seat.say(m.Do(PIN))
    document = seat.wait(m.Document)[-1][0]
    assert document.wishes[0].name == "Head pin"
    assert document.wishes[0].take == "walk"
    assert len(document.done) == 1
    assert not document.saved


def test_changes_together_are_one_step_and_undo_together(desk, seat):
    feet = [
        m.AddWish("biped", "walk", "pin", m.Spot(joint), 0.0, 0.5)
        for joint in ("LeftFoot", "RightFoot", "LeftFoot")
    ]
    before = desk.story.scene
    seat.say(m.DoAll(feet))
    document = seat.wait(m.Document)[-1][0]
    pins = [wish.point.joint for wish in document.wishes if wish.kind == "pin"]
    assert pins == ["LeftFoot", "RightFoot"]
    assert document.done == ["Pin LeftFoot, frames 0-12, and 1 more"]
    gone = [m.RemoveWish("biped", "walk", "pin", index) for index in (1, 0)]
    seat.say(m.DoAll(gone))
    assert all(wish.kind == "contact" for wish in seat.wait(m.Document)[-1][0].wishes)
    seat.say(m.Undo(), m.Undo())
    seat.wait(m.Document, lambda told: not told.done)
    assert same(desk.story.scene, before)


def test_changes_together_are_all_made_or_none(desk, seat):
    before = desk.story.scene
    seat.say(m.DoAll([PIN, m.RemoveWish("biped", "walk", "pin", 9)]))
    seat.wait(m.Failure)
    assert desk.story.scene is before
    seat.say(m.DoAll([PIN, m.FindContacts("biped", "walk")]))
    seat.wait(m.Failure)
    assert desk.story.scene is before


def test_a_sliding_change_is_live_until_it_is_let_go(desk, seat):
    seat.say(SHOW, FRAMES, KEYS)
    seat.quiet()
    before = desk.story.scene
    channel = next(c for c, curve in enumerate(before.characters[0].takes[0].base.curves) if curve)
    for by in (0.01, 0.02, 0.03):
        seat.say(m.Slide(5, m.MoveKeys("biped", "walk", [(channel, 1)], value=by)))
    heard = seat.quiet()
    assert {message.live for message, _ in heard} == {5}
    assert {"Keys", "Frames", "Curve"} <= {*kinds(heard)}
    assert desk.story.scene is before
    seat.say(m.LetGo(5))
    assert seat.wait(m.HandEnded)[-1][0].kept
    curve = desk.story.scene.characters[0].takes[0].base.curves[channel]
    was = before.characters[0].takes[0].base.curves[channel]
    assert curve.value[1] == pytest.approx(was.value[1] + 0.03)
    assert len(desk.story.history.done) == 1


def test_a_slide_that_is_forgotten_leaves_no_trace(desk, seat):
    before = desk.story.scene
    seat.say(m.Slide(5, m.MoveKeys("biped", "walk", [(0, 1)], value=0.5)), m.Forget(5))
    assert not seat.wait(m.HandEnded)[-1][0].kept
    assert desk.story.scene is before


def test_other_limits_tell_the_cast_again_with_the_same_model(desk, seat):
    cast = next(message for message, _ in seat.heard if isinstance(message, m.Cast))
    seat.say(m.Do(m.SetLimits("biped", "walk", 4, -0.1, None)))
    heard = seat.wait(m.Document)
    assert kinds(heard) == ["Cast", "Document"]
    assert heard[0][0].model == cast.model
    assert heard[0][0].rigs[0].channels[4].low == -0.1
    assert heard[0][0].rigs[0].channels[4].high is None


@pytest.mark.parametrize(
    "word",
    [
        m.AskFrames("nobody", "walk", 0, 5),
        m.AskKeys("biped", "dance"),
        m.Grab(1, "hammer", "biped", "walk", {}),
        m.Grab(1, "tangent", "nobody", "walk", {}),
        m.Do(m.MoveKeys("biped", "walk", [(9999, 0)], time=1.0)),
        m.Do(m.MoveKeys("biped", "walk", [(0, 9999)], time=1.0)),
        m.Do(m.RemoveWish("biped", "walk", "pin", 77)),
        m.Do(m.SetTiming("biped", "walk", 1e300, 1e300, False)),
        m.Do(m.SetTiming("biped", "walk", 24.0, 1e9, False)),
        m.Do(m.SetStiffness("biped", "walk", [-1], 2.0)),
        m.Do(m.SetLimits("biped", "walk", 10**9, 0.0, 1.0)),
    ],
)
def test_what_cannot_be_is_answered_in_plain_words_and_survived(desk, seat, word):
    before = desk.story.scene
    seat.say(word)
    failure = seat.wait(m.Failure)[-1][0]
    assert failure.text
    assert "did not work" not in failure.text
    assert desk.story.scene is before
    assert drag(seat, hand=7)[-1][0].kept


@pytest.mark.parametrize(
    "move",
    [
        m.Move(1, m.Spot("Nose"), 0.5, (0.0, 1.0, 0.0)),
        m.Move(1, HIPS, 0.5),
        m.Move(1, HIPS, 0.5, None, (0.0, 0.0, 0.0, 0.0)),
        m.Move(1, HIPS, 0.5, None, None, 1e308),
    ],
)
def test_a_move_that_cannot_be_ends_its_hand(seat, move):
    seat.say(GRAB, move)
    heard = seat.quiet()
    if "Failure" in kinds(heard):
        assert kinds(heard) == ["HandEnded", "Failure"]
    assert drag(seat, hand=7)[-1][0].kept


def test_samples_cannot_be_grabbed_and_it_says_what_to_do():
    with desk_with(arm_scene()) as desk:
        seat = Seat(desk)
        seat.say(m.Grab(1, "tangent", "arm", "recorded", {}))
        failure = seat.wait(m.Failure)[-1][0]
        assert "fit" in failure.text


def test_points_that_are_not_there_are_not_drawn(seat):
    seat.say(m.Show("biped", "walk", [m.Spot("Nose"), HIPS, m.Spot("Hips", character="ghost")]))
    assert [message.point.joint for message, _ in seat.quiet()] == ["Hips"]


def test_every_step_is_written_down_before_it_is_told():
    book = Book()
    with desk_with(diary=book) as desk:
        seat = Seat(desk)
        drag(seat)
        seat.say(m.Undo(), m.Redo(), m.Travel(0))
        seat.quiet()
    assert book.lines == ["Drag Hips at frame 9.6", "undid", "redid", "undid", "closed"]


def test_a_step_that_cannot_be_written_down_is_kept_and_complained_about():
    book = Book()
    with desk_with(diary=book) as desk:
        seat = Seat(desk)
        book.full = True
        seat.say(GRAB, lift(seat, 0.03), m.LetGo(1))
        heard = seat.wait(m.Failure)
        assert kinds(heard)[-3:] == ["Document", "HandEnded", "Failure"]
        assert heard[-2][0].kept
        assert "make room" in heard[-1][0].text
        assert len(desk.story.history.done) == 1
        book.full = False
        seat.say(m.Undo())
        seat.wait(m.Document)
        assert same(desk.story.scene, read("biped:walk"))


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
