"""Prepared activity: all that does not depend on what is edited, and how edits are solved."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from arcwright.arrays import Floats
from arcwright.curves.time_warp import TimeWarp
from arcwright.errors import BadValue
from arcwright.kinematics.rig_analysis import analyse
from arcwright.objectives.edited_clip import EditedClip, find_take
from arcwright.scene.activity import Activity, ActivityEvent, Effector, element_of
from arcwright.scene.clip import Clip
from arcwright.scene.edit import Address
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.activity.body_walk import Walk, Walker
from arcwright.tools.activity.clearance import Clearance, guarded_points
from arcwright.tools.activity.element_paths import (
    Carried,
    ElementPath,
    Hold,
    element_paths,
    holds_of,
    led_pieces,
)
from arcwright.tools.activity.look_at import look_weights
from arcwright.tools.activity.model import BodyModel
from arcwright.tools.activity.options import ActivityOptions
from arcwright.tools.activity.placement import (
    Displacement,
    ElementEdits,
    Placements,
    PlacementSolver,
)
from arcwright.tools.activity.posture import free_frames
from arcwright.tools.activity.reach import PERSON, ReachZone, reach_zone
from arcwright.tools.activity.solved_body import SolvedBody
from arcwright.tools.activity.tracks import effector_track, knots_of, object_tracks
from arcwright.tools.activity.trajectory import Trajectory
from arcwright.tools.activity.walk import room_for, stations, ways

FREE = 0.3  # s beside its own events from which on an element may go along with the trunk


@dataclass(frozen=True, eq=False)
class SolvedActivity:
    """What edits lead to."""

    prepared: PreparedActivity
    edits: ElementEdits  # with targets that were brought within reach
    placed: Placements
    paths: Mapping[str, ElementPath]
    body: SolvedBody
    walk: Walk | None = None


class PreparedActivity:
    """One activity of a scene, sampled at every frame of its take."""

    def __init__(
        self,
        scene: Scene,
        target: Target,
        body_follows: float,
        added: Sequence[tuple[Effector, ActivityEvent]] = (),
    ) -> None:
        self.scene = scene
        self.actor, self.take, self.address = find_take(scene, target)
        known = activity_of(scene, self.actor.name, self.take.name, target.activity)
        self.activity = with_added_events(known, added, self.take.rate)
        self.times: Floats = self.take.frame_times()
        self.frames = self._event_frames()
        effectors = [each for each in self.activity.effectors if self._takes_part(each.name)]
        tracks = [effector_track(self.take, each, self.times) for each in effectors]
        tracks += object_tracks(scene, self.activity, self.take, self.times)
        self.tracks = {track.name: track for track in tracks}
        clip = self.take.base
        if not isinstance(clip, Clip):
            clip = Clip(clip.name, (None,) * len(self.take.rig.channels), clip.duration, clip.rate)
        curves = (*self.address, "base", "curves")
        self._edited = EditedClip(self.actor, self.take, clip, curves)
        self._body_follows = body_follows
        about = scene, self._edited, self.times, effectors, body_follows
        guards = guarded_points(self.take.rig, effectors)
        self._guards = guards
        self._zones: dict[tuple[int, str], ReachZone | None] = {}
        events, size = self.activity.events, max(analyse(self.actor).size, 1e-9)
        self.knots = {
            name: knots_of(track, events, self.frames, size) for name, track in self.tracks.items()
        }
        count, width = len(self.times), FREE * self.take.rate
        free = {e.name: free_frames(self.knots[e.name], count, width) for e in effectors}
        self.body = BodyModel(*about, guards=guards, free=free)
        self.trajectories = {
            name: Trajectory(track.position, np.array(self.knots[name].frames))
            for name, track in self.tracks.items()
        }
        self.holds = holds_of(self.activity, self.frames)
        self.placements = PlacementSolver(self.activity, self.frames, self.tracks, self.knots)
        self.looks = look_weights(self.activity, self.frames, len(self.times), self.take.rate)

    def _takes_part(self, element: str) -> bool:
        return any(element in event.involved for event in self.activity.events)

    def _event_frames(self) -> list[int]:
        """The frame of each event; two events of one frame raise."""
        rate, last = self.take.rate, len(self.times) - 1
        found = [round(event.time * rate) for event in self.activity.events]
        for event, frame in zip(self.activity.events, found, strict=True):
            if frame > last:
                where = f"event {event.name!r} of {self.activity.name!r}"
                raise BadValue(where, f"a frame of the take, 0 to {last}", frame)
        twice = next((frame for frame in found if found.count(frame) > 1), None)
        if twice is not None:
            raise BadValue(
                f"events of {self.activity.name!r}", "one at each frame", f"two at frame {twice}"
            )
        return found

    def address_of(self, prop: str) -> Address:
        """Where a prop is in the scene."""
        names = [each.name for each in self.scene.props]
        return "props", names.index(prop)

    def zone(self, event: int, element: str) -> ReachZone | None:
        """Where an effector can get to at an event; None for an object or a part of the trunk."""
        effector = self.body.effectors.get(element)
        if effector is None:
            return None
        key = event, element
        if key not in self._zones:
            values = self.body.sequence.values[self.frames[event]]
            zone = reach_zone(self.take.rig, effector.point, values, self.body.size)
            self._zones[key] = zone
        return self._zones[key]

    def solve(
        self, edits: ElementEdits, options: ActivityOptions, *, preview: bool = False
    ) -> SolvedActivity:
        """Paths of all elements and poses of the body."""
        deform = Trajectory.deformed if options.method == "similar" else Trajectory.added
        placed = self.placements.solve(edits)
        if options.out_of_reach == "stop":
            nearer = self._within_reach(edits, placed)
            if nearer is not edits:
                edits, placed = nearer, self.placements.solve(nearer)
        walk = self._walk(placed) if options.out_of_reach == "walk" else None
        carried = {} if walk is None else self._carried(walk)
        clear = self._clearance if options.stay_clear else None
        holds = [each for each in self.holds if not self._parted(each, placed)]
        led = led_pieces(self.knots, holds, self.body.effectors)
        about = self.tracks, self.knots, self.trajectories, holds
        paths = element_paths(*about, placed, deform, carried, clear, led)
        model = self.body if walk is None else self._walking_body
        looks = self.looks if options.look_at else {}
        body = model.solve(
            *(paths, looks), events=self.frames, walk=walk, clearance=clear, preview=preview
        )
        return SolvedActivity(self, edits, placed, paths, body, walk)

    def _parted(self, hold: Hold, placed: Placements) -> bool:
        """Whether an edit moves an element away from what it is held to at either end."""
        ends = {(self.frames.index(frame), hold.pair) for frame in (hold.first, hold.last)}
        return not ends.isdisjoint(placed.overruled)

    @cached_property
    def _clearance(self) -> Clearance:
        about = self.scene, self.activity, self.take, self.times
        return Clearance(*about, self.body.effectors, self.tracks, self.body.size)

    def _carried(self, walk: Walk) -> dict[str, Carried]:
        """Limbs, always, and objects while limbs hold them."""
        always = np.ones(len(self.times), bool)
        found = dict.fromkeys(self.body.effectors, Carried(walk.travel, always))
        for hold in self.holds:
            names = {element_of(hold.pair.constrained), element_of(hold.pair.constraining)}
            if names & set(self.body.effectors):
                for name in names - set(self.body.effectors):
                    before = found.get(name, Carried(walk.travel, np.zeros_like(always)))
                    frames = before.frames.copy()
                    frames[hold.frames] = True
                    found[name] = Carried(walk.travel, frames)
        return found

    @cached_property
    def _walker(self) -> Walker | None:
        return Walker.of(self.scene, self._edited, self.times, self.body.size / PERSON)

    @cached_property
    def _walking_body(self) -> BodyModel:
        effectors = list(self.body.effectors.values())
        about = self.scene, self._edited, self.times, effectors, self._body_follows
        return BodyModel(*about, self._walker, self._guards)

    def _walk(self, placed: Placements) -> Walk | None:
        """The walk that targets out of reach ask for; None where the body can stay."""
        if self._walker is None:
            return None
        zones: list[dict[str, ReachZone]] = []
        goals: list[dict[str, Floats]] = []
        moves: list[dict[str, Floats]] = []
        for event, frame in enumerate(self.frames):
            own = {name: self.zone(event, name) for name in self.body.effectors}
            limbs = {name: zone for name, zone in own.items() if zone is not None}
            here = {name: self.knots[name] for name in limbs if event in self.knots[name].events}
            moved = {name: placed.moves[name][each.at_event(event)] for name, each in here.items()}
            start = {name: self.tracks[name].position[frame] for name in here}
            moves.append(moved)
            goals.append({name: start[name] + moved[name] for name in here})
            zones.append(limbs)
        places = stations(self.frames, zones, goals, moves)
        size = self.body.size / PERSON
        found = ways(places, self._walker.footing, self.take.rate, size)
        return self._walker.walk(found) if found else None

    def room(self, edits: ElementEdits, options: ActivityOptions) -> TimeWarp | None:
        """The time that steps need beyond what there is, as a warp of the take."""
        if options.out_of_reach != "walk":
            return None
        walk = self._walk(self.placements.solve(edits))
        return None if walk is None else room_for(walk.ways, self.take.rate)

    def _within_reach(self, edits: ElementEdits, placed: Placements) -> ElementEdits:
        """Edits whose limbs can get to where they lead; the same ones if all can."""
        displaced = dict(edits.displaced)
        alone = len(displaced) == 1 and not edits.scales and not edits.swaps
        for key, each in edits.displaced.items():
            own = placed if alone else self.placements.solve(ElementEdits({key: each}))
            share = self._reachable_share(own)
            if share < 1.0 and each.move is not None:
                displaced[key] = Displacement(share * each.move, each.turn)
        same = all(displaced[key] is each for key, each in edits.displaced.items())
        return edits if same else replace(edits, displaced=displaced)

    def _reachable_share(self, alone: Placements) -> float:
        """How much of an edit's way no limb has to leave its reach for, 0 to 1."""
        share = 1.0
        for effector in self.body.effectors:
            knots = self.knots[effector]
            for knot, at in enumerate(knots.events):
                move = alone.moves[effector][knot]
                if at < 0 or not move.any():
                    continue
                zone = self.zone(at, effector)
                if zone is not None:
                    start = self.tracks[effector].position[knots.frames[knot]]
                    share = min(share, _way_inside(zone, start, move))
        return share

    def movable_at(self, event: ActivityEvent) -> tuple[str, ...]:
        """The elements that may be moved at an event."""
        return tuple(dict.fromkeys(map(element_of, event.movable)))


