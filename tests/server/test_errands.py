"""Files in and out, and slow changes, while the document stays usable."""

import threading
from functools import partial
from pathlib import Path
from urllib.parse import unquote

import pytest
from seats import GRAB, Seat, kinds, lift

from arcwright import read, same, write
from arcwright.scene.history import History
from arcwright.server import errands as rooms
from arcwright.server import jobs
from arcwright.server import messages as m
from arcwright.server.desk import Desk
from arcwright.server.errands import Errands
from arcwright.server.folder import Folder
from arcwright.server.start import document
from arcwright.server.story import Story
from builders import arm_scene


@pytest.fixture
def office(tmp_path, monkeypatch):
    """A desk with errands on a folder of its own; no bars, however slow the machine is."""
    monkeypatch.setattr(jobs, "PATIENCE", 60.0)
    folder, state = tmp_path / "folder", tmp_path / "state"
    folder.mkdir()
    state.mkdir()
    made = []

    def begin(file="biped:walk"):
        desk, errands = document(file, Folder(folder), state)
        desk.start()
        made.append((desk, errands))
        return Seat(desk)

    begin.folder, begin.state = folder, state
    yield begin
    for desk, errands in made:
        desk.stop()
        errands.close()


def step(seat, hand=1, by=0.03):
    seat.say(m.Grab(hand, "tangent", "biped", "walk", {}), lift(seat, by, hand), m.LetGo(hand))
    assert seat.wait(m.HandEnded)[-1][0].kept


async def chunks(*parts):
    for part in parts:
        yield part


def upload(seat, name, data):
    import asyncio

    errands = seat.desk.errand
    return asyncio.run(errands.uploads.receive(name, chunks(data[:100], data[100:])))


def test_a_built_in_opens_for_all_windows(office):
    seat = office()
    other = Seat(seat.desk)
    step(seat)
    seat.say(m.Open("builtin", "lamp:hop"))
    heard = seat.wait(m.Document)
    assert kinds(heard) == ["Cast", "Document"]
    assert heard[-1][0].name == "lamp:hop"
    assert heard[-1][0].done == []
    assert other.wait(m.Document, lambda told: told.name == "lamp:hop")


def test_opening_ends_hands_and_forgets_what_was_shown(office):
    seat = office()
    seat.say(m.Show("biped", "walk", [m.Spot("Hips")]), GRAB, lift(seat, 0.02))
    seat.wait(m.Preview)
    seat.say(m.Open("builtin", "biped:sit"))
    heard = seat.wait(m.Recent)
    assert "HandEnded" in kinds(heard)
    seat.say(m.Undo())
    assert seat.quiet() == []


def test_the_first_document_is_a_biped_that_walks(office):
    seat = office(None)
    document = seat.heard[-1][0]
    takes = [take.name for take in document.takes["biped"]]
    assert takes[0] == "walk"
    assert len(takes) > 1
    assert set(document.takes) == {"biped"}
    assert {wish.take for wish in document.wishes} <= set(takes)


def test_a_file_is_saved_under_a_name_and_opened_again_exactly(office):
    seat = office()
    step(seat)
    seat.say(m.Save("mine.arc.glb"))
    heard = seat.wait(m.Saved)
    document = next(message for message, _ in heard if isinstance(message, m.Document))
    assert document.saved
    assert document.path == "mine.arc.glb"
    assert same(read(office.folder / "mine.arc.glb"), seat.desk.story.scene)
    before = seat.desk.story.scene
    seat.say(m.Open("file", "mine.arc.glb"))
    seat.wait(m.Document, lambda told: told.path == "mine.arc.glb" and not told.done)
    assert same(seat.desk.story.scene, before)


def test_saving_again_needs_no_name_and_follows_undo(office):
    seat = office()
    step(seat)
    seat.say(m.Save("mine.arc.glb"))
    seat.wait(m.Saved)
    step(seat, 2, -0.02)
    assert not seat.desk.story.saved
    seat.say(m.Save())
    seat.wait(m.Saved)
    assert seat.desk.story.saved
    seat.say(m.Undo())
    assert not seat.wait(m.Document)[-1][0].saved
    seat.say(m.Redo())
    assert seat.wait(m.Document)[-1][0].saved


def test_a_document_without_a_file_asks_for_a_name(office):
    seat = office()
    seat.say(m.Save())
    assert "Save as" in seat.wait(m.Failure)[-1][0].text


