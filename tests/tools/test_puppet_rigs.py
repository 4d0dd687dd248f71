"""Puppets of exported rigs: feet beside their legs, roots below joints that move, front paws."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright.characters import built_in
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rig_analysis import ancestors
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.soles import vertices_of
from arcwright.open import read
from arcwright.scene.motion import Motion
from arcwright.scene.rig import ChannelTable, Kind
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.scene.terrain import Terrain
from arcwright.tools.gesture import Performance
from arcwright.tools.puppet.locomotion.gait_clip import gait_clip
from arcwright.tools.puppet.locomotion.walker import Walker
from arcwright.tools.puppet.measures import measures
from arcwright.tools.puppet.options import PuppetOptions
from arcwright.tools.puppet.puppet_character import puppet_character
from arcwright.tools.puppet.puppet_rig import puppet_rig
from arcwright.tools.puppet.session import PuppetSession
from arcwright.tools.puppet.state_machine import ON_FEET
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
    performed = take.base.values[20:]  # the pose that it begins in has faded
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
    played = puppet_rig(replace(actor, rig=carried, takes=(moved,)), lifted[0])
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


def sunk(session):
    """How far, m, vertices of feet go below where they are when the character stands."""
    character, ticks = session.character, session.ticks
    legs, own = character.gaits.legs, character.own
    feet = {*own.joints[legs.ankles].tolist(), *own.joints[legs.toes.joints].tolist()}
    below = np.array([any(own.own.is_below(j, f) for f in feet) for j in range(len(own.own.names))])
    poses = [own.own_values(character.stand, character.stand)]
    poses += [tick.values for tick in ticks if tick.state in ON_FEET][::3]
    heights = []
    for pose in np.array(poses):
        world = forward(own.own, pose[None])[0]
        heights.append(vertices_of(session._actor, pose, world, below)[0][:, 1].min())
    return heights[0] - min(heights[1:])


@needs_data
@pytest.mark.parametrize("name", ["CesiumMan", "kaykit/Knight"])
def test_meshes_of_feet_stay_above_the_ground(name):
    session = walked(read(DATA / "gltf" / f"{name}.glb"), seconds=4.0)
    found = measures(session.character, session.ticks, RATE, Terrain())
    assert found["penetration_mm"] < 1.0
    assert sunk(session) < 0.01 * session.character.leg


@needs_data
@pytest.mark.parametrize("name", EXPORTS)
def test_poses_of_the_played_rig_are_those_of_the_character(name):
    scene = read(DATA / "gltf" / f"{name}.glb")
    actor = scene.characters[0]
    take = actor.takes[-1]
    values = values_at(take, np.array([0.3 * take.duration]))
    own = puppet_rig(actor, values_at(take, np.zeros(1))[0])
    played = own.played_values(values)
    back = own.own_values(played[0], values[0])[None]
    was, now = (forward(own.own, each)[0, :, :3, 3] for each in (values, back))
    body = own.deforms & ~ancestors(own.rig, own.root)
    assert np.abs(now - was)[own.joints[body]].max() < 1e-4 * own.size


def test_controllers_of_hands_are_no_hands():
    actor = built_in("biped").characters[0]
    rig = actor.rig
    rig = replace(
        rig,
        names=(*rig.names, "HandIK.l", "HandIK.r"),
        parents=np.append(rig.parents, [0, 0]),
        offset=np.vstack([rig.offset, np.zeros((2, 3))]),
        rest=np.vstack([rig.rest, rig.rest[:2] * 0 + [1, 0, 0, 0]]),
        scale=np.vstack([rig.scale, np.ones((2, 3))]),
        modes=(*rig.modes, "XYZ", "XYZ"),
    )
    takes = tuple(replace(take, rig=rig) for take in actor.takes)
    arms = puppet_character(replace(actor, rig=rig, takes=takes)).arms
    assert arms is not None
    assert {rig.names[joint] for joint in arms.palms.joints} == {"LeftHand", "RightHand"}


def test_a_character_without_a_walk_steps_by_turns():
    session = walked(built_in("dinosaur"))
    most, stands = slide(session)
    assert most < 0.1
    assert 0.5 < stands < 0.95
    walking = np.array([tick.locked for tick in session.ticks])[RATE:]
    assert (~walking).any(axis=0).all()
    assert walking.any(axis=1).mean() > 0.95


def test_a_spider_goes_in_two_groups_of_four():
    session = walked(built_in("spider"))
    assert slide(session)[0] < 0.1
    walk = next(c for c in session.character.gaits.space.clips if c.moves)
    assert walk.planted.shape[1] == 8
    assert walk.planted.sum(axis=1).min() == 4
    groups = {tuple(row) for row in walk.planted.T.tolist()}
    assert len(groups) == 2


def test_a_run_made_from_a_walk_flies_and_is_faster():
    character = puppet_character(built_in("biped:walk").characters[0])
    clips = {clip.name: clip for clip in character.gaits.space.clips}
    walk, run = clips["walk"], clips["run from walk"]
    assert run.speed > 1.5 * walk.speed
    assert (~run.planted).all(axis=1).any()
    measured = character.gaits.speeds.probes.measured[:, 0].max()
    assert measured == pytest.approx(run.speed, rel=0.15)


def test_a_single_step_is_no_walk():
    scene = built_in("biped:walk")
    take = scene.characters[0].takes[0]
    times = np.linspace(0, 0.5 * take.duration, 20)
    half = Take(take.rig, Motion("walk", times, values_at(take, times)))
    whole = puppet_character(scene.characters[0])
    root, toes = whole.own.root, whole.gaits.legs.toes
    assert gait_clip(take, root, toes, whole.size).moves
    assert not gait_clip(half, root, toes, whole.size).moves


def test_a_made_jump_draws_the_feet_up():
    character = puppet_character(built_in("dinosaur").characters[0])
    jump, toes = character.actions["mid_jump"], character.gaits.legs.toes.joints
    heights = forward(character.rig, jump.values)[:, toes, 1, 3]
    assert heights[[0, -1]] == pytest.approx(np.tile(character.gaits.sole, (2, 1)), abs=0.01)
    assert (heights.max(axis=0) > character.gaits.sole + 0.15 * character.leg).all()


def test_a_run_that_is_flicked_up_does_not_jerk():
    character = puppet_character(built_in("biped").characters[0])
    walker, place = Walker(character.gaits), np.zeros(3)
    values = []
    for tick in range(90):
        speed = 3.0 if tick < 60 else 0.0
        place = place + [0, 0, speed / RATE]
        step = walker.step(1 / RATE, place, 0.0, speed, character.height, lambda x, z: 0.0)
        values.append(step.values)
    world = forward(character.rig, np.array(values))[:, :, :3, 3]
    hand = character.rig.joint("LeftHand")
    reach = world[:, hand] - world[:, character.own.root]
    assert np.abs(np.diff(reach, axis=0)).max() * RATE < 8.0


@needs_data
@pytest.mark.parametrize(
    ("name", "joint"),
    [
        ("CesiumMan", "torso_joint_3"),
        ("RiggedFigure", "torso_joint_3"),
        ("RobotExpressive", "Torso_2"),
        ("kenney/character", "torso"),
        ("kaykit/Knight", "chest"),
    ],
)
def test_a_stick_holds_the_joint_between_the_arms(name, joint):
    character = puppet_character(read(DATA / "gltf" / f"{name}.glb").characters[0])
    assert character.grip.joint == joint
