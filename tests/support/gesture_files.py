"""The recorded gestures of tests/gestures, each with the scene that it starts from."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

import arcwright
from arcwright.curves.keys import with_auto_handles
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Pin
from arcwright.scene.curve import Handle
from arcwright.tools.replay.gesture_file import parse_gesture_file
from arcwright.tools.replay.replay import replay

GESTURES = Path(__file__).parents[1] / "gestures"
FILES = sorted(path.relative_to(GESTURES).as_posix() for path in GESTURES.glob("*/*.json"))


@cache
def case_in(name):
    """The case of `tangent/spider_walk.json`."""
    return parse_gesture_file(json.loads((GESTURES / name).read_text(encoding="utf-8")))


@cache
def starting_scene(name):
    """What a gesture file begins with: its scene, or for the walk plain handles."""
    if name == "tangent/walk_contacts.json":
        first = "tangent/walk_land.json"
        return replay(case_in(first), starting_scene(first))[0]
    scene = arcwright.read(case_in(name).scene)
    return plain(scene) if name == "tangent/walk_land.json" else scene


def plain(scene):
    """The first character's first clip with default handles; contacts are left out."""
    actor = scene.characters[0]
    take = actor.takes[0]
    curves = tuple(curve and _plain_curve(curve) for curve in take.base.curves)
    taken = replace(take, base=replace(take.base, curves=curves))
    return replace(scene, characters=(replace(actor, takes=(taken,)),), constraints=())


def _plain_curve(curve):
    automatic = np.full_like(curve.handles, Handle.AUTO_CLAMPED)
    return with_auto_handles(replace(curve, handles=automatic))


def wanted(before, after, constraint, times, scene):
    """Where a pin or contact of the scene's first character should be at times, (T, 3) m."""
    if isinstance(constraint, Pin):
        return trail(before, constraint.point, times).position
    ends = trail(before, constraint.point, [constraint.start, constraint.end]).position
    share = (times - constraint.start)[:, None] / (constraint.end - constraint.start)
    if constraint.relative_to is None:
        return ends[0] + share * (ends[1] - ends[0])
    holder = scene.actor(constraint.relative_to.character)
    own = holder.rig is before.rig
    first, later = (before, after) if own else (holder.takes[0], holder.takes[0])
    joint = holder.rig.joint(constraint.relative_to.joint)
    then = forward(holder.rig, values_at(first, np.array([constraint.start])), [joint])[0, 0]
    now = forward(holder.rig, values_at(later, times), [joint])[:, 0]
    return (now @ np.linalg.inv(then) @ np.append(ends[0], 1.0))[:, :3]


def slips(before, after, constraint, times, scene):
    """How far from there it is, before and after, (T,) m."""
    was, now = (
        trail(take, constraint.point, times).position
        - wanted(before, take, constraint, times, scene)
        for take in (before, after)
    )
    return np.linalg.norm(was, axis=1), np.linalg.norm(now, axis=1)