def test_saving_in_a_format_that_drops_something_says_so_and_stays_unsaved(office):
    seat = office()
    step(seat)
    seat.say(m.Save("mine.glb"))
    heard = seat.wait(m.Failure)
    assert "pins and contacts" in heard[-1][0].text
    assert not seat.desk.story.saved
    assert (office.folder / "mine.glb").exists()


@pytest.mark.parametrize(
    "name", ["../out.arc.glb", "/tmp/out.arc.glb", "a/../../out.arc.glb", ".hid.arc.glb", "x.exe"]
)
def test_nothing_is_written_or_read_outside_the_folder(office, name):
    seat = office()
    before = sorted(Path(office.folder.parent).rglob("*.glb"))
    for word in (m.Save(name), m.Open("file", name), m.ListFolder(name)):
        seat.say(word)
        assert seat.wait(m.Failure)
    assert sorted(Path(office.folder.parent).rglob("*.glb")) == before


def test_the_folder_is_listed(office):
    write(arm_scene(), office.folder / "arm.arc.glb")
    (office.folder / "inside").mkdir()
    seat = office()
    told = seat.ask(m.ListFolder(), m.Folder)[0]
    assert [(each.name, each.folder) for each in told.entries] == [
        ("inside", True),
        ("arm.arc.glb", False),
    ]


def test_a_file_given_at_the_start_can_be_saved_to(office):
    write(read("biped:walk"), office.folder / "walk.arc.glb")
    seat = office(str(office.folder / "walk.arc.glb"))
    assert seat.heard[-1][0].path == "walk.arc.glb"
    step(seat)
    seat.say(m.Save())
    seat.wait(m.Saved)
    assert same(read(office.folder / "walk.arc.glb"), seat.desk.story.scene)


@pytest.mark.parametrize("format", ["glb", "bvh", "arc", "png"])
def test_exports_are_files_to_fetch(office, format, monkeypatch):
    small = partial(rooms.strobe, size=(64, 36))
    monkeypatch.setattr(rooms, "strobe", small)
    seat = office("lamp")
    told = seat.ask(m.Export(format, "lamp", "hop"), m.Download)[0]
    _, word, name = unquote(told.address).split("/")
    path = seat.desk.errand.downloads.path(word, name)
    suffix = ".arc.glb" if format == "arc" else f".{format}"
    assert name == told.name == ("lamp hop" if format in ("bvh", "png") else "lamp") + suffix
    if format == "png":
        assert path.read_bytes().startswith(b"\x89PNG")
    else:
        assert len(read(path).characters[0].takes) == (1 if format == "bvh" else 2)


def test_an_uploaded_file_opens_as_a_document_of_its_own(office, tmp_path):
    write(read("lamp:hop"), tmp_path / "lamp.glb")
    seat = office()
    word = upload(seat, "lamp.glb", (tmp_path / "lamp.glb").read_bytes())
    seat.say(m.Bring(word, add=False))
    document = seat.wait(m.Document)[-1][0]
    assert document.path is None
    assert len(seat.desk.story.scene.characters) == 1


def test_an_uploaded_file_joins_the_scene_as_one_step(office, tmp_path):
    write(read("lamp:hop"), tmp_path / "lamp.glb")
    seat = office()
    seat.say(m.AskKeys("biped", "walk"), m.AskFrames("biped", "walk", 0, 24))
    seat.quiet()
    word = upload(seat, "lamp.glb", (tmp_path / "lamp.glb").read_bytes())
    seat.say(m.Bring(word, add=True))
    heard = seat.wait(m.Document)
    assert kinds(heard) == ["Cast", "Document"]
    assert len(heard[0][0].rigs) == 2
    assert len(heard[-1][0].done) == 1
    seat.say(m.Undo())
    heard = seat.wait(m.Document)
    assert len(heard[0][0].rigs) == 1


def test_a_broken_upload_is_told_without_saying_where_it_lay(office):
    seat = office()
    before = seat.desk.story.scene
    word = upload(seat, "broken.bvh", b"HIERARCHY nonsense")
    seat.say(m.Bring(word, add=False))
    text = seat.wait(m.Failure)[-1][0].text
    assert text.startswith("broken.bvh:")
    assert "/" not in text.split(":")[0]
    assert seat.desk.story.scene is before
    seat.say(m.Bring(word, add=False))
    assert "drop the file again" in seat.wait(m.Failure)[-1][0].text


