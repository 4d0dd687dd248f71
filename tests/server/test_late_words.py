"""Words and work that come late: after an undo, after another document, on a full disk."""

import threading

import pytest

from arcwright import read, same
from arcwright.errors import BadValue
from arcwright.server import messages as m
from arcwright.server import worker as desks
from arcwright.server.document import changes
from arcwright.server.document import document as story
from arcwright.server.jobs import file_commands as errands
from arcwright.server.jobs import jobs
from arcwright.server.storage import folder as folders
from arcwright.server.storage.folder import Folder
from arcwright.server.transport.start import document
from arcwright.tools.tangent.session import TangentSession
from crowd import Paper
from seats import GRAB, LONG, PIN, Book, Seat, desk_with, lift

LIFT = m.MoveKeys("biped", "walk", [(1, 1)], value=0.05)


@pytest.fixture
def seat():
    with desk_with() as desk:
        yield Seat(desk)


@pytest.fixture
def office(tmp_path, monkeypatch):
    """A window of a desk with errands; no bars, however slow the machine is."""
    monkeypatch.setattr(jobs, "PATIENCE", 60.0)
    desk, work = document("biped:walk", Folder(tmp_path), tmp_path)
    desk.start()
    yield Seat(desk)
    desk.stop()
    work.close()


@pytest.fixture
def lamp(office, monkeypatch, tmp_path):
    """A file that is read only when the event is set, and the word that adds it."""
    go_on = threading.Event()
    monkeypatch.setattr(errands, "read", lambda _: go_on.wait(LONG) and read("lamp:hop"))
    monkeypatch.setattr(office.desk.errand.uploads, "path", lambda _: tmp_path / "lamp.glb")
    return go_on, m.ImportUpload("any", True)


@pytest.fixture
def slow(monkeypatch):
    """Changes that are worked out only when the event is set."""
    go_on, quick = threading.Event(), changes.edit_of

    def wait(scene, change):
        if changes.is_slow(change):
            assert go_on.wait(LONG)
        return quick(scene, change)

    monkeypatch.setattr(changes, "edit_of", wait)
    return go_on


def labels(seat):
    history = seat.desk.story.history
    return [edit.label for edit in history.done], [edit.label for edit in history.undone]


def test_a_slide_goes_no_further_once_undo_has_ended_its_hand(seat):
    seat.say(m.ApplyChange(PIN), m.PreviewChange(5, LIFT), m.Undo())
    seat.say(m.PreviewChange(5, LIFT), m.CommitInteraction(5))
    seat.quiet()
    assert labels(seat) == ([], ["Pin Head, frames 0-12"])
    seat.say(m.PreviewChange(5, LIFT), m.CommitInteraction(5))  # the number is free again
    assert seat.wait(m.InteractionEnded)[-1][0].committed


def test_a_number_whose_hand_was_ended_can_take_hold_again(seat):
    seat.say(m.ApplyChange(PIN), GRAB, m.Undo(), GRAB, lift(seat, 0.03))
    seat.wait(m.Preview)
    seat.say(m.CommitInteraction(1))
    assert seat.wait(m.InteractionEnded)[-1][0].committed


def test_a_slide_that_could_not_be_goes_on_when_it_can(seat):
    seat.say(m.PreviewChange(5, m.MoveKeys("biped", "walk", [(1, 999)])), m.PreviewChange(5, LIFT))
    seat.quiet()
    seat.say(m.CommitInteraction(5))
    assert seat.wait(m.InteractionEnded)[-1][0].committed


def test_a_hand_hears_what_is_in_its_way_also_where_no_key_can_be_offered(seat, monkeypatch):
    def none(_):
        raise BadValue("time", "one with keys around it", 0.5)

    monkeypatch.setattr(TangentSession, "offer", none)
    seat.say(GRAB, lift(seat, 0.6))
    assert seat.wait(m.Notes)[-1][0].offer is None
    seat.say(m.AcceptOffer(1))
    assert seat.wait(m.InteractionEnded)[-1][0].committed


def test_slow_work_that_ends_after_an_undo_takes_no_redo_away(office, slow):
    office.say(
        m.ApplyChange(PIN), m.ApplyChange(m.RemovePointConstraint("biped", "walk", "contact", 0))
    )
    office.say(m.ApplyChange(m.DetectContacts("biped", "walk")), m.Undo())
    office.quiet()
    slow.set()
    said = office.wait(m.Failure)[-1][0].text
    assert "Find contacts was left out" in said
    assert labels(office) == (["Pin Head, frames 0-12"], ["Remove LeftToes contact"])


