"""Summary of a scene: as plain values for JSON, and as text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arcwright.kinematics.frame_rate import check_rate
from arcwright.kinematics.joint_report import JointReport, joint_reports
from arcwright.kinematics.rig_analysis import Reason, Role
from arcwright.scene.activity import Activity
from arcwright.scene.clip import Clip
from arcwright.scene.recording import Recording
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.shape import Shape
from arcwright.scene.take import Take

_MAX_NAMES = 8  # joints that are named of many


def summary(scene: Scene) -> dict[str, Any]:
    """Characters, joints, channels, takes, keys, frames, units, meshes and warnings of a scene."""
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
        "constraints": len(scene.constraints),  # pins and contacts among them
        "recordings": [_recording(each) for each in scene.recordings],
        "activities": [_activity(scene, each) for each in scene.activities],
        "warnings": [*(source.warnings if source else ()), *_rate_warnings(scene)],
    }


def _rate_warnings(scene: Scene) -> list[str]:
    """Takes whose falls do not fit their frame rate."""
    takes = [take for actor in scene.characters for take in actor.takes]
    checks = [(take.name, check_rate(take)) for take in takes]
    return [f"take {name!r} {check.text}" for name, check in checks if check is not None]


def _actor(actor: Actor) -> dict[str, Any]:
    return {
        "name": actor.name,
        "joints": len(actor.rig.names),
        "joint_names": list(actor.rig.names),
        "channels": len(actor.rig.channels),
        "rotation_modes": sorted(set(actor.rig.modes)),
        "rig": [_joint(each) for each in joint_reports(actor)],
        "takes": [_take(take) for take in actor.takes],
        "meshes": _meshes(actor.shapes),
    }


def _recording(recording: Recording) -> dict[str, Any]:
    return {
        "character": recording.character,
        "take": recording.take,
        "item": recording.item,
        "device": recording.device,
        "duration_s": round(recording.duration, 3),
        "samples": len(recording),
        "options": dict(recording.options),
    }


def _activity(scene: Scene, activity: Activity) -> dict[str, Any]:
    character, take = scene.subject(activity)
    return {
        "name": activity.name,
        "character": character,
        "take": take,
        "objects": [each.name for each in activity.objects],
        "effectors": [each.name for each in activity.effectors],
        "events": [[round(each.time, 6), each.name] for each in activity.events],
    }


def _joint(report: JointReport) -> dict[str, Any]:
    return {
        "name": report.name,
        "role": report.role.value,
        "rotates": report.rotates,
        "translates": report.translates,
        "scales": report.scales,
        "why": report.why.value,
        "attached_to": report.attached_to,
    }


def _take(take: Take) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "name": take.name,
        "duration_s": round(take.duration, 9),
        "fps": round(take.rate, 6),
        "fps_of_falls": None if (check := check_rate(take)) is None else check.true,
        "frames": take.frame_count,
        "layers": len(take.layers),
        "sections": [[round(each.start, 6), each.name] for each in take.sections],
    }
    base = take.base
    if isinstance(base, Clip):
        keyed = [curve for curve in base.curves if curve is not None]
        poses = {time for curve in keyed for time in curve.time.tolist()}
        entry |= {"holds": "keys", "keys": base.key_count, "key_times": len(poses)}
        entry |= {"channels_keyed": len(keyed), "loops": base.loops}
    else:
        entry |= {"holds": "samples", "frames": len(base.time), "keys": 0}
    return entry


def _meshes(shapes: Sequence[Shape]) -> list[dict[str, Any]]:
    """Vertex and triangle counts of each shape; parts that shapes share are counted once."""
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


def format_summary(scene: Scene, *, joints: bool = False) -> str:
    """The summary as text for a terminal; with `joints` one line per joint of a rig."""
    whole = summary(scene)
    lines = [
        f"{whole['name']}: {whole['format']}, 1 unit = {whole['unit_m']:g} m, {whole['up']} up",
    ]
    for kind, group in (("character", whole["characters"]), ("prop", whole["props"])):
        for actor in group:
            lines += _actor_lines(kind, actor)
            lines += _joint_lines(actor["rig"]) if joints else _rig_lines(actor["rig"])
    if whole["constraints"]:
        others = whole["constraints"] - whole["pins"] - whole["contacts"]
        counts = f"{whole['pins']} pins, {whole['contacts']} contacts"
        lines.append(f"constraints: {counts}{f', {others} others' if others else ''}")
    for index, each in enumerate(whole["recordings"]):
        acted = f"{each['duration_s']:.1f} s, {each['samples']} samples"
        of = f"{each['item']} of {each['character']}, take {each['take']}"
        lines.append(f"recording {index}: {of}, {acted}")
    lines += [_activity_line(each) for each in whole["activities"]]
    lines += [f"warning: {warning}" for warning in whole["warnings"]]
    return "\n".join(lines)


def _actor_lines(kind: str, actor: dict[str, Any]) -> list[str]:
    vertices = sum(mesh["vertices"] for mesh in actor["meshes"])
    lines = [
        f"{kind} {actor['name']}: {actor['joints']} joints, {actor['channels']} channels, "
        f"{len(actor['meshes'])} meshes, {vertices} vertices"
    ]
    for take in actor["takes"]:
        content = f"{take['keys']} keys" if take["holds"] == "keys" else "sampled"
        lines.append(
            f"  {take['name']}: {take['frames']} frames at {take['fps']:g} fps, "
            f"{take['duration_s']:.4g} s, {content}" + (", loops" if take.get("loops") else "")
        )
        if take["sections"]:
            lines.append(f"    sections: {_moments(take['sections'])}")
    return lines


def _activity_line(activity: dict[str, Any]) -> str:
    of = f"{activity['character']}, take {activity['take']}"
    elements = [*activity["effectors"], *activity["objects"]]
    more = len(elements) - _MAX_NAMES
    named = ", ".join(elements[:_MAX_NAMES]) + (f" and {more} more" if more > 0 else "")
    parts = [of, *([named] if named else [])]
    parts += [f"events {_moments(activity['events'])}"] if activity["events"] else []
    return f"activity {activity['name']}: {'; '.join(parts)}"


def _moments(moments: list[list[Any]]) -> str:
    """Named times as text: "lift 0.25 s, pour 0.5 s and 3 more"."""
    shown = ", ".join(f"{name} {time:.4g} s".lstrip() for time, name in moments[:_MAX_NAMES])
    more = len(moments) - _MAX_NAMES
    return shown + (f" and {more} more" if more > 0 else "")


def _rig_lines(rig: list[dict[str, Any]]) -> list[str]:
    """The root, the number of joints per role, and the joints that may change their length."""
    if not any(joint["rotates"] or joint["translates"] for joint in rig):
        return []
    root = next(joint["name"] for joint in rig if joint["role"] == Role.ROOT)
    counts = [(role, sum(joint["role"] == role for joint in rig)) for role in list(Role)[1:]]
    parts = [f"root {root}", *(f"{count} {role.value}" for role, count in counts if count)]
    lines = [f"  rig: {', '.join(parts)}"]
    free = [j for j in rig if (j["translates"] or j["scales"]) and not j["attached_to"]]
    for reason in Reason:
        named = [joint["name"] for joint in free if joint["why"] == reason]
        if named and reason is not Reason.ROOT:
            more = f" and {len(named) - _MAX_NAMES} more" if len(named) > _MAX_NAMES else ""
            lines.append(f"  length free, {reason.value}: {', '.join(named[:_MAX_NAMES])}{more}")
    locked = [joint["name"] for joint in rig if joint["why"] == Reason.LOCKED]
    lines += [f"  length locked: {', '.join(locked)}"] if locked else []
    attached = [f"{j['name']} to {j['attached_to']}" for j in rig if j["attached_to"]]
    return lines + ([f"  attached: {', '.join(attached)}"] if attached else [])


def _joint_lines(rig: list[dict[str, Any]]) -> list[str]:
    """One line per joint: role, what edits may change, and why."""
    width = max((len(joint["name"]) for joint in rig), default=0)
    lines = []
    for joint in rig:
        ways = [way for way in ("rotates", "translates", "scales") if joint[way]]
        words = " ".join(ways) or "fixed"
        attached = f", attached to {joint['attached_to']}" if joint["attached_to"] else ""
        why = f"{joint['why']}{attached}"
        lines.append(f"  {joint['name']:{width}}  {joint['role']:8}{words:26}{why}")
    return lines
