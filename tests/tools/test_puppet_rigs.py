"""Puppets of exported rigs: feet beside their legs, roots below joints that move, front paws."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright.kinematics.forward import forward
from arcwright.kinematics.rig_analysis import ancestors
from arcwright.kinematics.sample import values_at
from arcwright.open import read
from arcwright.scene.motion import Motion
from arcwright.scene.rig import ChannelTable, Kind
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.gesture import Performance
from arcwright.tools.puppet.measures import measures
from arcwright.tools.puppet.options import PuppetOptions
from arcwright.tools.puppet.puppet_rig import puppet_rig
from arcwright.tools.puppet.session import PuppetSession
from arcwright.tools.puppet.terrain import Terrain
from attached_rig import LIMBS, SLIDES, apart, walker_scene
from data import DATA, needs_data

RATE = 60
EXPORTS = {
    "RobotExpressive": 2,
    "kaykit/Knight": 2,
    "Fox": 4,
    "quaternius/Wolf": 4,
    "quaternius/Trex": 2,
    "quaternius/Spider": 8,
}  # and how many feet they have


def walked(scene, seconds=2.5):
    """A performance of a stick that goes ahead at walking speed, then turns."""
    session = PuppetSession(scene, Target(), PuppetOptions(rate=RATE))
    character = session.character
    time = np.arange(round(seconds * RATE)) / RATE
    speed = 0.9 * min([c.speed for c in character.gaits.space.clips if c.moves] or [character.leg])
    angle = 0.8 * np.maximum(time - 1.5, 0.0)
    ahead = (speed * np.clip(2 * time - 1, 0, 1) / RATE)[:, None]
    poses = np.zeros((len(time), 1, 7))
    poses[:, 0, :4] = [0.0, character.size, -character.size, 1.0]
    poses[:, 0, [0, 2]] += np.cumsum(ahead * np.stack([np.sin(angle), np.cos(angle)], 1), axis=0)
    session.update(Performance(time, poses))
    return session


def slide(session):
    """The largest slide of a foot that stands, cm in 1/30 s, and how much of the time feet do."""
    found = measures(session.character, session.ticks, RATE, Terrain())
    return found["skate_max_cm"], np.mean([tick.locked for tick in session.ticks])


def test_feet_beside_their_legs_stand_and_stay_on_their_legs():
    scene = walker_scene()
    session = walked(scene)
    character = session.character
    assert {character.rig.names[j] for j in character.gaits.legs.toes.joints} == set(LIMBS)
    most, stands = slide(session)
    assert most < 0.1
    assert stands > 0.3
    take = session.finish().apply(scene).characters[0].takes[-1]
    performed = take.base.values
    first = np.tile(performed[:1], (len(performed), 1))
    assert apart(take.rig, first, performed).max() < 1e-6


def test_a_root_below_a_joint_that_moves_is_played_as_it_moves():
    scene = walker_scene()
    actor = scene.characters[0]
    take = actor.takes[0]
    times = np.linspace(0, take.duration, 25)
    values = values_at(take, times)
    rig = actor.rig
    kinds = [*map(Kind, rig.channels.kind), *SLIDES]
    joints = [*rig.channels.joint, 0, 0, 0]
    carried = replace(rig, channels=ChannelTable.of(joints, kinds))
    lifted = np.concatenate([values, 0.1 * np.sin(6.28 * times)[:, None] * [0, 1, 1]], axis=1)
    moved = Take(carried, Motion("walk", times, lifted))
    played = puppet_rig(replace(actor, rig=carried, takes=(moved,)), moved)
    found = played.played_values(lifted)
    body = carried.names.index("Body")
    there = played.rig.names.index("Body")
    assert found[:, played.above] == pytest.approx(np.tile(played.rest[played.above], (25, 1)))
    assert forward(played.rig, found)[:, there] == pytest.approx(forward(carried, lifted)[:, body])


@needs_data
@pytest.mark.parametrize("name", EXPORTS)
def test_every_foot_of_an_exported_character_stands_without_sliding(name):
    scene = read(DATA / "gltf" / f"{name}.glb")
    session = walked(scene)
    assert len(session.character.gaits.legs.toes) == EXPORTS[name]
    most, stands = slide(session)
    assert most < 0.1
    assert stands > 0.2


@needs_data
@pytest.mark.parametrize("name", EXPORTS)
def test_poses_of_the_played_rig_are_those_of_the_character(name):
    scene = read(DATA / "gltf" / f"{name}.glb")
    actor = scene.characters[0]
    take = actor.takes[-1]
    own = puppet_rig(actor, take)
    values = values_at(take, np.array([0.3 * take.duration]))
    played = own.played_values(values)
    back = own.own_values(played[0], values[0])[None]
    was, now = (forward(own.own, each)[0, :, :3, 3] for each in (values, back))
    body = own.deforms & ~ancestors(own.rig, own.root)
    assert np.abs(now - was)[own.joints[body]].max() < 1e-4 * own.size
