"""Element paths: where every element goes at every frame, from its displacements at events."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Protocol

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.rotation import quaternion_from_vector, quaternion_multiply
from arcwright.scene.activity import Activity, Pair, anchor_of, element_of
from arcwright.tools.activity.placement import Placements, follow
from arcwright.tools.activity.tracks import Knots, Track
from arcwright.tools.activity.trajectory import Trajectory, blended_between

_NOT_TURNED = np.zeros(3)
Deform = Callable[[Trajectory, Floats, Collection[int]], Floats]


@dataclass(frozen=True, eq=False)
class Hold:
    """A pair that holds from one frame to another: hand on pot while it is carried."""

    pair: Pair
    first: int
    last: int

    @property
    def frames(self) -> slice:
        """All of its frames."""
        return slice(self.first, self.last + 1)


@dataclass(frozen=True, eq=False)
class Carried:
    """An element that a walking body takes along: it is deformed relative to the body."""

    travel: Floats  # (T, 3) m, of the body
    frames: Bools  # (T,) when it is taken along


@dataclass(frozen=True, eq=False)
class ElementPath:
    """An element at T frames."""

    track: Track  # as it was, with its new scale and anchors
    move: Floats  # (T, 3) m, from where its origin was
    turn: Floats  # (T, 3) rad, in the world
    held: Bools  # (T,) whether it follows another element

    @cached_property
    def position(self) -> Floats:
        """(T, 3) m, of its origin."""
        return self.track.position + self.move

    @cached_property
    def orientation(self) -> Floats:
        """(T, 4) wxyz."""
        if not self.turn.any():
            return self.track.orientation
        return quaternion_multiply(quaternion_from_vector(self.turn), self.track.orientation)

    @cached_property
    def moved(self) -> Track:
        """The track that it follows now."""
        return replace(self.track, position=self.position, orientation=self.orientation)

    @cached_property
    def unchanged(self) -> bool:
        """Whether it goes where it went."""
        return not (np.any(self.move) or np.any(self.turn))


class Clear(Protocol):
    """What leads elements around things that are in their way."""

    def objects(self, paths: Mapping[str, ElementPath]) -> Mapping[str, ElementPath]:
        """Paths of objects."""
        ...

    def limbs(self, paths: Mapping[str, ElementPath]) -> Mapping[str, ElementPath]:
        """Paths of effectors, where they follow no object."""
        ...


def holds_of(activity: Activity, frames: list[int]) -> list[Hold]:
    """All pairs that two consecutive events of the constrained element share."""
    found: list[Hold] = []
    for element in activity.element_names:
        own = [at for at, event in enumerate(activity.events) if element in event.involved]
        for before, after in pairwise(own):
            found += [
                Hold(pair, frames[before], frames[after])
                for pair in activity.events[before].pairs
                if element_of(pair.constrained) == element and pair in activity.events[after].pairs
            ]
    return _in_order(found)


def _in_order(holds: list[Hold]) -> list[Hold]:
    """A hold after those of its leading element at the same time."""

    def depth(hold: Hold) -> int:
        leader = element_of(hold.pair.constraining)
        above = [
            each
            for each in holds
            if element_of(each.pair.constrained) == leader
            and each.first < hold.last
            and each.last > hold.first
        ]
        return 1 + max(map(depth, above), default=0)

    return sorted(holds, key=depth)


def led_pieces(
    knots: Mapping[str, Knots], holds: Sequence[Hold], elements: Collection[str]
) -> dict[str, set[int]]:
    """By element: pieces between its knots in which it follows another one all the time."""
    found: dict[str, set[int]] = {}
    for hold in holds:
        own = element_of(hold.pair.constrained)
        if own in elements:
            pieces = enumerate(pairwise(knots[own].frames))
            led = {at for at, (a, b) in pieces if a >= hold.first and b <= hold.last}
            found[own] = found.get(own, set()) | led
    return found


def element_paths(
    tracks: Mapping[str, Track],
    knots: Mapping[str, Knots],
    trajectories: Mapping[str, Trajectory],
    holds: list[Hold],
    placed: Placements,
    deform: Deform,
    carried: Mapping[str, Carried],
    clear: Clear | None,
    led: Mapping[str, Collection[int]],
) -> dict[str, ElementPath]:
    """The paths of all elements: deformed between events, led by others while they are held.

    Pieces that are `led` all the time need no path of their own.
    """
    found = {}
    for name, trajectory in trajectories.items():
        own = _Deformed(trajectory, knots[name], deform, led.get(name, ()))
        found[name] = own.path(placed.tracks[name], placed, carried.get(name))
    if clear is not None:
        found.update(clear.objects(found))
    for hold in holds:
        own, leader = element_of(hold.pair.constrained), element_of(hold.pair.constraining)
        before, path = found[leader], found[own]
        leading = before.move[hold.frames], before.turn[hold.frames]
        turned = path.turn[hold.frames] if anchor_of(hold.pair.constrained) else _NOT_TURNED
        move, turn = follow(hold.pair, tracks, placed.tracks, hold.frames, leading, turned)
        frames, moves, turns = path.held.copy(), path.move.copy(), path.turn.copy()
        moves[hold.frames], turns[hold.frames], frames[hold.frames] = move, turn, True
        found[own] = replace(path, move=moves, turn=turns, held=frames)
    return found if clear is None else {**found, **clear.limbs(found)}


@dataclass(frozen=True, eq=False)
class _Deformed:
    """How one element gets from event to event."""

    trajectory: Trajectory
    knots: Knots
    deform: Deform
    left_out: Collection[int]

    def path(self, track: Track, placed: Placements, carried: Carried | None) -> ElementPath:
        at = self.trajectory.knots
        moves, turns = placed.moves[track.name], placed.turns[track.name]
        move = np.zeros_like(track.position)
        if moves.any():
            move = self.deform(self.trajectory, moves, self.left_out) - track.position
        if carried is not None:
            free = np.array(self.knots.events) < 0
            away = np.where(free[:, None], 0.0, moves - carried.travel[at])
            along = carried.travel + self.deform(self.trajectory, away, ()) - track.position
            move = np.where(carried.frames[:, None], along, move)
        turn = np.zeros_like(move)
        if turns.any():
            turn = blended_between(track.position, at, turns)
        return ElementPath(track, move, turn, np.zeros(len(move), bool))
