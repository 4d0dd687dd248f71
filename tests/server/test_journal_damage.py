import sys
import tracemalloc
from dataclasses import replace
from hashlib import sha256

import pytest

from arcwright.arrays import same
from arcwright.errors import BadFile
from arcwright.server.storage.journal import discard, reading, recover, unfinished
from arcwright.server.storage.journal import records as records_module
from arcwright.server.storage.journal.records import HEAD, START, Kind
from arcwright.server.storage.journal.recovery import MOST_DAMAGED
from corruption import Corruption
from journal_damage import INSTEAD, records, spoil, unit_of
from journalled import ODD, WAVE, Document, renamed


@pytest.fixture
def document(tmp_path):
    """Two characters edited in turn: 6 steps, then a crash."""
    made = Document(tmp_path)
    made.start = made.history.scene
    for step in range(3):
        made.do(f"wave {step}", WAVE)
        made.do(f"odd {step}", ODD)
    made.crash()
    return made


def back(document):
    history, _, journal = recover(document.home, document.journal.name)
    journal.close()
    return history, journal.lost


def test_a_lost_take_is_named_and_stands_still_while_all_else_comes_back(document):
    take = document.start.characters[0].takes[0]
    spoil(document.file, unit_of(document.file, document.start, take))
    (left,) = unfinished(document.home)
    assert left.damage == "Take 'wave' of arm could not be read"
    history, lost = back(document)
    assert lost.startswith("Take 'wave' of arm could not be read")
    placeholder = history.scene.characters[0].takes[0]
    assert (placeholder.name, placeholder.duration) == ("wave", take.duration)
    assert placeholder.base.key_count == 0
    assert same(history.scene.characters[1], document.history.scene.characters[1])
    assert same(history.scene.characters[0].takes[1], document.start.characters[0].takes[1])
    assert history.scene.pins == ()  # what the steps did besides is done


def test_steps_that_changed_only_what_was_lost_are_counted(tmp_path):
    document = Document(tmp_path)
    start = document.history.scene
    for name in ("one", "two"):
        edit = changed_take(document.history.scene, name)
        document.edit(edit)
    document.do("odd", ODD)
    document.crash()
    spoil(document.file, unit_of(document.file, start, start.characters[0].takes[0]))
    history, lost = back(document)
    assert "2 steps that changed only that went with it" in lost
    assert [edit.label for edit in history.done] == ["Name it odd"]


def changed_take(scene, name):
    edit = renamed(scene, name)
    return replace(edit, changes=edit.changes[:1])


def test_a_lost_rig_loses_that_character_only(document):
    spoil(document.file, unit_of(document.file, document.start, document.start.characters[0].rig))
    history, lost = back(document)
    assert lost.startswith("Character 'arm' could not be read")
    assert [each.name for each in history.scene.characters] == ["arm", "two"]
    assert same(history.scene.characters[1], document.history.scene.characters[1])


def test_a_lost_shape_falls_away(document):
    shape = document.start.characters[1].shapes[0]
    spoil(document.file, unit_of(document.file, document.start, shape))
    history, lost = back(document)
    assert "hape 's' of two" in lost
    assert history.scene.characters[1].shapes == ()
    assert len(history.done) == 6


def test_a_lost_image_becomes_a_grey_pixel(document):
    image = document.start.characters[1].look.images[0]
    spoil(document.file, unit_of(document.file, document.start, image))
    history, lost = back(document)
    assert "mage 'i' of two" in lost
    found = history.scene.characters[1].look
    assert found.images[0].data.startswith(b"\x89PNG")
    assert found.text == document.start.characters[1].look.text


def test_the_shell_of_the_scene_is_there_twice(document):
    for record in records(document.file):
        if record.kind == Kind.START:
            whole = document.file.read_bytes()
            spoil(document.file, record)
            history, lost = back(document)
            assert same(history, document.history)
            assert lost == ""
            document.file.write_bytes(whole)


