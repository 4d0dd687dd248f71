"""Changes of poses, of the pose library and of markers, and the edits they ask for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arcwright.edits import markers, pose_library, poses
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.server import messages as m


def copied_pose(scene: Scene, request: m.RequestPose) -> m.CopiedPose:
    """The pose that a client copies."""
    actor = scene.actor(request.character)
    values = poses.pose_values(scene, actor.name, request.take, request.time)
    return m.CopiedPose(character=actor.name, values=values)


def _paste_pose(scene: Scene, change: m.PastePose) -> Edit:
    return poses.paste_pose(
        scene,
        change.character,
        change.take,
        change.time,
        change.values,
        joints=change.joints,
        mirrored=change.mirrored,
        weight=change.weight,
    )


def _apply_stored_pose(scene: Scene, change: m.ApplyStoredPose) -> Edit:
    stored = pose_library.stored_pose(scene, change.index)
    return poses.paste_pose(
        scene,
        change.character,
        change.take,
        change.time,
        stored.values,
        joints=change.joints,
        mirrored=change.mirrored,
        weight=change.weight,
        verb=f"Apply pose {stored.name}",
    )


def _store_pose(scene: Scene, change: m.StorePose) -> Edit:
    at = change.character, change.take, change.time, change.name
    return pose_library.store_pose(scene, *at, joints=change.joints, picture=change.picture)


def _change_marker(scene: Scene, change: m.ChangeMarker) -> Edit:
    at = change.character, change.take, change.index
    return markers.change_marker(scene, *at, name=change.name, time=change.time)


POSE_EDITS: dict[type[Any], Callable[[Scene, Any], Edit]] = {
    m.PastePose: _paste_pose,
    m.ApplyStoredPose: _apply_stored_pose,
    m.MirrorPose: lambda s, c: poses.mirror_pose(s, c.character, c.take, c.time, joints=c.joints),
    m.ResetPose: lambda s, c: poses.reset_pose(s, c.character, c.take, c.time, joints=c.joints),
    m.TweenPose: lambda s, c: poses.break_down(
        s, c.character, c.take, c.time, c.share, joints=c.joints
    ),
    m.StorePose: _store_pose,
    m.RenamePose: lambda s, c: pose_library.rename_pose(s, c.index, c.name),
    m.RemovePose: lambda s, c: pose_library.remove_pose(s, c.index),
    m.AddMarker: lambda s, c: markers.add_marker(s, c.character, c.take, c.name, c.time),
    m.ChangeMarker: _change_marker,
    m.RemoveMarker: lambda s, c: markers.remove_marker(s, c.character, c.take, c.index),
}
