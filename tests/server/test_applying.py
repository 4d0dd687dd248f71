"""Constraints are met without a drag: one step, words about it, and a way to stop it."""

from dataclasses import replace
from threading import Event

import numpy as np
import pytest

from arcwright import read, same, trail
from arcwright.scene.constraint import Apart, Follow
from arcwright.scene.history import History
from arcwright.scene.point import Contact, Point
from arcwright.server import applying, jobs
from arcwright.server import messages as m
from arcwright.server.desk import Desk
from arcwright.server.errands import Errands
from arcwright.server.folder import Folder
from arcwright.server.story import Story
from seats import LONG, Seat

HANDS = Point("LeftHand"), Point("RightHand")
APPLY = m.ApplyChange(m.SolveConstraints("biped", "walk", {}))


@pytest.fixture
def seat_of(tmp_path, monkeypatch):
    """A seat at a desk with this scene; no bars unless a test wants them."""
    monkeypatch.setattr(jobs, "PATIENCE", LONG)
    made = []

    def begin(*constraints, contacts=None, scene=None):
        scene = replace(scene or read("biped:walk"), constraints=constraints)
        if contacts is not None:
            scene = replace(scene, contacts=contacts)
        desk = Desk(Story(History(scene), None))
        desk.errand = Errands(desk, Folder(tmp_path), tmp_path)
        desk.start()
        made.append(desk)
        return Seat(desk)

    yield begin
    for desk in made:
        desk.stop()
        desk.errand.close()


@pytest.fixture
def held_up(monkeypatch):
    """Work that is done but not told before `go`."""
    begun, go = Event(), Event()
    real = applying.applied

    def slow(scene, change, progress):
        found = real(scene, change, progress)
        begun.set()
        go.wait(LONG)
        return found

    monkeypatch.setattr(applying, "applied", slow)
    yield begun, go
    go.set()


def two_takes():
    scene = read("biped:walk")
    (actor,) = scene.characters
    (take,) = actor.takes
    other = replace(take, base=replace(take.base, name="other"))
    return replace(scene, characters=(replace(actor, takes=(take, other)),))


def hands_apart(scene):
    take = scene.characters[0].takes[0]
    left, right = (trail(take, hand, np.arange(6, 19) / 24).position for hand in HANDS)
    return np.linalg.norm(left - right, axis=1)


def test_a_distance_is_met_in_one_step_that_undo_takes_back(seat_of):
    seat = seat_of(Apart(*HANDS, 0.25, 0.75, 0.4))
    before = seat.desk.story.scene
    seat.say(APPLY)
    heard = seat.wait(m.Report)
    assert heard[-1][0].text == "Applied to the motion."
    assert heard[-1][0].notes == []
    assert [edit.label for edit in seat.desk.story.history.done] == ["Solve constraints"]
    assert np.abs(hands_apart(seat.desk.story.scene) - 0.4).max() < 2e-3
    told = [message for message, _ in heard if isinstance(message, m.Document)][-1]
    assert [layer.name for layer in told.takes["biped"][0].layers] == ["Constraints"]
    seat.say(m.Undo())
    seat.wait(m.Document)
    assert same(seat.desk.story.scene, before)


def test_where_all_holds_nothing_is_added_to_the_history(seat_of):
    seat = seat_of(Apart(*HANDS, 0.25, 0.75, 0.4))
    seat.say(APPLY)
    seat.wait(m.Report)
    seat.say(APPLY)
    told = seat.wait(m.Report)[-1][0]
    assert "holds already" in told.text
    assert len(seat.desk.story.history.done) == 1


def test_where_nothing_is_wished_in_the_chosen_frames_that_is_said(seat_of):
    seat = seat_of(Apart(*HANDS, 0.1, 0.3, 0.4), contacts=())
    seat.say(m.ApplyChange(m.SolveConstraints("biped", "walk", {"start": 0.6, "end": 0.9})))
    assert "nothing is wished" in seat.wait(m.Report)[-1][0].text
    assert seat.desk.story.history.done == ()


def test_what_is_out_of_reach_is_said_with_by_how_much(seat_of):
    bound = tuple(Contact(Point(each), 0, 1) for each in ("Hips", "LeftToes", "RightToes"))
    seat = seat_of(Follow(HANDS[0], [0.5], [[4.0, 1.0, 0.0]]), contacts=bound)
    seat.say(APPLY)
    told = seat.wait(m.Report)[-1][0]
    (note,) = [each for each in told.notes if "LeftHand path" in each.text]
    assert note.amount > 1
    assert f"{1000 * note.amount:.0f} mm" in note.text
    assert told.text == "Applied to the motion, as far as it goes."


