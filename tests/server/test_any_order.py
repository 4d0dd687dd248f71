"""Words in any order: whatever two windows say, all of it can be undone, redone and recovered."""

import pytest

from arcwright.arrays import same
from arcwright.server import messages as m
from arcwright.server.document.array_messages import last_frame
from arcwright.server.storage.folder import Folder
from arcwright.server.storage.journal import recover
from arcwright.server.transport.start import document
from crowd import Crowd, Paper
from pages import Page, assert_alike
from seats import Seat


@pytest.fixture
def crowd_of(tmp_path, monkeypatch):
    """A crowd at a desk with a journal."""
    running = []
    paper = Paper(monkeypatch)

    def begin(seed, **crowd):
        desk, errands = document("lamp:hop", Folder(tmp_path), tmp_path)
        desk.start()
        running.append((desk, errands))
        return Crowd(desk, seed, paper, **crowd)

    yield begin
    for desk, errands in running:
        desk.stop()
        errands.close()


@pytest.mark.parametrize("seed", range(12))
def test_whatever_was_said_can_be_undone_redone_and_recovered(crowd_of, tmp_path, seed):
    crowd = crowd_of(seed)
    desk, beginning = crowd.desk, crowd.desk.story.scene
    crowd.speak(80)
    crowd.settle()
    history = desk.story.history
    assert desk._holding._hands == {}
    for each in crowd.seats:
        told = [message for message, _ in each.heard if isinstance(message, m.Document)][-1]
        assert told == desk.story.told(desk._revision)
    seat = crowd.seats[0]
    seat.say(m.GoToStep(0))
    seat.quiet()
    assert same(desk.story.scene, beginning)
    seat.say(*[m.Redo() for _ in history.done])
    seat.quiet()
    assert same(desk.story.scene, history.scene)
    assert desk.story.history.done == history.done
    assert desk.story.history.undone == history.undone
    desk.stop()
    again, _, journal = recover(tmp_path, desk.story.diary.name)
    journal.close()
    assert same(again.scene, history.scene)
    assert same(again.done, history.done)
    assert same(again.undone, history.undone)


@pytest.mark.parametrize("seed", range(12))
def test_windows_that_look_at_other_things_hold_what_a_fresh_one_is_told(crowd_of, seed):
    crowd = crowd_of(seed, seats=4, looks=15)
    crowd.speak(150)
    crowd.settle()
    scene = crowd.desk.story.scene
    takes = {("lamp", take.name): last_frame(take) for take in scene.actor("lamp").takes}
    for seat in crowd.seats:
        held, fresh = Page(seat.heard), Seat(crowd.desk)
        asked = [m.RequestKeys(*at) for at in held.keys if at in takes]
        asked += [m.RequestFrames(*at, 0, 239) for at in held.poses if at in takes]
        fresh.say(*asked, seat.window.shown)
        fresh.quiet()
        assert_alike(held, Page(fresh.heard), takes, crowd.shown.get(seat, []))
        crowd.desk.leave(fresh.window)
