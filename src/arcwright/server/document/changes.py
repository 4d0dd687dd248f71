"""Change messages and the edits they ask for, from one table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from arcwright.edits import (
    actors,
    detected_contacts,
    handles,
    keys,
    layers,
    lengths,
    limits,
    sound,
    takes,
)
from arcwright.errors import BadValue
from arcwright.scene.curve import Extrapolation, Handle, Interpolation
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.scene.take import MOST_FRAMES
from arcwright.server import messages as m
from arcwright.server.document import activities, constraints, footplants
from arcwright.server.document.poses import POSE_EDITS
from arcwright.server.document.puppets import PUPPET_EDITS
from arcwright.tools.shared.avatar.avatar import avatar_from_photo


def edit_of(scene: Scene, change: m.Change) -> Edit:
    """The edit that a change asks for."""
    make = _EDITS.get(type(change))
    if make is None:
        raise BadValue("change", "one that can be previewed", type(change).__name__)
    return make(scene, change)


def edit_of_all(scene: Scene, together: list[m.Change]) -> Edit:
    """One edit of several changes, each made for the scene that those before it leave."""
    made: list[Edit] = []
    for change in together:
        made.append(edit_of(scene, change))
        scene = made[-1].apply(scene)
    kept = [edit for edit in made if not edit.empty] or made[:1]
    label = kept[0].label if len(kept) == 1 else f"{kept[0].label}, and {len(kept) - 1} more"
    return Edit(label, tuple(change for edit in kept for change in edit.changes))


def _move_keys(scene: Scene, change: m.MoveKeys) -> Edit:
    return keys.move_keys(
        scene,
        change.character,
        change.take,
        change.keys,
        time=change.time,
        value=change.value,
        scale_time=change.scale_time,
        scale_value=change.scale_value,
        pivot_time=change.pivot_time,
        pivot_value=change.pivot_value,
    )


def _move_handle(scene: Scene, change: m.MoveHandle) -> Edit:
    channel, key, side = change.handle
    moved = change.dt, change.dv
    return handles.move_handle(scene, change.character, change.take, channel, key, side, *moved)


def _set_extrapolation(scene: Scene, change: m.SetExtrapolation) -> Edit:
    before, after = (Extrapolation[each.upper()] for each in (change.before, change.after))
    at = change.character, change.take, change.channels
    return handles.set_extrapolation(scene, *at, before, after)


def _set_timing(scene: Scene, change: m.SetTiming) -> Edit:
    frames = change.rate * change.duration
    if not 0 <= frames <= MOST_FRAMES:
        raise BadValue("length of the take", f"at most {MOST_FRAMES} frames", f"{frames:.3g}")
    return takes.set_timing(
        scene,
        change.character,
        change.take,
        rate=change.rate,
        duration=change.duration,
        loops=change.loops,
        keep=change.keep,
    )


_EDITS: dict[type[Any], Callable[[Scene, Any], Edit]] = {
    m.MoveKeys: _move_keys,
    m.CopyKeys: lambda s, c: keys.copy_keys(
        s, c.character, c.take, c.keys, c.time, pasted=c.pasted
    ),
    m.DeleteKeys: lambda s, c: keys.delete_keys(s, c.character, c.take, c.keys),
    m.AddKeys: lambda s, c: keys.add_keys(s, c.character, c.take, c.channels, c.time),
    m.MoveHandle: _move_handle,
    m.SetHandles: lambda s, c: handles.set_handles(
        s, c.character, c.take, c.keys, Handle[c.kind.upper()]
    ),
    m.SetInterpolation: lambda s, c: handles.set_interpolation(
        s, c.character, c.take, c.keys, Interpolation[c.kind.upper()]
    ),
    m.SetExtrapolation: _set_extrapolation,
    m.AddConstraint: constraints.add_constraint,
    m.ChangeConstraint: constraints.change_constraint,
    m.RemoveConstraint: constraints.remove_constraint,
    m.DetectContacts: lambda s, c: detected_contacts.detect_contacts(s, c.character, c.take),
    m.AcceptFootplants: footplants.accept_footplants,
    m.SetLimits: lambda s, c: limits.set_limits(s, c.character, c.channel, c.low, c.high),
    m.SetStiffness: lambda s, c: limits.set_stiffness(s, c.character, c.channels, c.stiffness),
    m.SetLengths: lambda s, c: lengths.set_lengths(s, c.character, c.joints, c.length),
    m.SetRoot: lambda s, c: lengths.set_root(s, c.character, c.joint),
    m.SetAttached: lambda s, c: lengths.set_attached(s, c.character, c.joint, c.limb),
    m.SetTiming: _set_timing,
    m.CopyTake: lambda s, c: takes.copy_take(s, c.character, c.take, c.name),
    m.RenameTake: lambda s, c: takes.rename_take(s, c.character, c.take, c.name),
    m.RemoveTake: lambda s, c: takes.remove_take(s, c.character, c.take),
    m.FitTake: lambda s, c: takes.fit_take(s, c.character, c.take, c.tolerance, c.poses),
    m.MakeAvatar: lambda s, c: avatar_from_photo(
        s, c.character, c.marks, {name: np.array(c.pixels[name]) for name in c.pixels}, c.flipped
    ),
    m.RemoveActor: lambda s, c: actors.remove_actor(s, c.character),
    m.BeginActivity: activities.begin_activity_of,
    m.AddToActivity: activities.add_to_activity_of,
    m.RemoveActivity: activities.remove_activity_of,
    m.RemoveElement: activities.remove_element_of,
    m.ChangeEvent: activities.change_event_of,
    m.RenameEvent: activities.rename_event,
    m.RemoveEvent: activities.remove_event_of,
    m.MuteLayer: lambda s, c: layers.mute_layer(s, c.character, c.take, c.layer, c.muted),
    m.SetLayerWeight: lambda s, c: layers.weigh_layer(s, c.character, c.take, c.layer, c.weight),
    m.RenameLayer: lambda s, c: layers.rename_layer(s, c.character, c.take, c.layer, c.name),
    m.MoveLayer: lambda s, c: layers.move_layer(s, c.character, c.take, c.layer, c.to),
    m.RemoveLayer: lambda s, c: layers.remove_layer(s, c.character, c.take, c.layer),
    m.CopyLayer: lambda s, c: layers.copy_layer(s, c.character, c.take, c.layer),
    m.FlattenLayers: lambda s, c: layers.flatten(s, c.character, c.take, c.tolerance),
    m.BakeLayers: lambda s, c: layers.bake(s, c.character, c.take),
    **POSE_EDITS,
    **PUPPET_EDITS,
    m.ChangeSound: lambda s, c: sound.change_sound(s, start=c.start, muted=c.muted),
    m.RemoveSound: lambda s, _: sound.remove_sound(s),
}
