import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arcwright.arrays import same
from arcwright.errors import BadFile
from arcwright.scene.clip import Clip
from arcwright.scene.edit import Edit, change_at
from arcwright.scene.history import History
from arcwright.server.journal import Journal, JournalTrouble, recover, unfinished
from builders import full_scene

NAMES = ("characters", 0, "takes", 0, "base")


def renamed(scene, name):
    clip = scene.characters[0].takes[0].base
    made = Clip(name, clip.curves, clip.duration + 0.1, clip.rate)
    wishes = change_at(scene, ("pins",), ())
    return Edit(f"Name it {name}", (change_at(scene, NAMES, made), wishes))


class Document:
    """A history and its journal, changed together as the desk does."""

    def __init__(self, home, scene=None, path=None):
        self.home = home
        self.history = History(scene or full_scene())
        self.journal = Journal.begin(home, self.history.scene, path)

    def do(self, name):
        edit = renamed(self.history.scene, name)
        self.history = self.history.do(edit)
        self.journal.did(edit)

    def undo(self):
        self.history = self.history.undo()
        self.journal.undid()

    def redo(self):
        self.history = self.history.redo()
        self.journal.redid()

    def crash(self):
        """What is left when the process is killed: the file as it is, and no lock."""
        self.journal._connection.close()
        return self.journal.name


def files(home):
    return sorted(path.name for path in (home / "journals").iterdir())


def test_the_whole_history_comes_back_bit_for_bit(tmp_path):
    document = Document(tmp_path, path="/some/file.arc.glb")
    for step in range(5):
        document.do(f"step {step}")
    document.undo()
    document.undo()
    document.redo()
    name = document.crash()
    history, path, journal = recover(tmp_path, name)
    assert same(history, document.history)
    assert [edit.label for edit in history.undone] == ["Name it step 4"]
    assert path == "/some/file.arc.glb"
    assert journal.trouble is None
    assert journal.kept_at == pytest.approx(document.journal.kept_at, abs=5)
    journal.close()


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
    assert same(recover(tmp_path, name)[0], document.history)
    assert len(document.history.done) == 4


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
    assert abs(left.when - time.time()) < 600


def test_a_clean_end_leaves_nothing_that_was_saved(tmp_path):
    untouched, saved, dirty = (Document(tmp_path) for _ in range(3))
    untouched.journal.close()
    saved.do("one")
    saved.journal.saved("/some/file.arc.glb")
    saved.journal.close()
    dirty.do("one")
    dirty.journal.saved("/some/file.arc.glb")
    dirty.undo()
    dirty.journal.close()
    assert files(tmp_path) == [dirty.journal.file.name]
    assert [left.path for left in unfinished(tmp_path)] == ["/some/file.arc.glb"]


def test_meshes_and_what_else_stays_the_same_are_written_once(tmp_path):
    document = Document(tmp_path)
    sizes = []
    for step in range(4):
        document.do(f"step {step}")
        rows = document.journal._connection.execute("SELECT length(packet) FROM steps").fetchall()
        sizes.append(rows[-1][0])
    assert max(sizes) < 700 < rows[0][0]


def test_nothing_is_missing_after_the_disk_was_full(tmp_path):
    document = Document(tmp_path)
    document.do("before")
    limit = document.journal._connection.execute("PRAGMA page_count").fetchone()[0]
    document.journal._connection.execute(f"PRAGMA max_page_count = {limit}")
    troubles = []
    for step in range(40):
        try:
            document.do(f"full {step} " + "x" * 2000)
        except JournalTrouble as trouble:
            troubles.append(str(trouble))
    assert len(troubles) > 20
    assert "the disk is full" in troubles[-1]
    assert f"the last {len(troubles)} steps" in troubles[-1]
    assert document.journal.trouble == troubles[-1]
    document.journal._connection.execute("PRAGMA max_page_count = 100000")
    document.undo()
    assert document.journal.trouble is None
    assert same(recover(tmp_path, document.crash())[0], document.history)


def test_a_crash_while_the_disk_is_full_keeps_all_that_was_acknowledged(tmp_path):
    document = Document(tmp_path)
    document.do("before")
    acknowledged = document.history
    limit = document.journal._connection.execute("PRAGMA page_count").fetchone()[0]
    document.journal._connection.execute(f"PRAGMA max_page_count = {limit}")
    with pytest.raises(JournalTrouble):
        document.do("x" * 100_000)
    assert same(recover(tmp_path, document.crash())[0], acknowledged)


def test_a_folder_that_cannot_be_written_is_told_and_used_once_it_can(tmp_path):
    home = tmp_path / "home"
    home.write_text("in the way")
    document = Document(home)
    assert "steps will not be safe on disk: the folder cannot" in document.journal.trouble
    with pytest.raises(JournalTrouble, match="the last step is not safe"):
        document.do("one")
    home.unlink()
    (home / "journals").mkdir(parents=True)
    document.do("two")
    assert document.journal.trouble is None
    assert same(recover(home, document.crash())[0], document.history)


