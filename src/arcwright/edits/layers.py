"""Edits of layers: mute, weight, order and names, and merging them into the base.

A layer is given by its index in the take: 0 lies on the base, the last one is on top.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.edits.edited_take import EditedTake, check_finite, find_take, quantity
from arcwright.edits.selection import complete_quaternions
from arcwright.edits.takes import millimetres, reduce_to_clip
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import sample
from arcwright.scene.clip import Clip
from arcwright.scene.edit import Change, Edit
from arcwright.scene.layer import Layer
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Kind
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take


def mute_layer(scene: Scene, character: str, take: str, layer: int, muted: bool) -> Edit:
    """Mute or unmute a layer."""
    edited = find_take(scene, character, take)
    old = _layer(edited, layer)
    label = f"{'Mute' if muted else 'Unmute'} {old.name}"
    return _with_field(edited, layer, "muted", old.muted, muted, label)


def weigh_layer(scene: Scene, character: str, take: str, layer: int, weight: float) -> Edit:
    """Set the weight of a layer, 0 to 1."""
    edited = find_take(scene, character, take)
    old = _layer(edited, layer)
    check_finite(weight=weight)
    if not 0 <= weight <= 1:
        raise BadValue(f"weight of {old.name!r}", "0 to 1", weight)
    label = f"Weight of {old.name}: {100 * weight:.3g} %"
    return _with_field(edited, layer, "weight", old.weight, float(weight), label)


def rename_layer(scene: Scene, character: str, take: str, layer: int, name: str) -> Edit:
    """Rename a layer."""
    edited = find_take(scene, character, take)
    old = _layer(edited, layer)
    if not name.strip():
        raise BadValue("name of a layer", "a name that is not blank", repr(name))
    return _with_field(edited, layer, "name", old.name, name, f"Rename {old.name} to {name}")


def move_layer(scene: Scene, character: str, take: str, layer: int, to: int) -> Edit:
    """Move a layer to another index of the stack."""
    edited = find_take(scene, character, take)
    moved, _ = _layer(edited, layer), _layer(edited, to)
    stack = list(edited.take.layers)
    stack.insert(to, stack.pop(layer))
    label = f"{'Raise' if to > layer else 'Lower'} {moved.name}"
    return Edit(label) if to == layer else _with_layers(edited, stack, label)


def remove_layer(scene: Scene, character: str, take: str, layer: int) -> Edit:
    """Remove a layer."""
    edited = find_take(scene, character, take)
    removed = _layer(edited, layer)
    remaining = (*edited.take.layers[:layer], *edited.take.layers[layer + 1 :])
    return _with_layers(edited, remaining, f"Remove {removed.name}")


def copy_layer(scene: Scene, character: str, take: str, layer: int) -> Edit:
    """Copy a layer; the copy lies directly above it under a new name."""
    edited = find_take(scene, character, take)
    old = _layer(edited, layer)
    taken = {each.name for each in edited.take.layers}
    numbers = range(2, len(taken) + 3)
    name = next(new for n in numbers if (new := f"{old.name} ({n})") not in taken)
    stack = list(edited.take.layers)
    stack.insert(layer + 1, replace(old, name=name))
    return _with_layers(edited, stack, f"Copy {old.name}")


def flatten(scene: Scene, character: str, take: str, tolerance: float) -> Edit:
    """Merge all layers into a keyed base; the label states the largest deviation of any joint.

    Curves of channels that no layer changes stay unchanged, key for key.
    """
    edited = find_take(scene, character, take)
    active = _active_layers(edited)
    clip, error = reduce_to_clip(edited, tolerance)
    base = edited.take.base
    if isinstance(base, Clip):
        changed = _layer_channels(edited.take, active)
        pairs = enumerate(zip(base.curves, clip.curves, strict=True))
        curves = tuple(new if c in changed else old for c, (old, new) in pairs)
        clip = replace(clip, curves=curves)
        error = _max_deviation(edited.take, Take(edited.take.rig, clip))
    label = f"Flatten {base.name} into {clip.key_count} keys, within {millimetres(error)}"
    return _with_base(edited, clip, label + _muted_note(edited, active))


def bake(scene: Scene, character: str, take: str) -> Edit:
    """Merge the layers of a sampled take into its samples, without loss."""
    edited = find_take(scene, character, take)
    active = _active_layers(edited)
    base = edited.take.base
    if not isinstance(base, Motion):
        raise BadValue(f"take {base.name!r}", "samples; use flatten for keyframes", "keys")
    label = f"Bake {base.name} into its samples"
    return _with_base(edited, sample(edited.take, base.time), label + _muted_note(edited, active))


def _layer(edited: EditedTake, layer: int) -> Layer:
    layers = edited.take.layers
    if not 0 <= layer < len(layers):
        there = f"0 to {len(layers) - 1}" if layers else "none; the take has no layers"
        raise BadValue(f"layer of {edited.take.name!r}", there, layer)
    return layers[layer]


def _with_field(
    edited: EditedTake, layer: int, field: str, before: object, after: object, label: str
) -> Edit:
    if before == after:
        return Edit(label)
    return Edit(label, (Change((*edited.address, "layers", layer, field), before, after),))


def _with_layers(edited: EditedTake, layers: Sequence[Layer], label: str) -> Edit:
    return Edit(label, (Change((*edited.address, "layers"), edited.take.layers, tuple(layers)),))


def _with_base(edited: EditedTake, base: Clip | Motion, label: str) -> Edit:
    """The edit to another base without layers."""
    bases = Change((*edited.address, "base"), edited.take.base, base)
    return Edit(label, (bases, Change((*edited.address, "layers"), edited.take.layers, ())))


def _active_layers(edited: EditedTake) -> list[Layer]:
    """Layers that are not muted and have weight; raises for a take without layers."""
    if not edited.take.layers:
        raise BadValue(f"take {edited.take.name!r}", "layers to merge into its base", "none")
    return [layer for layer in edited.take.layers if not layer.muted and layer.weight > 0]


def _muted_note(edited: EditedTake, active: list[Layer]) -> str:
    muted_count = len(edited.take.layers) - len(active)
    return f", without {quantity(muted_count, 'muted layer')}" if muted_count else ""


def _layer_channels(take: Take, layers: list[Layer]) -> set[int]:
    """The channels that layers change."""
    joint, kind = take.rig.channels.joint, take.rig.channels.kind
    found: set[int] = set()
    for layer in layers:
        rotating = np.isin(joint, layer.joints)
        rotating &= (kind >= Kind.ROTATE_X) & (kind <= Kind.QUATERNION_Z)
        found.update(np.flatnonzero(rotating).tolist(), layer.channels.tolist())
    return set(complete_quaternions(take.rig, found))


def _max_deviation(before: Take, after: Take) -> float:
    """The largest distance between a joint's positions in two takes, m, over all frames."""
    times = before.frame_times()
    was, now = _positions(before, times), _positions(after, times)
    return float(np.linalg.norm(now - was, axis=-1).max(initial=0.0))


def _positions(take: Take, times: Floats) -> Floats:
    positions: Floats = forward(take.rig, sample(take, times).values)[..., :3, 3]
    return positions
