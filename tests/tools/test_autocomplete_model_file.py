"""Model files: read back bit for bit, and refused when they are damaged or hostile."""

import io
import random
import zipfile
from contextlib import suppress

import numpy as np
import pytest

from arcwright.arrays import same
from arcwright.errors import BadFile
from arcwright.tools.autocomplete.network.completion_model import CompletionModel
from arcwright.tools.autocomplete.network.model_file import read_model, write_model
from small_models import small_model


@pytest.fixture
def path(tmp_path):
    write_model(tmp_path / "small.npz", small_model())
    return tmp_path / "small.npz"


def rewritten(path, **changed):
    """The file with some arrays put in the place of its own; None leaves one out."""
    with np.load(path) as stored:
        arrays = {name: stored[name] for name in stored.files} | changed
    np.savez(path, **{name: each for name, each in arrays.items() if each is not None})
    return path


def test_a_model_file_is_read_as_it_was_written(path, tmp_path):
    assert same(read_model(path), small_model())
    write_model(tmp_path / "again.npz", read_model(path))
    assert (tmp_path / "again.npz").read_bytes() == path.read_bytes()
    assert CompletionModel.load(path).name == "small"


@pytest.mark.parametrize(
    "changed",
    [
        {"format": None},
        {"format": np.array("something else")},
        {"version": np.array(2)},
        {"version": np.array("1")},
        {"architecture": np.zeros(8, int)},
        {"architecture": np.array([3, 1024, 1, 4096, 24, 31, 1024, 256])},
        {"architecture": np.array([3.0] * 8)},
        {"architecture": None},
        {"channels": np.array(["a", "a", "b"])},
        {"channels": np.array([1, 2, 3])},
        {"mean": np.array([0, 0, np.nan])},
        {"deviation": np.zeros(3)},
        {"deviation": np.ones(4)},
        {"frame_time": np.array(0.0)},
        {"frame_time": np.array(np.inf)},
        {"weights": np.zeros(7, np.float16)},
        {"weights": np.array([np.nan] * 7, np.float16)},
        {"examples": np.zeros((0, 9, 3), np.float16)},
        {"examples": np.zeros((2, 9), np.float16)},
        {"threshold": np.array(0.0)},
        {"about": None},
    ],
    ids=str,
)
def test_a_wrong_part_is_refused_with_the_path(path, changed):
    with pytest.raises(BadFile, match=r"small\.npz"):
        read_model(rewritten(path, **changed))


def test_objects_are_never_unpickled(path):
    with pytest.raises(BadFile):
        read_model(rewritten(path, about=np.array([{"x": 1}], dtype=object)))


def test_a_header_that_promises_more_than_the_file_holds_is_refused(path):
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        stream, {"descr": "<f2", "fortran_order": False, "shape": (10**12,)}
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("weights.npy", stream.getvalue() + bytes(64))
    with pytest.raises(BadFile):
        read_model(path)


def test_an_archive_that_unpacks_to_very_much_is_refused(path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("weights.npy", bytes(65_000_000))
    with pytest.raises(BadFile, match="too large"):
        read_model(path)


@pytest.mark.parametrize("content", [b"", b"PK\x05\x06" + bytes(18), b"\x93NUMPY", b"{}"])
def test_other_files_are_refused(tmp_path, content):
    (tmp_path / "other.npz").write_bytes(content)
    with pytest.raises(BadFile):
        read_model(tmp_path / "other.npz")


def test_a_folder_or_no_file_at_all_is_refused(tmp_path):
    for path in (tmp_path, tmp_path / "nowhere.npz"):
        with pytest.raises(BadFile):
            CompletionModel.load(path)


def test_damaged_files_are_read_or_refused_and_never_crash(path):
    whole = path.read_bytes()
    dice = random.Random(5)
    for _ in range(150):
        data = bytearray(whole)
        if dice.random() < 0.3:
            data = data[: dice.randrange(len(data))]
        for _ in range(dice.choice([1, 1, 3, 30])):
            if data:
                data[dice.randrange(len(data))] = dice.randrange(256)
        path.write_bytes(bytes(data))
        with suppress(BadFile):
            read_model(path)
