"""Many windows on one document: each is told what it shows, once encoded, and who drags first."""

import gc
import weakref

import numpy as np
import pytest

from arcwright.edits.takes import fit_take
from arcwright.server import messages as m
from arcwright.server.document import array_messages as numbers
from arcwright.server.interactions import preview_stream as live
from builders import arm_scene
from pages import Page
from seats import FRAMES, GRAB, HIPS, KEYS, SHOW, Seat, desk_with, kinds, lift


def told_of(heard, kind):
    return [message for message, _ in heard if isinstance(message, kind)]


def both_quiet(*seats):
    return [seat.quiet() for seat in seats]


def settled(*seats):
    """What windows are told until nothing is owed to onlookers any more."""
    holding = seats[0].desk._holding
    heard = [[] for _ in seats]
    while True:
        both = both_quiet(*seats)
        owed = any(hand.live.behind or hand.live.owed for hand in holding._hands.values())
        for own, new in zip(heard, both, strict=True):
            own += new
        if not owed:
            for own, new in zip(heard, both_quiet(*seats), strict=True):
                own += new
            return heard


def test_a_window_is_told_only_of_what_it_has_asked_for(desk):
    drags, watches, plain = Seat(desk), Seat(desk), Seat(desk)
    drags.say(FRAMES, KEYS)
    watches.say(FRAMES)
    both_quiet(drags, watches, plain)
    drags.say(GRAB, lift(drags, 0.02))
    own, other, none = settled(drags, watches, plain)
    assert {"Preview", "Frames", "Keys"} == set(kinds(own))
    assert {"Preview", "Frames"} == set(kinds(other))
    assert {"Preview"} == set(kinds(none))
    drags.say(m.CommitInteraction(1))
    own, other, none = both_quiet(drags, watches, plain)
    assert {"Frames", "Keys", "Document", "InteractionEnded"} == set(kinds(own))
    assert {"Frames", "Document", "InteractionEnded"} == set(kinds(other))
    assert {"Document", "InteractionEnded"} == set(kinds(none))


def test_a_window_that_plays_another_take_sees_no_preview_of_this_one_until_it_plays_it():
    with desk_with("biped", rests=False) as desk:
        drags, watches = Seat(desk), Seat(desk)
        watches.say(FRAMES, KEYS, m.Subscribe("biped", "jump", []))
        both_quiet(drags, watches)
        drags.say(GRAB, lift(drags, 0.02))
        _, heard = settled(drags, watches)
        assert kinds(heard) == ["Preview"]
        watches.say(m.Subscribe("biped", "walk", []))
        _, heard = settled(drags, watches)
        assert {each.preview_of for each in told_of(heard, m.Frames)} == {1}
        drags.say(m.CancelInteraction(1), lift(drags, 0.02))
        drags.quiet()


def test_what_many_windows_show_is_encoded_once(desk, monkeypatch):
    counts = {}

    def counted(name):
        made = getattr(numbers, name)

        def count(*given, **more):
            counts[name] = counts.get(name, 0) + 1
            return made(*given, **more)

        return count

    seats = [Seat(desk) for _ in range(6)]
    for seat in seats:
        seat.say(SHOW, FRAMES, KEYS)
    both_quiet(*seats)
    for name in ("frames", "keys", "curve"):
        monkeypatch.setattr(numbers, name, counted(name))
    seats[0].say(GRAB, lift(seats[0], 0.02))
    both_quiet(*seats)
    assert counts == {"frames": 1, "keys": 1, "curve": 2}
    counts.clear()
    seats[0].say(m.CommitInteraction(1))
    heard = both_quiet(*seats)
    assert counts == {"frames": 1, "keys": 1, "curve": 2}
    assert all(kinds(each) == kinds(heard[0]) for each in heard)


def test_who_drags_hears_of_every_move_and_onlookers_of_the_last(desk, monkeypatch):
    monkeypatch.setattr(live, "SHARE", 60.0)  # s; only what is told late reaches them
    monkeypatch.setattr(live, "MOST_SHARE", 60.0)
    drags, watches = Seat(desk), Seat(desk)
    drags.say(GRAB, FRAMES)
    watches.say(FRAMES)
    both_quiet(drags, watches)
    answers, seen = 0, []
    for step in range(1, 6):
        drags.say(lift(drags, 0.004 * step))
        own, other = both_quiet(drags, watches)
        answers += len(told_of(own, m.Preview))
        seen += told_of(other, m.Preview)
    assert answers == 5
    assert len(seen) == 1
    hand = desk._holding._hands[1]
    assert hand.live.behind
    hand.live.late = 0.0
    last = told_of(drags.heard, m.Preview)[-1]
    (heard,) = settled(watches)
    assert told_of(heard, m.Preview)[-1].reached == last.reached
    ((message, arrays),) = [each for each in heard if isinstance(each[0], m.Frames)]
    own = [each for each in drags.heard if isinstance(each[0], m.Frames)][-1]
    np.testing.assert_array_equal(arrays["poses"], own[1]["poses"])
    assert message.preview_of == 1


