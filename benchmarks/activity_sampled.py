"""Sampled activities: where joints and elements of a scene are at every frame of its take.

What the benchmarks of the activity tool measure is measured here, in the takes of scenes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

import arcwright
from activity_captures import CAPTURES
from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.scene.activity import Activity, Pair, element_of
from arcwright.scene.scene import Actor, Scene

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from captured_activities import SCENES
from data import DATA

RESTS = 0.0085  # m that an element moves at most while it rests
RESTS_TURNED = np.radians(4.0)
Node = tuple[str, int]  # an element at an event, by its index


@dataclass(frozen=True, eq=False)
class Sampled:
    """One activity of a scene, T frames."""

    scene: Scene
    activity: Activity
    times: Floats
    rate: float
    values: Floats  # (T, C)
    world: Floats  # (T, J, 4, 4) of the character
    props: dict[str, Floats]  # (T, 4, 4) of each prop
    elements: dict[str, Floats]  # (T, 4, 4) of each element

    @staticmethod
    def of(scene: Scene, name: str = "") -> Sampled:
        """Sample the activity of this name, or the first."""
        about = next(each for each in scene.activities if not name or each.name == name)
        person = scene.characters[0]
        take = person.take(about.take) if about.take else person.takes[0]
        times = take.frame_times()
        values = values_at(take, times)
        world = forward(person.rig, values, range(len(person.rig.names)))
        props = {each.name: _prop_path(each, take.name, times) for each in scene.props}
        elements = {each.name: props[each.prop] for each in about.objects}
        for each in about.effectors:
            place = world[:, person.rig.joint(each.point.joint)].copy()
            place[:, :3, 3] += place[:, :3, :3] @ each.point.offset
            elements[each.name] = place
        return Sampled(scene, about, times, take.rate, values, world, props, elements)

    @property
    def frames(self) -> list[int]:
        """The frame of each event."""
        return [round(each.time * self.rate) for each in self.activity.events]

    def place(self, reference: str) -> Floats:
        """(T, 3) m, of an element or one of its anchors."""
        element, _, anchor = reference.partition(".")
        offset = self.activity.object(element).anchor(anchor) if anchor else np.zeros(3)
        pose = self.elements[element]
        found: Floats = pose[:, :3, :3] @ offset + pose[:, :3, 3]
        return found

    def joint(self, name: str) -> Floats:
        """(T, 3) m, of a joint."""
        place: Floats = self.world[:, self.scene.characters[0].rig.joint(name), :3, 3]
        return place

    def apart(self, pair: Pair) -> Floats:
        """(T, 3) m, one point of a pair in the frame of the other."""
        away = self.place(pair.constrained) - self.place(pair.constraining)
        turn = self.elements[element_of(pair.constraining)][:, :3, :3]
        found: Floats = np.einsum("tji,tj->ti", turn, away)
        return found

    def holds(self) -> Iterator[tuple[Pair, slice]]:
        """Pairs that two consecutive events of their element share, and the frames of them."""
        events = self.activity.events
        for pair in dict.fromkeys(pair for event in events for pair in event.pairs):
            own = self.events_of(element_of(pair.constrained))
            for before, after in pairwise(own):
                if pair in events[before].pairs and pair in events[after].pairs:
                    yield pair, slice(self.frames[before], self.frames[after] + 1)

    def events_of(self, element: str) -> list[int]:
        """The events in which an element takes part."""
        events = self.activity.events
        return [at for at, event in enumerate(events) if element in event.involved]

    def moved_with(self, element: str, event: int) -> set[Node]:
        """What must move when an element moves at an event: while it rests, and what follows it."""
        found, waiting = set[Node](), [(element, event)]
        while waiting:
            node = waiting.pop()
            if node in found:
                continue
            found.add(node)
            waiting += [(node[0], other) for other in self._resting_with(*node)]
            waiting += [
                (element_of(pair.constrained), node[1])
                for pair in self.activity.events[node[1]].pairs
                if element_of(pair.constraining) == node[0]
            ]
        return found

    def _resting_with(self, element: str, event: int) -> list[int]:
        own = self.events_of(element)
        at = own.index(event)
        found = []
        for way in (own[at::-1], own[at:]):
            for before, after in pairwise(way):
                if not self._rests(element, *sorted((self.frames[before], self.frames[after]))):
                    break
                found.append(after)
        return found

    def _rests(self, element: str, first: int, last: int) -> bool:
        pose = self.elements[element][first : last + 1]
        away = np.linalg.norm(pose[:, :3, 3] - pose[0, :3, 3], axis=1).max()
        size = np.linalg.norm(pose[:, :3, :3], axis=1, keepdims=True)
        turn = pose[:, :3, :3] / size
        trace = np.einsum("tij,ij->t", turn, turn[0])
        angle = np.arccos(np.clip((trace - 1) / 2, -1, 1)).max()
        return bool(away <= RESTS and angle <= RESTS_TURNED)


def _prop_path(prop: Actor, take: str, times: Floats) -> Floats:
    """(T, 4, 4) of its first joint, in its take that plays beside the one of the character."""
    root = int(np.flatnonzero(prop.rig.parents < 0)[0])
    own = [each for each in prop.takes if each.name == take] or list(prop.takes)
    if not own:
        still = forward(prop.rig, prop.rig.channels.default[None], [root])[0, 0]
        return np.tile(still, (len(times), 1, 1))
    values = values_at(own[0], np.clip(times, 0.0, own[0].duration))
    found: Floats = forward(prop.rig, values, [root])[:, 0]
    return found


@cache
def examples() -> dict[str, tuple[Scene, str]]:
    """By name: scenes and their activities, built-in ones and captures where data is present."""
    lamp = arcwright.read("biped:lamp")
    found = {
        "tea": (arcwright.read("biped:tea"), ""),
        "point right": (arcwright.read("biped:point_right"), ""),
        **{each.name: (lamp, each.name) for each in lamp.activities},
    }
    if DATA.is_dir():
        captures = {f"captured {name}": make for name, make in SCENES.items()} | CAPTURES
        found |= {name: (make(), "") for name, make in captures.items()}
    return found
