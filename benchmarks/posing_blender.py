"""Pin-and-drag posing of a 60-joint body: ours against Blender's IK on the same skeleton and way.

Run with an environment that has bpy. Blender's IK neither slides the hips nor meets a goal on a
bone that another goal's chain runs through, so it cannot do the whole task and is measured
twice: limbs (the hand slides the hips along, four limb chains hold feet and hands, the spine
stays stiff: an easier task) and tree (all five goals, chains up to the hips: not met). A step
is setting the goal and `view_layer.update()`. Exits with 1 if ours does not get there.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import one_thread  # noqa: F401

# isort: split
import bpy
import numpy as np

from arcwright.kinematics.forward import forward
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.pose.tool import PoseOptions, PoseTool
from posing_body import HELD, PINNED, body, path, scene, start_values

CLOSE = 1e-4  # m
LIMB = {"Foot": 2, "Hand": 3}  # bones of a chain, counted from the one above
Work = tuple[Callable[[np.ndarray], None], Callable[[], dict[str, np.ndarray]]]


def armature(rig: Rig, heads: np.ndarray) -> bpy.types.Object:
    """Bones from joint to joint in the pose of the beginning, which is their rest."""
    bones = bpy.data.armatures.new("bones")
    made = bpy.data.objects.new("body", bones)
    bpy.context.scene.collection.objects.link(made)
    bpy.context.view_layer.objects.active = made
    bpy.ops.object.mode_set(mode="EDIT")
    for joint, name in enumerate(rig.names):
        bone = bones.edit_bones.new(name)
        bone.head = heads[joint]
        below = np.flatnonzero(rig.parents == joint)
        bone.tail = heads[below[0]] if len(below) else heads[joint] + [0.0, 0.0, 0.03]
        if rig.parents[joint] >= 0:
            bone.parent = bones.edit_bones[rig.names[rig.parents[joint]]]
    bpy.ops.object.mode_set(mode="OBJECT")
    return made


def goal(made: bpy.types.Object, rig: Rig, name: str, chain: int) -> bpy.types.Object:
    """An empty at a joint, and the bone above it made to reach for it."""
    empty = bpy.data.objects.new(f"goal {name}", None)
    bpy.context.scene.collection.objects.link(empty)
    empty.location = made.data.bones[name].head_local
    above = rig.names[rig.parents[rig.joint(name)]]
    reach = made.pose.bones[above].constraints.new("IK")
    reach.target, reach.chain_count = empty, chain
    return empty


def blender(rig: Rig, *, tree: bool) -> Work:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    heads = forward(rig, start_values(rig)[None])[0, :, :3, 3]
    made = armature(rig, heads)
    for name in PINNED:
        goal(made, rig, name, 0 if tree else LIMB[name.removeprefix("Left").removeprefix("Right")])
    chest = goal(made, rig, HELD, 0) if tree else None
    hips = made.pose.bones["Hips"]
    turned = np.array(hips.bone.matrix_local.to_3x3()).T
    view = bpy.context.view_layer
    view.update()

    def follow(place: np.ndarray) -> None:
        if chest is None:
            hips.location = turned @ (place - heads[rig.joint(HELD)])
        else:
            chest.location = place
        view.update()

    def there() -> dict[str, np.ndarray]:
        return {name: np.array(made.pose.bones[name].head) for name in (*PINNED, HELD)}

    return follow, there


def ours(rig: Rig, *, keys: bool) -> Work:
    """The pose, as Blender's is; or also the edit that keys it, which Blender is not asked for."""
    session = PoseTool().begin(scene(rig), Target(), PoseOptions())
    values = start_values(rig)

    def follow(place: np.ndarray) -> None:
        preview = session.update(Drag(Point(HELD), 0.0, position=place))
        values[:] = preview.poses[0].values
        if keys:
            for change in preview.edit.changes:
                assert change.after.value[0] == values[change.address[-1]]

    def there() -> dict[str, np.ndarray]:
        world = forward(rig, values[None])[0]
        return {name: world[rig.joint(name), :3, 3] for name in (*PINNED, HELD)}

    return follow, there


def measured(rig: Rig, work: Work) -> tuple[np.ndarray, np.ndarray, float, float]:
    """CPU and wall milliseconds of each move after the first, worst miss of chest and of pins."""
    follow, there = work
    pins = there()
    cpu, wall, missed, slid = [], [], 0.0, 0.0
    for place in path(rig):
        began, used = time.perf_counter(), time.process_time()
        follow(place)
        cpu.append((time.process_time() - used) * 1e3)
        wall.append((time.perf_counter() - began) * 1e3)
        now = there()
        missed = max(missed, float(np.linalg.norm(now[HELD] - place)))
        slid = max(slid, *(float(np.linalg.norm(now[name] - pins[name])) for name in PINNED))
    return np.array(cpu[1:]), np.array(wall[1:]), missed, slid


def main() -> int:
    rig = body()
    print(f"Blender {bpy.app.version_string}, {len(rig.names)} joints, {len(path(rig))} moves")
    print(
        f"{'':15} {'p50 ms':>7} {'p95 ms':>7} {'wall p50':>8} {'p95':>7} {'drag mm':>8} {'pins':>8}"
    )
    answers = {"ours": measured(rig, ours(rig, keys=False))}
    answers["ours, with keys"] = measured(rig, ours(rig, keys=True))
    for name, tree in (("Blender, limbs", False), ("Blender, tree", True)):
        answers[name] = measured(rig, blender(rig, tree=tree))
    for name, (cpu, wall, missed, slid) in answers.items():
        numbers = [*np.quantile(cpu, [0.5, 0.95]), *np.quantile(wall, [0.5, 0.95])]
        print(
            f"{name:15} {numbers[0]:7.2f} {numbers[1]:7.2f} {numbers[2]:8.2f} {numbers[3]:7.2f} "
            f"{missed * 1e3:8.4f} {slid * 1e3:8.4f}"
        )
    good = max(answers["ours"][2:]) <= CLOSE
    print("ours got there at every move" if good else "ours MISSED")
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
