from pathlib import Path

import pytest

from arcwright import read
from arcwright.arrays import same
from arcwright.server.storage.journal import JournalTrouble
from arcwright.server.storage.journal import rescue as rescues
from arcwright.server.storage.journal.rescue import UNSAFE, rescue
from builders import arm_scene
from journalled import Disk, Document


@pytest.fixture
def unsafe(tmp_path, monkeypatch):
    """A document whose last two steps are on no disk."""
    disk, document = Disk(monkeypatch), Document(tmp_path / "state", arm_scene())
    disk.room = 0
    with pytest.raises(JournalTrouble):
        document.do("one")
    document.do("two")
    yield document
    disk.room = None
    document.journal.close()


def test_a_studio_whose_steps_are_on_disk_ends_without_output(tmp_path):
    document, reported = Document(tmp_path, arm_scene()), []
    document.do("one")
    assert rescue(document.journal, document.history.scene, tmp_path, reported.append) == 0
    assert rescue(None, document.history.scene, tmp_path, reported.append) == 0
    assert reported == []


def test_unsafe_steps_are_written_to_the_opened_folder(tmp_path, unsafe):
    reported = []
    assert rescue(unsafe.journal, unsafe.history.scene, tmp_path, reported.append) == UNSAFE
    assert reported[0].startswith("2 steps are not on disk")
    assert reported[1].endswith("test rescued.arc.glb")
    assert same(read(tmp_path / "test rescued.arc.glb"), unsafe.history.scene)


def test_nothing_that_is_there_is_overwritten(tmp_path, unsafe):
    (tmp_path / "test rescued.arc.glb").write_text("mine")
    rescue(unsafe.journal, unsafe.history.scene, tmp_path, lambda _: None)
    assert (tmp_path / "test rescued.arc.glb").read_text() == "mine"
    assert (tmp_path / "test rescued 2.arc.glb").exists()


def test_where_the_opened_folder_cannot_be_written_another_one_is_used(
    tmp_path, unsafe, monkeypatch
):
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "nowhere")
    monkeypatch.setattr(rescues.tempfile, "gettempdir", lambda: str(tmp_path))
    reported = []
    assert (
        rescue(unsafe.journal, unsafe.history.scene, tmp_path / "gone", reported.append) == UNSAFE
    )
    assert str(tmp_path / "test rescued.arc.glb") in reported[-1]


def test_a_studio_that_can_write_nowhere_reports_it(tmp_path, unsafe, monkeypatch):
    monkeypatch.setattr(rescues, "_places", lambda opened: [tmp_path / "gone"])
    reported = []
    assert rescue(unsafe.journal, unsafe.history.scene, tmp_path, reported.append) == UNSAFE
    assert "lost" in reported[-1]