def test_steps_before_the_damage_come_back_and_the_rest_is_counted(document):
    steps = [record for record in records(document.file) if record.kind == Kind.EDIT]
    spoil(document.file, steps[3])
    (left,) = unfinished(document.home)
    assert left.damage == "3 of 6 steps could not be read (damaged at step 4)"
    assert left.steps == 3
    history, lost = back(document)
    assert lost == f"{left.damage}. Everything else was restored."
    assert [edit.label for edit in history.done] == [
        f"Name it {n}" for n in ("wave 0", "odd 0", "wave 1")
    ]


def test_a_damaged_step_that_was_undone_and_replaced_changes_nothing(tmp_path):
    document = Document(tmp_path)
    document.do("gone")
    document.undo()
    document.do("kept")
    document.crash()
    spoil(document.file, next(each for each in records(document.file) if each.kind == Kind.EDIT))
    history, lost = back(document)
    assert same(history, document.history)
    assert lost == ""


def test_a_removed_record_ends_the_history_there(document):
    steps = [record for record in records(document.file) if record.kind == Kind.EDIT]
    data = document.file.read_bytes()
    document.file.write_bytes(
        data[: steps[2].place - HEAD.size] + data[steps[3].place - HEAD.size :]
    )
    history, lost = back(document)
    assert len(history.done) == 2
    assert lost.startswith("4 of 6 steps could not be read (damaged at step 3)")


def test_the_step_under_way_when_the_machine_stopped_is_no_damage(document):
    last, data = records(document.file)[-1], document.file.read_bytes()
    start = last.place - HEAD.size
    ends = [data[: start + length] for length in (10, HEAD.size - 1, HEAD.size, HEAD.size + 7)]
    for left_over in (*ends, data[:start] + bytes(5000)):
        document.file.write_bytes(left_over)
        (left,) = unfinished(document.home)
        assert (left.damage, left.steps) == ("", 5)


def test_acknowledged_steps_that_were_cut_off_or_zeroed_are_reported(document):
    steps = [record for record in records(document.file) if record.kind == Kind.EDIT]
    data = document.file.read_bytes()
    cut = steps[3].place - HEAD.size
    for left_over in (data[:cut], data[: cut + 9], data[:cut] + bytes(len(data) - cut)):
        document.file.write_bytes(left_over)
        (left,) = unfinished(document.home)
        assert left.steps == 3
        assert "steps could not be read (damaged at step 4)" in left.damage


def test_a_beginning_that_confirms_nothing_is_reported(document):
    data = bytes(START) + document.file.read_bytes()[START:]
    document.file.write_bytes(data)
    (left,) = unfinished(document.home)
    assert left.steps == 6
    assert "whether steps are missing at its end is not known" in left.damage


def test_what_looks_like_many_headers_is_read_quickly(document, monkeypatch):
    asked = []
    header = records_module._header
    monkeypatch.setattr(
        records_module, "_header", lambda *given: asked.append(given) or header(*given)
    )
    document.file.write_bytes(document.file.read_bytes() + b"\xa9AWJ" * 20_000)
    unfinished(document.home)
    assert len(asked) < 100


def test_a_journal_whose_steps_were_all_cut_off_is_listed_and_kept(document):
    first = next(record for record in records(document.file) if record.kind == Kind.EDIT)
    document.file.write_bytes(document.file.read_bytes()[: first.place - HEAD.size])
    (left,) = unfinished(document.home)
    assert "steps could not be read (damaged at step 1)" in left.damage
    assert document.file.exists()


def test_one_flipped_bit_in_the_last_step_is_reported(document):
    spoil(document.file, records(document.file)[-1])
    assert (
        unfinished(document.home)[0].damage == "1 of 6 steps could not be read (damaged at step 6)"
    )