def _way_inside(zone: ReachZone, start: Floats, move: Floats) -> float:
    """The share of a way from a place that lies in a ball; all of it from a place outside."""
    from_centre = start - zone.centre
    a, b = float(move @ move), float(from_centre @ move)
    c = float(from_centre @ from_centre) - zone.radius**2
    if c >= 0:  # the original is farther than that
        far = np.linalg.norm(from_centre + move) > np.linalg.norm(from_centre)
        return 0.0 if far else 1.0
    return min(1.0, (-b + math.sqrt(b * b - a * c)) / a)


def activity_of(scene: Scene, character: str, take: str, name: str) -> Activity:
    """The activity of a take: the one of this name, or its first; one without events if none."""
    own = [each for each in scene.activities if scene.subject(each) == (character, take)]
    for each in own:
        if each.name == name or not name:
            return each
    if not name:
        return Activity("activity", character, take)
    known = ", ".join(each.name for each in own) or "none; detect or add one"
    raise BadValue(f"activity of the take {take!r}", known, name)


def with_added_events(
    activity: Activity, added: Sequence[tuple[Effector, ActivityEvent]], rate: float
) -> Activity:
    """An activity with more effectors and events; at the frame of an event that one gets more."""
    effectors, events = list(activity.effectors), list(activity.events)
    for effector, event in added:
        if effector.name not in [each.name for each in effectors]:
            effectors.append(effector)
        frames = [round(each.time * rate) for each in events]
        frame = round(event.time * rate)
        if frame in frames:
            at = frames.index(frame)
            events[at] = replace(events[at], movable=(*events[at].movable, effector.name))
        else:
            events.append(event)
    return replace(activity, effectors=tuple(effectors), events=tuple(events))
