"""Files opened and brought, and slow changes, while the document stays usable."""

import threading

import pytest

from arcwright import read, write
from arcwright.scene.history import History
from arcwright.server import messages as m
from arcwright.server.document.document import Story
from arcwright.server.jobs import file_commands as rooms
from arcwright.server.jobs import jobs
from arcwright.server.jobs.file_commands import Errands
from arcwright.server.worker import Desk
from builders import arm_scene
from coroutines import run
from seats import GRAB, LONG, Seat, kinds, lift, step


async def chunks(*parts):
    for part in parts:
        yield part


def upload(seat, name, data):

    errands = seat.desk.errand
    return run(errands.uploads.receive(name, chunks(data[:100], data[100:])))


def test_a_built_in_opens_for_all_windows(office):
    seat = office()
    other = Seat(seat.desk)
    step(seat)
    seat.say(m.Open("builtin", "lamp:hop"))
    heard = seat.wait(m.Document)
    assert kinds(heard) == ["SceneInfo", "Document"]
    assert heard[-1][0].name == "lamp:hop"
    assert heard[-1][0].done == []
    assert other.wait(m.Document, lambda told: told.name == "lamp:hop")


def test_opening_ends_hands_and_forgets_what_was_shown(office):
    seat = office()
    seat.say(m.Subscribe("biped", "walk", [m.PointRef("Hips")]), GRAB, lift(seat, 0.02))
    seat.wait(m.Preview)
    seat.say(m.Open("builtin", "biped:sit"))
    heard = seat.wait(m.Recent)
    assert "InteractionEnded" in kinds(heard)
    seat.say(m.Undo())
    assert seat.quiet() == []


def test_the_first_document_is_a_biped_that_walks(office):
    seat = office(None)
    document = seat.heard[-1][0]
    takes = [take.name for take in document.takes["biped"]]
    assert takes[0] == "walk"
    assert len(takes) > 1
    assert set(document.takes) == {"biped"}
    assert {wish.take for wish in document.point_constraints} <= set(takes)


def test_an_uploaded_file_opens_as_a_document_of_its_own(office, tmp_path):
    write(read("lamp:hop"), tmp_path / "lamp.glb")
    seat = office()
    word = upload(seat, "lamp.glb", (tmp_path / "lamp.glb").read_bytes())
    seat.say(m.ImportUpload(word, add=False))
    document = seat.wait(m.Document)[-1][0]
    assert document.path is None
    assert len(seat.desk.story.scene.characters) == 1


def test_an_uploaded_file_joins_the_scene_as_one_step(office, tmp_path):
    write(read("lamp:hop"), tmp_path / "lamp.glb")
    seat = office()
    seat.say(m.RequestKeys("biped", "walk"), m.RequestFrames("biped", "walk", 0, 24))
    seat.quiet()
    word = upload(seat, "lamp.glb", (tmp_path / "lamp.glb").read_bytes())
    seat.say(m.ImportUpload(word, add=True))
    heard = seat.wait(m.Document)
    assert kinds(heard) == ["SceneInfo", "Document"]
    assert len(heard[0][0].rigs) == 2
    assert len(heard[-1][0].done) == 1
    seat.say(m.Undo())
    heard = seat.wait(m.Document)
    assert len(heard[0][0].rigs) == 1


def test_a_broken_upload_is_told_without_saying_where_it_lay(office):
    seat = office()
    before = seat.desk.story.scene
    word = upload(seat, "broken.bvh", b"HIERARCHY nonsense")
    seat.say(m.ImportUpload(word, add=False))
    text = seat.wait(m.Failure)[-1][0].text
    assert text.startswith("broken.bvh:")
    assert "/" not in text.split(":")[0]
    assert seat.desk.story.scene is before
    seat.say(m.ImportUpload(word, add=False))
    assert "drop the file again" in seat.wait(m.Failure)[-1][0].text


def test_samples_are_fitted_beside_the_desk(office, tmp_path):
    seat = office()
    with_samples = arm_scene()
    seat.desk.soon(lambda: seat.desk.open(Story(History(with_samples))))
    seat.wait(m.Document)
    seat.say(m.ApplyChange(m.FitTake("arm", "recorded", 0.01)))
    document = seat.wait(m.Document)[-1][0]
    assert [take.keyed for take in document.takes["arm"]] == [True, True]


def test_contacts_are_found_and_only_once(office):
    seat = office("biped:stand")
    for wish in seat.heard[-1][0].point_constraints:
        del wish
        seat.say(m.ApplyChange(m.RemovePointConstraint("biped", "stand", "contact", 0)))
    seat.quiet()
    seat.say(m.ApplyChange(m.DetectContacts("biped", "stand")))
    assert seat.wait(m.Document)[-1][0].point_constraints
    seat.say(m.ApplyChange(m.DetectContacts("biped", "stand")))
    report = seat.wait(m.Report)[-1][0]
    assert "Nothing was changed" in report.text
    assert report.severity == "info"
    assert "Failure" not in kinds(seat.heard)


@pytest.fixture
def slow_built_in(monkeypatch):
    """Built-ins open only when this event is set."""
    monkeypatch.setattr(jobs, "PATIENCE", 0.01)
    go_on, quick = threading.Event(), rooms._built_in

    def waiting(name):
        go_on.wait(LONG)
        return quick(name)

    monkeypatch.setattr(rooms, "_built_in", waiting)
    return go_on


def test_slow_work_shows_a_bar_the_desk_goes_on_and_cancel_throws_it_away(office, slow_built_in):
    seat = office()
    seat.say(m.Open("builtin", "lamp:hop"))
    job = seat.wait(m.Job)[-1][0]
    assert job.label == "Open lamp:hop"
    assert job.share < 1
    step(seat)
    seat.say(m.CancelJob(job.job))
    assert seat.wait(m.Job)[-1][0].share == 1
    slow_built_in.set()
    seat.quiet()
    assert seat.desk.story.scene.name == "biped:walk"


def test_the_bar_goes_when_the_work_is_done(office, slow_built_in):
    seat = office()
    seat.say(m.Open("builtin", "lamp:hop"))
    seat.wait(m.Job)
    slow_built_in.set()
    heard = seat.wait(m.Job, lambda job: job.share == 1)
    assert "Document" in kinds(heard)


def test_unknown_words_of_files_are_answered(office):
    seat = office()
    for word in (
        m.Open("builtin", "dragon"),
        m.Open("builtin", "biped:dance"),
        m.Open("recover", "../../etc"),
        m.Open("file", "nothing.bvh"),
        m.ImportUpload("no such word", add=True),
        m.Export("bvh", "nobody", "walk"),
        m.ApplyChange(m.FitTake("biped", "walk", -1.0)),
        m.ApplyChange(m.DetectContacts("nobody", "walk")),
    ):
        seat.say(word)
        text = seat.wait(m.Failure)[-1][0].text
        assert "did not work" not in text, word
    step(seat)


def test_a_desk_without_errands_says_so(tmp_path):
    desk = Desk(Story(History(read("lamp:hop"))))
    desk.start()
    try:
        seat = Seat(desk)
        seat.say(m.ListFolder())
        assert seat.wait(m.Failure)
        assert isinstance(desk.errand, Errands) is False
    finally:
        desk.stop()