def test_the_damaged_file_is_kept_aside_and_the_document_goes_on_in_a_new_one(document):
    spoil(document.file, [each for each in records(document.file) if each.kind == Kind.EDIT][3])
    whole = document.file.read_bytes()
    history, _, journal = recover(document.home, document.journal.name)
    journal.record_undo()
    journal.close()
    assert document.file.with_suffix(".damaged").read_bytes() == whole
    (left,) = unfinished(document.home)
    assert (left.name, left.damage) == (journal.name, "")
    assert same(recover(document.home, left.name)[0], history.undo())


def test_only_so_many_damaged_files_are_kept(tmp_path):
    folder = tmp_path / "journals"
    folder.mkdir()
    for number in range(MOST_DAMAGED + 5):
        (folder / f"j{number:06d}-0.damaged").write_bytes(b"")
    document = Document(tmp_path)
    document.do("one")
    document.crash()
    spoil(document.file, next(each for each in records(document.file) if each.kind == Kind.EDIT))
    back(document)
    kept = sorted(each.name for each in folder.glob("*.damaged"))
    assert len(kept) == MOST_DAMAGED
    assert document.file.with_suffix(".damaged").name in kept


BROKEN = {
    "empty": (b"", "it is empty"),
    "garbage": (b"no journal at all" * 100, "nothing in it can be read"),
    "zeroed": (bytes(5000), "nothing in it can be read"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_what_cannot_be_read_is_listed_and_can_be_discarded(document, kind):
    data, why = BROKEN[kind]
    name = "j000099-0"
    (document.home / "journals" / f"{name}.journal").write_bytes(data)
    listed = {left.name: left for left in unfinished(document.home)}
    assert listed.keys() == {name, document.journal.name}
    assert listed[name].damage == f"Cannot be restored: {why}"
    with pytest.raises(BadFile, match=why) as refused:
        recover(document.home, name)
    assert str(document.home) not in str(refused.value)
    discard(document.home, name)
    assert [left.name for left in unfinished(document.home)] == [document.journal.name]


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes or links there")
@pytest.mark.parametrize("instead", INSTEAD, ids=lambda each: each.__name__)
def test_what_is_no_file_is_listed_and_can_be_discarded(document, instead):
    instead(document.home / "journals" / "j000099-0.journal")
    listed = {left.name: left for left in unfinished(document.home)}
    assert listed["j000099-0"].damage
    with pytest.raises(BadFile):
        recover(document.home, "j000099-0")
    discard(document.home, "j000099-0")
    assert [left.name for left in unfinished(document.home)] == [document.journal.name]


def test_a_file_that_may_not_be_read_is_listed(document, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(reading.os, "open", refuse)
    (left,) = unfinished(document.home)
    assert left.damage == "Cannot be restored: it cannot be opened: permission denied"


def test_journals_of_a_newer_version_are_listed_and_left_alone(document):
    data = bytearray(document.file.read_bytes())
    data[START + 4] = 9
    data[START + HEAD.size - 8 : START + HEAD.size] = digest(data)
    document.file.write_bytes(data)
    assert "newer version (9): update Arcwright" in unfinished(document.home)[0].damage
    with pytest.raises(BadFile, match=r"newer version \(9\)"):
        recover(document.home, document.journal.name)
    assert document.file.read_bytes() == data


def digest(data):
    return sha256(bytes(data[START : START + HEAD.size - 8])).digest()[:8]


def test_a_record_that_claims_to_be_huge_takes_no_memory(document):
    last = records(document.file)[-1]
    start = last.place - HEAD.size
    data = bytearray(document.file.read_bytes())
    data[start + 16 : start + 24] = (4 << 30).to_bytes(8, "little")
    data[start + HEAD.size - 8 : start + HEAD.size] = digest(data[start:])
    document.file.write_bytes(data)
    tracemalloc.start()
    history, _ = back(document)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(history.done) == 5
    assert peak < 50 << 20


def test_whatever_is_damaged_the_law_of_journals_holds(tmp_path):
    corruption = Corruption(tmp_path, seed=7)
    for _ in range(40):
        corruption.case()
    assert len(corruption.outcomes) >= 3
