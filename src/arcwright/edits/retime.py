"""Retime: move a take, and all that plays beside it, along a time warp.

Keys move with their handles; samples are taken anew at frames where the warp bends time, and shift
by whole frames after it. Layers, sections, constraints and events of activities follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.curves.spline import band
from arcwright.curves.time_warp import TimeWarp
from arcwright.edits.activity_subjects import with_event_times
from arcwright.edits.actors import activity_changes, constraint_changes
from arcwright.edits.edited_take import EditedTake, find_take
from arcwright.edits.ownership import map_times, owner
from arcwright.kinematics.resample import cubic_values
from arcwright.scene.activity import Activity
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Constraint
from arcwright.scene.curve import Curve
from arcwright.scene.edit import Change, Edit
from arcwright.scene.layer import Layer
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take

LAYER_DENSITY = 2  # times as many control values in a layer over which time bends
MAX_CONTROLS = 1500  # of such a layer


def retime(scene: Scene, character: str, take: str, warp: TimeWarp) -> Edit:
    """Move a take along a warp.

    Where later frames shift, every other actor's take that plays beside it follows; where the
    length is kept, only those of actors that contacts or activities tie to it.
    """
    own = find_take(scene, character, take)
    label = f"Timing of {own.take.name}"
    if warp.changes_nothing:
        return Edit(label)
    names = {own.actor.name}
    if abs(warp.shift) > 0.5 / own.take.rate:
        names = {actor.name for actor in scene.actors}
    names = _tied(scene, names)
    takes = [own, *_beside(scene, own, names)]
    changes = [change for each in takes for change in take_changes(each, warp)]
    moved = {(each.actor.name, each.take.name): each for each in takes}

    def followed(constraint: Constraint) -> list[Constraint]:
        played = _take_of(scene, constraint, moved)
        return [constraint if played is None else map_times(constraint, warp)]

    def followed_events(activity: Activity) -> list[Activity]:
        moves = scene.subject(activity) in moved
        return [with_event_times(activity, warp) if moves else activity]

    follow = constraint_changes(scene, followed), activity_changes(scene, followed_events)
    return Edit(label, (*changes, *follow[0], *follow[1]))


def _tied(scene: Scene, names: set[str]) -> set[str]:
    """The actors of these names, and those that contacts or activities tie to one of them."""
    ties = [
        {scene.actor(point.character).name for point in (each.point, each.relative_to)}
        for each in scene.contacts
        if each.relative_to is not None
    ]
    ties += [
        {scene.subject(each)[0], *(one.prop for one in each.objects)} for each in scene.activities
    ]
    while True:
        more = set(names)
        for tie in ties:
            more |= tie if tie & more else set()
        if more == names:
            return names
        names = more


def _beside(scene: Scene, own: EditedTake, names: set[str]) -> Iterator[EditedTake]:
    """The takes of other actors that play beside one: of the same name, or else the first."""
    for actor in scene.actors:
        if actor.name in names and actor is not own.actor and actor.takes:
            yield find_take(scene, actor.name, played_beside(actor, own.take.name).name)


def played_beside(actor: Actor, take: str) -> Take:
    """The take of an actor that plays beside another actor's take of this name."""
    return next((each for each in actor.takes if each.name == take), actor.takes[0])


def _take_of(
    scene: Scene, constraint: Constraint, moved: dict[tuple[str, str], EditedTake]
) -> EditedTake | None:
    """The retimed take that a constraint is on; one on every take of several stays."""
    actor = owner(scene, constraint)
    if constraint.take:
        return moved.get((actor, constraint.take))
    found = [each for (name, _), each in moved.items() if name == actor]
    return found[0] if found and len(found[0].actor.takes) == 1 else None


