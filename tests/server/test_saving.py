"""Files saved and exported, documents left behind, and what is offered next time."""

from pathlib import Path
from urllib.parse import unquote

import pytest

from arcwright import read, same, write
from arcwright.server import messages as m
from builders import arm_scene
from seats import Seat, kinds, step


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
    heard = seat.wait(m.Report)
    assert "pins and contacts" in heard[-1][0].text
    assert heard[-1][0].severity == "warning"
    assert kinds(heard)[-2:] == ["Saved", "Report"]
    assert "Failure" not in kinds(heard)
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


def test_an_export_that_drops_something_is_done_with_a_warning(office):
    seat = office()
    seat.say(m.Export("bvh", "biped", "walk"))
    heard = seat.wait(m.Report)
    assert kinds(heard) == ["Download", "Report"]
    assert "does not hold everything" in heard[-1][0].text
    assert heard[-1][0].severity == "warning"


@pytest.mark.parametrize("format", ["glb", "bvh", "arc", "png"])
def test_exports_are_files_to_fetch(office, format):
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
    again.say(m.DiscardRecovered(left.name))
    assert again.wait(m.Recent)[-1][0].recent == []
    assert other.wait(m.Recent)[-1][0].recent == []
    again.say(m.Open("recover", left.name))
    again.wait(m.Failure)


def test_a_document_that_is_open_cannot_be_discarded(office):
    seat = office()
    step(seat)
    (file,) = (office.state / "journals").glob("*.journal")
    seat.say(m.DiscardRecovered(file.stem))
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
