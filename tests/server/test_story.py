"""The document's history stays bounded; what is saved stays known."""

import threading

import pytest

from arcwright.arrays import same
from arcwright.scene.history import History
from arcwright.server import messages as m
from arcwright.server.document import document as stories
from arcwright.server.document.document import Story
from arcwright.server.storage.journal import Journal, journal, recover
from builders import arm_scene
from crowd import Paper
from journalled import renamed
from seats import PIN, Seat


@pytest.fixture
def story(monkeypatch):
    """A document that keeps five steps."""
    monkeypatch.setattr(stories, "MOST_STEPS", 5)
    return Story(History(arm_scene()), "/some/file.arc.glb")


def do(story, count):
    for step in range(count):
        story.do(renamed(story.scene, f"step {step} of {count}"))


def test_only_so_many_steps_can_be_undone(story):
    do(story, 8)
    assert len(story.history.done) == 5
    story.travel(0)
    assert story.scene.characters[0].takes[0].name == "step 2 of 8"
    story.travel(5)
    assert story.scene.characters[0].takes[0].name == "step 7 of 8"


def test_a_document_saved_after_what_is_forgotten_is_known_to_be_saved(story):
    do(story, 5)
    story.keep(story.moment())
    assert story.saved
    do(story, 2)
    assert not story.saved
    story.undo()
    story.undo()
    assert story.saved


def test_a_document_saved_before_what_is_forgotten_can_never_be_saved_again(story):
    do(story, 2)
    story.keep(story.moment())
    do(story, 6)
    story.travel(0)
    assert not story.saved


def test_an_untouched_document_is_not_saved_once_its_first_step_is_forgotten(story):
    do(story, 6)
    story.travel(0)
    assert not story.saved


def test_a_step_saved_while_others_were_done_is_known(story):
    do(story, 3)
    then = story.moment()
    do(story, 3)  # one is forgotten meanwhile
    story.keep(then)
    assert not story.saved
    story.travel(2)
    assert story.saved


def test_a_bounded_history_comes_back_from_its_journal(story, tmp_path):
    story.diary = Journal.begin(tmp_path, story.scene, story.path)
    do(story, 12)
    story.undo()
    story.diary.close()
    history, _, made = recover(tmp_path, story.diary.name)
    made.close()
    assert same(history, story.history)


def test_windows_hear_once_of_trouble_and_once_when_all_is_safe_again(office, monkeypatch):
    monkeypatch.setattr(journal, "RETRY", 0.02)
    paper = Paper(monkeypatch)
    seat = office()
    paper.out = True
    seat.say(m.ApplyChange(PIN))
    said = seat.wait(m.Failure)[-1][0].text
    assert said.startswith("The last step is not safe on disk yet: the disk is full")
    seat.say(m.Undo(), m.Redo())
    heard = seat.quiet()
    assert not [message for message, _ in heard if isinstance(message, m.Failure)]
    assert seat.desk.story.diary.unsafe_steps == 3
    paper.out = False
    assert seat.wait(m.Report)[-1][0].text == "All steps are safe on disk again."
    assert seat.desk.story.diary.unsafe_steps == 0


def test_a_new_window_hears_that_steps_are_not_safe(office):
    (office.state / "journals").write_text("in the way")
    seat = office()
    over = threading.Event()
    seat.desk.soon(over.set)
    assert over.wait(60)
    heard = Seat(seat.desk)
    assert "Steps will not be safe on disk" in heard.wait(m.Failure)[-1][0].text
    (office.state / "journals").unlink()
    seat.say(m.ApplyChange(PIN))
    assert seat.wait(m.Report)[-1][0].text == "All steps are safe on disk again."