def test_samples_are_fitted_beside_the_desk(office, tmp_path):
    seat = office()
    with_samples = arm_scene()
    seat.desk.soon(lambda: seat.desk.open(Story(History(with_samples))))
    seat.wait(m.Document)
    seat.say(m.Do(m.FitTake("arm", "recorded", 0.01)))
    document = seat.wait(m.Document)[-1][0]
    assert [take.keyed for take in document.takes["arm"]] == [True, True]


def test_contacts_are_found_and_only_once(office):
    seat = office("biped:stand")
    for wish in seat.heard[-1][0].wishes:
        del wish
        seat.say(m.Do(m.RemoveWish("biped", "stand", "contact", 0)))
    seat.quiet()
    seat.say(m.Do(m.FindContacts("biped", "stand")))
    assert seat.wait(m.Document)[-1][0].wishes
    seat.say(m.Do(m.FindContacts("biped", "stand")))
    assert "Nothing was changed" in seat.wait(m.Failure)[-1][0].text


@pytest.fixture
def slow_built_in(monkeypatch):
    """Built-ins open only when this event is set."""
    monkeypatch.setattr(jobs, "PATIENCE", 0.01)
    go_on, quick = threading.Event(), rooms._built_in

    def waiting(name):
        go_on.wait(20)
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
    seat.say(m.Cancel(job.job))
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


def test_a_document_left_behind_is_offered_and_comes_back_with_its_history(office):
    seat = office()
    step(seat)
    step(seat, 2, -0.02)
    seat.say(m.Undo())
    seat.quiet()
    left = seat.desk.story.history
    seat.desk.stop()
    seat.desk.stop = lambda: None

    again = office()
    recent = again.heard[0][0].recent
    assert [each.recover for each in recent] == [True]
    assert recent[0].label == "biped:walk, 1 step"
    again.say(m.Open("recover", recent[0].name))
    document = again.wait(m.Document)[-1][0]
    assert document.done == [left.done[0].label]
    assert document.undone == [left.undone[0].label]
    assert not document.saved
    assert same(again.desk.story.scene, left.scene)
    again.say(m.Redo())
    again.wait(m.Document)
    assert same(again.desk.story.scene, left.redo().scene)


def test_a_document_left_behind_can_be_discarded_and_every_window_hears(office):
    seat = office()
    step(seat)
    seat.desk.stop()
    seat.desk.stop = lambda: None
    again = office()
    other = Seat(again.desk)
    left = again.heard[0][0].recent[0]
    again.say(m.Discard(left.name))
    assert again.wait(m.Recent)[-1][0].recent == []
    assert other.wait(m.Recent)[-1][0].recent == []
    again.say(m.Open("recover", left.name))
    again.wait(m.Failure)


def test_a_document_that_is_open_cannot_be_discarded(office):
    seat = office()
    step(seat)
    (file,) = (office.state / "journals").glob("*.journal")
    seat.say(m.Discard(file.stem))
    seat.wait(m.Failure)
    assert file.exists()
    step(seat, hand=2)


def test_recent_files_are_told_again_after_saving(office):
    seat = office()
    seat.say(m.Save("mine.arc.glb"))
    told = seat.wait(m.Recent)[-1][0].recent
    assert [(each.name, each.recover) for each in told] == [("mine.arc.glb", False)]


def test_recent_files_of_the_folder_are_offered(office):
    seat = office()
    step(seat)
    seat.say(m.Save("mine.arc.glb"))
    seat.wait(m.Saved)
    recent = Seat(seat.desk).heard[0][0].recent
    assert [(each.name, each.recover) for each in recent] == [("mine.arc.glb", False)]


def test_unknown_words_of_files_are_answered(office):
    seat = office()
    for word in (
        m.Open("builtin", "dragon"),
        m.Open("builtin", "biped:dance"),
        m.Open("recover", "../../etc"),
        m.Open("file", "nothing.bvh"),
        m.Bring("no such word", add=True),
        m.Export("bvh", "nobody", "walk"),
        m.Do(m.FitTake("biped", "walk", -1.0)),
        m.Do(m.FindContacts("nobody", "walk")),
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
