"""Puppet character: what puppeteering needs of a character: gaits, actions, legs and a grip.

Roles without a take are made: a missing idle is the mean pose of the walk, a missing run is a
faster walk, a missing crouch is a lower stance with bent legs, missing actions hold the idle pose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.errors import BadValue
from arcwright.kinematics.feet import feet
from arcwright.kinematics.forward import forward
from arcwright.kinematics.hands import hands
from arcwright.kinematics.places import Places, places
from arcwright.kinematics.rig_analysis import RigAnalysis, analyse
from arcwright.kinematics.root_path import root_path
from arcwright.kinematics.skinning import deform
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.rig import Kind, Rig
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take
from arcwright.tools.puppet.action_clip import ActionClip, action_clip
from arcwright.tools.puppet.actions.action_overlay import ActionOverlay, action_overlay
from arcwright.tools.puppet.device_path import ACTION_BUTTONS
from arcwright.tools.puppet.locomotion.blend_space import BlendSpace
from arcwright.tools.puppet.locomotion.gait_clip import GaitClip, gait_clip
from arcwright.tools.puppet.locomotion.leg_ik import legs_of
from arcwright.tools.puppet.locomotion.root_frame import RootWriter
from arcwright.tools.puppet.locomotion.speed_map import SpeedMap, probe
from arcwright.tools.puppet.locomotion.walker import Gaits
from arcwright.tools.puppet.objects.hands_on import Arms, arms_of
from arcwright.tools.puppet.roles import find_roles

BLEND_POINTS: Mapping[str, tuple[float, float]] = {
    "idle": (0.0, 1.0),
    "walk": (0.5, 1.0),
    "run": (1.0, 1.0),
    "crouch": (0.0, 0.0),
    "crouch_walk": (1.0, 0.0),
}
"""Speed and height of the clips of locomotion (fig. 6.3)."""
ACTIONS = ("mid_jump", "get_up_back", "get_up_front")
ON_GROUND = 0.1  # of the body's size: feet that are higher than the lowest by more are hands
LEAST_DEPTH, MOST_DEPTH = 0.2, 0.32  # of the body's size
LEAST_CROUCH = 0.55  # of the standing height: as low as bent legs bring a root without a clip


@dataclass(frozen=True, eq=False)
class PuppetCharacter:
    """A character that can be a puppet."""

    rig: Rig
    size: float  # m
    gaits: Gaits
    actions: Mapping[str, ActionClip]
    overlays: Mapping[str, ActionOverlay]  # actions over locomotion
    roles: Mapping[str, str]  # the take of each role that has one
    stand: Floats  # (C,) the first pose of its idle
    root: Floats  # (7,) its root in the puppet's frame there
    height: float  # m, of the grip when it stands
    lowest: float  # m, of the grip when it crouches as low as it can
    grip: Point  # where sticks hold it
    grip_place: Floats  # (3,) m, in the puppet's frame when it stands
    angles: Bools  # (C,) channels of angles
    leg: float  # m, length of its legs; half its size without
    depth: float  # m, from its frame to what it holds before it
    arms: Arms | None  # with which it reaches for props


def puppet_character(
    actor: Actor, roles: Mapping[str, str] | None = None, grip: Point | None = None
) -> PuppetCharacter:
    """Prepare a character: all that is slow is done here."""
    analysis = analyse(actor)
    found = find_roles([take.name for take in actor.takes], roles)
    toes = _toes(actor.rig, analysis)
    clips = _locomotion(actor, found, analysis, toes)
    path = root_path(actor.rig, analysis.root, actor.rig.channels.default[None])
    if path is None or "idle" not in clips:
        expected = "a character whose root can be moved and rotated freely"
        raise BadValue(f"puppet {actor.name!r}", expected, "one that cannot")
    names = list(clips)
    space = BlendSpace(actor.rig, list(clips.values()), np.array([BLEND_POINTS[n] for n in names]))
    writer, legs = RootWriter(path), legs_of(actor.rig, analysis.root, toes)
    idle = clips["idle"]
    stand = writer.written(idle.values[0], idle.root[0])
    world = forward(actor.rig, stand[None])[0]
    held = grip or Point(_chest(actor.rig, analysis))
    joint = actor.rig.joint(held.joint)
    speeds = SpeedMap(probe(space, writer, toes, places(actor.rig, [held])))
    heights = speeds.probes.measured[:, 1]
    standing = speeds.probes.grips[int(np.argmax(heights))]
    height, lowest = float(standing[1]), float(heights.min())
    if "crouch" not in clips:
        bend = (1 - LEAST_CROUCH) * float(idle.root[:, 1].mean()) if len(toes) else 0.0
        lowest = height - bend
    kind = actor.rig.channels.kind
    palms = places(actor.rig, [points[-1] for points in hands(actor.rig)])
    leg = float(legs.length.mean()) if len(toes) else 0.5 * analysis.size
    return PuppetCharacter(
        rig=actor.rig,
        size=analysis.size,
        gaits=Gaits(space, speeds, writer, legs, world[toes.joints, 1, 3]),
        actions=_actions(actor, found, analysis.root, idle.values[0], ACTIONS),
        overlays={
            role: action_overlay(clip, writer, legs, toes if role == "kick" else palms)
            for role, clip in _actions(
                actor, found, analysis.root, idle.values[0], ACTION_BUTTONS
            ).items()
        },
        roles=found,
        stand=stand,
        root=idle.root[0],
        height=height,
        lowest=lowest,
        grip=held,
        grip_place=world[joint, :3, :3] @ held.offset + world[joint, :3, 3],
        angles=np.asarray((kind >= Kind.ROTATE_X) & (kind <= Kind.ROTATE_Z)),
        leg=leg,
        depth=_depth(actor, analysis, stand, world),
        arms=arms_of(actor.rig, analysis.root, stand),
    )


def _toes(rig: Rig, analysis: RigAnalysis) -> Places:
    """Feet that deform a mesh and reach the ground; controllers of a rig do neither."""
    try:
        found = places(rig, feet(rig))
    except BadValue:
        return Places(np.zeros(0, np.int64), np.zeros((0, 3)))
    height = forward(rig, rig.channels.default[None])[0, found.joints, 1, 3]
    low = height < height.min() + ON_GROUND * analysis.size
    used = np.flatnonzero(analysis.deforms[found.joints] & low)
    return Places(found.joints[used], found.offsets[used])


def _locomotion(
    actor: Actor, roles: Mapping[str, str], analysis: RigAnalysis, toes: Places
) -> dict[str, GaitClip]:
    clips: dict[str, GaitClip] = {}
    for role in BLEND_POINTS:
        made = None
        if role in roles:
            made = gait_clip(actor.take(roles[role]), analysis.root, toes, analysis.size)
        if made is not None:
            still = role in ("idle", "crouch")
            clips[role] = replace(made, speed=0.0) if still else made
    for role in ("walk", "run", "crouch_walk"):
        if role in clips and not clips[role].moves:
            del clips[role]  # nothing in it goes anywhere
    if "idle" not in clips:
        made = _standing(clips["walk"]) if "walk" in clips else None
        made = made or gait_clip(_resting(actor.rig), analysis.root, toes, analysis.size)
        if made is not None:
            clips = {"idle": made, **clips}
    if "crouch" not in clips:
        clips.pop("crouch_walk", None)
    if "run" in clips and "walk" in clips and clips["run"].speed <= clips["walk"].speed:
        del clips["run"]
    return clips


def _standing(walk: GaitClip) -> GaitClip:
    """A walk's mean pose: legs under the body, arms hanging."""
    values, root = (
        np.broadcast_to(each.mean(axis=0), each.shape) for each in (walk.values, walk.root)
    )
    root = root / np.append(np.ones(3), np.full(4, np.linalg.norm(root[0, 3:])))
    planted = np.ones(walk.planted.shape, bool)
    return GaitClip("standing", values, root, 1.0, 0.0, planted)


