"""Summary: what is in a scene, as plain values for people and for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arcwright.kinematics.joint_report import JointReport, joint_reports
from arcwright.kinematics.rig_analysis import Reason, Role
from arcwright.scene.clip import Clip
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.shape import Shape
from arcwright.scene.take import Take

_NAMED = 8  # joints that are named of many


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
        "rig": [_joint(each) for each in joint_reports(actor)],
        "clips": [_take(take) for take in actor.takes],
        "meshes": _meshes(actor.shapes),
    }


def _joint(report: JointReport) -> dict[str, Any]:
    return {
        "name": report.name,
        "role": report.role.value,
        "rotates": report.rotates,
        "translates": report.translates,
        "scales": report.scales,
        "why": report.why.value,
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


def told(scene: Scene, *, joints: bool = False) -> str:
    """The summary as lines for a terminal; with `joints` a line for each joint of a rig."""
    whole = summary(scene)
    lines = [
        f"{whole['name']}: {whole['format']}, 1 unit = {whole['unit_m']:g} m, {whole['up']} up",
    ]
    for word, group in (("character", whole["characters"]), ("prop", whole["props"])):
        for actor in group:
            lines += _told_actor(word, actor)
            lines += _told_joints(actor["rig"]) if joints else _told_rig(actor["rig"])
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


def _told_rig(rig: list[dict[str, Any]]) -> list[str]:
    """Root, how many joints there are of each role, and which may change their length and why."""
    if not any(joint["rotates"] or joint["translates"] for joint in rig):
        return []
    root = next(joint["name"] for joint in rig if joint["role"] == Role.ROOT)
    counts = [(role, sum(joint["role"] == role for joint in rig)) for role in list(Role)[1:]]
    parts = [f"root {root}", *(f"{count} {role.value}" for role, count in counts if count)]
    lines = [f"  rig: {', '.join(parts)}"]
    for reason in Reason:
        named = [j["name"] for j in rig if j["why"] == reason and (j["translates"] or j["scales"])]
        if named and reason is not Reason.ROOT:
            more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
            lines.append(f"  length free, {reason.value}: {', '.join(named[:_NAMED])}{more}")
    locked = [joint["name"] for joint in rig if joint["why"] == Reason.LOCKED]
    return lines + ([f"  length locked: {', '.join(locked)}"] if locked else [])


def _told_joints(rig: list[dict[str, Any]]) -> list[str]:
    """A row for each joint: role, what may change, why."""
    wide = max((len(joint["name"]) for joint in rig), default=0)
    lines = []
    for joint in rig:
        ways = [way for way in ("rotates", "translates", "scales") if joint[way]]
        words = " ".join(ways) or "fixed"
        lines.append(f"  {joint['name']:{wide}}  {joint['role']:8}{words:26}{joint['why']}")
    return lines
