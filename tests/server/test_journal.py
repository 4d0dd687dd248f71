import errno
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from arcwright.arrays import same
from arcwright.edits.lengths import set_lengths, set_root
from arcwright.errors import BadFile
from arcwright.scene.history import History
from arcwright.scene.scene import Scene
from arcwright.server.storage.journal import JournalTrouble, discard, journal, recover, unfinished
from arcwright.server.storage.journal import recovery as recoveries
from arcwright.server.storage.journal.log import SyncFailed
from exported_rig import exported
from journalled import Disk, Document

OLD = Path(__file__).parent / "version_1.journal"
OLD_NAME = "20261116-032142-150c54dd"
LONG = 60.0  # s; nothing here takes that long unless it is broken


@pytest.fixture
def disk(monkeypatch):
    return Disk(monkeypatch)


def files(home):
    return sorted(path.name for path in (home / "journals").iterdir())


def found(home, name):
    """A document brought back, with its journal put away again."""
    history, path, made = recover(home, name)
    made.close()
    return history, path, made


def test_the_whole_history_comes_back_bit_for_bit(tmp_path):
    document = Document(tmp_path, path="/some/file.arc.glb")
    for step in range(5):
        document.do(f"step {step}")
    document.undo()
    document.undo()
    document.redo()
    history, path, made = found(tmp_path, document.crash())
    assert same(history, document.history)
    assert [edit.label for edit in history.undone] == ["Name it step 4"]
    assert path == "/some/file.arc.glb"
    assert (made.trouble, made.lost) == (None, "")
    assert made.saved_at == document.journal.saved_at


def test_a_recovered_document_goes_on_in_its_journal(tmp_path):
    document = Document(tmp_path)
    document.do("one")
    for step in range(3):
        name = document.crash()
        document.history, _, document.journal = recover(tmp_path, name)
        document.do(f"more {step}")
        document.undo()
        document.redo()
    name = document.crash()
    assert same(found(tmp_path, name)[0], document.history)
    assert len(document.history.done) == 4
    assert files(tmp_path) == [f"{name}.journal"]


def test_what_was_left_is_listed_with_its_name_and_steps(tmp_path):
    document = Document(tmp_path, path="/some/walk \udce9.bvh")
    document.do("one")
    document.do("two")
    document.undo()
    assert unfinished(tmp_path) == []  # this process still has it
    name = document.crash()
    (left,) = unfinished(tmp_path)
    assert (left.name, left.label, left.steps) == (name, "walk \udce9.bvh", 1)
    assert left.path == "/some/walk \udce9.bvh"
    assert left.damage == ""
    assert abs(left.when - time.time()) < 600


def test_a_clean_end_leaves_nothing_that_was_saved(tmp_path):
    untouched, saved, dirty = (Document(tmp_path) for _ in range(3))
    untouched.journal.close()
    saved.do("one")
    saved.journal.record_save("/some/file.arc.glb")
    saved.journal.close()
    dirty.do("one")
    dirty.journal.record_save("/some/file.arc.glb")
    dirty.undo()
    dirty.journal.close()
    assert files(tmp_path) == [dirty.file.name]
    assert [left.path for left in unfinished(tmp_path)] == ["/some/file.arc.glb"]


def test_meshes_and_what_else_stays_the_same_are_written_once(tmp_path):
    document = Document(tmp_path)
    sizes = [document.file.stat().st_size]
    for step in range(4):
        document.do(f"step {step}")
        sizes.append(document.file.stat().st_size)
    steps = [after - before for before, after in pairwise(sizes)]
    assert max(steps) < 800 < sizes[0]


def test_a_document_open_elsewhere_cannot_be_recovered_or_discarded(tmp_path):
    document = Document(tmp_path)
    document.do("one")
    with pytest.raises(BadFile, match="another studio"):
        recover(tmp_path, document.journal.name)
    with pytest.raises(BadFile, match="another studio"):
        discard(tmp_path, document.journal.name)
    assert document.file.exists()


@pytest.mark.parametrize("name", ["", "../x", "nothing", "a/b", "..", "C:x", "x" * 100, "\0"])
def test_names_that_are_no_journal_are_refused(tmp_path, name):
    for act in (recover, discard):
        with pytest.raises(BadFile, match="no such document"):
            act(tmp_path, name)


