"""Batches of queries for residual networks, made ahead by other processes where there are some.

A batch depends on nothing but its number, so that it does not matter who makes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context

import numpy as np

from arcwright.arrays import AnyArray, Bools, Ints
from arcwright.tools.autocomplete.train.queries import Queries, augmented, excerpts, random_known
from arcwright.tools.autocomplete.train.sequences import Normalisation, Sequences

Batch = dict[str, AnyArray]
AHEAD = 3  # batches for each process


@dataclass(frozen=True, eq=False)
class Source:
    """What batches are drawn from."""

    layouts: tuple[Sequences, ...]  # the same sequences on different grids
    normalisation: Normalisation
    relative: Bools  # (C,)
    rows: tuple[Ints, ...]  # the training sequences of each model
    size: int  # queries of each model
    augmented: float  # share

    def batch(self, seed: int) -> Batch:
        """Arrays (M, B, ...) in one of the layouts: each model's queries are of its own rows."""
        draw = np.random.default_rng(seed)
        examples = self.layouts[int(draw.integers(len(self.layouts)))]
        rows = np.concatenate([draw.choice(each, self.size) for each in self.rows])
        states, keys = excerpts(examples.states[rows], examples.keys[rows], examples.excerpt, draw)
        known = random_known(keys, states.shape[1], states.shape[2], draw)
        states, times, slopes = augmented(states, known, draw, self.augmented)
        scored, deviation = self.normalisation.scored(states), self.normalisation.deviation
        query = Queries.of(scored, known, times, self.relative, slopes / deviation)
        shape = (len(self.rows), self.size)
        return {name: each.reshape(*shape, *each.shape[1:]) for name, each in vars(query).items()}


@contextmanager
def batches(source: Source, workers: int) -> Iterator[Callable[[int], Batch]]:
    """A function that gives the batch of a seed; with workers, the next ones are made meanwhile."""
    if not workers:
        yield source.batch
        return
    ready: dict[int, Future[Batch]] = {}
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _begin, (source,))

    def given(seed: int) -> Batch:
        for each in range(seed, seed + AHEAD * workers):
            if each not in ready:
                ready[each] = pool.submit(_made, each)
        return ready.pop(seed).result()

    try:
        yield given
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_source: list[Source] = []
"""In a worker process: what it draws from."""


def _begin(source: Source) -> None:
    _source[:] = [source]


def _made(seed: int) -> Batch:
    return _source[0].batch(seed)
