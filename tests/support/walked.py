"""A walk of several cycles as samples, which ends elsewhere than it begins."""

from dataclasses import replace

import numpy as np

from arcwright.kinematics.sample import values_at
from arcwright.open import read
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Kind
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take


def walked(cycles: int = 3, rate: float = 30.0) -> Scene:
    """The built-in walk, again and again, as a take of samples without constraints."""
    scene = read("biped:walk")
    actor = scene.characters[0]
    take, rig = actor.takes[0], actor.rig
    length = take.duration
    times = np.arange(int(cycles * length * rate) + 1) / rate
    laps = np.floor(times / length + 1e-9)
    values = values_at(take, times - laps * length)
    ends = values_at(take, np.array([0.0, length]))
    table = rig.channels
    ahead = (table.joint == rig.joint("Hips")) & (table.kind == Kind.TRANSLATE_Z)
    values[:, ahead] += laps[:, None] * (ends[1] - ends[0])[ahead]
    base = Motion("walk", times, values, rate)
    return replace(scene, characters=(replace(actor, takes=(Take(rig, base),)),), constraints=())
