"""A journal on a disk that is full, fails or is tampered with."""

import errno
import os
import shutil
import subprocess
import sys
import threading

import pytest

from arcwright.arrays import same
from arcwright.server.storage.journal import JournalTrouble, journal, unfinished
from arcwright.server.storage.journal.log import SyncFailed
from journalled import Document, files, found

LONG = 60.0  # s; nothing here takes that long unless it is broken


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
