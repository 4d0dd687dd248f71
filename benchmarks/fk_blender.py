"""A 60-joint character over 240 frames against Blender: the same poses, and how fast.

Run with an environment that has bpy; exits with 1 if a joint is off by more than 1e-5 m
(Blender computes in single precision, and the character is some metres tall).
"""

from __future__ import annotations

import sys

import one_thread  # noqa: F401

# isort: split
import bpy
import numpy as np

from arcwright.curves.keys import keyed
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import quaternion_from_matrix
from arcwright.kinematics.sample import values_at
from arcwright.scene.clip import Clip
from arcwright.scene.rig import EULER_MODES, QUATERNION, ChannelTable, Kind, Rig
from arcwright.scene.take import Take
from side_by_side import measure, table

JOINTS, FRAMES, RATE = 60, 240, 24.0
ALLOWED = 1e-5  # m
PATHS = {
    "translate": "location",
    "rotate": "rotation_euler",
    "quaternion": "rotation_quaternion",
    "scale": "scale",
}


def armature(rng: np.random.Generator, modes: list[str]) -> bpy.types.Object:
    """Chains of bones with random directions, lengths and rolls."""
    scene = bpy.context.scene
    scene.render.fps, scene.frame_end = int(RATE), FRAMES
    bones = bpy.data.armatures.new("bones")
    body = bpy.data.objects.new("body", bones)
    scene.collection.objects.link(body)
    bpy.context.view_layer.objects.active = body
    bpy.ops.object.mode_set(mode="EDIT")
    for index in range(JOINTS):
        bone = bones.edit_bones.new(f"bone{index}")
        if index:  # five chains of twelve from the root
            bone.parent = bones.edit_bones[f"bone{index - 1 if index % 12 else 0}"]
            bone.head = bone.parent.tail
        bone.tail = np.array(bone.head) + rng.normal(0, 0.15, 3) + [0, 0.1, 0]
        bone.roll = rng.uniform(-3, 3)
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone, mode in zip(body.pose.bones, modes, strict=True):
        bone.rotation_mode = "QUATERNION" if mode == QUATERNION else mode[::-1]
    return body


def rig_of(body: bpy.types.Object, modes: list[str], everything: bool) -> Rig:
    """The same joints as ours: rest pose in offset and rest, values that are 0 or 1 at rest."""
    bones = list(body.data.bones)
    names = [bone.name for bone in bones]
    parents = [names.index(bone.parent.name) if bone.parent else -1 for bone in bones]
    place = np.array([np.array(bone.matrix_local, float) for bone in bones])
    local = [
        m if p < 0 else np.linalg.inv(place[p]) @ m for m, p in zip(place, parents, strict=True)
    ]
    rows = [
        (joint, kind)
        for joint, mode in enumerate(modes)
        for kind in Kind
        if kind.group == ("quaternion" if mode == QUATERNION else "rotate")
        or (kind.group == "translate" and (everything or joint == 0))
        or (kind.group == "scale" and everything)
    ]
    return Rig(
        names=tuple(names),
        parents=parents,
        offset=[m[:3, 3] for m in local],
        rest=quaternion_from_matrix(np.array([m[:3, :3] for m in local])),
        scale=np.ones((JOINTS, 3)),
        modes=tuple(modes),
        channels=ChannelTable.of([joint for joint, _ in rows], [kind for _, kind in rows]),
    )


def animate(body: bpy.types.Object, rig: Rig, rng: np.random.Generator) -> Take:
    """A key about every twelve frames, each channel at its own, with auto-clamped handles."""
    action = bpy.data.actions.new("move")
    slot = action.slots.new("OBJECT", "slot")
    bag = action.layers.new("layer").strips.new(type="KEYFRAME").channelbag(slot, ensure=True)
    curves = []
    for joint, kind in zip(rig.channels.joint, rig.channels.kind, strict=True):
        frames = np.unique([0, *rng.choice(np.arange(1, FRAMES), 20, replace=False), FRAMES])
        spread = {"scale": 0.2, "translate": 0.05}.get(Kind(kind).group, 0.4)
        value = Kind(kind).rest + rng.normal(0, spread, len(frames))
        curves.append(keyed(frames / RATE, value, smooth=False))
        path = f'pose.bones["{rig.names[joint]}"].{PATHS[Kind(kind).group]}'
        index = kind - Kind[f"{Kind(kind).group.upper()}_{'W' if 6 <= kind <= 9 else 'X'}"]
        _copy(curves[-1], bag.fcurves.new(path, index=int(index)))
    body.animation_data_create()
    body.animation_data.action, body.animation_data.action_slot = action, slot
    return Take(rig, Clip("move", tuple(curves), FRAMES / RATE, RATE))


def _copy(curve, made: bpy.types.FCurve) -> None:
    at = np.stack([curve.time * RATE, curve.value], axis=-1)
    points = made.keyframe_points
    points.add(len(at))
    points.foreach_set("co", at.ravel())
    for point in points:
        point.interpolation = "BEZIER"
        point.handle_left_type = point.handle_right_type = "FREE"
    reach = curve.tangent * [RATE, 1.0]
    points.foreach_set("handle_left", (at - reach[:, 0]).ravel())
    points.foreach_set("handle_right", (at + reach[:, 1]).ravel())
    made.update()


def step(body: bpy.types.Object, *, read: bool) -> np.ndarray | None:
    """Blender goes through all frames; if `read`, joint matrices (T, J, 4, 4) are collected."""
    bones = list(body.pose.bones)
    world = np.empty((FRAMES, JOINTS, 4, 4)) if read else None
    for frame in range(FRAMES):
        bpy.context.scene.frame_set(frame)
        if world is not None:
            world[frame] = [bone.matrix for bone in bones]
    return world


def character(seed: int, everything: bool) -> tuple[bpy.types.Object, Take]:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    rng = np.random.default_rng(seed)
    modes = [str(mode) for mode in rng.choice([*EULER_MODES, *[QUATERNION] * 6], JOINTS)]
    body = armature(rng, modes)
    return body, animate(body, rig_of(body, modes, everything), rng)


def main() -> int:
    times = np.arange(FRAMES) / RATE
    print(f"Blender {bpy.app.version_string}, {JOINTS} joints, {FRAMES} frames")
    worst = 0.0
    for seed, everything in ((1, False), (2, True)):
        body, take = character(seed, everything)
        apart = (
            step(body, read=True)[..., :3, 3]
            - forward(take.rig, values_at(take, times))[..., :3, 3]
        )
        found = float(np.linalg.norm(apart, axis=-1).max())
        what = "translate, rotate, scale" if everything else "rotate, root translate"
        print(f"  {len(take.rig.channels)} curves ({what}): largest distance {found:.1e} m")
        worst = max(worst, found)
    body, take = character(1, False)
    works = {
        "ours: curves + all joints": lambda: forward(take.rig, values_at(take, times)),
        "Blender: frame_set": lambda: step(body, read=False),
        "Blender: frame_set, matrices read": lambda: step(body, read=True),
    }
    print(table("", measure(works, 15), "ours: curves + all joints"))
    print("agree" if worst <= ALLOWED else f"DISAGREE: more than {ALLOWED} m")
    return int(worst > ALLOWED)


if __name__ == "__main__":
    sys.exit(main())
