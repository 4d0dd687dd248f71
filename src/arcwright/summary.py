"""Summary: what is in a scene, as plain values for people and for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arcwright.scene.clip import Clip
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.shape import Shape
from arcwright.scene.take import Take


def summary(scene: Scene) -> dict[str, Any]:
    """Characters, joints, channels, clips, keys, frames, units, meshes and warnings of a scene."""
    source = scene.source
    return {
        "name": scene.name,
        "format": source.format if source else "scene",
        "unit_m": source.unit if source else 1.0,
        "up": source.up if source else "Y",
        "characters": [_actor(each) for each in scene.characters],
        "props": [_actor(each) for each in scene.props],
        "pins": len(scene.pins),
        "contacts": len(scene.contacts),
        "constraints": len(scene.constraints),
        "warnings": list(source.warnings) if source else [],
    }


def _actor(actor: Actor) -> dict[str, Any]:
    return {
        "name": actor.name,
        "joints": len(actor.rig.names),
        "joint_names": list(actor.rig.names),
        "channels": len(actor.rig.channels),
        "rotation_modes": sorted(set(actor.rig.modes)),
        "clips": [_take(take) for take in actor.takes],
        "meshes": _meshes(actor.shapes),
    }


def _take(take: Take) -> dict[str, Any]:
    told: dict[str, Any] = {
        "name": take.name,
        "duration_s": round(take.duration, 9),
        "fps": round(take.rate, 6),
        "frames": take.frame_count,
        "layers": len(take.layers),
    }
    base = take.base
    if isinstance(base, Clip):
        keyed = [curve for curve in base.curves if curve is not None]
        poses = {time for curve in keyed for time in curve.time.tolist()}
        told |= {"holds": "keys", "keys": base.key_count, "key_times": len(poses)}
        told |= {"channels_keyed": len(keyed), "loops": base.loops}
    else:
        told |= {"holds": "samples", "frames": len(base.time), "keys": 0}
    return told


def _meshes(shapes: Sequence[Shape]) -> list[dict[str, Any]]:
    """What is told of each shape; parts that many shapes share are counted once."""
    counted = {
        id(shape.parts): _counts(shape) for shape in {id(s.parts): s for s in shapes}.values()
    }
    return [
        {"name": shape.name, **counted[id(shape.parts)], "skinned": shape.skin is not None}
        for shape in shapes
    ]


def _counts(shape: Shape) -> dict[str, int]:
    return {
        "vertices": sum(len(part.attributes["POSITION"]) for part in shape.parts),
        "triangles": sum(part.triangle_count for part in shape.parts),
        "morphs": max((len(part.morphs) for part in shape.parts), default=0),
    }


def told(scene: Scene) -> str:
    """The summary as lines for a terminal."""
    whole = summary(scene)
    lines = [
        f"{whole['name']}: {whole['format']}, 1 unit = {whole['unit_m']:g} m, {whole['up']} up",
    ]
    for word, group in (("character", whole["characters"]), ("prop", whole["props"])):
        for actor in group:
            lines += _told_actor(word, actor)
    wishes = [f"{whole[word]} {word}" for word in ("pins", "contacts", "constraints")]
    if whole["constraints"]:
        lines.append(f"wishes: {', '.join(wishes)}")
    elif whole["pins"] or whole["contacts"]:
        lines.append(f"wishes: {', '.join(wishes[:2])}")
    lines += [f"warning: {warning}" for warning in whole["warnings"]]
    return "\n".join(lines)


def _told_actor(word: str, actor: dict[str, Any]) -> list[str]:
    vertices = sum(mesh["vertices"] for mesh in actor["meshes"])
    lines = [
        f"{word} {actor['name']}: {actor['joints']} joints, {actor['channels']} channels, "
        f"{len(actor['meshes'])} meshes, {vertices} vertices"
    ]
    for clip in actor["clips"]:
        held = f"{clip['keys']} keys" if clip["holds"] == "keys" else "sampled"
        lines.append(
            f"  {clip['name']}: {clip['frames']} frames at {clip['fps']:g} fps, "
            f"{clip['duration_s']:.4g} s, {held}" + (", loops" if clip.get("loops") else "")
        )
    return lines
