"""Edits of actors: add the characters and props of another scene, remove one."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from arcwright.arrays import same
from arcwright.edits.activity_subjects import with_actor_names, without_missing
from arcwright.edits.ownership import is_owned_by, with_renamed_owners
from arcwright.scene.activity import Activity
from arcwright.scene.constraint import Constraint
from arcwright.scene.edit import Change, Edit
from arcwright.scene.recording import Recording
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.stored_pose import StoredPose

_Actor = TypeVar("_Actor", bound=Actor)


def add_scene(scene: Scene, other: Scene) -> Edit:
    """Add what another scene has; characters and props of duplicate names get a number."""
    own = {actor.name: actor.name for actor in scene.actors}
    names: dict[str, str] = {}
    for actor in other.actors:
        names[actor.name] = unique_name(actor.name, {*own, *names.values()})
    # In a scene without characters "" names the first prop; once one is added it needs its name.
    shifts = bool(other.characters) and not scene.characters
    known = scene.constraints
    kept = with_renamed_owners(scene, known, own) if shifts else known
    activities = [with_actor_names(scene, each) if shifts else each for each in scene.activities]
    after = replace(
        scene,
        characters=(*scene.characters, *_with_names(other.characters, names)),
        props=(*scene.props, *_with_names(other.props, names)),
        constraints=(*kept, *with_renamed_owners(other, other.constraints, names)),
        recordings=(*scene.recordings, *_with_actor_names(other.recordings, names)),
        activities=(*activities, *_added_activities(scene, other, names)),
        poses=(*scene.poses, *_added_poses(scene, other, names)),
    )
    groups = ("characters", "props", "constraints", "recordings", "activities", "poses")
    return Edit(
        f"Add {' and '.join(names.values()) or 'nothing'}", field_changes(scene, after, groups)
    )


def remove_actor(scene: Scene, name: str) -> Edit:
    """Remove a character or prop, with its recordings and all constraints that refer to it.

    Activities of a character go with it; a prop is no longer an object of any.
    """
    removed = scene.actor(name)
    remaining = {actor.name for actor in scene.actors if actor is not removed}
    kept = tuple(each for each in scene.constraints if is_owned_by(scene, each, remaining))
    after = replace(
        scene,
        characters=tuple(each for each in scene.characters if each is not removed),
        props=tuple(each for each in scene.props if each is not removed),
        constraints=kept,
        recordings=tuple(each for each in scene.recordings if each.character in remaining),
        activities=_remaining_activities(scene, remaining),
    )
    # constraints first, so that none ever refers to a missing actor
    groups = ("constraints", "recordings", "activities", "characters", "props")
    return Edit(f"Remove {removed.name}", field_changes(scene, after, groups))


def constraint_changes(
    scene: Scene, change: Callable[[Constraint], Sequence[Constraint]]
) -> tuple[Change, ...]:
    """The changes that replace each constraint of the scene by none, one or more."""
    before = scene.constraints
    after = tuple(new for constraint in before for new in change(constraint))
    return () if same(before, after) else (Change(("constraints",), before, after),)


def recording_changes(
    scene: Scene, change: Callable[[Recording], Sequence[Recording]]
) -> tuple[Change, ...]:
    """The changes that replace each recording of the scene by none, one or more."""
    before = scene.recordings
    after = tuple(new for recording in before for new in change(recording))
    return () if same(before, after) else (Change(("recordings",), before, after),)


def activity_changes(
    scene: Scene, change: Callable[[Activity], Sequence[Activity]]
) -> tuple[Change, ...]:
    """The changes that replace each activity of the scene by none, one or more."""
    before = scene.activities
    after = tuple(new for activity in before for new in change(activity))
    return () if same(before, after) else (Change(("activities",), before, after),)


def field_changes(scene: Scene, after: Scene, groups: Sequence[str]) -> tuple[Change, ...]:
    """The changes from one scene to another in the given fields."""
    pairs = [(group, getattr(scene, group), getattr(after, group)) for group in groups]
    return tuple(Change((group,), old, new) for group, old, new in pairs if not same(old, new))


def unique_name(name: str, taken: Collection[str]) -> str:
    """The name, or the first free one of "name 2", "name 3", ..."""
    stem = re.sub(r" \d+$", "", name)
    number = 2
    while name in taken:
        name = f"{stem} {number}"
        number += 1
    return name


def _added_activities(scene: Scene, other: Scene, names: dict[str, str]) -> Iterator[Activity]:
    """Activities of another scene with the new names of its actors and free names of their own."""
    taken = {each.name for each in (*scene.activities, *other.activities)}
    own = {each.name for each in scene.activities}
    for each in other.activities:
        kept = without_missing(other, each, names)
        if kept is not None:
            name = unique_name(each.name, taken) if each.name in own else each.name
            taken.add(name)
            yield replace(with_actor_names(other, kept, names), name=name)


def _added_poses(scene: Scene, other: Scene, names: dict[str, str]) -> Iterator[StoredPose]:
    """Stored poses of another scene under free names."""
    taken = {each.name for each in scene.poses}
    for each in other.poses:
        name = unique_name(each.name, taken)
        taken.add(name)
        yield replace(each, name=name, character=names.get(each.character, each.character))


def _remaining_activities(scene: Scene, names: Collection[str]) -> tuple[Activity, ...]:
    found = (without_missing(scene, each, names) for each in scene.activities)
    return tuple(each for each in found if each is not None)


def _with_names(actors: Sequence[_Actor], names: dict[str, str]) -> Iterator[_Actor]:
    for actor in actors:
        yield replace(actor, name=names[actor.name])


def _with_actor_names(
    recordings: Sequence[Recording], names: dict[str, str]
) -> Iterator[Recording]:
    for each in recordings:
        name = names.get(each.character, each.character)
        point = None if each.point is None else replace(each.point, character=name)
        yield replace(each, character=name, point=point)