def test_slow_work_that_ends_after_a_step_is_a_step_more(office, slow):
    office.say(m.ApplyChange(m.RemovePointConstraint("biped", "walk", "contact", 0)))
    office.say(m.ApplyChange(m.DetectContacts("biped", "walk")), m.ApplyChange(PIN))
    office.quiet()
    slow.set()
    office.wait(m.Document, lambda told: len(told.done) == 3)


def test_slow_work_never_lands_in_another_document(office, slow):
    office.say(m.ApplyChange(m.RemovePointConstraint("biped", "walk", "contact", 0)))
    office.say(m.ApplyChange(m.DetectContacts("biped", "walk")), m.Open("builtin", "biped:sit"))
    office.wait(m.Document, lambda told: told.name == "biped:sit")
    before = office.desk.story.scene
    slow.set()
    assert "another document" in office.wait(m.Failure)[-1][0].text
    assert office.desk.story.scene is before


def test_a_file_is_not_added_to_a_document_opened_meanwhile(office, lamp):
    go_on, add = lamp
    office.say(add, m.Open("builtin", "biped:sit"))
    office.wait(m.Document, lambda told: told.name == "biped:sit")
    go_on.set()
    assert "another document" in office.wait(m.Failure)[-1][0].text
    assert [each.name for each in office.desk.story.scene.characters] == ["biped"]


def test_what_was_added_but_not_written_down_is_not_called_unchanged(office, lamp, monkeypatch):
    Paper(monkeypatch, out=True)
    go_on, add = lamp
    office.say(add)
    go_on.set()
    heard = office.wait(m.Failure)
    assert "lamp" in next(told for told, _ in heard if isinstance(told, m.Document)).takes
    assert "not safe on disk yet" in heard[-1][0].text
    assert "unchanged" not in heard[-1][0].text


def test_travel_goes_all_the_way_also_on_a_full_disk():
    book = Book()
    with desk_with(diary=book) as desk:
        seat = Seat(desk)
        seat.say(
            m.ApplyChange(PIN),
            m.ApplyChange(LIFT),
            m.ApplyChange(m.AddKeys("biped", "walk", [1], 0.1)),
        )
        seat.quiet()
        book.full = True
        seat.say(m.GoToStep(0))
        heard = seat.wait(m.Failure)
        assert len([1 for message, _ in heard if isinstance(message, m.Failure)]) == 1
        assert same(desk.story.scene, read("biped:walk"))
        seat.say(m.GoToStep(3))
        seat.wait(m.Failure)
        assert len(desk.story.history.done) == 3
        book.full = False


def test_a_step_that_cannot_be_shown_is_neither_done_nor_written_down(monkeypatch):
    book = Book()
    with desk_with(diary=book) as desk:
        seat = Seat(desk)
        before = desk.story.history
        monkeypatch.setattr(story.Model, "fits", lambda *_: 1 / 0)
        seat.say(m.ApplyChange(PIN))
        assert "as it was before" in seat.wait(m.Failure)[-1][0].text
        assert desk.story.history is before
        assert book.lines == []


def test_a_step_that_was_done_is_told_even_if_showing_it_fails(seat, monkeypatch):
    monkeypatch.setattr(desks, "differences", lambda *_: 1 / 0)
    seat.say(m.ApplyChange(PIN))
    heard = seat.wait(m.Failure)
    assert heard[-2][0].done == ["Pin Head, frames 0-12"]
    assert "reload" in heard[-1][0].text


def test_of_two_saves_at_once_the_later_one_stays(tmp_path, monkeypatch):
    folder, begun, go_on = Folder(tmp_path), threading.Event(), threading.Event()
    early, late = read("biped:walk"), read("lamp:hop")
    quick = folders.write

    def slow_first(scene, path):
        if scene is early:
            begun.set()
            assert go_on.wait(LONG)
        return quick(scene, path)

    monkeypatch.setattr(folders, "write", slow_first)
    saves = [
        threading.Thread(target=folder.write, args=(scene, "mine.arc.glb"))
        for scene in (early, late)
    ]
    saves[0].start()
    assert begun.wait(LONG)
    saves[1].start()
    saves[1].join(0.2)
    go_on.set()
    for save in saves:
        save.join(LONG)
    assert same(read(tmp_path / "mine.arc.glb"), late)
