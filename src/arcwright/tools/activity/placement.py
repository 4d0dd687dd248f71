"""Placements: where each element should be at its events, from edits and from pairs.

An edit displaces an element at one event. What is constrained to it there follows, and so on; what
rests between events is displaced at all of them alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_from_vector,
    quaternion_multiply,
    quaternion_rotate,
    vector_from_quaternion,
)
from arcwright.scene.activity import Activity, Pair, anchor_of, element_of
from arcwright.tools.activity.new_props import SwappedProp
from arcwright.tools.activity.tracks import Knots, Track

MOST_ROUNDS = 32  # of passing displacements on: more than any chain of pairs and rests is long


@dataclass(frozen=True, eq=False)
class Displacement:
    """How an element differs from the original at one moment."""

    move: Floats | None = None  # (3,) m, of its origin; None: as pairs say, or none
    turn: Floats = field(default_factory=lambda: np.zeros(3))  # (3,) rad, in the world

    @property
    def none(self) -> bool:
        """Whether there is no difference."""
        return not (self.move is not None and np.any(self.move)) and not np.any(self.turn)


@dataclass(frozen=True, eq=False)
class Placements:
    """Displacements (K,) of each element at its knots, and what became of the elements."""

    moves: Mapping[str, Floats]  # (K, 3) m
    turns: Mapping[str, Floats]  # (K, 3) rad
    tracks: Mapping[str, Track]  # with new scales and anchors
    overruled: tuple[tuple[int, Pair], ...]  # pairs at events whose element was placed otherwise


@dataclass(frozen=True, eq=False)
class ElementEdits:
    """What a user did: displacements by event and element, scales and swaps of objects."""

    displaced: Mapping[tuple[int, str], Displacement] = field(default_factory=dict)
    scales: Mapping[str, Floats] = field(default_factory=dict)  # (3,)
    swaps: Mapping[str, SwappedProp] = field(default_factory=dict)

    @property
    def none(self) -> bool:
        """Whether nothing is edited."""
        unscaled = all(np.all(each == 1.0) for each in self.scales.values())
        return unscaled and not self.swaps and all(e.none for e in self.displaced.values())


class PlacementSolver:
    """Passes displacements on along pairs and rests. Originals are at rest, edits come and go."""

    def __init__(
        self,
        activity: Activity,
        frames: list[int],
        tracks: Mapping[str, Track],
        knots: Mapping[str, Knots],
    ) -> None:
        self.activity, self.frames, self.tracks, self.knots = activity, frames, tracks, knots

    def solve(self, edits: ElementEdits) -> Placements:
        """The displacements of all elements at all of their knots."""
        after = {name: self._edited_track(track, edits) for name, track in self.tracks.items()}
        counts = {name: len(each.frames) for name, each in self.knots.items()}
        moves = {name: np.zeros((count, 3)) for name, count in counts.items()}
        turns = {name: np.zeros((count, 3)) for name, count in counts.items()}
        fixed = {name: np.zeros(count, bool) for name, count in counts.items()}
        for (event, name), each in edits.displaced.items():
            tied = self.knots[name].tied(self.knots[name].at_event(event))
            turns[name][tied] = each.turn
            if each.move is not None:
                moves[name][tied] = each.move
                fixed[name] |= tied
        turned = {name: np.any(each != 0, axis=1) for name, each in turns.items()}
        overruled = []
        led = {name: each.copy() for name, each in fixed.items()}
        for event, pair in self._pairs:
            name = element_of(pair.constrained)
            knot = self.knots[name].at_event(event)
            tied = self.knots[name].tied(knot)
            move, turn = self._following(event, pair, after, moves, turns)
            if not led[name][knot]:
                moves[name][tied] = move
                if not np.asarray(turned[name])[knot]:
                    turns[name][tied] = turn
                led[name] |= tied
            elif fixed[name][knot] and np.abs(moves[name][knot] - move).max() > 1e-9:
                overruled.append((event, pair))
        return Placements(moves, turns, after, tuple(overruled))

    def _edited_track(self, track: Track, edits: ElementEdits) -> Track:
        if track.name not in edits.scales and track.name not in edits.swaps:
            return track
        scale = edits.scales.get(track.name, track.scale)
        anchors = dict(track.anchors)
        if track.name in edits.swaps:
            swap = edits.swaps[track.name]
            anchors |= dict(zip(swap.anchor_names, swap.anchor_offsets, strict=True))
        return replace(track, scale=np.asarray(scale, float), anchors=anchors)

    @cached_property
    def _pairs(self) -> list[tuple[int, Pair]]:
        """All pairs with their events; one that leads another comes before it."""
        waiting = [
            (index, pair)
            for index, event in enumerate(self.activity.events)
            for pair in event.pairs
        ]
        settled: list[tuple[int, Pair]] = []
        for _ in range(MOST_ROUNDS):
            pending = {self._node(index, pair.constrained) for index, pair in waiting}
            ready = [
                (index, pair)
                for index, pair in waiting
                if self._node(index, pair.constraining) not in pending
            ]
            settled += ready
            waiting = [each for each in waiting if each not in ready]
            if not waiting or not ready:
                break
        return [*settled, *waiting]

    def _node(self, event: int, reference: str) -> tuple[str, int]:
        """An element and its group of knots at an event: what is displaced as one."""
        name = element_of(reference)
        knots = self.knots[name]
        return name, knots.groups[knots.at_event(event)]

    def _following(
        self,
        event: int,
        pair: Pair,
        after: Mapping[str, Track],
        moves: Mapping[str, Floats],
        turns: Mapping[str, Floats],
    ) -> tuple[Floats, Floats]:
        """The displacement that keeps the place of one element relative to the other."""
        frame = self.frames[event]
        name, leader = element_of(pair.constrained), element_of(pair.constraining)
        at, knot = self.knots[leader].at_event(event), self.knots[name].at_event(event)
        leading = moves[leader][at], turns[leader][at]
        return follow(pair, self.tracks, after, frame, leading, turns[name][knot])


def follow(
    pair: Pair,
    before: Mapping[str, Track],
    after: Mapping[str, Track],
    frames: slice | int,
    leading: tuple[Floats, Floats],
    own_turns: Floats,
) -> tuple[Floats, Floats]:
    """(T, 3) displacements of the constrained element where the constraining one has its own.

    (3,) at one frame. The point of one stays where it was relative to the point of the other, and
    turns with it, unless it is turned itself, or is an anchor: a spout over a cup may come from any
    side.
    """
    moves, turns = leading
    own, leader = element_of(pair.constrained), element_of(pair.constraining)
    old, new = before[own], after[own]
    led_old, led_new = before[leader], after[leader]
    same = old is new and led_old is led_new
    if same and not (moves.any() or turns.any() or own_turns.any()):
        return np.zeros_like(moves), np.zeros_like(turns)
    turn = quaternion_from_vector(turns) if turns.any() else None
    orientation = old.orientation[frames]
    led_orientation = led_old.orientation[frames]
    point = old.anchor_path(pair.constrained, frames)
    from_point = led_old.anchor_path(pair.constraining, frames)
    led_offset = led_new.scale * led_new.anchors[anchor_of(pair.constraining)]
    led_point = led_orientation if turn is None else quaternion_multiply(turn, led_orientation)
    to_point = led_old.position[frames] + moves + quaternion_rotate(led_point, led_offset)
    apart = point - from_point
    if not anchor_of(pair.constraining):  # an anchor has moved already, the rest grows
        apart = _scaled(apart, led_orientation, led_old, led_new)
    apart = apart if turn is None else quaternion_rotate(turn, apart)
    offset = new.scale * new.anchors[anchor_of(pair.constrained)]
    if anchor_of(pair.constrained) or own_turns.any():
        turns = own_turns
    turned = orientation
    if turns.any():
        turned = quaternion_multiply(quaternion_from_vector(turns), orientation)
    move = to_point + apart - quaternion_rotate(turned, offset) - old.position[frames]
    return move, turns


def _scaled(apart: Floats, orientation: Floats, before: Track, after: Track) -> Floats:
    """(T, 3) what lies between two points, in the world, where the leading object is scaled."""
    factor = after.scale / before.scale
    if np.all(factor == 1.0):
        return apart
    inside = quaternion_rotate(quaternion_conjugate(orientation), apart)
    return quaternion_rotate(orientation, factor * inside)


def displacement_between(
    position: Floats, orientation: Floats, new_position: Floats, new_orientation: Floats | None
) -> Displacement:
    """The displacement that takes an element to another place, and orientation if given."""
    turn = np.zeros(3)
    if new_orientation is not None:
        between = quaternion_multiply(new_orientation, quaternion_conjugate(orientation))
        turn = vector_from_quaternion(between)
    return Displacement(new_position - position, turn)