def test_points_of_no_named_character_belong_to_the_one_that_a_window_shows():
    from arcwright import read
    from arcwright.edits.actors import add_scene

    scene = read("biped:walk")
    scene = add_scene(scene, read("biped:walk")).apply(scene)
    names = [each.name for each in scene.characters]
    with desk_with(scene, rests=False) as desk:
        seats = [Seat(desk), Seat(desk)]
        for seat, name in zip(seats, names, strict=True):
            seat.say(m.Subscribe(name, "walk", [HIPS]))
        for heard, name in zip(both_quiet(*seats), names, strict=True):
            assert [each.character for each in told_of(heard, m.Curve)] == [name]
        seats[0].say(m.BeginInteraction(1, "tangent", names[0], "walk", {}), lift(seats[0], 0.02))
        heard, other = settled(*seats)
        assert {each.character for each in told_of(heard, m.Curve)} == {names[0]}
        assert told_of(other, m.Curve) == []


def test_a_curve_of_another_take_is_told_as_a_whole_when_the_shown_one_is_gone():
    with desk_with("biped", rests=False) as desk:
        stays, falls = Seat(desk), Seat(desk)
        first = desk.story.scene.actor("biped").takes[0].name
        stays.say(m.Subscribe("biped", first, [HIPS]))
        falls.say(m.Subscribe("biped", "jump", [HIPS]))
        both_quiet(stays, falls)
        stays.say(m.ApplyChange(m.RemoveTake("biped", "jump")))
        own, other = both_quiet(stays, falls)
        assert told_of(own, m.Curve) == []
        (curve,) = told_of(other, m.Curve)
        assert (curve.take, curve.first) == (first, 0)
        assert curve.arrays[0].shape == [curve.total]


def test_a_take_that_comes_again_has_no_keys_of_the_one_that_went():
    with desk_with("biped", rests=False) as desk:
        seat = Seat(desk)
        seat.say(
            m.ApplyChange(m.CopyTake("biped", "stand", "again")), m.RequestKeys("biped", "again")
        )
        seat.say(
            m.ApplyChange(m.RemoveTake("biped", "again")),
            m.ApplyChange(m.CopyTake("biped", "walk", "again")),
        )
        seat.quiet()
        curves = desk.story.scene.actor("biped").take("walk").base.curves
        keyed = {channel for channel, curve in enumerate(curves) if curve is not None}
        assert set(Page(seat.heard).keys["biped", "again"]) == keyed


def test_samples_that_come_back_by_undo_have_no_keys():
    scene = arm_scene()
    with desk_with(scene, rests=False) as desk:
        seat = Seat(desk)
        seat.desk.soon(lambda: desk.do(fit_take(scene, "arm", "recorded", 0.01)))
        seat.say(m.RequestKeys("arm", "recorded"))
        seat.quiet()
        assert Page(seat.heard).keys["arm", "recorded"]
        seat.say(m.Undo())
        heard = seat.quiet()
        assert told_of(heard, m.Failure) == []
        assert Page(seat.heard).keys["arm", "recorded"] == {}


def test_of_a_take_that_grows_the_frames_that_were_asked_for_are_told(desk):
    seat = Seat(desk)
    seat.say(FRAMES)
    seat.quiet()
    before = len(Page(seat.heard).poses["biped", "walk"])
    seat.say(m.ApplyChange(m.SetTiming("biped", "walk", 24.0, 2.0, False)))
    seat.quiet()
    assert len(Page(seat.heard).poses["biped", "walk"]) == 2 * (before - 1) + 1


@pytest.mark.parametrize("first", [30, 10**15])
def test_frames_beyond_the_end_are_none_and_cost_nothing(desk, first):
    seat = Seat(desk)
    seat.say(m.RequestFrames("biped", "walk", first, first + 10))
    assert seat.quiet() == []
    assert seat.window.posed == {}


def test_a_thousand_windows_that_came_and_went_leave_nothing_behind(desk):
    stays = Seat(desk)
    stays.say(SHOW)
    gone = []
    for number in range(1000):
        window = desk.join(lambda: None)
        desk.hear(window, m.Subscribe("biped", "walk", [m.PointRef("Head"), HIPS]))
        desk.hear(window, FRAMES)
        desk.hear(window, KEYS)
        if number % 50 == 0:
            desk.hear(window, m.BeginInteraction(100 + number, "tangent", "biped", "walk", {}))
            desk.hear(window, lift(stays, 0.02, hand=100 + number))
        desk.leave(window)
        gone.append(weakref.ref(window))
        del window
        stays.quiet()
        stays.heard.clear()
    gc.collect()
    assert desk.audience.windows == [stays.window]
    assert desk._holding._hands == {}
    assert desk._holding._ended == set()
    assert {key: set(group) for key, group in desk.audience.curves.items()} == {
        ("biped", "walk"): {("Hips", (0.0, 0.0, 0.0), ""), ("LeftHand", (0.0, 0.0, 0.0), "")}
    }
    assert sum(each() is not None for each in gone) <= 1  # the line may still hold the last one
