"""Stretches: a long way of the hand cut into short ones, each near enough for the next answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.point_tasks import Wish

STRETCH = 0.02  # m


def stretches(hand: Sequence[Wish], position: Floats, most: int) -> Iterator[tuple[Wish, ...]]:
    """The hand on its way from where the points are, (T, P, 3) m, to where it is."""
    placed = [wish for wish in hand if wish.position is not None]
    count = int(
        np.clip(np.ceil(max((_away(w, position) for w in placed), default=0) / STRETCH), 1, most)
    )
    for share in np.linspace(0, 1, count + 1)[1:-1].tolist():
        yield tuple(_part(wish, position, share) for wish in hand)
    yield tuple(hand)


def _away(wish: Wish, position: Floats) -> float:
    assert wish.position is not None
    away = wish.position - position[wish.samples, wish.place]
    return float(np.linalg.norm(away if wish.axes is None else away @ wish.axes.T, axis=-1).max())


def _part(wish: Wish, position: Floats, share: float) -> Wish:
    if wish.position is None:
        return wish
    there = position[wish.samples, wish.place]
    return replace(wish, position=there + share * (wish.position - there))
