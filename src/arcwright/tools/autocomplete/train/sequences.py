"""Example sequences: hops as the paper lays them out, or in real time; split by search run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.errors import BadFile, BadValue
from arcwright.tools.autocomplete.hops.database import HopDatabase
from arcwright.tools.autocomplete.hops.hop_measures import Measures, measure
from arcwright.tools.autocomplete.hops.lamp import Lamp
from arcwright.tools.autocomplete.hops.pose_graph import graph_of
from arcwright.tools.autocomplete.hops.simulation import Run, simulate

FRAME_TIME = 1 / 30  # s between frames in real time
LONGEST = 4.0  # s of a sequence in real time
EXCERPT = 64  # frames in real time
SETTLED = 0.7  # s after the last landing, where a sequence ends
RELATIVE = np.array([True, False, False, False, False, False])  # base x


@dataclass(frozen=True, eq=False)
class Sequences:
    """Sequences on one grid of frames."""

    states: Floats  # (N, T, C) m, rad; base x begins at 0
    keys: Ints  # (N, K) frames of the virtual keys
    contact: Bools  # (N, T) base on the ground
    run: Ints  # (N,) search run
    excerpt: int  # frames of a query at most

    def __len__(self) -> int:
        """How many sequences there are."""
        return len(self.states)

    def part(self, rows: Ints | Bools) -> Sequences:
        """The sequences of some rows."""
        return replace(
            self,
            states=self.states[rows],
            keys=self.keys[rows],
            contact=self.contact[rows],
            run=self.run[rows],
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


def moves_of(states: Floats) -> Floats:
    """States (..., T, C) whose base positions are relative to the frame before; 0 at first."""
    moves = states.copy()
    moves[..., 1:, :2] = np.diff(states[..., :2], axis=-2)
    moves[..., 0, :2] = 0.0
    return moves


def paper_sequences(hops: HopDatabase) -> Sequences:
    """The 93 frames of Zhang (2018): 27 of each flight and 6 between, whatever time they take."""
    states = np.array(hops.states, np.float64)
    states[..., 0] -= states[:, :1, 0]
    return Sequences(
        states,
        np.array(hops.keys, np.int64),
        np.array(hops.contact, bool),
        np.array(hops.run, np.int64),
        hops.states.shape[1],
    )


def timed_sequences(hops: HopDatabase, frame_time: float = FRAME_TIME) -> Sequences:
    """The same runs in real time, from rest to rest, simulated again from their policies.

    Keys are the start, lift-off, apex and landing of each hop, and the end; after that it rests.
    """
    lamp, rows = Lamp(), []
    for policy in hops.policy:
        run = simulate(lamp, graph_of(np.asarray(policy, np.float64)))
        rows.append(_in_time(run, measure(lamp, run), frame_time))
    states, keys, contact = (np.stack(each) for each in zip(*rows, strict=True))
    return Sequences(states, keys, contact, np.array(hops.run, np.int64), EXCERPT)


def stored_timed_sequences(hops: HopDatabase, path: Path | None) -> Sequences:
    """`timed_sequences` from a file, which is written where there is none.

    So that a machine without the compiled library can train: simulation takes hours there.
    """
    if path is None:
        return timed_sequences(hops)
    if not path.exists():
        made = timed_sequences(hops)
        np.savez_compressed(
            path,
            states=made.states.astype(np.float32),
            keys=made.keys,
            contact=made.contact,
            policy=hops.policy,
        )
    with np.load(path, allow_pickle=False) as stored:
        if not np.array_equal(stored["policy"], hops.policy):
            raise BadFile(path, "is of another database", "remove it")
        states = stored["states"].astype(np.float64)
        return Sequences(
            states, stored["keys"], stored["contact"], np.array(hops.run, np.int64), EXCERPT
        )


def _in_time(run: Run, measures: Measures, frame_time: float) -> tuple[Floats, Ints, Bools]:
    """(T, C) states, (K,) keys and (T,) contact of one run."""
    count = round(LONGEST / frame_time) + 1
    moments = np.minimum(np.arange(count) * frame_time / run.step, len(run.states) - 1)
    steps = np.arange(len(run.states))
    states = np.stack([np.interp(moments, steps, column) for column in run.states.T], axis=1)
    contact = run.contact[np.rint(moments).astype(np.int64)]
    frames = [0, round((measures.land[-1] * run.step + SETTLED) / frame_time)]
    for lift, land in zip(measures.lift, measures.land, strict=True):
        apex = lift + int(run.states[lift : land + 1, 1].argmax())
        frames += [round(float(step) * run.step / frame_time) for step in (lift, apex, land)]
    return states, np.minimum(np.sort(frames), count - 1), contact


def split_by_run(sequences: Sequences, test: int, seed: int = 0) -> tuple[Ints, Ints]:
    """Rows to train and to test on, of different search runs; runs take turns in each.

    A fifth of the runs is held out, or as many as hold `test` sequences.
    """
    draw = np.random.default_rng(seed)
    runs, counts = np.unique(sequences.run, return_counts=True)
    order = draw.permutation(len(runs))
    enough = int(np.searchsorted(np.cumsum(counts[order]), test)) + 1
    held = runs[order[: max(enough, len(runs) // 5)]]
    rank = np.zeros(len(sequences), np.int64)  # of a sequence in its run
    for run in runs:
        own = draw.permutation(np.flatnonzero(sequences.run == run))
        rank[own] = np.arange(len(own))
    turn = np.lexsort((draw.random(len(rank)), rank))
    is_held = np.isin(sequences.run[turn], held)
    if is_held.sum() < test or is_held.all():
        raise BadValue("sequences", f"more than {test}, of several search runs", len(sequences))
    return turn[~is_held], turn[is_held][:test]