def test_options_of_the_tool_count_and_are_checked(seat_of):
    seat = seat_of(Apart(*HANDS, 0.4, 0.6, 0.4))
    options = {"start": 0.25, "end": 0.75, "clean": False}
    seat.say(m.ApplyChange(m.SolveConstraints("biped", "walk", options)))
    seat.wait(m.Report)
    (layer,) = seat.desk.story.scene.characters[0].takes[0].layers
    assert (layer.start, layer.end) == (0.25, 0.75)
    seat.say(m.ApplyChange(m.SolveConstraints("biped", "walk", {"speed": 3})))
    assert "speed" in seat.wait(m.Failure)[-1][0].text
    assert len(seat.desk.story.history.done) == 1


def test_it_can_be_cancelled_and_then_stops_working(seat_of, monkeypatch):
    monkeypatch.setattr(jobs, "PATIENCE", 0.0)
    shown, reached, stopped = Event(), Event(), Event()
    real = applying.applied

    def slow(scene, change, progress):
        def told(share):
            reached.set()
            shown.wait(LONG)
            try:
                progress(share)
            except BaseException:
                stopped.set()
                raise

        return real(scene, change, told)

    monkeypatch.setattr(applying, "applied", slow)
    seat = seat_of(Apart(*HANDS, 0.25, 0.75, 0.4))
    seat.say(APPLY)
    assert reached.wait(LONG)
    job = seat.wait(m.Job)[-1][0]
    assert job.label == "Solve constraints"
    assert job.cancel
    seat.say(m.CancelJob(job.job))
    seat.wait(m.Job, lambda told: told.share == 1)
    shown.set()
    assert stopped.wait(LONG)
    assert seat.desk.story.history.done == ()


def test_undo_meanwhile_leaves_it_out(seat_of, monkeypatch):
    begun, go = Event(), Event()
    real = applying.applied

    def slow(scene, change, progress):
        begun.set()
        go.wait(LONG)
        return real(scene, change, progress)

    seat = seat_of(Apart(*HANDS, 0.25, 0.75, 0.4))
    floor = m.Floor(0.0, 1.0, None, None)
    seat.say(m.ApplyChange(m.AddConstraint("biped", "walk", floor)))
    monkeypatch.setattr(applying, "applied", slow)
    seat.say(APPLY)
    assert begun.wait(LONG)
    seat.say(m.Undo())
    seat.wait(m.Document, lambda told: told.undone)
    go.set()
    assert "left out" in seat.wait(m.Failure)[-1][0].text
    assert seat.desk.story.history.done == ()


CHANGED = m.Apart(m.PointRef("LeftHand"), m.PointRef("RightHand"), 0.25, 0.75, 0.9)


@pytest.mark.parametrize(
    "change",
    [
        m.RemoveTake("biped", "walk"),
        m.ChangeConstraint("biped", "walk", 0, CHANGED),
        m.RemoveConstraint("biped", "walk", 0),
        m.AddPointConstraint("biped", "walk", "pin", m.PointRef("LeftHand"), 0.0, 0.5),
    ],
    ids=["take", "changed", "removed", "pin"],
)
def test_what_was_worked_out_for_another_motion_or_other_wishes_is_left_out(
    seat_of, held_up, change
):
    begun, go = held_up
    seat = seat_of(Apart(*HANDS, 0.25, 0.75, 0.4), scene=two_takes())
    seat.say(APPLY)
    assert begun.wait(LONG)
    seat.say(m.ApplyChange(change))
    seat.wait(m.Document)
    go.set()
    assert "changed meanwhile; ask again" in seat.wait(m.Failure)[-1][0].text
    assert not any(take.layers for take in seat.desk.story.scene.characters[0].takes)
    assert len(seat.desk.story.history.done) == 1


def test_a_change_that_has_nothing_to_do_with_it_does_not_leave_it_out(seat_of, held_up):
    begun, go = held_up
    seat = seat_of(Apart(*HANDS, 0.25, 0.75, 0.4), scene=two_takes())
    seat.say(APPLY)
    assert begun.wait(LONG)
    seat.say(m.ApplyChange(m.SetTiming("biped", "other", 24.0, 2.0, False)))
    seat.wait(m.Document)
    go.set()
    assert seat.wait(m.Report)[-1][0].text == "Applied to the motion."


def test_while_one_is_under_way_another_is_refused(seat_of, held_up):
    begun, go = held_up
    seat = seat_of(Apart(*HANDS, 0.25, 0.75, 0.4))
    seat.say(APPLY)
    assert begun.wait(LONG)
    seat.say(APPLY)
    assert "under way" in seat.wait(m.Failure)[-1][0].text
    go.set()
    assert seat.wait(m.Report)[-1][0].text == "Applied to the motion."
    assert len(seat.desk.story.history.done) == 1
    seat.say(APPLY)
    assert "holds already" in seat.wait(m.Report)[-1][0].text
