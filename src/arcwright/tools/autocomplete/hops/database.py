"""Hop database: sequences of hops as arrays, in one `.npz` file that holds no pickled objects."""

from __future__ import annotations

import struct
import tokenize
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from arcwright.arrays import AnyArray, frozen
from arcwright.errors import BadFile, BadValue
from arcwright.tools.autocomplete.hops.lamp import COLUMNS
from arcwright.tools.autocomplete.hops.pose_graph import SIZE
from arcwright.tools.autocomplete.hops.sequence import FRAMES, KEYS

VERSION = 1
MOST_BYTES = 1_000_000_000  # of all arrays, unpacked
RATE = 30.0  # frames per second at which a sequence is shown
_ARRAYS = {  # shape and type of each array of the file
    "states": (("N", FRAMES, len(COLUMNS)), np.float32),
    "time": (("N", FRAMES), np.float32),
    "contact": (("N", FRAMES), np.bool_),
    "keys": (("N", len(KEYS)), np.int16),
    "run": (("N",), np.int32),
    "policy": (("N", SIZE), np.float32),
}


@dataclass(frozen=True, eq=False)
class HopDatabase:
    """N sequences of three hops."""

    states: AnyArray  # (N, 93, 6) float32, m and rad: base x, y, angle; leg, neck, head
    time: AnyArray  # (N, 93) float32 s, from the first lift-off
    contact: AnyArray  # (N, 93) bool, base on the ground
    keys: AnyArray  # (N, 9) int16, frames of lift-off, apex and landing of each hop
    run: AnyArray  # (N,) int32, the search run that found it
    policy: AnyArray  # (N, 16) float32, of the pose-control graph: durations, s, and targets, rad
    rate: float = RATE

    def __post_init__(self) -> None:
        for name, (shape, kind) in _ARRAYS.items():
            value = frozen(getattr(self, name), f"HopDatabase.{name}", shape, kind)
            object.__setattr__(self, name, value)
        counts = {name: len(getattr(self, name)) for name in _ARRAYS}
        if len(set(counts.values())) > 1:
            raise BadValue("HopDatabase", "arrays of one length", counts)

    def __len__(self) -> int:
        """How many sequences there are."""
        return len(self.states)

    @property
    def frame_time(self) -> AnyArray:
        """(N,) s of a frame, on average over a sequence."""
        return self.time[:, -1] / (FRAMES - 1)

    def rows(self, chosen: AnyArray) -> HopDatabase:
        """The chosen sequences, by a mask or indices."""
        parts = {name: np.ascontiguousarray(getattr(self, name)[chosen]) for name in _ARRAYS}
        return HopDatabase(**parts, rate=self.rate)


def write_database(hops: HopDatabase, path: str | Path) -> None:
    """Write the file; the same sequences give the same bytes."""
    arrays: dict[str, AnyArray] = {name: getattr(hops, name) for name in _ARRAYS}
    arrays |= {
        "version": np.array(VERSION),
        "rate": np.array(hops.rate),
        "frame_time": hops.frame_time,
        "names": np.array(COLUMNS),
    }
    target = Path(path)
    fresh = target.with_name(f".{target.name}.part")
    with fresh.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    fresh.replace(target)


def read_database(path: str | Path) -> HopDatabase:
    """Read a file written by `write_database`."""
    arrays = _arrays(Path(path))
    missing = {*_ARRAYS, "version", "rate"} - arrays.keys()
    if missing:
        raise BadFile(path, f"is no hop database: it lacks {', '.join(sorted(missing))}")
    if not np.array_equal(arrays["version"], VERSION):
        raise BadFile(path, f"is a hop database of version {arrays['version']}, not {VERSION}")
    try:
        own = {name: arrays[name] for name in _ARRAYS}
        return HopDatabase(**own, rate=float(arrays["rate"]))
    except (BadValue, TypeError, ValueError) as error:
        raise BadFile(path, str(error)) from error


def _arrays(path: Path) -> dict[str, AnyArray]:
    """All arrays of a file, whose sizes are checked before they are unpacked."""
    try:
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(each.file_size for each in archive.infolist())
        if unpacked > MOST_BYTES:
            raise BadFile(path, f"is no hop database: it unpacks to {unpacked / 1e9:.1f} GB")
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except _DAMAGE as error:
        raise BadFile(path, f"is no hop database: {error}") from error


_DAMAGE = (
    *(OSError, ValueError, TypeError, LookupError, EOFError, SyntaxError, RuntimeError),
    *(MemoryError, OverflowError, zipfile.BadZipFile, zlib.error, struct.error),
    tokenize.TokenError,
)
"""What reading a damaged archive raises."""
