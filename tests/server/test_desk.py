"""The desk: what windows are told, steps and undo, and what goes wrong."""

import pytest

from arcwright import read, same
from arcwright.server import messages as m
from seats import FRAMES, GRAB, HIPS, KEYS, PIN, SHOW, Book, Seat, desk_with, drag, kinds, lift


def test_a_window_is_told_everything_first(seat):
    assert kinds(seat.heard) == ["Welcome", "SceneInfo", "Document"]
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
    seat.say(m.RequestFrames("biped", "walk", 1000, 2000), m.RequestFrames("biped", "walk", 5, -7))
    assert seat.quiet() == []


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
    seat.say(m.Undo(), m.Redo(), m.GoToStep(0))
    assert seat.quiet() == []


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


def test_travel_goes_to_any_step(desk, seat):
    scenes = [desk.story.scene]
    for hand, by in ((1, 0.02), (2, -0.02), (3, 0.04)):
        drag(seat, by, hand)
        scenes.append(desk.story.scene)
    for step in (0, 2, 3, 1):
        seat.say(m.GoToStep(step))
        document = seat.wait(m.Document)[-1][0]
        assert len(document.done) == step
        assert len(document.undone) == 3 - step
        assert same(desk.story.scene, scenes[step])


def test_a_change_at_once_is_a_step(desk, seat):
    seat.say(m.ApplyChange(PIN))
    document = seat.wait(m.Document)[-1][0]
    assert document.point_constraints[0].name == "Head pin"
    assert document.point_constraints[0].take == "walk"
    assert len(document.done) == 1
    assert not document.saved


def test_changes_together_are_one_step_and_undo_together(desk, seat):
    feet = [
        m.AddPointConstraint("biped", "walk", "pin", m.PointRef(joint), 0.0, 0.5)
        for joint in ("LeftFoot", "RightFoot", "LeftFoot")
    ]
    before = desk.story.scene
    seat.say(m.ApplyChanges(feet))
    document = seat.wait(m.Document)[-1][0]
    pins = [wish.point.joint for wish in document.point_constraints if wish.kind == "pin"]
    assert pins == ["LeftFoot", "RightFoot"]
    assert document.done == ["Pin LeftFoot, frames 0-12, and 1 more"]
    gone = [m.RemovePointConstraint("biped", "walk", "pin", index) for index in (1, 0)]
    seat.say(m.ApplyChanges(gone))
    assert all(wish.kind == "contact" for wish in seat.wait(m.Document)[-1][0].point_constraints)
    seat.say(m.Undo(), m.Undo())
    seat.wait(m.Document, lambda told: not told.done)
    assert same(desk.story.scene, before)


def test_changes_together_are_all_made_or_none(desk, seat):
    before = desk.story.scene
    seat.say(m.ApplyChanges([PIN, m.RemovePointConstraint("biped", "walk", "pin", 9)]))
    seat.wait(m.Failure)
    assert desk.story.scene is before
    seat.say(m.ApplyChanges([PIN, m.DetectContacts("biped", "walk")]))
    seat.wait(m.Failure)
    assert desk.story.scene is before


def test_a_locked_length_tells_the_cast_again_and_is_undone(desk, seat):
    before = desk.story.scene
    seat.say(m.ApplyChange(m.SetLengths("biped", "walk", [0], "locked")))
    heard = seat.wait(m.Document)
    assert kinds(heard) == ["SceneInfo", "Document"]
    hips = heard[0][0].rigs[0].analysis[0]
    assert (hips.length, hips.free, hips.why) == ("locked", False, "locked")
    assert heard[1][0].done == ["Lock the length of Hips"]
    seat.say(m.Undo())
    hips = seat.wait(m.Document)[0][0].rigs[0].analysis[0]
    assert (hips.length, hips.free, hips.why) == ("", True, "carries the body")
    assert same(desk.story.scene, before)


def test_other_limits_tell_the_cast_again_with_the_same_model(desk, seat):
    cast = next(message for message, _ in seat.heard if isinstance(message, m.SceneInfo))
    seat.say(m.ApplyChange(m.SetLimits("biped", "walk", 4, -0.1, None)))
    heard = seat.wait(m.Document)
    assert kinds(heard) == ["SceneInfo", "Document"]
    assert heard[0][0].model == cast.model
    assert heard[0][0].rigs[0].channels[4].low == -0.1
    assert heard[0][0].rigs[0].channels[4].high is None


@pytest.mark.parametrize(
    "word",
    [
        m.RequestFrames("nobody", "walk", 0, 5),
        m.RequestKeys("biped", "dance"),
        m.BeginInteraction(1, "hammer", "biped", "walk", {}),
        m.BeginInteraction(1, "tangent", "nobody", "walk", {}),
        m.ApplyChange(m.MoveKeys("biped", "walk", [(9999, 0)], time=1.0)),
        m.ApplyChange(m.MoveKeys("biped", "walk", [(0, 9999)], time=1.0)),
        m.ApplyChange(m.RemovePointConstraint("biped", "walk", "pin", 77)),
        m.ApplyChange(m.SetTiming("biped", "walk", 1e300, 1e300, False)),
        m.ApplyChange(m.SetTiming("biped", "walk", 24.0, 1e9, False)),
        m.ApplyChange(m.SetStiffness("biped", "walk", [-1], 2.0)),
        m.ApplyChange(m.SetLimits("biped", "walk", 10**9, 0.0, 1.0)),
        m.ApplyChange(m.SetLengths("biped", "walk", [10**9], "free")),
        m.ApplyChange(m.SetRoot("biped", "walk", 1)),
    ],
)
def test_what_cannot_be_is_answered_in_plain_words_and_survived(desk, seat, word):
    before = desk.story.scene
    seat.say(word)
    failure = seat.wait(m.Failure)[-1][0]
    assert failure.text
    assert "did not work" not in failure.text
    assert desk.story.scene is before
    assert drag(seat, hand=7)[-1][0].committed


def test_points_that_are_not_there_are_not_drawn(seat):
    seat.say(
        m.Subscribe(
            "biped", "walk", [m.PointRef("Nose"), HIPS, m.PointRef("Hips", character="ghost")]
        )
    )
    assert [message.point.joint for message, _ in seat.quiet()] == ["Hips"]


def test_every_step_is_written_down_before_it_is_told():
    book = Book()
    with desk_with(diary=book) as desk:
        seat = Seat(desk)
        drag(seat)
        seat.say(m.Undo(), m.Redo(), m.GoToStep(0))
        seat.quiet()
    assert book.lines == ["Drag Hips at frame 9.6", "undid", "redid", "undid", "closed"]


def test_a_step_that_cannot_be_written_down_is_kept_and_complained_about():
    book = Book()
    with desk_with(diary=book) as desk:
        seat = Seat(desk)
        book.full = True
        seat.say(GRAB, lift(seat, 0.03), m.CommitInteraction(1))
        heard = seat.wait(m.Failure)
        assert kinds(heard)[-3:] == ["Document", "InteractionEnded", "Failure"]
        assert heard[-2][0].committed
        assert "make room" in heard[-1][0].text
        assert len(desk.story.history.done) == 1
        book.full = False
        seat.say(m.Undo())
        seat.wait(m.Document)
        assert same(desk.story.scene, read("biped:walk"))
