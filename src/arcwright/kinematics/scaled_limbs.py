"""Scaled limbs: the same character with longer or shorter arms and legs.

Bones are stretched along themselves in the rest pose, with the mesh around them: what hangs on a
bone keeps its thickness, hands and feet keep their size. Legs stay on the ground.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.kinematics.joint_roles import SIDES, Body, body_of, joint_roles
from arcwright.kinematics.oriented_pose import moved_joint
from arcwright.kinematics.rotation import matrix_from_quaternion
from arcwright.kinematics.skinning import skin_influences
from arcwright.scene.rig import Kind, Rig
from arcwright.scene.scene import Actor
from arcwright.scene.shape import Part, Shape, Skin

_A = TypeVar("_A", bound=Actor)
BONES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "arm": (("upper_arm", "lower_arm"), ("lower_arm", "hand")),
    "leg": (("upper_leg", "lower_leg"), ("lower_leg", "foot")),
}


def scaled_limbs(actor: _A, *, arms: float = 1.0, legs: float = 1.0) -> _A:
    """The actor with bones of its arms and legs so many times as long, without takes.

    Its takes would not fit: `retarget` carries them over. A rig with feet beside its legs refuses
    other legs.
    """
    body = body_of(actor)
    if body.skeleton is not None and legs != 1.0:
        raise BadValue("legs", "1 for a rig whose feet hang beside its legs", legs)
    stretch = _stretches(body, {"arm": arms, "leg": legs})
    own = np.zeros_like(stretch)
    own[body.order] = stretch
    before = forward(actor.rig, actor.rig.channels.default[None])[0]
    rig = _stretched_rig(actor.rig, own, before)
    rig = replace(rig, root=int(body.order[body.root]), attached_to=_attached(body))
    rig = _on_ground(rig, before, int(body.order[body.root])) if legs != 1.0 else rig
    shapes = tuple(_stretched_shape(shape, rig, actor.rig, own) for shape in actor.shapes)
    return replace(actor, rig=rig, takes=(), shapes=shapes)


def _attached(body: Body) -> tuple[int, ...]:
    found = [-1] * len(body.order)
    for each in body.skeleton.attached if body.skeleton is not None else ():
        found[each.joint] = int(body.order[body.rig.parents[each.there]])
    return tuple(found)


def _stretches(body: Body, factors: Mapping[str, float]) -> Floats:
    """(J, 3, 3) by which the bone of each joint stretches, in the world of the rest pose."""
    for name, factor in factors.items():
        if not 0.05 <= factor <= 20:
            raise BadValue(f"{name}s", "0.05 to 20", factor)
    roles, rig, place = joint_roles(body), body.rig, body.place
    found = np.repeat(np.eye(3)[None], len(rig.names), axis=0)
    for limb, factor in factors.items():
        for side in SIDES:
            for part, following in BONES[limb]:
                pair = [roles.get(f"{side}_{each}") for each in (part, following)]
                if not (pair[0] and pair[1]):
                    continue
                top, end = rig.joint(pair[0][0]), rig.joint(pair[1][0])
                bone = place[end] - place[top]
                bone = bone / np.linalg.norm(bone)
                for joint in range(top, len(rig.names)):
                    if rig.is_below(joint, top) and not rig.is_below(joint, end):
                        found[joint] = np.eye(3) + (factor - 1) * np.outer(bone, bone)
    return found


def _local(stretch: Floats, world: Floats) -> Floats:
    """(3, 3) a stretch of the world in the axes of a joint (4, 4)."""
    axes = world[:3, :3]
    return np.asarray(np.linalg.solve(axes, stretch @ axes))


def _stretched_rig(rig: Rig, stretch: Floats, world: Floats) -> Rig:
    offset, table = np.array(rig.offset), rig.channels
    default = np.array(table.default)
    for joint, parent in enumerate(rig.parents.tolist()):
        if parent < 0 or np.allclose(stretch[parent], np.eye(3), atol=1e-12):
            continue
        local = _local(stretch[parent], world[parent])
        rest = matrix_from_quaternion(rig.rest[joint])
        offset[joint] = local @ offset[joint]
        own = [
            channel
            for channel in np.flatnonzero(table.joint == joint)
            if table.kind[channel] <= Kind.TRANSLATE_Z
        ]
        shift = np.zeros(3)
        shift[table.kind[own]] = default[own]
        if own:
            default[own] = (rest.T @ local @ rest @ shift)[table.kind[own]]
    return replace(rig, offset=offset, channels=replace(table, default=default))


def _on_ground(rig: Rig, before: Floats, root: int) -> Rig:
    """The rig with its root so high that its lowest joint is as high as it was."""
    after = forward(rig, rig.channels.default[None])[0]
    low = before[:, 1, 3].min() - after[:, 1, 3].min()
    shift = np.array([[0.0, float(low), 0.0]])
    default = moved_joint(rig, root, rig.channels.default[None], shift)[0]
    return replace(rig, channels=replace(rig.channels, default=default))


def _stretched_shape(shape: Shape, rig: Rig, old: Rig, stretch: Floats) -> Shape:
    before = forward(old, old.channels.default[None])[0]
    if shape.skin is None:
        local = _local(stretch[shape.joint], before[shape.joint])
        if np.allclose(local, np.eye(3), atol=1e-12):
            return shape
        return replace(shape, parts=tuple(_moved(part, local, np.zeros(3)) for part in shape.parts))
    skin = shape.skin
    bind = np.linalg.inv(skin.inverse_bind)
    after = forward(rig, rig.channels.default[None])[0]
    moves, new_bind = np.empty_like(bind), np.empty_like(bind)
    for slot, joint in enumerate(skin.joints.tolist()):
        # The rest pose moves a joint from `before` to `after`; its bind pose moves alike.
        local = np.eye(4)
        local[:3, :3] = _local(stretch[joint], before[joint])
        shifted = bind[slot] @ np.linalg.inv(before[joint])
        new_bind[slot] = shifted @ after[joint]
        moves[slot] = new_bind[slot] @ local @ skin.inverse_bind[slot]
    parts = tuple(_blended(shape, part, moves) for part in shape.parts)
    return replace(shape, parts=parts, skin=Skin(skin.joints, np.linalg.inv(new_bind)))


def _blended(shape: Shape, part: Part, moves: Floats) -> Part:
    """A part of a skinned mesh, each vertex moved as its joints are."""
    found = skin_influences(shape, part)
    if found is None:
        return part
    slots, shares = found
    whole = (moves[slots] * shares[..., None, None]).sum(axis=1)
    return _moved(part, whole[:, :3, :3], whole[:, :3, 3])


def _moved(part: Part, matrix: Floats, shift: Floats) -> Part:
    attributes = dict(part.attributes)
    place = np.asarray(attributes["POSITION"], np.float64)
    attributes["POSITION"] = (matrix @ place[..., None])[..., 0] + shift
    attributes["POSITION"] = attributes["POSITION"].astype(np.float32)
    if "NORMAL" in attributes:
        normal = np.asarray(attributes["NORMAL"], np.float64)
        turned = (np.linalg.inv(matrix).swapaxes(-1, -2) @ normal[..., None])[..., 0]
        size = np.linalg.norm(turned, axis=-1, keepdims=True)
        attributes["NORMAL"] = (turned / np.where(size > 1e-12, size, 1.0)).astype(np.float32)
    return replace(part, attributes=attributes)