def test_a_journal_is_complete_as_soon_as_it_has_its_name(tmp_path, disk):
    disk.room = 2000  # enough for some of the starting scene
    document = Document(tmp_path)
    assert "the disk is full" in document.journal.trouble
    assert files(tmp_path) == []


def test_what_a_killed_process_was_still_writing_is_cleared_away(tmp_path):
    document = Document(tmp_path)
    left_over = document.file.with_name(document.file.name + ".new12345678")
    left_over.write_bytes(b"half a journal")
    assert unfinished(tmp_path) == []
    assert files(tmp_path) == [document.file.name]


# Journals of version 1


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


# Trouble with the disk


def test_nothing_is_missing_after_the_disk_was_full(tmp_path, disk):
    document = Document(tmp_path)
    document.do("before")
    disk.room = 100
    with pytest.raises(JournalTrouble, match=r"The last step is not safe.*the disk is full"):
        document.do("first")
    for step in range(40):
        document.do(f"full {step}")  # message once, not with each step
    assert document.journal.unsafe_steps == 41
    assert "The last 41 steps" in document.journal.trouble
    disk.room = None
    document.undo()
    assert (document.journal.trouble, document.journal.unsafe_steps) == (None, 0)
    assert same(found(tmp_path, document.crash())[0], document.history)


def test_no_end_of_steps_waits_in_memory_as_bytes(tmp_path, disk):
    document = Document(tmp_path)
    disk.room = 0
    with pytest.raises(JournalTrouble):
        document.do("first")
    for step in range(journal.MOST_WAITING + 50):
        document.do(f"full {step}")
    assert len(document.journal._waiting) <= journal.MOST_WAITING + 1
    disk.room = None
    document.do("after")
    assert same(found(tmp_path, document.crash())[0], document.history)


def test_write_errors_name_no_paths(tmp_path, disk):
    disk.error = OSError(errno.EACCES, "Permission denied", str(tmp_path))
    document = Document(tmp_path)
    with pytest.raises(JournalTrouble) as trouble:
        document.do("one")
    for text in (str(trouble.value), document.journal.trouble):
        assert "the state folder cannot be written to" in text
        assert str(tmp_path) not in text


def test_another_write_error_is_reported_again(tmp_path, disk):
    document = Document(tmp_path)
    disk.room = 0
    with pytest.raises(JournalTrouble, match="full"):
        document.do("one")
    disk.error = OSError(errno.EIO, "Input/output error")
    with pytest.raises(JournalTrouble, match="error"):
        document.do("two")


def test_a_crash_while_the_disk_is_full_keeps_all_that_was_acknowledged(tmp_path, disk):
    document = Document(tmp_path)
    document.do("before")
    acknowledged = document.history
    disk.room = 300
    with pytest.raises(JournalTrouble):
        document.do("x" * 100_000)
    history, _, made = found(tmp_path, document.crash())
    assert same(history, acknowledged)
    assert made.lost == ""


def test_after_a_failed_sync_everything_is_written_anew(tmp_path, disk):
    document = Document(tmp_path)
    document.do("before")
    inode = document.file.stat().st_ino
    disk.sync_error = SyncFailed(errno.EIO, "Input/output error")
    with pytest.raises(JournalTrouble):
        document.do("one")
    assert unfinished(tmp_path) == []  # the old file is still this process's
    disk.sync_error = None
    document.do("two")
    assert document.file.stat().st_ino != inode
    assert same(found(tmp_path, document.crash())[0], document.history)


def test_a_folder_that_cannot_be_written_is_reported_and_used_once_it_can(tmp_path):
    home = tmp_path / "home"
    home.write_text("in the way")
    document = Document(home)
    assert "Steps will not be safe on disk: the state folder" in document.journal.trouble
    with pytest.raises(JournalTrouble, match="The last step is not safe"):
        document.do("one")
    home.unlink()
    document.do("two")
    assert document.journal.trouble is None
    assert same(found(home, document.crash())[0], document.history)


