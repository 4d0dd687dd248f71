"""Arrays of an `.npz` file from strangers: every header is checked before memory is taken."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Mapping
from math import prod
from pathlib import Path

import numpy as np

from arcwright.arrays import AnyArray
from arcwright.errors import BadFile

MOST_BYTES = 16_000_000  # of a file
MOST_UNPACKED = 64_000_000  # of its arrays together
MOST_ARRAYS = 64
KINDS = "biufU"  # booleans, numbers, text; never objects
DATE = (1980, 1, 1, 0, 0, 0)


def read_npz(path: Path, what: str) -> dict[str, AnyArray]:
    """All arrays of a file; whatever is wrong with it becomes a `BadFile`."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise BadFile(path, f"is no {what}: it is not a regular file")
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise BadFile(path, f"is no {what}: it has over {MOST_BYTES / 1e6:.0f} MB")
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _arrays(archive, path, what)
    except _damages() as error:
        raise BadFile(path, f"is no {what}: {error}") from error


def _damages() -> tuple[type[Exception], ...]:
    """What the zip and array readers raise where a file is damaged or hostile."""
    import lzma
    import zlib

    reading = (OSError, EOFError, LookupError, ValueError, TypeError, SyntaxError, MemoryError)
    archive = (zipfile.BadZipFile, zipfile.LargeZipFile, OverflowError, zlib.error, lzma.LZMAError)
    return *reading, *archive, RuntimeError  # encrypted, or packed by an unknown method


def _arrays(archive: zipfile.ZipFile, path: Path, what: str) -> dict[str, AnyArray]:
    entries = archive.infolist()
    if len(entries) > MOST_ARRAYS or sum(each.file_size for each in entries) > MOST_UNPACKED:
        raise BadFile(path, f"is no {what}: it holds too many or too large arrays")
    arrays = {}
    for entry in entries:
        with archive.open(entry) as stream:
            raw = stream.read(entry.file_size)
        arrays[entry.filename.removesuffix(".npy")] = _array(raw, path, what)
    return arrays


def _array(raw: bytes, path: Path, what: str) -> AnyArray:
    """One array, if its header agrees with the bytes that follow."""
    stream = io.BytesIO(raw)
    version = np.lib.format.read_magic(stream)
    read = np.lib.format.read_array_header_1_0
    shape, _, kind = (read if version == (1, 0) else np.lib.format.read_array_header_2_0)(stream)
    if kind.kind not in KINDS or prod(shape) * kind.itemsize != len(raw) - stream.tell():
        raise BadFile(path, f"is no {what}: an array has other data than its header says")
    stream.seek(0)
    array: AnyArray = np.lib.format.read_array(stream, allow_pickle=False)
    return array


def write_npz(path: Path, arrays: Mapping[str, AnyArray]) -> None:
    """Write arrays so that the same arrays give the same bytes."""
    part = path.with_name(f".{path.name}.part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, array in arrays.items():
            stream = io.BytesIO()
            np.save(stream, array, allow_pickle=False)
            entry = zipfile.ZipInfo(f"{name}.npy", DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, stream.getvalue())
    part.replace(path)


def stored_array(
    arrays: Mapping[str, AnyArray], name: str, path: str | Path, what: str, kinds: str, axes: int
) -> AnyArray:
    """An array of some kinds of numbers and a number of axes."""
    array = arrays.get(name)
    if array is None or array.dtype.kind not in kinds or array.ndim != axes:
        raise BadFile(path, f"is no {what}: its {name} is missing or of another kind")
    return array


def stored_number(arrays: Mapping[str, AnyArray], name: str, path: str | Path, what: str) -> float:
    """A finite number."""
    number = float(stored_array(arrays, name, path, what, "iuf", 0))
    if not np.isfinite(number):
        raise BadFile(path, f"is no {what}: its {name} is not finite")
    return number


def stored_text(arrays: Mapping[str, AnyArray], name: str, path: str | Path, what: str) -> str:
    """A text."""
    return str(stored_array(arrays, name, path, what, "U", 0))


def stored_format(path: Path, what: str) -> str:
    """The text by which a file says what it holds; empty where it says nothing."""
    kind = read_npz(path, what).get("format")
    return str(kind) if kind is not None and kind.dtype.kind == "U" and kind.ndim == 0 else ""
