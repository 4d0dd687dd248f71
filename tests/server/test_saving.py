"""Files saved and exported, documents left behind, and what is offered next time."""

from pathlib import Path
from urllib.parse import unquote

import pytest

from arcwright import read, same, write
from arcwright.server import messages as m
from builders import arm_scene
from local_clients import LocalClient, kinds, step


def test_a_file_is_saved_under_a_name_and_opened_again_exactly(studio):
    client = studio()
    step(client)
    client.send(m.Save("mine.arc.glb"))
    received = client.wait(m.Saved)
    document = next(message for message, _ in received if isinstance(message, m.Document))
    assert document.saved
    assert document.path == "mine.arc.glb"
    assert same(read(studio.folder / "mine.arc.glb"), client.document.scene)
    before = client.document.scene
    client.send(m.Open("file", "mine.arc.glb"))
    client.wait(m.Document, lambda message: message.path == "mine.arc.glb" and not message.done)
    assert same(client.document.scene, before)


def test_saving_again_needs_no_name_and_follows_undo(studio):
    client = studio()
    step(client)
    client.send(m.Save("mine.arc.glb"))
    client.wait(m.Saved)
    step(client, 2, -0.02)
    assert not client.document.saved
    client.send(m.Save())
    client.wait(m.Saved)
    assert client.document.saved
    client.send(m.Undo())
    assert not client.wait(m.Document)[-1][0].saved
    client.send(m.Redo())
    assert client.wait(m.Document)[-1][0].saved


def test_an_editor_is_sent_the_name_of_the_folder_and_not_where_it_is(studio):
    welcome = studio().received[0][0]
    assert welcome.folder == studio.folder.name
    assert str(studio.folder.parent) not in str(welcome)


def test_a_document_without_a_file_asks_for_a_name(studio):
    client = studio()
    client.send(m.Save())
    assert "Save as" in client.wait(m.Failure)[-1][0].text


def test_saving_in_a_lossy_format_warns_and_stays_unsaved(studio):
    client = studio()
    step(client)
    client.send(m.Save("mine.glb"))
    received = client.wait(m.Report)
    assert "glTF has no constraints: 2 left out" in received[-1][0].text
    assert received[-1][0].severity == "warning"
    assert kinds(received)[-2:] == ["Saved", "Report"]
    assert "Failure" not in kinds(received)
    assert not client.document.saved
    assert (studio.folder / "mine.glb").exists()


@pytest.mark.parametrize(
    "name", ["../out.arc.glb", "/tmp/out.arc.glb", "a/../../out.arc.glb", ".hid.arc.glb", "x.exe"]
)
def test_nothing_is_written_or_read_outside_the_folder(studio, name):
    client = studio()
    before = sorted(Path(studio.folder.parent).rglob("*.glb"))
    for message in (m.Save(name), m.Open("file", name), m.ListFolder(name)):
        client.send(message)
        assert client.wait(m.Failure)
    assert sorted(Path(studio.folder.parent).rglob("*.glb")) == before


def test_the_folder_is_listed(studio):
    write(arm_scene(), studio.folder / "arm.arc.glb")
    (studio.folder / "inside").mkdir()
    client = studio()
    message = client.request(m.ListFolder(), m.Folder)[0]
    assert [(each.name, each.folder) for each in message.entries] == [
        ("inside", True),
        ("arm.arc.glb", False),
    ]


def test_a_file_given_at_the_start_can_be_saved_to(studio):
    write(read("biped:walk"), studio.folder / "walk.arc.glb")
    client = studio(str(studio.folder / "walk.arc.glb"))
    assert client.received[-1][0].path == "walk.arc.glb"
    step(client)
    client.send(m.Save())
    client.wait(m.Saved)
    assert same(read(studio.folder / "walk.arc.glb"), client.document.scene)


def test_an_export_that_drops_something_is_done_with_a_warning(studio):
    client = studio()
    client.send(m.Export("bvh", "biped", "walk"))
    received = client.wait(m.Report)
    assert kinds(received) == ["Download", "Report"]
    assert "does not contain everything" in received[-1][0].text
    assert received[-1][0].severity == "warning"


@pytest.mark.parametrize("format", ["glb", "bvh", "arc", "png"])
def test_exports_are_files_to_fetch(studio, format):
    client = studio("lamp")
    message = client.request(m.Export(format, "lamp", "hop"), m.Download)[0]
    _, key, name = unquote(message.address).split("/")
    path = client.worker.files.downloads.path(key, name)
    suffix = ".arc.glb" if format == "arc" else f".{format}"
    assert name == message.name == ("lamp hop" if format in ("bvh", "png") else "lamp") + suffix
    if format == "png":
        assert path.read_bytes().startswith(b"\x89PNG")
    else:
        assert len(read(path).characters[0].takes) == (1 if format == "bvh" else 2)


def test_a_document_left_behind_is_offered_and_comes_back_with_its_history(studio):
    client = studio()
    step(client)
    step(client, 2, -0.02)
    client.send(m.Undo())
    client.sync()
    left = client.document.history
    client.worker.stop()
    client.worker.stop = lambda: None

    again = studio()
    recent = again.received[0][0].recent
    assert [each.recover for each in recent] == [True]
    assert recent[0].label == "biped:walk, 1 step"
    again.send(m.Open("recover", recent[0].name))
    document = again.wait(m.Document)[-1][0]
    assert document.done == [left.done[0].label]
    assert document.undone == [left.undone[0].label]
    assert not document.saved
    assert same(again.worker.opened.document.scene, left.scene)
    again.send(m.Redo())
    again.wait(m.Document)
    assert same(again.worker.opened.document.scene, left.redo().scene)


def test_a_document_left_behind_can_be_discarded_and_every_client_is_notified(studio):
    client = studio()
    step(client)
    client.worker.stop()
    client.worker.stop = lambda: None
    again = studio()
    other = LocalClient(again.worker)
    left = again.received[0][0].recent[0]
    again.send(m.DiscardRecovered(left.name))
    assert again.wait(m.Recent)[-1][0].recent == []
    assert other.wait(m.Recent)[-1][0].recent == []
    again.send(m.Open("recover", left.name))
    again.wait(m.Failure)


def test_a_document_that_is_open_cannot_be_discarded(studio):
    client = studio()
    step(client)
    (file,) = (studio.state / "journals").glob("*.journal")
    client.send(m.DiscardRecovered(file.stem))
    client.wait(m.Failure)
    assert file.exists()
    step(client, interaction=2)


def test_recent_files_are_sent_again_after_saving(studio):
    client = studio()
    client.send(m.Save("mine.arc.glb"))
    message = client.wait(m.Recent)[-1][0].recent
    assert [(each.name, each.recover) for each in message] == [("mine.arc.glb", False)]


def test_recent_files_of_the_folder_are_offered(studio):
    client = studio()
    step(client)
    client.send(m.Save("mine.arc.glb"))
    client.wait(m.Saved)
    recent = LocalClient(client.worker).received[0][0].recent
    assert [(each.name, each.recover) for each in recent] == [("mine.arc.glb", False)]