def test_what_waits_is_written_by_itself_once_that_works(tmp_path, disk, monkeypatch):
    monkeypatch.setattr(journal, "RETRY", 0.01)
    document, healed, reported = Document(tmp_path), threading.Event(), []
    document.journal.on_safe_again = lambda text: (reported.append(text), healed.set())
    disk.room = 0
    with pytest.raises(JournalTrouble):
        document.do("one")
    disk.room = None
    assert healed.wait(LONG)
    assert reported == ["All steps are safe on disk again."]
    assert document.journal.unsafe_steps == 0
    assert same(found(tmp_path, document.crash())[0], document.history)


def test_a_document_is_not_put_away_while_its_steps_are_on_no_disk(tmp_path, disk):
    document = Document(tmp_path)
    disk.room = 0
    with pytest.raises(JournalTrouble):
        document.do("one")
    with pytest.raises(JournalTrouble):
        document.journal.close()
    disk.room = None
    document.journal.close()
    assert same(found(tmp_path, document.journal.name)[0], document.history)


def test_what_is_in_the_users_file_may_be_put_away_on_a_full_disk(tmp_path, disk):
    document = Document(tmp_path)
    document.do("one")
    disk.room = 0
    with pytest.raises(JournalTrouble):
        document.journal.record_save("/some/file.arc.glb")
    document.journal.close()
    assert files(tmp_path) == []


def deleted(file):
    file.unlink()


def folder_deleted(file):
    shutil.rmtree(file.parent.parent)


def replaced(file):
    file.unlink()
    file.write_bytes(b"somebody else's")


def shortened(file):
    os.truncate(file, file.stat().st_size - 10)


def lengthened(file):
    with file.open("ab") as end:
        end.write(b"somebody else's")


def made_a_folder(file):
    file.unlink()
    file.mkdir()


HARM = [deleted, folder_deleted, replaced, shortened, lengthened, made_a_folder]


@pytest.mark.parametrize("harm", HARM, ids=lambda harm: harm.__name__)
def test_a_file_harmed_under_way_is_written_anew_before_the_next_step_counts(tmp_path, harm):
    document = Document(tmp_path / "home")
    document.do("one")
    document.do("two")
    document.undo()
    harm(document.file)
    document.do("three")
    assert document.journal.trouble is None
    assert unfinished(tmp_path / "home") == [] or harm is made_a_folder
    assert same(found(tmp_path / "home", document.crash())[0], document.history)


