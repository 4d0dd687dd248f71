"""Documents on disk written by earlier versions open with exactly what was stored in them."""

import shutil
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

import arcwright
from arcwright.arrays import same
from arcwright.server.storage.journal import recover, unfinished
from arcwright.server.storage.journal.records import HEAD, MAGIC, Kind
from stored_document import CONSTRAINTS, CONTACTS, DONE, LAYERS, PINS, TAKE, UNDONE

TESTS = Path(__file__).parents[1]
JOURNAL = TESTS / "server" / "version_2.journal"
PROJECT = TESTS / "files" / "project_2026_11.arc.glb"
NAME = "j000001-c825c975"


@pytest.fixture
def recovered(tmp_path):
    """The history and the path in the stored journal."""
    (tmp_path / "journals").mkdir()
    shutil.copy(JOURNAL, tmp_path / "journals" / f"{NAME}.journal")
    (left,) = unfinished(tmp_path)
    assert (left.label, left.steps, left.damage) == ("lamp.arc.glb", len(DONE), "")
    history, path, journal = recover(tmp_path, NAME)
    assert journal.lost == ""
    journal.close()
    return history, path


def with_copies(stated):
    """Constraints of the copied take follow those that they were copied from."""
    for each in stated:
        yield each
        if each.take == TAKE:
            yield replace(each, take="hop twice")


def check_content(scene):
    """The whole scene, compared with values stated here."""
    stated = (*with_copies(PINS), *with_copies(CONTACTS), *with_copies(CONSTRAINTS))
    assert same(scene.constraints, stated)
    (lamp,), (box,) = scene.characters, scene.props
    assert lamp.rig.names == ("Base", "Stem", "LowerArm", "UpperArm", "Shade")
    assert lamp.rig.parents.tolist() == [-1, 0, 1, 2, 3]
    assert (lamp.rig.channels.low[-1], lamp.rig.channels.high[-1]) == (-1.5, 1.25)
    assert (box.name, box.rig.names, [each.name for each in box.takes]) == (
        *("Box", ("Box",)),
        ["carry"],
    )
    hop, look, copy = lamp.takes
    assert [each.name for each in lamp.takes] == ["hop", "look", "hop twice"]
    assert same(hop.layers, LAYERS)
    assert [each.name for each in copy.layers] == ["Lean", "Bob"]
    assert look.layers == ()
    assert [(each.duration, each.rate) for each in lamp.takes] == [(1.5, 24), (1.25, 24), (1.5, 24)]
    assert digest(hop) == "32aef063398875dc"
    (part,) = lamp.shapes[0].parts
    assert (part.triangle_count, list(part.attributes)) == (
        100,
        ["POSITION", "NORMAL", "JOINTS_0", "WEIGHTS_0"],
    )
    assert sha256(part.attributes["POSITION"].tobytes()).hexdigest()[:16] == "79397c9ea164bdfb"


def digest(take):
    """All keys of a take, bit for bit."""
    found = sha256()
    for channel, curve in enumerate(take.base.curves):
        if curve is not None:
            for part in (curve.time, curve.value, curve.tangent, curve.handles):
                found.update(np.ascontiguousarray(part).tobytes())
            found.update(bytes([channel]))
    return found.hexdigest()[:16]


def test_a_stored_journal_opens_with_exactly_its_content(recovered):
    history, path = recovered
    assert path == "/somewhere/lamp.arc.glb"
    assert [edit.label for edit in history.done] == DONE
    assert [edit.label for edit in history.undone] == UNDONE
    check_content(history.scene)


def test_the_steps_of_a_stored_journal_can_be_undone_and_redone(recovered):
    history = recovered[0]
    assert history.redo().scene.characters[0].takes[1].name == "look around"
    back = history
    for _ in DONE:
        back = back.undo()
    assert back.scene.constraints == ()
    assert [len(each.layers) for each in back.scene.characters[0].takes] == [0, 0]
    for _ in DONE:
        back = back.redo()
    assert same(back.scene, history.scene)


def test_each_step_on_constraints_of_a_stored_journal_is_undone_and_redone(recovered):
    history = recovered[0]
    labels = [edit.label for edit in history.done]
    while history.done and history.done[-1].label != "Add flight, frames 18-24":
        history = history.undo()
    added = [*PINS, *CONTACTS, *CONSTRAINTS]  # in the order in which they were added
    for count in range(len(added), 0, -1):
        assert same(history.scene.constraints, tuple(added[:count]))
        before = history.undo()
        assert same(before.scene.constraints, tuple(added[: count - 1]))
        assert same(before.redo().scene, history.scene)
        assert history.done[-1].label == labels[count - 1]
        history = before


def test_a_stored_journal_that_went_on_is_recovered_again(tmp_path, recovered):
    history, path = recovered
    journals = tmp_path / "journals"
    (name,) = [file.stem for file in journals.iterdir()]
    again, where, journal = recover(tmp_path, name)
    journal.close()
    assert where == path
    assert same(again.scene, history.scene)
    assert [edit.label for edit in again.done] == DONE
    assert same(again.undo().scene, history.undo().scene)


def test_a_stored_journal_whose_last_record_was_never_finished_has_lost_nothing(tmp_path):
    data = JOURNAL.read_bytes()
    at = data.rindex(MAGIC)
    number = int.from_bytes(data[at + 8 : at + 12], "little") + 1
    torn = HEAD.pack(MAGIC, 2, Kind.UNDO, 0, number, 0, 0, 0.0, data[at + 32 : at + 40], b"", b"")
    (tmp_path / "journals").mkdir()
    (tmp_path / "journals" / f"{NAME}.journal").write_bytes(data + torn[:20])
    history, _, journal = recover(tmp_path, NAME)
    journal.close()
    assert journal.lost == ""
    check_content(history.scene)


def test_a_stored_project_file_opens_with_the_same_content(recovered):
    scene = arcwright.read(PROJECT)
    check_content(scene)
    assert same(replace(scene, source=None), recovered[0].scene)
