"""Edits of the pose library: store a pose, rename it, remove it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from arcwright.edits.actors import unique_name
from arcwright.edits.poses import pose_values
from arcwright.errors import BadValue
from arcwright.scene.edit import Change, Edit
from arcwright.scene.scene import Scene
from arcwright.scene.stored_pose import StoredPose

MOST = 500  # poses of a scene


def store_pose(
    scene: Scene,
    character: str,
    take: str,
    time: float,
    name: str,
    *,
    joints: Sequence[int] = (),
    picture: str = "",
) -> Edit:
    """Store the pose of a take at a time, of some joints or of all, under a free name."""
    actor = scene.actor(character)
    if len(scene.poses) >= MOST:
        raise BadValue("poses of the library", f"at most {MOST}", len(scene.poses) + 1)
    values = pose_values(scene, character, take, time)
    if joints:
        names = actor.rig.channel_names
        own = {names[c] for c, joint in enumerate(actor.rig.channels.joint) if joint in joints}
        values = {each: value for each, value in values.items() if each in own}
    free = unique_name(name, [each.name for each in scene.poses])
    made = StoredPose(free, actor.name, values, picture)
    return Edit(f"Store pose {free}", (Change(("poses",), scene.poses, (*scene.poses, made)),))


def rename_pose(scene: Scene, index: int, name: str) -> Edit:
    """Rename a stored pose."""
    before = stored_pose(scene, index)
    others = [each.name for each in scene.poses if each is not before]
    after = replace(before, name=unique_name(name, others))
    if after.name == before.name:
        return Edit(f"Rename pose {before.name}")
    change = Change(("poses", index, "name"), before.name, after.name)
    return Edit(f"Rename pose {before.name} to {after.name}", (change,))


def remove_pose(scene: Scene, index: int) -> Edit:
    """Remove a stored pose."""
    gone = stored_pose(scene, index)
    kept = tuple(each for each in scene.poses if each is not gone)
    return Edit(f"Remove pose {gone.name}", (Change(("poses",), scene.poses, kept),))


def stored_pose(scene: Scene, index: int) -> StoredPose:
    """The stored pose of this index."""
    if not 0 <= index < len(scene.poses):
        raise BadValue("pose", f"0 to {len(scene.poses) - 1}", index)
    return scene.poses[index]