@pytest.mark.skipif(sys.platform == "win32", reason="no such limits there")
def test_a_file_size_limit_is_trouble_and_not_the_end(tmp_path):
    code = f"""
import resource, sys
from pathlib import Path
sys.path[:0] = {sys.path!r}
from arcwright.server.storage.journal import JournalTrouble
from journalled import Document
document = Document(Path({str(tmp_path)!r}))
document.do("before")
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, hard))
try:
    document.do("x" * 100_000)
    raise SystemExit("no trouble")
except JournalTrouble:
    pass
resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
document.do("after")
import os
os._exit(0)
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
    (left,) = unfinished(tmp_path)
    labels = [edit.label for edit in found(tmp_path, left.name)[0].done]
    assert labels == ["Name it before", "Name it " + "x" * 100_000, "Name it after"]


def test_steps_are_on_disk_when_the_call_returns(tmp_path, monkeypatch):
    document, synced = Document(tmp_path), []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.fstat(handle).st_size))
    document.do("one")
    assert synced == [document.file.stat().st_size]


# Compaction, and a history that does not grow for ever


def test_steps_that_nothing_comes_of_do_not_stay_in_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(journal, "MOST_DEAD_RECORDS", 20)
    document = Document(tmp_path)
    document.do("first")
    for step in range(200):
        document.do(f"step {step}")
        document.undo()
    document.do("again")
    document.undo()
    document.journal.wait_for_compaction()
    assert document.journal._current.records < 60
    assert len(document.journal._current.packer._store._known) < 2000
    assert unfinished(tmp_path) == []  # the lock was kept
    name = document.crash()
    assert files(tmp_path) == [f"{name}.journal"]
    assert same(found(tmp_path, name)[0], document.history)


def test_steps_that_die_during_a_compaction_are_dropped_by_the_next(tmp_path, monkeypatch):
    monkeypatch.setattr(journal, "MOST_DEAD_RECORDS", 20)
    document, goes_on = Document(tmp_path), threading.Event()
    written = journal.JournalFile.write

    def slowly(file, state):
        assert goes_on.wait(60)
        return written(file, state)

    document.do("first")
    monkeypatch.setattr(journal.JournalFile, "write", slowly)
    for step in range(100):
        document.do(f"step {step}")
        document.undo()
    goes_on.set()
    document.journal.wait_for_compaction()
    assert document.journal._current.records < 60


def test_a_large_dead_step_is_dropped_too(tmp_path, monkeypatch):
    monkeypatch.setattr(journal, "MOST_DEAD_BYTES", 100_000)
    document = Document(tmp_path)
    document.do("x" * 200_000)
    document.undo()
    document.do("y")
    document.journal.wait_for_compaction()
    assert document.file.stat().st_size < 50_000
    assert same(found(tmp_path, document.crash())[0], document.history)


def test_steps_done_while_the_file_is_compacted_are_there_as_well(tmp_path, monkeypatch):
    monkeypatch.setattr(journal, "MOST_DEAD_RECORDS", 4)
    begun, go_on, written = threading.Event(), threading.Event(), journal.JournalFile.write

    def slow(file, state):
        begun.set()
        assert go_on.wait(LONG)
        return written(file, state)

    document = Document(tmp_path, path="/some/file.arc.glb")
    document.do("kept")
    document.journal.record_save("/some/other.arc.glb")
    monkeypatch.setattr(journal.JournalFile, "write", slow)
    for step in range(6):
        document.do(f"step {step}")
        document.undo()
    assert begun.wait(LONG)
    document.do("meanwhile")
    document.do("more")
    document.undo()
    go_on.set()
    document.journal.wait_for_compaction()
    document.do("after")
    history, path, _ = found(tmp_path, document.crash())
    assert same(history, document.history)
    assert path == "/some/other.arc.glb"


def test_a_compaction_that_fails_leaves_the_current(tmp_path, monkeypatch, disk):
    monkeypatch.setattr(journal, "MOST_DEAD_RECORDS", 4)

    tried = []

    def full(*_):
        tried.append(1)
        raise OSError(28, "No space left on device")

    document = Document(tmp_path)
    monkeypatch.setattr(journal.JournalFile, "write", full)
    for step in range(12):
        document.do(f"step {step}")
        document.undo()
        document.journal.wait_for_compaction()
    assert document.journal.trouble is None
    assert 1 < len(tried) < 8  # not with every step
    assert same(found(tmp_path, document.crash())[0], document.history)


def test_dropped_steps_are_part_of_the_recovered_scene(tmp_path):
    document = Document(tmp_path)
    for step in range(6):
        document.do(f"step {step}")
    document.undo()
    document.journal.record_dropped(2)
    document.history = document.history.without_oldest(2)
    document.redo()
    for _ in range(2):  # as it was written down, and as it was written anew
        (left,) = (document.crash(), *unfinished(tmp_path))[1:]
        assert left.steps == 4
        history, _, document.journal = recover(tmp_path, left.name)
        assert same(history, document.history)


def test_the_last_dropped_steps_are_recorded_on_close(tmp_path):
    document = Document(tmp_path)
    for step in range(3):
        document.do(f"step {step}")
    document.journal.record_dropped(1)
    document.journal.close()
    assert len(found(tmp_path, document.journal.name)[0].done) == 2


def test_large_steps_are_dropped_sooner(tmp_path, monkeypatch):
    monkeypatch.setattr(journal, "MOST_STEP_BYTES", 500_000)
    document = Document(tmp_path)
    for step in range(4):
        document.do(f"{step}" * 100_000)
    assert document.journal.excess_steps() == 2


def test_a_saved_document_stays_saved_when_its_journal_is_written_anew(tmp_path):
    document = Document(tmp_path)
    document.do("one")
    document.journal.record_save("/some/file.arc.glb")
    document.file.unlink()
    document.journal.record_save("/some/file.arc.glb")
    name = document.crash()
    assert unfinished(tmp_path) == []
    assert not (tmp_path / "journals" / f"{name}.journal").exists()


# What is kept, and for how long


def test_of_very_many_documents_the_newest_are_listed_and_all_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(recoveries, "MOST_LEFT", 5)
    names = []
    for day in (9, 3, 7, 1, 8, 2, 6):
        monkeypatch.setattr(journal.time, "time", lambda day=day: day * 86400.0)
        document = Document(tmp_path)
        document.do("one")
        names.append(document.crash())
        os.utime(document.file, (day, day))
    assert {left.name for left in unfinished(tmp_path)} == set(names[2:])
    assert files(tmp_path) == sorted(f"{name}.journal" for name in names)


def test_however_much_lies_beside_them_good_journals_stay(tmp_path):
    document = Document(tmp_path)
    document.do("one")
    name = document.crash()
    for number in range(120):
        (tmp_path / "journals" / f"j{number + 500:06d}-cccccccc.journal").mkdir()
    unfinished(tmp_path)
    assert (tmp_path / "journals" / f"{name}.journal").exists()


def test_names_that_no_journal_is_given_are_passed_over(tmp_path):
    document = Document(tmp_path)
    document.do("one")
    name = document.crash()
    data = (tmp_path / "journals" / f"{name}.journal").read_bytes()
    for odd in ("a\nb", ".", "x" * 200, "\udcff"):
        (tmp_path / "journals" / f"{odd}.journal").write_bytes(data)
    assert [left.name for left in unfinished(tmp_path)] == [name]


@pytest.mark.parametrize("spoil", ["deleted", "cut", "overwritten", "folder deleted"])
def test_a_clean_end_makes_a_spoilt_journal_anew(tmp_path, spoil):
    document = Document(tmp_path)
    document.do("one")
    document.do("two")
    data = document.file.read_bytes()
    if spoil == "deleted":
        document.file.unlink()
    elif spoil == "folder deleted":
        shutil.rmtree(tmp_path / "journals")
    else:
        document.file.write_bytes(data[:1000] if spoil == "cut" else bytes(len(data)))
    document.journal.close()
    (left,) = unfinished(tmp_path)
    assert (left.steps, left.damage) == (2, "")
    history, _, journal_ = recover(tmp_path, left.name)
    journal_.close()
    assert same(history, document.history)


def test_an_old_document_is_kept_however_long_ago_it_was_touched(tmp_path):
    document = Document(tmp_path)
    document.do("one")
    name = document.crash()
    os.utime(tmp_path / "journals" / f"{name}.journal", (0, 0))
    assert [left.name for left in unfinished(tmp_path)] == [name]


def test_a_crashed_journal_without_unsaved_steps_goes_away(tmp_path):
    Document(tmp_path).crash()
    assert unfinished(tmp_path) == []
    assert files(tmp_path) == []


def test_files_are_looked_at_again_only_when_they_changed(tmp_path, monkeypatch):
    document = Document(tmp_path)
    document.do("one")
    name = document.crash()
    before = unfinished(tmp_path)
    monkeypatch.setattr(recoveries, "_contents", lambda *_: 1 / 0)
    assert unfinished(tmp_path) == before
    os.utime(tmp_path / "journals" / f"{name}.journal", (0, 0))
    assert unfinished(tmp_path) != before


def test_a_history_drops_its_oldest_steps_on_request(tmp_path):
    document = Document(tmp_path)
    for step in range(4):
        document.do(f"step {step}")
    document.undo()
    less = document.history.without_oldest(2)
    assert less.scene is document.history.scene
    assert [edit.label for edit in less.done] == ["Name it step 2"]
    assert less.undone == document.history.undone
    assert isinstance(less.undo().undo(), History)


def test_bone_length_settings_are_recovered_after_a_crash(tmp_path):
    document = Document(tmp_path, Scene(characters=(exported(),)))
    document.edit(set_lengths(document.history.scene, "", [3], "free"))
    document.edit(set_root(document.history.scene, "", 2))
    document.undo()
    kept, _, _ = found(tmp_path, document.crash())
    assert same(kept.scene, document.history.scene)
    assert kept.scene.characters[0].rig.lengths[3] == "free"
    assert same(kept.redo().scene, document.history.redo().scene)
