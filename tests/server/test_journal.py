import os
import shutil
import time
from itertools import pairwise
from pathlib import Path

import pytest

from arcwright.arrays import same
from arcwright.edits.activities import move_event, remove_activity
from arcwright.edits.lengths import set_lengths, set_root
from arcwright.errors import BadFile
from arcwright.scene.history import History
from arcwright.scene.scene import Scene
from arcwright.server.storage.journal import discard, journal, recover, unfinished
from arcwright.server.storage.journal import recovery as recoveries
from builders import full_scene
from exported_rig import exported
from journalled import Document, files, found


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


def test_journals_from_before_activities_come_back_with_their_history(tmp_path):
    (tmp_path / "journals").mkdir()
    old = Path(__file__).with_name("version_4.journal")
    shutil.copy(old, tmp_path / "journals" / "j000001-904c042a.journal")
    (left,) = unfinished(tmp_path)
    assert (left.steps, left.damage) == (1, "")
    history, _, made = found(tmp_path, left.name)
    assert (made.trouble, made.lost) == (None, "")
    assert [edit.label for edit in history.done] == ["Name it changed"]
    assert [edit.label for edit in history.undone] == ["Name it again"]
    start = history.undo().scene
    assert same(start.constraints, full_scene().constraints)
    assert start.activities == ()


def test_activities_come_back_with_their_edits(tmp_path):
    document = Document(tmp_path)
    scene = document.history.scene
    assert scene.activities
    document.edit(move_event(scene, "", "take", 0.5))
    document.edit(remove_activity(document.history.scene, ""))
    document.undo()
    history, _, _ = found(tmp_path, document.crash())
    assert same(history, document.history)
    assert history.scene.activities[0].events[0].time == 0.5


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


def test_a_document_is_back_where_its_file_is_once_its_steps_are_undone(tmp_path):
    document = Document(tmp_path, path="/some/walk.arc.glb")
    document.do("one")
    document.undo()
    document.crash()
    (left,) = unfinished(tmp_path)
    assert (left.steps, left.differs) == (0, False)
    assert same(found(tmp_path, left.name)[0], document.history)  # and the step can be redone


def test_a_document_is_back_where_it_was_saved_by_undo_and_redo(tmp_path):
    document = Document(tmp_path)
    document.do("one")
    document.journal.record_save("/some/walk.arc.glb")
    document.undo()
    document.redo()
    document.crash()
    (left,) = unfinished(tmp_path)
    assert (left.steps, left.differs) == (1, False)


def test_a_document_whose_saved_steps_were_undone_differs_from_its_file(tmp_path):
    document = Document(tmp_path)
    document.do("one")
    document.journal.record_save("/some/walk.arc.glb")
    document.undo()
    document.crash()
    (left,) = unfinished(tmp_path)
    assert (left.steps, left.differs) == (0, True)


def test_a_document_that_dropped_its_oldest_step_differs_from_its_file(tmp_path):
    document = Document(tmp_path)
    for name in ("one", "two"):
        document.do(name)
    document.journal.record_dropped(1)
    document.history = document.history.without_oldest(1)
    document.undo()
    document.crash()
    (left,) = unfinished(tmp_path)
    assert (left.steps, left.differs) == (0, True)


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
