"""Journals of version 1 still open, with their whole history."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arcwright.errors import BadFile
from arcwright.server.storage.journal import discard, recover, unfinished
from journalled import files, found

OLD = Path(__file__).parent / "version_1.journal"
OLD_NAME = "20261116-032142-150c54dd"


@pytest.fixture
def old_home(tmp_path):
    (tmp_path / "journals").mkdir()
    shutil.copy(OLD, tmp_path / "journals" / f"{OLD_NAME}.journal")
    return tmp_path


def check_old(history, path):
    moved, timing = "Move 1 key", "Timing of hop: 30 fps, 45 frames"
    dragged, pinned = "Drag Shade at frame 7.2", "Pin Base, frames 2.4-9.6"
    assert [edit.label for edit in history.done] == [moved, dragged, pinned, timing]
    assert [edit.label for edit in history.undone] == [moved]
    assert path == "/some/lamp \udce9.arc.glb"
    take = history.scene.characters[0].takes[0]
    assert take.base.curves[1].value.tolist() == [0.0, 0.45, 0.0]
    assert (take.duration, take.rate, len(history.scene.pins)) == (1.5, 30.0, 1)
    assert history.redo().scene.characters[0].takes[0].base.curves[2].value[1] == 0.69
    start = history.undo().undo().undo().undo()
    assert start.scene.characters[0].takes[0].base.curves[1].value[1] == pytest.approx(0.2)
    assert start.scene.props[0].look.images[0].data == bytes(range(9))


def test_a_journal_of_version_1_opens_with_its_whole_history(old_home):
    (left,) = unfinished(old_home)
    assert (left.label, left.steps, left.damage) == ("lamp \udce9.arc.glb", 4, "")
    check_old(*found(old_home, left.name)[:2])


def test_a_journal_of_version_1_goes_on_in_the_new_format(old_home):
    made = recover(old_home, OLD_NAME)[2]
    assert not made.file.read_bytes().startswith(b"SQLite")
    made.record_undo()
    made.record_redo()
    made.close()
    (left,) = unfinished(old_home)
    check_old(*found(old_home, left.name)[:2])


def test_a_journal_of_version_1_with_its_log_beside_it_opens(old_home, tmp_path):
    file = tmp_path / "journals" / f"{OLD_NAME}.journal"
    with closing(sqlite3.connect(file, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("UPDATE steps SET label = 'Changed' WHERE number = 2")
        copies = {each.name: each.read_bytes() for each in file.parent.iterdir()}
    assert f"{file.name}-wal" in copies
    for each, data in copies.items():
        (file.parent / each).write_bytes(data)
    assert [left.steps for left in unfinished(old_home)] == [4]
    history, _, made = found(old_home, OLD_NAME)
    assert history.done[0].label == "Changed"
    assert files(old_home) == [made.file.name]


def test_a_journal_of_version_1_that_is_in_use_is_left_alone(old_home):
    file = old_home / "journals" / f"{OLD_NAME}.journal"
    with closing(sqlite3.connect(file, isolation_level=None)) as writer:
        writer.execute("PRAGMA locking_mode = EXCLUSIVE")
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("UPDATE steps SET label = '' WHERE number = 2")
        assert unfinished(old_home) == []
        for act in (recover, discard):
            with pytest.raises(BadFile, match="another studio"):
                act(old_home, OLD_NAME)


def spoil_old(home, statement):
    with closing(sqlite3.connect(home / "journals" / f"{OLD_NAME}.journal")) as writer, writer:
        writer.execute(statement)


@pytest.mark.parametrize(
    ("number", "lost"),
    [(0, ""), (1, "The name of the file it was saved to"), (2, "The label of entry 2")],
)
def test_an_invalid_label_of_version_1_is_reported_and_costs_nothing_else(old_home, number, lost):
    spoil_old(old_home, f"UPDATE steps SET label = CAST(x'ff80' AS TEXT) WHERE number = {number}")
    (left,) = unfinished(old_home)
    assert "could not be read" in left.damage
    history, path, made = found(old_home, OLD_NAME)
    assert len(history.done) == 4
    assert made.lost.startswith(lost)
    assert (path is None) == (number == 1)
    assert bool(lost) == any(name.endswith(".damaged") for name in files(old_home))


def test_of_a_damaged_journal_of_version_1_the_steps_before_come_back(old_home):
    spoil_old(old_home, "UPDATE steps SET packet = x'00' WHERE number = 3")
    history, _, made = found(old_home, OLD_NAME)
    assert [edit.label for edit in history.done] == ["Move 1 key"]
    assert made.lost.startswith("4 of 5 steps could not be read (damaged at step 2)")


def test_a_journal_of_version_1_without_its_scene_is_listed_and_can_be_discarded(old_home):
    spoil_old(old_home, "DELETE FROM steps WHERE number = 0")
    (left,) = unfinished(old_home)
    assert "Cannot be restored" in left.damage
    with pytest.raises(BadFile, match="cannot be restored"):
        recover(old_home, OLD_NAME)
    discard(old_home, OLD_NAME)
    assert files(old_home) == []
