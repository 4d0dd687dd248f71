import stat
import sys
from pathlib import Path

import pytest

from arcwright.server import home as homes
from arcwright.server.home import home, recent, remember, token

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


def test_the_token_is_long_and_kept(tmp_path):
    first = token(tmp_path)
    assert len(first) >= 32
    assert token(tmp_path) == first
    assert token(tmp_path / "elsewhere") != first


@needs_modes
def test_nobody_else_can_read_the_token(tmp_path):
    token(tmp_path)
    assert stat.S_IMODE((tmp_path / "token").stat().st_mode) == 0o600


@pytest.mark.parametrize("spoilt", [b"", b"short", b"\xff" * 40, b"a" * 32 + b"\nb", b"<" * 40])
def test_a_spoilt_token_is_replaced(tmp_path, spoilt):
    (tmp_path / "token").write_bytes(spoilt)
    made = token(tmp_path)
    assert made.encode() != spoilt
    assert token(tmp_path) == made


def test_without_a_folder_to_write_to_there_is_a_token_for_now(tmp_path):
    (tmp_path / "file").write_text("in the way")
    assert len(token(tmp_path / "file")) >= 32
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