def _resting(rig: Rig) -> Take:
    values = np.repeat(rig.channels.default[None], 2, axis=0)
    return Take(rig, Motion("rest pose", np.array([0.0, 1.0]), values))


def _actions(
    actor: Actor, roles: Mapping[str, str], root: int, like: Floats, among: Sequence[str]
) -> dict[str, ActionClip]:
    found = {}
    for role in among:
        made = action_clip(actor.take(roles[role]), root, like) if role in roles else None
        if made is not None:
            found[role] = made
    return found


def _depth(actor: Actor, analysis: RigAnalysis, stand: Floats, world: Floats) -> float:
    """m, how far its mesh goes ahead of its root, within what is likely for its size."""
    ahead = [float(part.positions[:, 2].max()) for part in deform(actor, stand, world)]
    front = max(ahead, default=0.0) - float(world[analysis.root, 2, 3])
    return float(np.clip(front, LEAST_DEPTH * analysis.size, MOST_DEPTH * analysis.size))


def _chest(rig: Rig, analysis: RigAnalysis) -> str:
    """The chest by name, else the root."""
    for word in ("upperchest", "chest", "spine2", "spine1", "spine"):
        named = [name for name in rig.names if word in name.lower().replace("_", "")]
        if named:
            return named[0]
    return rig.names[analysis.root]
