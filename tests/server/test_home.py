import stat
import sys
from pathlib import Path

import pytest

from arcwright.server.storage import home as homes
from arcwright.server.storage.home import delete_token, home, recent, remember

needs_modes = pytest.mark.skipif(sys.platform == "win32", reason="no such permissions there")


def test_the_state_folder_is_named_by_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("ARCWRIGHT_HOME", str(tmp_path / "a" / "b"))
    assert home() == tmp_path / "a" / "b"
    assert home().is_dir()


@needs_modes
def test_the_state_folder_is_this_users_only(tmp_path, monkeypatch):
    monkeypatch.setenv("ARCWRIGHT_HOME", str(tmp_path / "own"))
    assert stat.S_IMODE(home().stat().st_mode) == 0o700


def test_each_system_has_its_usual_place(monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", "/state")
    assert homes._usual("linux") == Path("/state/arcwright")
    monkeypatch.setenv("XDG_STATE_HOME", "not/absolute")
    assert homes._usual("linux") == Path.home() / ".local/state/arcwright"
    assert homes._usual("darwin") == Path.home() / "Library/Application Support/Arcwright"
    monkeypatch.setenv("LOCALAPPDATA", "/local")
    assert homes._usual("win32") == Path("/local/Arcwright")


def test_the_token_that_earlier_versions_kept_is_deleted(tmp_path):
    (tmp_path / "token").write_text("a" * 32)
    delete_token(tmp_path)
    assert not (tmp_path / "token").exists()
    delete_token(tmp_path)
    delete_token(tmp_path / "nowhere")


def test_recent_files_are_not_kept_in_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("in the way")
    remember(tmp_path / "file", "x.bvh")
    assert recent(tmp_path / "file") == []


def test_recent_files_come_last_first_and_once(tmp_path):
    for name in ("a.bvh", "b.glb", "a.bvh"):
        (tmp_path / name).touch()
        remember(tmp_path, tmp_path / name)
    assert [Path(each.path).name for each in recent(tmp_path)] == ["a.bvh", "b.glb"]
    (tmp_path / "a.bvh").unlink()
    assert [Path(each.path).name for each in recent(tmp_path)] == ["b.glb"]


@pytest.mark.parametrize("spoilt", ["", "{}", "[1]", '[{"path": 3}]', "[" * 10_000, "null"])
def test_a_spoilt_list_of_recent_files_is_an_empty_one(tmp_path, spoilt):
    (tmp_path / "recent.json").write_text(spoilt)
    assert recent(tmp_path) == []
