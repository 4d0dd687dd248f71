"""Arrays in an .npz file beside another file."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np

from arcwright.arrays import AnyArray
from arcwright.errors import BadFile
from arcwright.files.regular import TooLarge, read_regular

MOST_BYTES = 64_000_000  # of the file
MOST_UNPACKED = 256_000_000  # of its arrays


def read_arrays(folder: Path, name: str) -> dict[str, AnyArray]:
    """The arrays of a file in a folder, by name; only numbers are read, never objects."""
    path = folder / name
    if Path(name).name != name or not name.endswith(".npz"):
        raise BadFile(path, "is not the name of an .npz file in the same folder")
    data = io.BytesIO(read_regular(path, MOST_BYTES))
    try:
        with zipfile.ZipFile(data) as packed:
            if sum(each.file_size for each in packed.infolist()) > MOST_UNPACKED:
                raise TooLarge(path, MOST_UNPACKED)
        with np.load(data, allow_pickle=False) as arrays:
            return {each: arrays[each] for each in arrays.files}
    except (zipfile.BadZipFile, ValueError, OSError, KeyError, EOFError) as error:
        raise BadFile(path, f"cannot be read as arrays: {error}") from error
