"""A journal is compacted, and its history does not grow for ever."""

import threading

from arcwright.arrays import same
from arcwright.server.storage.journal import journal, recover, unfinished
from journalled import Document, files, found

LONG = 60.0  # s; nothing here takes that long unless it is broken


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
