"""Puppet character: what puppeteering needs of a character: gaits, actions, legs and a grip.

Roles without a take are made: a missing idle is the mean pose of the walk, walk and run are made
gaits, a missing crouch is a lower stance with bent legs, a missing jump draws the feet up, and a
missing get-up holds the idle pose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.errors import BadValue
from arcwright.kinematics.feet import feet, leg_ends
from arcwright.kinematics.forward import forward
from arcwright.kinematics.hands import hands
from arcwright.kinematics.places import Places, places
from arcwright.kinematics.sample import quaternion_channels, values_at
from arcwright.kinematics.skinning import deform
from arcwright.scene.point import Point
from arcwright.scene.rig import Kind, Rig
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take
from arcwright.tools.puppet.action_clip import ActionClip, action_clip, made_jump
from arcwright.tools.puppet.actions.action_overlay import ActionOverlay, action_overlay
from arcwright.tools.puppet.device_path import ACTION_BUTTONS
from arcwright.tools.puppet.leg_tips import leg_tips
from arcwright.tools.puppet.limb_ik import limb_chain
from arcwright.tools.puppet.locomotion.blend_space import BlendSpace
from arcwright.tools.puppet.locomotion.cycle_span import cycle_span
from arcwright.tools.puppet.locomotion.gait_clip import GaitClip, gait_clip
from arcwright.tools.puppet.locomotion.leg_ik import ancestry, legs_of
from arcwright.tools.puppet.locomotion.root_frame import RootWriter
from arcwright.tools.puppet.locomotion.sole_points import sole_points, with_heels
from arcwright.tools.puppet.locomotion.speed_map import SpeedMap, probe
from arcwright.tools.puppet.locomotion.walker import Gaits
from arcwright.tools.puppet.missing_clips import with_missing_clips
from arcwright.tools.puppet.objects.arm_ends import arm_ends
from arcwright.tools.puppet.objects.hands_on import Arms, arms_of
from arcwright.tools.puppet.puppet_rig import PuppetRig, puppet_rig
from arcwright.tools.puppet.roles import find_roles

BLEND_POINTS: Mapping[str, tuple[float, float]] = {
    "idle": (0.0, 1.0),
    "walk": (0.5, 1.0),
    "run": (1.0, 1.0),
    "crouch": (0.0, 0.0),
    "crouch_walk": (1.0, 0.0),
}
"""Speed and height of the clips of locomotion (fig. 6.3)."""
GAITS = ("walk", "run", "crouch_walk")
ACTIONS = ("mid_jump", "get_up_back", "get_up_front")
ON_GROUND = 0.1  # of the body's size: feet that are higher than the lowest by more are hands
LEAST_DEPTH, MOST_DEPTH = 0.2, 0.32  # of the body's size
LEAST_CROUCH = 0.55  # of the standing height: as low as bent legs bring a root without a clip


@dataclass(frozen=True, eq=False)
class PuppetCharacter:
    """A character that can be a puppet."""

    own: PuppetRig
    gaits: Gaits
    actions: Mapping[str, ActionClip]
    overlays: Mapping[str, ActionOverlay]  # actions over locomotion
    roles: Mapping[str, str]  # the take of each role that is played by one
    stand: Floats  # (C,) the first pose of its idle
    root: Floats  # (7,) its root in the puppet's frame there
    height: float  # m, of the grip when it stands
    lowest: float  # m, of the grip when it crouches as low as it can
    grip: Point  # where sticks hold it
    grip_place: Floats  # (3,) m, in the puppet's frame when it stands
    angles: Bools  # (C,) channels of angles
    quaternions: Ints  # (Q, 4) channels of quaternions
    leg: float  # m, length of its legs; half its size without
    depth: float  # m, from its frame to what it holds before it
    arms: Arms | None  # with which it reaches for props

    @property
    def rig(self) -> Rig:
        """The rig on which it is played."""
        return self.own.rig

    @property
    def size(self) -> float:
        """Of its body, m."""
        return self.own.size

    def grip_offset(self, heading: float, grip: Floats | None = None) -> Floats:
        """(3,) m over the ground, from the frame to a grip (3,) in it, by default the standing."""
        x, _, z = self.grip_place if grip is None else grip
        cosine, sine = np.cos(heading), np.sin(heading)
        return np.array([cosine * x + sine * z, 0.0, cosine * z - sine * x])


def puppet_character(
    actor: Actor, roles: Mapping[str, str] | None = None, grip: Point | None = None
) -> PuppetCharacter:
    """Prepare a character: all that is slow is done here."""
    found = find_roles([take.name for take in actor.takes], roles)
    named = [actor.take(name) for name in found.values()]
    first = values_at(named[0], np.zeros(1))[0] if named else actor.rig.channels.default
    own = puppet_rig(actor, first)
    takes = {role: own.played_take(actor.take(name)) for role, name in found.items()}
    rig, toes = own.rig, _toes(actor, own, first)
    writer, legs = RootWriter(own.path), legs_of(rig, own.root, toes)
    played = _found_clips(own, takes, toes)
    palms = _palms(own, own.rest, toes)
    clips = with_missing_clips(played, actor.takes, own, legs, writer, palms)
    idle = clips["idle"]
    stand = writer.written(idle.values[0], idle.root[0])
    soles = sole_points(own.played_body(actor), legs, stand)
    stepping = [with_heels(clip, legs, writer, soles) for clip in clips.values()]
    space = BlendSpace(rig, stepping, np.array([BLEND_POINTS[name] for name in clips]))
    world = forward(rig, stand[None])[0]
    palms = _palms(own, stand, toes)
    held = grip or Point(_chest(rig, own.root, palms))
    joint = rig.joint(held.joint)
    speeds = SpeedMap(probe(space, writer, toes, places(rig, [held])))
    heights = speeds.probes.measured[:, 1]
    still = np.flatnonzero(speeds.probes.points[:, 0] == speeds.probes.points[:, 0].min())
    standing = speeds.probes.grips[still[int(np.argmax(heights[still]))]]
    height, lowest = float(standing[1]), float(heights.min())
    if "crouch" not in clips:
        bend = (1 - LEAST_CROUCH) * float(idle.root[:, 1].mean()) if len(toes) else 0.0
        lowest = height - bend
    kind, actions = rig.channels.kind, _actions(takes, own.root, idle.values[0], ACTIONS)
    acted = _actions(takes, own.root, idle.values[0], ACTION_BUTTONS)
    shown = {*played, *actions, *acted}
    jump = (
        {}
        if "mid_jump" in actions or not len(toes)
        else {"mid_jump": made_jump(stand, idle.root[0], legs)}
    )
    leg = float(legs.length.mean()) if len(toes) else 0.5 * own.size
    return PuppetCharacter(
        own=own,
        gaits=Gaits(space, speeds, writer, legs, _heights(world, toes), soles),
        actions=actions | jump,
        overlays={
            role: action_overlay(clip, writer, legs, toes if role == "kick" else palms)
            for role, clip in acted.items()
        },
        roles={role: take for role, take in found.items() if role in shown},
        stand=stand,
        root=idle.root[0],
        height=height,
        lowest=lowest,
        grip=held,
        grip_place=world[joint, :3, :3] @ held.offset + world[joint, :3, 3],
        angles=np.asarray((kind >= Kind.ROTATE_X) & (kind <= Kind.ROTATE_Z)),
        quaternions=quaternion_channels(rig),
        leg=leg,
        depth=_depth(actor, own, stand),
        arms=arms_of(rig, own.root, palms, stand),
    )


def _palms(own: PuppetRig, stand: Floats, toes: Places) -> Places:
    """Hands that deform a mesh; controllers of a rig do not.

    Found by name, else by the shape of a body on two legs.
    """
    rig = own.rig
    found = [points[-1] for points in hands(rig)]
    named = places(rig, [each for each in found if own.deforms[rig.joint(each.joint)]])
    if len(named) == 2 or len(toes) != 2:
        return named
    legs = {joint for toe in toes.joints for joint in limb_chain(rig, own.root, toe, toes.joints)}
    place = forward(rig, stand[None])[0, :, :3, 3]
    return arm_ends(rig, own.deforms, place, own.root, legs, own.size)


def _toes(actor: Actor, own: PuppetRig, pose: Floats) -> Places:
    """Feet that deform a mesh and reach the ground; controllers of a rig do neither.

    Found by name, and besides by the shape of the rig: front paws are often called hands. Without
    any, by the ends of meshes.
    """
    rig = own.rig
    try:
        named = places(rig, feet(rig)).joints
    except BadValue:
        named = np.zeros(0, np.int64)
    named = named[own.deforms[named]]
    legs = [limb_chain(rig, own.root, int(toe), named) for toe in named]
    taken = {joint for leg in legs for joint in leg}
    more = [end for end in leg_ends(rig, own.deforms) if taken.isdisjoint(ancestry(rig, end))]
    found = np.concatenate([named, np.array(more, np.int64)])
    if not len(found):
        return leg_tips(actor, own, pose)
    height = forward(rig, rig.channels.default[None])[0, found, 1, 3]
    low = found[height < height.min(initial=np.inf) + ON_GROUND * own.size]
    return Places(low, np.zeros((len(low), 3)))


def _found_clips(own: PuppetRig, takes: Mapping[str, Take], toes: Places) -> dict[str, GaitClip]:
    clips: dict[str, GaitClip] = {}
    for role in BLEND_POINTS:
        made = None
        if role in takes:
            made = _clip(takes[role], own, toes, role in GAITS)
        if made is not None:
            still = role in ("idle", "crouch")
            clips[role] = replace(made, speed=0.0) if still else made
    for role in GAITS:
        if role in clips and not clips[role].moves:
            del clips[role]  # nothing in it goes anywhere
    if "crouch" not in clips:
        clips.pop("crouch_walk", None)
    if "run" in clips and "walk" in clips and clips["run"].speed <= clips["walk"].speed:
        del clips["run"]
    return clips


def _clip(take: Take, own: PuppetRig, toes: Places, goes: bool) -> GaitClip | None:
    """A take as a clip; of one that `goes` for many cycles, the best of them."""
    whole = gait_clip(take, own.root, toes, own.size)
    if whole is None or not goes or (whole.moves and whole.once):
        return whole
    span = cycle_span(take, own.root, toes, own.size)
    return whole if span is None else gait_clip(take, own.root, toes, own.size, span)


def _heights(world: Floats, points: Places) -> Floats:
    """(P,) m, heights of points of a pose (J, 4, 4)."""
    own = world[points.joints]
    return np.asarray((own[:, 1, :3] * points.offsets).sum(axis=1) + own[:, 1, 3])


def _actions(
    takes: Mapping[str, Take], root: int, like: Floats, among: Sequence[str]
) -> dict[str, ActionClip]:
    found = {}
    for role in among:
        made = action_clip(takes[role], root, like) if role in takes else None
        if made is not None:
            found[role] = made
    return found


def _depth(actor: Actor, own: PuppetRig, stand: Floats) -> float:
    """m, how far its mesh goes ahead of its root, within what is likely for its size."""
    pose = own.own_values(stand, stand)
    world = forward(actor.rig, pose[None])[0]
    ahead = [float(part.positions[:, 2].max()) for part in deform(actor, pose, world)]
    front = max(ahead, default=0.0) - float(world[own.joints[own.root], 2, 3])
    return float(np.clip(front, LEAST_DEPTH * own.size, MOST_DEPTH * own.size))


def _chest(rig: Rig, root: int, palms: Places) -> str:
    """The chest by name, else where both arms branch, else the middle of the torso, or the root."""
    names = [name.lower().replace("_", "") for name in rig.names]

    def named(*words: str) -> list[int]:
        return [at for word in words for at, name in enumerate(names) if word in name]

    found = named("upperchest", "chest", "spine2", "spine1", "spine")[:1]
    if not found and len(palms) == 2:
        left, right = (ancestry(rig, int(palm)) for palm in palms.joints)
        found = [joint for joint in left if joint in right][:1]
    elif not found and (torso := [at for at in named("torso") if rig.is_below(at, root)]):
        found = [torso[len(torso) // 2]]
    inside = [at for at in found if rig.is_below(at, root)]
    return rig.names[inside[0] if inside else root]
