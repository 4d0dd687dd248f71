"""Loops that step in place, and a camera beside them: what contact strokes are drawn on."""

from dataclasses import replace

import numpy as np

from arcwright.characters import built_in
from arcwright.curves.keys import keyed
from arcwright.kinematics.feet import foot_joints, rig_size
from arcwright.kinematics.rotation import (
    quaternion_from_vector,
    quaternion_multiply,
    quaternion_rotate,
)
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.objectives.edited_clip import EditedClip
from arcwright.objectives.pose_sequence import PointPath, PoseSequence
from arcwright.scene.camera import Camera
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Extrapolation
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.tools.cycle.contact.contact_plane import to_pixels
from arcwright.tools.gesture import Stroke

RATE = 24.0


def looping(name, take, values, duration):
    """A looping clip with a key on every frame (M) of some values (M, C)."""
    times = np.append(np.arange(len(values)) / len(values), 1.0) * duration
    cycle = Extrapolation.CYCLE
    curves = tuple(
        keyed(times, np.append(column, column[0]), before=cycle, after=cycle) for column in values.T
    )
    return Take(take.rig, Clip(name, curves, duration, RATE, loops=True))


def alone(actor, take, constraints=()):
    """A scene with one actor and one take."""
    return Scene("steps", (replace(actor, takes=(take,)),), constraints=constraints)


def biped_in_place(frames=24):
    """The biped's walk without its travel: its feet slide on the spot."""
    actor = built_in("biped:walk").characters[0]
    take = actor.takes[0]
    times = np.arange(frames) / frames * take.duration
    values = values_at(take, times)
    gap = np.diff(values_at(take, np.array([0.0, take.duration])), axis=0)
    return alone(actor, looping("walk", take, values - np.outer(times / take.duration, gap), 1.0))


def stepping(name, points, phases, *, stride=0.2, lift=0.1, frames=24, seed=0):
    """A character whose points go round in uneven ovals, each at its own phase, as a hand acts.

    Feet above the points keep their orientation.
    """
    known = built_in(name)
    actor = known.characters[0]
    take, random = actor.takes[0], np.random.default_rng(seed)
    size = rig_size(actor.rig)
    standing = np.repeat(values_at(take, np.zeros(1)), frames, axis=0)
    still = looping("still", take, standing, frames / RATE)
    scene = alone(actor, still)
    edited = EditedClip(scene.characters[0], still, still.base, ())
    times = np.arange(frames) / frames * still.duration
    above = [int(actor.rig.parents[actor.rig.joint(point.joint)]) for point in points]
    flat = [Point(actor.rig.names[joint]) for joint in above if foot_joints(actor.rig)[joint]]
    sequence = PoseSequence(scene, edited, times, [*points, *flat], plant_feet=False)
    paths = [PointPath(foot, orientation=trail(still, foot, times).orientation) for foot in flat]
    for point, phase in zip(points, phases, strict=True):
        angle = 2 * np.pi * (np.arange(frames) / frames + phase)
        wide = stride * size * (1 + 0.1 * random.normal())
        ahead = 0.5 * wide * np.cos(angle) + 0.01 * size * np.sin(2 * angle)
        up = 0.5 * lift * size * (1 - np.sin(angle))
        there = trail(still, point, times).position
        paths.append(PointPath(point, there + np.stack([0 * up, up, ahead], axis=1)))
    values = sequence.solve(paths).values
    found = looping("steps", take, values, still.duration)
    return alone(actor, found, tuple(known.contacts))  # of another take: they tell where it touches


def beside(scene, pitch=0.0, width=800, height=600):
    """A camera that looks along -x at a character, from above by `pitch` rad."""
    actor = scene.characters[0]
    size = rig_size(actor.rig)
    middle = trail(actor.takes[0], 0, np.zeros(1)).position[0] * [1, 0, 1] + [0, 0.4 * size, 0]
    turn = quaternion_from_vector(np.array([0.0, np.pi / 2, 0.0]))
    down = quaternion_from_vector(np.array([-pitch, 0.0, 0.0]))
    orientation = quaternion_multiply(turn, down)
    back = quaternion_rotate(orientation, np.array([0.0, 0.0, 1.0]))
    return Camera(middle + 2.5 * size * back, orientation, 0.8, width, height)


def drawn(camera, places, samples=20):
    """A stroke along a line through places (N, 3) in the world."""
    pixels = to_pixels(camera, np.asarray(places, float))
    along = np.append(0, np.cumsum(np.linalg.norm(np.diff(pixels, axis=0), axis=1)))
    at = np.linspace(0, along[-1], samples)
    line = np.stack([np.interp(at, along, column) for column in pixels.T], axis=1)
    return Stroke(camera, line, np.linspace(0, 1, samples))
