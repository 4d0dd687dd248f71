"""Ragdoll model: a character as MuJoCo sees it, on a terrain, with a stick that can hold it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.rotation import matrix_from_quaternion, quaternion_multiply
from arcwright.kinematics.sample import values_at
from arcwright.scene.scene import Actor
from arcwright.tools.puppet.jump import GRAVITY
from arcwright.tools.puppet.locomotion.gait_clip import aligned_values
from arcwright.tools.puppet.puppet_character import PuppetCharacter
from arcwright.tools.puppet.ragdoll.carried import Carried, carried_joints
from arcwright.tools.puppet.ragdoll.colliders import Collider, Floor, add_collider
from arcwright.tools.puppet.ragdoll.hinges import Hinges, hinges_of
from arcwright.tools.puppet.ragdoll.segments import Segment, segments_of

STEP = 1 / 240  # s, of the simulation at most
SHOWN = 12  # poses of each take that tell the ranges of joints
DAMPING = 0.22  # of the critical one, of a limb that swings
SPRING = 0.15  # of its weight, towards the standing pose
TRUNK_SPRING = 1.0  # the same for what carries several limbs
TRUNK_DAMPING = 0.6
HEAVY = 0.2  # of the mass: what is heavier and stands on a joint is held as the trunk is
END_DAMPING = 0.8  # of hands and feet
ARMATURE = 0.03  # of the inertia below a joint, added to it
HAND = 0.1  # s, in which a held segment comes back to how it stands
HAND_SHARE = 0.8  # of that, against what pulls at it
FIRM_SHARE = 0.96  # the same for a body whose mass is above its grip: it would topple
FRICTION = 0.8
BODY, FIXED = 1, 2  # bits of what collides


@dataclass(frozen=True, eq=False)
class RagdollModel:
    """What all ragdolls of a character share; nothing in it changes."""

    engine: Any  # the module mujoco
    model: Any  # mujoco.MjModel
    steps: int  # of the simulation in a tick
    seconds: float  # of a tick
    character: PuppetCharacter
    joints: tuple[int, ...]  # that begin segments
    hinges: Hinges
    address: Ints  # (H,) where MuJoCo keeps the angle of each hinge
    speed: Ints  # (H,) and its speed
    carried: Carried
    gripped: int  # the body of MuJoCo that a stick holds
    grip_rotation: Floats  # (4,) wxyz, of that body when the character stands
    weight: Floats  # (H,) N m, at each hinge, of what it carries

    def positions(self, values: Floats, root: Floats) -> Floats:
        """(P,) positions of MuJoCo: the root (7,) in the world, and the hinges of a pose (C,)."""
        found = np.zeros(self.model.nq)
        found[:7] = root
        found[self.address] = self.hinges.angles(values)
        return found

    def pose(self, positions: Floats) -> tuple[Floats, Floats]:
        """Values (C,) and root (7,) in the world, of positions (P,)."""
        values, root = self.character.stand.copy(), positions[:7].copy()
        self.hinges.write(positions[self.address], values)
        self.carried.write(values, root)
        return values, root


def has_physics() -> bool:
    """Whether MuJoCo is installed."""
    return find_spec("mujoco") is not None


def ragdoll_model(
    actor: Actor, character: PuppetCharacter, colliders: Sequence[Collider | Floor], seconds: float
) -> RagdollModel:
    """The model of a character among colliders, for ticks of some seconds."""
    engine: Any = import_module("mujoco")
    segments, owner = segments_of(actor, analyse(actor), character.stand)
    shown = _shown(actor, character.stand)
    hinges = hinges_of(actor.rig, [each.joint for each in segments[1:]], shown, character.stand)
    steps = max(int(np.ceil(seconds / STEP - 1e-9)), 1)
    spec = _empty(engine, seconds / steps)
    for collider in colliders:
        add_collider(engine, spec, collider, FIXED)
    weight = _add_body(engine, spec, character, segments, hinges)
    turned = _add_stick(engine, spec, character, segments, owner)
    model = spec.compile()
    names = [f"hinge {number}" for number in range(len(hinges.hinges))]
    made = RagdollModel(
        engine=engine,
        model=model,
        steps=steps,
        seconds=seconds,
        character=character,
        joints=tuple(segment.joint for segment in segments),
        hinges=hinges,
        address=np.array([model.joint(name).qposadr[0] for name in names], np.int64),
        speed=np.array([model.joint(name).dofadr[0] for name in names], np.int64),
        carried=carried_joints(character, owner, np.array([each.joint for each in segments])),
        gripped=int(model.site("grip").bodyid[0]),
        grip_rotation=turned,
        weight=weight,
    )
    for first, second in sorted(_touching(made, shown)):
        spec.add_exclude(bodyname1=first, bodyname2=second)
    return replace(made, model=spec.compile())


def _shown(actor: Actor, stand: Floats) -> Floats:
    """(T, C) poses of all takes, angles as near to the standing ones as can be."""
    poses = [stand[None]]
    for take in actor.takes:
        values = values_at(take, np.linspace(0.0, take.duration, SHOWN))
        poses.append(aligned_values(actor.rig, values, stand))
    return np.concatenate(poses)


def _name(segment: int) -> str:
    return f"segment {segment}"


def _empty(engine: Any, step: float) -> Any:
    spec = engine.MjSpec()
    spec.compiler.degree = False
    spec.compiler.autolimits = False
    spec.option.timestep = step
    spec.option.gravity = [0.0, -GRAVITY, 0.0]
    spec.option.integrator = engine.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.iterations = 20
    spec.option.ls_iterations = 10
    spec.memory = 4 << 20
    return spec


def _add_body(
    engine: Any, spec: Any, character: PuppetCharacter, segments: Sequence[Segment], hinges: Hinges
) -> Floats:
    """Segments, their shells and hinges; returns (H,) N m, the weight at each hinge."""
    inertia, weight = _below(character, segments)
    ends, stands = _ends(segments), _heavy_on_top(character, segments)
    parents = {segment.parent for segment in segments}
    rest = hinges.angles(character.stand)
    bodies: list[Any] = []
    for number, segment in enumerate(segments):
        above = spec.worldbody if segment.parent < 0 else bodies[segment.parent]
        turned = hinges.turned.get(segment.joint)
        frame = segment.frame if turned is None else quaternion_multiply(segment.frame, turned)
        body = above.add_body(name=_name(number), pos=segment.place, quat=frame)
        bodies.append(body)
        body.explicitinertial = True
        body.mass, body.ipos = segment.mass, segment.centre
        xx, yy, zz = np.diag(segment.inertia)
        xy, xz, yz = segment.inertia[0, 1], segment.inertia[0, 2], segment.inertia[1, 2]
        body.fullinertia = [xx, yy, zz, xy, xz, yz]
        for shell in segment.shells:
            kind = engine.mjtGeom.mjGEOM_CAPSULE
            if len(shell.half) == 3:
                kind = engine.mjtGeom.mjGEOM_ELLIPSOID
            size = np.resize(np.append(shell.half, 0.0), 3)
            geom = body.add_geom(type=kind, pos=shell.place, quat=shell.rotation, size=size)
            geom.contype, geom.conaffinity = (
                (0, FIXED) if shell.fixed_only else (BODY, BODY | FIXED)
            )
            geom.friction = [FRICTION, 0.02, 0.002]
            geom.condim = 4
        if segment.parent < 0:
            body.add_freejoint()
    index = {segment.joint: number for number, segment in enumerate(segments)}
    carries = [index[hinge.joint] for hinge in hinges.hinges]
    for number, (hinge, at) in enumerate(zip(hinges.hinges, carries, strict=True)):
        joint = bodies[at].add_joint(name=f"hinge {number}", axis=hinge.axis)
        joint.type = engine.mjtJoint.mjJNT_HINGE
        joint.limited, joint.range = True, [hinge.low, hinge.high]
        joint.solref_limit = [0.03, 1.0]
        joint.armature = ARMATURE * inertia[at]
        damping = 2 * float(np.sqrt(inertia[at] * weight[at]))
        trunk = ends[at] > 1 or stands[at]
        share = TRUNK_DAMPING if trunk else DAMPING if at in parents else END_DAMPING
        joint.damping = [share * damping, 0.0, 0.0]
        spring = weight[at] * (TRUNK_SPRING if trunk else SPRING)
        joint.stiffness, joint.springref = [spring, 0.0, 0.0], rest[number]
    return weight[carries]


def _below(character: PuppetCharacter, segments: Sequence[Segment]) -> tuple[Floats, Floats]:
    """(S,) kg m², inertia about each joint of all that hangs on it, and (S,) N m, its weight."""
    joints = [segment.joint for segment in segments]
    place = forward(character.rig, character.stand[None], joints)[0, :, :3, 3]
    centre = _centres(character, segments)
    inertia, weight = np.zeros(len(joints)), np.zeros(len(joints))
    for number, segment in enumerate(segments):
        at = number
        while at >= 0:
            arm = float(np.linalg.norm(centre[number] - place[at]))
            inertia[at] += segment.mass * arm * arm + float(np.trace(segment.inertia)) / 3
            weight[at] += segment.mass * GRAVITY * arm
            at = segments[at].parent
    return inertia, weight


def _centres(character: PuppetCharacter, segments: Sequence[Segment]) -> Floats:
    """(S, 3) m, centres of mass in the standing pose."""
    joints, stand = [segment.joint for segment in segments], character.stand[None]
    place = forward(character.rig, stand, joints)[0, :, :3, 3]
    turns = matrix_from_quaternion(orientation(character.rig, stand, joints)[0])
    own = np.stack([segment.centre for segment in segments])
    return np.asarray(place + np.einsum("sij,sj->si", turns, own))


def _heavy_on_top(character: PuppetCharacter, segments: Sequence[Segment]) -> list[bool]:
    """(S,) whether much of the body stands on the joint of a segment, such as a large head."""
    joints, stand = [segment.joint for segment in segments], character.stand[None]
    bottom = forward(character.rig, stand, joints)[0, :, 1, 3]
    high, mass = _centres(character, segments)[:, 1], [segment.mass for segment in segments]
    found = []
    for top in range(len(segments)):
        below = [at for at in range(len(segments)) if _is_below(segments, at, top)]
        own = sum(mass[at] for at in below)
        centre = sum(mass[at] * float(high[at]) for at in below) / own
        found.append(own > HEAVY * sum(mass) and centre > float(bottom[top]))
    return found


def _is_below(segments: Sequence[Segment], at: int, top: int) -> bool:
    while at > top:
        at = segments[at].parent
    return at == top


def _ends(segments: Sequence[Segment]) -> list[int]:
    """(S,) how many limbs end at or below a segment."""
    ends = [0] * len(segments)
    for number in range(len(segments) - 1, -1, -1):
        ends[number] = max(ends[number], 1)
        if segments[number].parent >= 0:
            ends[segments[number].parent] += ends[number]
    return ends


def _add_stick(
    engine: Any, spec: Any, character: PuppetCharacter, segments: Sequence[Segment], owner: Ints
) -> Floats:
    """A point of the body that a stick's end can hold; (4,) wxyz, how that segment stands.

    The point stays at the end; the segment around it is held softly as it stands, as by a hand,
    and firmly where it would topple.
    """
    held = max(int(owner[character.rig.joint(character.grip.joint)]), 0)
    there, joint = character.stand[None], [segments[held].joint]
    origin = forward(character.rig, there, joint)[0, 0, :3, 3]
    turned = orientation(character.rig, there, joint)[0, 0]
    place = matrix_from_quaternion(turned).T @ (_grip(character) - origin)
    high = _centres(character, segments)[:, 1] - _grip(character)[1]
    top_heavy = float(high @ [segment.mass for segment in segments]) > 0.0
    share = FIRM_SHARE if top_heavy else HAND_SHARE
    spec.body(_name(held)).add_site(name="grip", pos=place)
    spec.worldbody.add_body(name="stick", mocap=True).add_site(name="end")
    for kind, softness in (("CONNECT", 0.02), ("WELD", HAND)):
        hold = spec.add_equality(name=kind, name1="grip", name2="end", active=False)
        hold.type = getattr(engine.mjtEq, f"mjEQ_{kind}")
        hold.objtype = engine.mjtObj.mjOBJ_SITE
        hold.solref = [softness, 1.0]
        if kind == "WELD":
            hold.data[10] = 1.0  # of the rotation, beside the place
            hold.solimp = [share, share, 0.001, 0.5, 2.0]
    return np.asarray(turned)


def _grip(character: PuppetCharacter) -> Floats:
    """(3,) m, where the grip is in the standing pose."""
    joint = character.rig.joint(character.grip.joint)
    world = forward(character.rig, character.stand[None], [joint])[0, 0]
    return np.asarray(world[:3, :3] @ character.grip.offset + world[:3, 3])


def _touching(made: RagdollModel, shown: Floats) -> set[tuple[str, str]]:
    """Pairs of segments that touch in poses (T, C) of the takes: they do not collide."""
    engine, model = made.engine, made.model
    data = engine.MjData(model)
    found: set[tuple[str, str]] = set()
    for pose in shown:
        data.qpos[:] = made.positions(pose, np.array([0.0, 1e3, 0, 1, 0, 0, 0]))
        engine.mj_fwdPosition(model, data)
        for pair in model.geom_bodyid[data.contact.geom]:
            first, second = sorted(model.body(int(body)).name for body in pair)
            found.add((first, second))
    return found