def test_a_journal_deleted_under_way_is_written_again(tmp_path):
    document = Document(tmp_path)
    document.do("one")
    for file in (tmp_path / "journals").iterdir():
        file.unlink()
    document.do("two")
    assert same(recover(tmp_path, document.crash())[0], document.history)


def test_a_file_size_limit_is_trouble_and_not_the_end(tmp_path):
    code = f"""
import resource, sys
from pathlib import Path
sys.path[:0] = {[str(Path(__file__).parent), str(Path(__file__).parents[1])]!r}
from test_journal import Document, JournalTrouble
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
    history, _, journal = recover(tmp_path, left.name)
    labels = [edit.label for edit in history.done]
    assert labels == ["Name it before", "Name it " + "x" * 100_000, "Name it after"]
    journal.close()


def test_a_document_open_elsewhere_cannot_be_recovered(tmp_path):
    document = Document(tmp_path)
    document.do("one")
    with pytest.raises(BadFile, match="another studio"):
        recover(tmp_path, document.journal.name)


@pytest.mark.parametrize("name", ["", "../x", "nothing", "a/b", "..", "C:x", "x" * 100, "\0"])
def test_names_that_are_no_journal_are_refused(tmp_path, name):
    with pytest.raises(BadFile, match="no such document"):
        recover(tmp_path, name)


def test_of_a_damaged_journal_the_steps_before_the_damage_come_back(tmp_path):
    document = Document(tmp_path)
    for step in range(4):
        document.do(f"step {step}")
    document.journal._connection.execute("UPDATE steps SET packet = x'00' WHERE number = 3")
    history, _, journal = recover(tmp_path, document.crash())
    assert [edit.label for edit in history.done] == ["Name it step 0", "Name it step 1"]
    assert "2 of 5 entries" in journal.trouble
    assert journal.name != document.journal.name
    assert [name for name in files(tmp_path) if name.endswith(".damaged")]
    journal._connection.close()
    again, _, journal = recover(tmp_path, journal.name)
    assert same(again, history)
    journal.close()


def test_files_that_are_no_journals_do_no_harm(tmp_path):
    Document(tmp_path).journal.close()
    (tmp_path / "journals" / "0-0.journal").write_bytes(b"no database at all" * 100)
    (tmp_path / "journals" / "0-1.journal").write_bytes(b"")
    assert unfinished(tmp_path) == []
    with pytest.raises(BadFile, match="damaged"):
        recover(tmp_path, "0-0")
    with pytest.raises(BadFile, match="damaged"):
        recover(tmp_path, "0-1")


def test_journals_of_a_newer_version_are_left_alone(tmp_path):
    document = Document(tmp_path)
    document.do("one")
    document.journal._connection.execute("PRAGMA user_version = 9")
    name = document.crash()
    with pytest.raises(BadFile, match=r"version 9.*update"):
        recover(tmp_path, name)
    assert files(tmp_path)


def aged(home, name, days):
    then = time.time() - days * 24 * 3600
    os.utime(home / "journals" / f"{name}.journal", (then, then))


def test_only_old_journals_beyond_the_newest_twenty_are_forgotten(tmp_path):
    names = []
    for _ in range(23):
        document = Document(tmp_path)
        document.do("one")
        names.append(document.crash())
    for name in names[:4]:
        aged(tmp_path, name, days=40)
    aged(tmp_path, names[4], days=20)
    assert len(unfinished(tmp_path)) == 20
    assert {left.name for left in unfinished(tmp_path)} >= set(names[4:])


def test_a_crashed_journal_without_unsaved_steps_goes_away_after_a_while(tmp_path):
    name = Document(tmp_path).crash()
    assert unfinished(tmp_path) == []
    assert files(tmp_path)
    aged(tmp_path, name, days=0.01)
    assert unfinished(tmp_path) == []
    assert not files(tmp_path)


def test_steps_are_on_disk_when_the_call_returns(tmp_path):
    document = Document(tmp_path)
    document.do("one")
    level = document.journal._connection.execute("PRAGMA synchronous").fetchone()
    mode = document.journal._connection.execute("PRAGMA journal_mode").fetchone()
    assert (level, mode) == ((2,), ("wal",))
    copy = tmp_path / "copy"
    copy.mkdir()
    for file in (tmp_path / "journals").iterdir():  # as another process would find it now
        (copy / file.name).write_bytes(file.read_bytes())
    seen = sqlite3.connect(copy / document.journal.file.name)
    assert seen.execute("SELECT word FROM steps").fetchall() == [("began",), ("did",)]
    seen.close()
