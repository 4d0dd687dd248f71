"""Characters that follow a stroke by their skeleton: the line of action is posed, nothing bends.

What a stroke would make of the mesh says where joints beside its piece should be seen. The pose
that brings them there, with what touches kept in place, becomes a layer over the take.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.displacement_layer import displacement, displacement_layer
from arcwright.kinematics.forward import forward
from arcwright.kinematics.places import places
from arcwright.kinematics.sample import values_at
from arcwright.objectives.freedom import Freedom
from arcwright.objectives.point_tasks import PointTask
from arcwright.objectives.pose_model import PoseModel, PreparedPose
from arcwright.objectives.solve_pose import RELEASE_CRITERIA, solve_from
from arcwright.scene.edit import Change, Edit
from arcwright.scene.flow import FlowLayer
from arcwright.scene.point import Point
from arcwright.scene.scene import Character, Scene
from arcwright.scene.take import Take
from arcwright.tools.flow.layers import place_now
from arcwright.tools.flow.model import Bent
from arcwright.tools.flow.prepared_shot import PreparedShot
from arcwright.tools.flow.scene_objects import composed_take

LAYER = "Line of action"
_BESIDE = 0.1  # of the piece's length; joints nearer to it are on the line of action
_MOST = 10  # joints on it that are led
_TOUCHING = 0.06  # of the object's size; joints nearer to a contact stay
_LED, _KEPT = 1e5, 1e9  # weights per m^2
_FOLLOW = 0.5  # how readily the whole body follows, as in the pose tool
_SAMPLES = 4  # of a layer that is the same all along


def posed_objects(
    scene: Scene, prepared: PreparedShot, bent: Bent, takes: dict[str, str]
) -> dict[int, int]:
    """Characters with takes that the last layer would bend, and their objects; by index."""
    found = {}
    for matched in bent.matched:
        for name in matched.objects:
            index = prepared.index_of(name)
            assert index is not None
            for address, _, _ in prepared.objects[index].sources:
                if address.actor < len(scene.characters):
                    actor = scene.characters[address.actor]
                    if composed_take(actor, takes) is not None:
                        found[address.actor] = index
    return found


def layers_left(
    layers: Sequence[FlowLayer],
    new: FlowLayer | None,
    prepared: PreparedShot,
    posed: Mapping[int, int],
) -> tuple[FlowLayer, ...]:
    """All layers, of which the new one leaves posed objects alone."""
    assert new is not None
    names = (prepared.names[each] for each in posed.values())
    left = replace(new, excluded=tuple(dict.fromkeys((*new.excluded, *names))))
    return tuple(left if each is new else each for each in layers)


def with_poses(
    scene: Scene, edit: Edit, prepared: PreparedShot, bent: Bent, posed: dict[int, int],
    takes: dict[str, str],
) -> Edit:  # fmt: skip
    """The edit, and a layer over the take of each posed character."""
    after = edit.apply(scene)
    changes = []
    for number, index in posed.items():
        actor = after.characters[number]
        take = composed_take(actor, takes)
        assert take is not None
        led = _with_layer(actor, take, prepared, bent, index)
        address = ("characters", number, "takes", actor.takes.index(take))
        if led is not None:
            changes.append(Change(address, take, led))
    return replace(edit, changes=(*edit.changes, *changes))


def _with_layer(
    actor: Character, take: Take, prepared: PreparedShot, bent: Bent, index: int
) -> Take | None:
    """The take with the pose that follows the stroke; None where no joint is beside it."""
    before = values_at(take, np.array([prepared.shot.time]))
    joints = forward(actor.rig, before)[0][:, :3, 3]
    led = _on_the_line(joints, prepared, bent, index)
    if not len(led):
        return None
    kept = _touching(joints, prepared, index)
    led = np.setdiff1d(led, kept)
    goals = _goals(joints[led], prepared, bent, index)
    pose = _solved(actor, take, before[0], led, goals, kept, prepared)
    moved = displacement(actor.rig, np.repeat(before, _SAMPLES, 0), np.repeat(pose, _SAMPLES, 0))
    if moved.none:
        return None
    end = max(take.duration, 1 / take.rate)
    taken = {each.name for each in take.layers}
    name = next(n for k in range(1, 1001) if (n := f"{LAYER} {k}") not in taken)
    return replace(take, layers=(*take.layers, displacement_layer(name, 0.0, end, moved)))


def _on_the_line(joints: Floats, prepared: PreparedShot, bent: Bent, index: int) -> Ints:
    """Joints seen beside the pieces of an object, spread along them."""
    pieces = [each for each in bent.matched if prepared.names[index] in each.objects]
    line = np.concatenate([each.samples for each in pieces])
    length = max(each.piece.length for each in pieces)
    pixels = prepared.view.project(joints)
    away = np.sqrt(((pixels[:, None] - line) ** 2).sum(-1))
    near = np.flatnonzero(np.nan_to_num(away.min(1), nan=np.inf) < _BESIDE * length)
    order = near[np.argsort(away[near].argmin(1), kind="stable")]
    if len(order) > _MOST:
        order = order[np.linspace(0, len(order) - 1, _MOST).round().astype(int)]
    return np.unique(order)


def _touching(joints: Floats, prepared: PreparedShot, index: int) -> Ints:
    """Joints near places where the object touches others, or stands."""
    points = [at for a, b, at in prepared.contacts if index in (a, b)]
    if not points:
        return np.zeros(0, np.int64)
    away = np.sqrt(((joints[:, None] - np.concatenate(points)) ** 2).sum(-1)).min(1)
    return np.flatnonzero(away < _TOUCHING * prepared.objects[index].size)


def _goals(joints: Floats, prepared: PreparedShot, bent: Bent, index: int) -> Floats:
    """(L, 3) m, where joints go with the mesh around them."""
    view = prepared.view
    pixels = view.project(joints)
    return view.at_distance(place_now(prepared, bent, index, pixels), view.distance(joints))


def _solved(
    actor: Character,
    take: Take,
    values: Floats,
    led: Ints,
    goals: Floats,
    kept: Ints,
    prepared: PreparedShot,
) -> Floats:
    """(1, C) the pose that brings joints to their goals across the view, and keeps others."""
    rig = actor.rig
    world = forward(rig, values[None])[0]
    points = [Point(rig.names[joint]) for joint in (*led.tolist(), *kept.tolist())]
    free = Freedom(actor, take, _FOLLOW)
    channels = free.channels(points)
    found = places(rig, points)
    across = prepared.view.axes[:2]
    first = np.zeros(1, np.int64)
    tasks = [
        PointTask(rig.names[joint], n, first, goal[None], None, _LED, axes=across)
        for n, (joint, goal) in enumerate(zip(led.tolist(), goals, strict=True))
    ]
    holds = [
        PointTask(
            *(rig.names[joint], len(led) + n, first),
            *(world[joint][None, :3, 3], world[joint][None, :3, :3], _KEPT),
        )
        for n, joint in enumerate(kept.tolist())
    ]
    steps, weights = free.steps(channels), free.weights(channels, values[None])
    held = PreparedPose(prepared.shot.time, found, values, channels, steps, weights, tuple(holds))
    model = PoseModel(rig, held, tasks)
    answer = solve_from(model, np.zeros(len(channels)), RELEASE_CRITERIA)
    return model.values(answer.x)[None]