def take_changes(edited: EditedTake, warp: TimeWarp) -> Iterator[Change]:
    """The changes of base, layers, sections and markers of one take."""
    take, at = edited.take, edited.address
    yield Change((*at, "base"), take.base, warped_base(take.base, take.rig, warp))
    if take.layers:
        yield Change((*at, "layers"), take.layers, warped_layers(take.layers, warp))
    if take.sections:
        starts = warp(np.array([each.start for each in take.sections]))
        after = tuple(
            replace(each, start=float(start))
            for each, start in zip(take.sections, starts, strict=True)
        )
        yield Change((*at, "sections"), take.sections, after)
    if take.markers:
        moved = warp(np.array([each.time for each in take.markers]))
        marked = tuple(
            replace(each, time=float(time)) for each, time in zip(take.markers, moved, strict=True)
        )
        yield Change((*at, "markers"), take.markers, marked)


def warped_base(base: Clip | Motion, rig: Rig, warp: TimeWarp) -> Clip | Motion:
    """The clip with moved keys, or the motion with other samples."""
    if isinstance(base, Clip):
        curves = tuple(None if each is None else _warped_curve(each, warp) for each in base.curves)
        return replace(base, curves=curves, duration=warp.moment(base.duration))
    return _warped_motion(base, rig, warp)


def _warped_curve(curve: Curve, warp: TimeWarp) -> Curve:
    time = warp(curve.time)
    tangent = curve.tangent.copy()
    tangent[:, 0, 0] = time - warp(curve.time - curve.tangent[:, 0, 0])
    tangent[:, 1, 0] = warp(curve.time + curve.tangent[:, 1, 0]) - time
    return replace(curve, time=time, tangent=tangent)


def _warped_motion(motion: Motion, rig: Rig, warp: TimeWarp) -> Motion:
    """Samples before and after the warp stay as they are; between they are interpolated."""
    time, count = motion.time, len(motion.time)
    first = int(np.clip(np.searchsorted(time, warp.time[0] + 1e-9) - 1, 0, count - 1))
    last = int(np.clip(np.searchsorted(time, warp.time[-1] - 1e-9), first, count - 1))
    end = warp.moment(float(time[last]))
    steps = max(round((end - float(time[first])) * motion.rate), 1)
    between = np.linspace(float(time[first]), end, steps + 1)[1:-1]
    values = cubic_values(motion, rig, warp.inverse(between))
    moved = np.concatenate([time[: first + 1], between, warp(time[last:])])
    parts = motion.values[: first + 1], values, motion.values[last:]
    return replace(motion, time=moved, values=np.concatenate(parts))


def warped_layers(layers: Sequence[Layer], warp: TimeWarp) -> tuple[Layer, ...]:
    """Layers along a warp; those over which time bends are fitted with denser control values."""
    return tuple(_warped_layer(each, warp) for each in layers)


def _warped_layer(layer: Layer, warp: TimeWarp) -> Layer:
    start, end = warp.moment(layer.start), warp.moment(layer.end)
    if layer.end <= warp.time[0] or layer.start >= warp.time[-1]:
        return replace(layer, start=start, end=end)
    spans = min(LAYER_DENSITY * (len(layer.add) - 3), MAX_CONTROLS)
    count = max(spans, len(layer.add) - 3) + 3
    nodes = start + (end - start) * _greville(count)
    old = np.clip(warp.inverse(nodes), layer.start, layer.end)
    sampled = band(layer.start, layer.end, len(layer.add), old)
    weights = band(start, end, count, np.clip(nodes, start, end)).full()
    turn, add = sampled.apply(layer.turn), sampled.apply(layer.add)
    both = np.concatenate([turn.reshape(count, -1), add], axis=1)
    fitted = np.linalg.solve(weights, both)
    turns = fitted[:, : layer.turn[0].size].reshape(count, *layer.turn.shape[1:])
    return replace(layer, start=start, end=end, turn=turns, add=fitted[:, layer.turn[0].size :])


def _greville(count: int) -> Floats:
    """(N,) 0 to 1: where each control value of a clamped uniform cubic spline weighs most."""
    spans = count - 3
    knots = np.clip(np.arange(-3, spans + 4), 0, spans)
    return (knots[1:-3] + knots[2:-2] + knots[3:-1]) / (3 * spans)
