"""Example sequences: read from a database of hops, split by search run, z-scored."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.errors import BadFile, BadValue


@dataclass(frozen=True, eq=False)
class Sequences:
    """Sequences of one length on a grid of frames."""

    states: Floats  # (N, T, C) m, rad
    keys: Ints  # (N, K) frames of the virtual keys
    contact: Bools  # (N, T) base on the ground
    run: Ints  # (N,) search run
    frame_time: Floats  # (N,) s
    names: tuple[str, ...]  # (C,)

    def __len__(self) -> int:
        return len(self.states)

    def part(self, rows: Ints | Bools) -> Sequences:
        """The sequences of some rows."""
        return replace(
            self,
            states=self.states[rows],
            keys=self.keys[rows],
            contact=self.contact[rows],
            run=self.run[rows],
            frame_time=self.frame_time[rows],
        )


@dataclass(frozen=True, eq=False)
class Normalisation:
    """z-scores: every channel less its mean, over its standard deviation, of training frames.

    Ground positions count from the first frame of their sequence.
    """

    mean: Floats  # (C,)
    deviation: Floats  # (C,)

    @classmethod
    def of(cls, states: Floats) -> Normalisation:
        """From the training states (N, T, C)."""
        frames = states.reshape(-1, states.shape[-1])
        return cls(frames.mean(axis=0), np.maximum(frames.std(axis=0), 1e-6))

    def scored(self, states: Floats) -> Floats:
        """z-scores of states (..., C)."""
        scores: Floats = (states - self.mean) / self.deviation
        return scores


def read_sequences(path: str | Path) -> Sequences:
    """A database as `arcwright hops` writes it."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        return from_arrays(arrays)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise BadFile(path, f"is no database of hops: {error}") from error


def from_arrays(arrays: dict[str, np.ndarray]) -> Sequences:
    """Sequences from the arrays of a database; x begins at 0."""
    states = np.asarray(arrays["states"], np.float64).copy()
    states[..., 0] -= states[:, :1, 0]
    count = len(states)
    if "frame_time" in arrays:
        frame_time = np.broadcast_to(np.asarray(arrays["frame_time"], float), (count,))
    else:
        frame_time = np.full(count, 1 / float(arrays["rate"]))
    return Sequences(
        states,
        np.asarray(arrays["keys"], np.int64),
        np.asarray(arrays["contact"], bool),
        np.asarray(arrays["run"], np.int64),
        frame_time,
        tuple(str(name) for name in arrays["names"]),
    )


def split_by_run(sequences: Sequences, train: int, test: int, seed: int = 0) -> tuple[Ints, Ints]:
    """Rows to train and to test on: runs are shuffled, and no run is in both."""
    runs = np.random.default_rng(seed).permutation(np.unique(sequences.run))
    order = np.argsort(np.argsort(runs)[np.searchsorted(np.sort(runs), sequences.run)], kind="stable")
    if len(order) < train + test:
        raise BadValue("sequences", f"at least {train + test}", len(order))
    test_rows = order[:test]
    rest = order[test:]
    return rest[~np.isin(sequences.run[rest], sequences.run[test_rows])][:train], test_rows
