import os
import stat
from pathlib import Path

import pytest

from arcwright.errors import BadFile
from arcwright.files.atomic import write_bytes


def test_chunks_are_joined(tmp_path):
    write_bytes(tmp_path / "a", b"one ", b"two")
    assert (tmp_path / "a").read_bytes() == b"one two"


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def fail(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(BadFile, match="a: cannot be written: No space left on device"):
        write_bytes(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_permissions_are_kept_and_new_files_get_ordinary_ones(tmp_path):
    old = tmp_path / "old"
    old.touch()
    old.chmod(0o640)
    for path in (old, tmp_path / "new"):
        write_bytes(path, b"x")
    plain = tmp_path / "plain"
    plain.touch()
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("old", "new", "plain")]
    assert modes[0] == 0o640
    assert modes[1] == modes[2]


def test_a_folder_is_not_overwritten(tmp_path):
    with pytest.raises(BadFile, match="cannot be written"):
        write_bytes(tmp_path, b"x")


@pytest.mark.skipif(os.name == "nt", reason="folders cannot be synced there")
def test_contents_are_on_disk_before_the_name_and_the_name_before_the_end(tmp_path, monkeypatch):
    did, replace = [], Path.replace
    kinds = {True: "folder synced", False: "file synced"}
    monkeypatch.setattr(
        os, "fsync", lambda handle: did.append(kinds[stat.S_ISDIR(os.fstat(handle).st_mode)])
    )
    monkeypatch.setattr(Path, "replace", lambda *how: (did.append("renamed"), replace(*how)))
    write_bytes(tmp_path / "file", b"new")
    assert did == ["file synced", "renamed", "folder synced"]
