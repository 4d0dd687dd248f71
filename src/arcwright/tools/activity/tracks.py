"""Tracks: where the elements of an activity are in the original motion, at every frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.rotation import quaternion_rotate
from arcwright.kinematics.trail import Trail, trail
from arcwright.scene.activity import Activity, ActivityEvent, Effector, anchor_of
from arcwright.scene.clip import Clip
from arcwright.scene.point import Point
from arcwright.scene.scene import Actor, Prop, Scene
from arcwright.scene.take import Take

ALL = slice(None)  # frames
RESTS_WITHIN = 0.005  # of the body's size: an element that moves less between two events rests
RESTS_TURNED = np.radians(4.0)  # or turns less


@dataclass(frozen=True, eq=False)
class Track:
    """An element over T frames. Its knots are the frames of its events, and both ends."""

    name: str
    position: Floats  # (T, 3) m
    orientation: Floats  # (T, 4) wxyz
    scale: Floats  # (3,) of an object, along its own axes
    anchors: Mapping[str, Floats]  # (3,) m each, in the element; "" is its origin

    def anchor_path(self, reference: str, frames: slice | int = ALL) -> Floats:
        """(T, 3) m, of the element or one of its anchors; (3,) at one frame."""
        offset = self.scale * self.anchors[anchor_of(reference)]
        place: Floats = self.position[frames]
        return (
            place + quaternion_rotate(self.orientation[frames], offset) if offset.any() else place
        )


def effector_track(take: Take, effector: Effector, times: Floats) -> Track:
    """The track of a point of the body."""
    found = trail(take, effector.point, times)
    return Track(effector.name, found.position, found.orientation, np.ones(3), {"": np.zeros(3)})


def object_tracks(scene: Scene, activity: Activity, take: Take, times: Floats) -> list[Track]:
    """The tracks of all objects, in their takes that play beside the one of the character."""
    return [
        _object_track(scene.actor(each.prop), each.name, take, times, _anchors(activity, each.name))
        for each in activity.objects
    ]


def _anchors(activity: Activity, name: str) -> dict[str, Floats]:
    own = activity.object(name)
    return {"": np.zeros(3), **{anchor: own.anchor(anchor) for anchor in own.anchor_names}}


def _object_track(
    prop: Actor, name: str, take: Take, times: Floats, anchors: Mapping[str, Floats]
) -> Track:
    played = take_beside(prop, take)
    moments = np.clip(times, 0.0, max(played.duration, 0.0))
    found: Trail = trail(played, Point(prop.rig.names[handle_joint(prop)]), moments)
    return Track(name, found.position, found.orientation, np.ones(3), anchors)


def handle_joint(prop: Actor) -> int:
    """The joint by which a prop is placed: the topmost one."""
    return int(np.flatnonzero(prop.rig.parents < 0)[0])


def take_beside(prop: Actor, take: Take) -> Take:
    """The take of a prop that plays beside one of a character: of its name, or else the first."""
    named = [each for each in prop.takes if each.name == take.name]
    if named or prop.takes:
        return (named or list(prop.takes))[0]
    still = Clip(take.name, (None,) * len(prop.rig.channels), take.duration, take.rate)
    return Take(prop.rig, still)


def is_object(scene: Scene, activity: Activity, element: str) -> bool:
    """Whether an element is a prop, not a part of the body."""
    named = [each for each in activity.objects if each.name == element]
    return bool(named) and isinstance(scene.actor(named[0].prop), Prop)


def rests(track: Track, first: int, last: int, size: float) -> bool:
    """Whether an element stays where it is from one frame to another."""
    places = track.position[first : last + 1]
    away = np.linalg.norm(places - places[0], axis=1).max()
    cosines = np.abs(track.orientation[first : last + 1] @ track.orientation[first])
    turned = 2 * np.arccos(np.clip(cosines, 0.0, 1.0)).max()
    return bool(away <= RESTS_WITHIN * size and turned <= RESTS_TURNED)


@dataclass(frozen=True, eq=False)
class Knots:
    """The moments of one element at which it may be displaced: its events and both ends.

    Knots between which it rests have one group: they are displaced alike.
    """

    frames: tuple[int, ...]  # rising; the first and the last frame are always among them
    events: tuple[int, ...]  # index of the event at each, -1 at an end without one
    groups: tuple[int, ...]

    def at_event(self, event: int) -> int:
        """The knot of an event."""
        return self.events.index(event)

    def tied(self, knot: int) -> Bools:
        """(K,) the knots that are displaced with one."""
        found: Bools = np.array(self.groups) == self.groups[knot]
        return found


def knots_of(
    track: Track, events: tuple[ActivityEvent, ...], frames: list[int], size: float
) -> Knots:
    """The knots of an element; `frames` are those of all events."""
    last = len(track.position) - 1
    own = {
        frame: index
        for index, (event, frame) in enumerate(zip(events, frames, strict=True))
        if track.name in event.involved
    }
    at = sorted({0, last, *own})
    groups = [0]
    for before, after in pairwise(at):
        groups.append(groups[-1] + (not rests(track, before, after, size)))
    return Knots(tuple(at), tuple(own.get(frame, -1) for frame in at), tuple(groups))
