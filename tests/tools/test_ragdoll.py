"""Ragdolls: puppets that hang, fall and lie as simulated bodies, and get up again."""

import threading
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import arcwright
from arcwright.characters import built_in
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import quaternion_from_vector
from arcwright.scene.target import Target
from arcwright.scene.terrain import Block, Terrain
from arcwright.tools.gesture import Performance, chunks
from arcwright.tools.puppet import session as puppet_session
from arcwright.tools.puppet.get_up import get_up
from arcwright.tools.puppet.options import PuppetOptions
from arcwright.tools.puppet.puppet_character import puppet_character
from arcwright.tools.puppet.ragdoll.colliders import colliders_of
from arcwright.tools.puppet.ragdoll.ragdoll import FASTEST, Ragdoll
from arcwright.tools.puppet.ragdoll.ragdoll_model import has_physics, ragdoll_model
from arcwright.tools.puppet.session import PuppetSession
from arcwright.tools.puppet.state_machine import State
from data import DATA, needs_data
from prop_scenes import box_prop
from random_cases import examples

RATE = 60
needs_physics = pytest.mark.skipif(not has_physics(), reason="needs arcwright[physics]")


@pytest.fixture(scope="module")
def scene():
    return built_in("biped")


def model_of(scene, terrain=None):
    actor = scene.characters[0]
    character = puppet_character(actor)
    colliders = colliders_of(terrain or Terrain(), scene.props)
    return ragdoll_model(actor, character, colliders, 1 / RATE)


@pytest.fixture(scope="module")
def biped(scene):
    return model_of(scene)


def path(seconds, released, *, high=1.2, ahead=0.0):
    """A device that lifts a puppet, at 1 m/s, and moves ahead, m/s, before it releases it."""
    time = np.arange(round(seconds * RATE) + 1) / RATE
    poses = np.zeros((len(time), 1, 7))
    poses[:, 0, 3] = 1
    poses[:, 0, :3] = [0, 1.6, -1.5]
    poses[:, 0, 1] += np.clip(time - 0.4, 0.0, high)
    poses[:, 0, 2] += ahead * np.maximum(time - released + 0.4, 0.0)
    held = (time < released)[:, None]
    return Performance(time, poses, buttons=held, button_names=("held",))


def performed(scene, performance, size=None, terrain=None):
    scene = replace(scene, ground=terrain or Terrain())
    session = PuppetSession(scene, Target(), PuppetOptions())
    for part in chunks(performance, size or len(performance.times)):
        session.update(part)
    return session


def names(session):
    return [state.value for _, state in session.states]


def dropped(model, high, turn=(0.0, 0.0, 0.0), seconds=4.0):
    """A ragdoll after a fall from a height, first rotated by a vector."""
    turned = quaternion_from_vector(np.array(turn, float))
    start = model.character.stand, np.concatenate([[0, high, 0], turned])
    ragdoll = Ragdoll(model, start, start, 1 / RATE)
    poses = [ragdoll.advance(None) for _ in range(round(seconds * RATE))]
    return ragdoll, poses


def joints_of(model, pose):
    written = model.character.gaits.writer.written(*pose)
    return forward(model.character.rig, written[None])[0, :, :3, 3]


@needs_physics
@given(st.integers(0, 2**32 - 1))
@examples(20, 200)
def test_poses_come_back_from_the_simulation_exactly(biped, seed):
    random = np.random.default_rng(seed)
    values, limits = biped.character.stand.copy(), biped.character.rig.channels
    own = biped.hinges.euler_channels
    values[own] = random.uniform(limits.low[own], limits.high[own])
    root = np.concatenate([random.normal(size=3), quaternion_from_vector(random.normal(size=3))])
    again, place = biped.pose(biped.positions(values, root))
    assert np.abs(again - values).max() < 1e-14
    assert np.abs(place - root).max() < 1e-14


@needs_physics
@needs_data
@pytest.mark.parametrize("name", ["RobotExpressive.glb", "CesiumMan.glb"])
def test_quaternion_joints_come_back_as_the_same_rotations(name):
    model = model_of(arcwright.read(DATA / "gltf" / name))
    stand = model.character.stand
    pose = stand, model.character.gaits.writer.read(stand)
    again = model.pose(model.positions(*pose))
    assert np.abs(joints_of(model, again) - joints_of(model, pose)).max() < 1e-8


@needs_physics
def test_simulated_joints_are_where_forward_kinematics_has_them(biped):
    ragdoll, poses = dropped(biped, 1.5, (0.3, 0.5, -0.4), seconds=0.7)
    ours = joints_of(biped, poses[-1])[list(biped.joints)]
    bodies = [biped.model.body(f"segment {n}").id for n in range(len(biped.joints))]
    biped.engine.mj_kinematics(biped.model, ragdoll._data)
    assert np.abs(ragdoll._data.xpos[bodies] - ours).max() < 1e-9


@needs_physics
@pytest.mark.parametrize("turn", [(0, 0, 0), (1.5, 0, 0), (-1.5, 0, 0), (0, 0, 2.5)])
def test_a_dropped_body_comes_to_rest_on_the_ground(biped, turn):
    ragdoll, poses = dropped(biped, 1.8, turn)
    assert ragdoll.rests
    assert ragdoll.touches_ground
    heights = joints_of(biped, poses[-1])[list(biped.joints), 1]
    assert heights.min() > -0.005
    assert heights.max() < 0.75
    places = np.array([joints_of(biped, pose) for pose in poses[-10:]])
    assert np.ptp(places, axis=0).max() < 0.03


@needs_physics
def test_a_held_body_hangs_from_its_grip_and_its_limbs_hang_down(biped):
    stand = biped.character.stand
    root = biped.character.gaits.writer.read(stand) + [0, 1, 0, 0, 0, 0, 0]
    ragdoll = Ragdoll(biped, (stand, root), (stand, root), 1 / RATE)
    end = ragdoll.grip + [0.2, 0.3, 0.0]
    for _ in range(4 * RATE):
        pose = ragdoll.advance(end)
    assert np.linalg.norm(ragdoll.grip - end) < 0.01
    names = biped.character.rig.names
    at = dict(zip(names, joints_of(biped, pose), strict=True))
    assert at["LeftFoot"][1] < at["Hips"][1] - 0.6
    assert at["LeftHand"][1] < at["LeftUpperArm"][1] - 0.3


@needs_physics
def test_knees_and_elbows_do_not_bend_backwards(biped):
    rig = biped.character.rig
    hinges = [rig.channel(f"{side}LowerLeg.rotate.x") for side in ("Left", "Right")]
    _, poses = dropped(biped, 2.0, (0.2, 0.0, 0.1), seconds=2.0)
    angles = np.array([values[hinges] for values, _ in poses])
    assert angles.min() > np.radians(-12)


@needs_physics
def test_speeds_are_bounded_when_a_body_is_shaken_hard(biped):
    stand = biped.character.stand
    root = biped.character.gaits.writer.read(stand) + [0, 2, 0, 0, 0, 0, 0]
    ragdoll, random = (
        Ragdoll(biped, (stand, root), (stand, root), 1 / RATE),
        np.random.default_rng(1),
    )
    place = ragdoll.grip
    for _ in range(3 * RATE):
        values, at = ragdoll.advance(place + random.normal(size=3))
        assert np.isfinite(values).all()
        assert np.isfinite(at).all()
        assert np.abs(ragdoll._data.qvel[biped.speed]).max() <= FASTEST


@needs_physics
def test_a_body_lies_on_blocks_and_ramps(scene):
    terrain = Terrain((Block((-3, 3), (-3, 3), (0.5, 0.5)), Block((-3, 3), (3, 9), (0.5, 1.5))))
    model = model_of(scene, terrain)
    _, poses = dropped(model, 2.2, (1.2, 0, 0))
    heights = joints_of(model, poses[-1])[list(model.joints), 1]
    assert heights.min() > 0.495
    assert heights.min() < 0.65


@needs_physics
def test_a_deep_fall_ends_on_the_ground_and_the_puppet_gets_up(scene):
    session = performed(scene, path(10, 2.3, high=1.6))
    assert names(session) == ["locomotion", "held", "fall", "fallen", "get-up", "locomotion"]
    values = np.array([tick.values for tick in session.ticks])
    places = forward(scene.characters[0].rig, values)[:, :, :3, 3]
    step = np.linalg.norm(np.diff(places, axis=0), axis=2).max(axis=1)
    get_up_at = next(n for n, t in enumerate(session.ticks) if t.state is State.GET_UP)
    assert step[get_up_at - 2 : get_up_at + 25].max() < 0.12, "a get-up does not pop"
    assert places[get_up_at:, :, 1].min() > -0.04  # a thumb, which does not move on its own


@needs_physics
def test_a_low_upright_fall_lands_on_the_feet(scene):
    session = performed(scene, path(4, 2.0, high=0.3))
    assert names(session) == ["locomotion", "held", "fall", "landing", "locomotion"]


@needs_physics
def test_a_throw_goes_on_with_the_speed_of_the_stick(scene):
    session = performed(scene, path(2.3, 2.0, high=1.4, ahead=2.0))
    roots = np.array([session.character.gaits.writer.read(t.values)[:3] for t in session.ticks])
    velocity = (roots[-1] - roots[-10]) * RATE / 9
    assert session.ticks[-1].state is State.FALL
    assert velocity[2] > 0.8


@needs_physics
def test_the_clip_follows_which_side_is_up(biped):
    character = biped.character
    clips = {role: character.actions[role] for role in ("get_up_back", "get_up_front")}
    for role, clip in clips.items():
        for heading in (0.0, 2.0):
            turn = quaternion_from_vector(np.array([0.0, heading, 0.0]))
            root = clip.root[0].copy()
            root[3:] = arcwright.kinematics.rotation.quaternion_multiply(turn, root[3:])
            root[:3] = arcwright.kinematics.rotation.quaternion_rotate(turn, root[:3])
            values = character.gaits.writer.written(clip.values[0], root)
            joint = character.rig.joint(character.grip.joint)
            grip = forward(character.rig, values[None], [joint])[0, 0, :3, 3]
            found = get_up(character, (clip.values[0], root), grip, biped.joints, Terrain())
            assert found.clip is clips[role]
            assert found.fade == pytest.approx(0.3)


@needs_physics
@pytest.mark.parametrize("size", [1, 7])
def test_chunks_change_nothing(scene, size):
    acted = path(4, 2.0, high=1.0, ahead=0.8)
    whole, cut = performed(scene, acted), performed(scene, acted, size)
    assert all((a.values == b.values).all() for a, b in zip(whole.ticks, cut.ticks, strict=True))


@needs_physics
def test_forks_share_nothing_that_changes(scene):
    acted = path(4, 2.4, high=1.2, ahead=1.0)
    parts = list(chunks(acted, 1))
    expected = performed(scene, acted)
    session = PuppetSession(scene, Target(), PuppetOptions())
    for part in parts[:130]:
        session.update(part)
    assert session.ticks[-1].state is State.HELD
    fork = session.fork()

    def rest(own):
        for part in parts[130:]:
            own.update(part)

    other = threading.Thread(target=rest, args=(fork,))
    other.start()
    rest(session)
    other.join()
    for own in (session, fork):
        pairs = zip(own.ticks, expected.ticks, strict=True)
        assert all((a.values == b.values).all() for a, b in pairs)


def test_without_physics_a_note_says_what_to_install(scene, monkeypatch):
    monkeypatch.setattr(puppet_session, "has_physics", lambda: False)
    session = performed(scene, path(7, 2.3, high=1.6))
    assert names(session) == ["locomotion", "held", "fall", "fallen", "get-up", "locomotion"]
    assert any("arcwright[physics]" in note.text for note in session.notes())
    walk = performed(scene, path(1, 2.0, high=0.0))
    assert not walk.notes()


@needs_physics
@pytest.mark.parametrize("name", ["dinosaur", "spider", "robot", "lamp", "dragon"])
def test_every_character_falls_and_stands_again(name):
    scene = built_in(name)
    size = puppet_character(scene.characters[0]).size
    session = performed(scene, path(2.2, 2.0, high=1.2 * size))
    take = session.finish().apply(scene).characters[0].takes[-1]
    assert np.isfinite(take.base.values).all()
    root = session.character.gaits.writer.read(take.base.values[-1])
    assert root[1] == pytest.approx(session.character.root[1], abs=0.1 * size)


@needs_physics
def test_a_lying_puppet_that_is_lifted_hangs_again(scene):
    acted = path(6, 2.3, high=1.6)
    again = acted.times > 3.4
    poses = acted.poses.copy()
    poses[again, 0, 1] = 1.6 + np.clip(acted.times[again] - 3.6, 0.0, 0.8)
    held = acted.buttons | again[:, None]
    lifted = Performance(acted.times, poses, buttons=held, button_names=("held",))
    session = performed(scene, lifted)
    assert names(session) == ["locomotion", "held", "fall", "fallen", "held"]


@needs_physics
def test_props_are_in_the_way():
    scene = built_in("robot")
    boxes = colliders_of(Terrain(), scene.props)[1:]
    assert len(boxes) >= len(scene.props) > 0
    assert all(np.ptp(box.corners, axis=0).min() > 0 for box in boxes)
    assert model_of(scene).model.nmesh == len(boxes)


@needs_physics
def test_flat_props_are_in_the_way_as_thin_sheets(scene):
    flat = replace(scene, props=(box_prop("sheet", (0.5, 0.0, 0.4), 0.0, 1.0),))
    (sheet,) = colliders_of(Terrain(), flat.props)[1:]
    assert np.ptp(sheet.corners, axis=0) == pytest.approx([0.5, 0.01, 0.4])
    assert model_of(flat).model.nmesh == 1


@needs_data
@needs_physics
def test_feet_at_the_tips_of_long_legs_stay_above_the_ground():
    scene = arcwright.read(DATA / "gltf" / "quaternius" / "Spider.glb")
    session = PuppetSession(scene, Target(), PuppetOptions(rate=RATE))
    size, time = session.character.size, np.arange(6 * RATE) / RATE
    poses = np.zeros((len(time), 1, 7))
    poses[:, 0, :4] = [0.0, 1.2 * size, -size, 1.0]
    poses[:, 0, 1] += 0.6 * size * np.clip(time - 0.3, 0.0, 2.0)
    poses[:, 0, 0] += 0.4 * size * np.sin(8 * time) * (time > 1.5)
    held = (time < 2.4)[:, None]
    session.update(Performance(time, poses, buttons=held, button_names=("held",)))
    assert State.FALLEN in {state for _, state in session.states}
    feet = [scene.characters[0].rig.joint(name) for name in ("BackFoot.L", "FrontFoot2.R")]
    values = np.array([tick.values for tick in session.ticks])
    heights = forward(scene.characters[0].rig, values, feet)[..., 1, 3]
    assert heights.min() > -0.03 * size  # 0.12 of it with shells of second moments alone


@needs_data
@needs_physics
@pytest.mark.parametrize("name", ["kaykit/Knight", "RobotExpressive"])
def test_a_top_heavy_body_hangs_upright_on_its_stick(name):
    scene = arcwright.read(DATA / "gltf" / f"{name}.glb")
    session = PuppetSession(scene, Target(), PuppetOptions(rate=60))
    size = session.character.size
    time = np.arange(240) / 60
    poses = np.zeros((240, 1, 7))
    poses[:, 0, 3] = 1.0
    poses[:, 0, 1] = size * (1.2 + 0.6 * np.clip((time - 0.5) / 1.5, 0, 1))
    poses[:, 0, 0] = 0.1 * size * np.sin(2 * np.pi * time) * (time > 2.5)
    tilts = []
    for part in chunks(Performance(time, poses), 1):
        session.update(part)
        ragdoll = session._puppet._air.ragdoll
        tilts.append(0.0 if ragdoll is None else ragdoll.tilt)
    assert session.ticks[-1].state is State.HELD
    assert max(tilts) < np.radians(45)


@needs_data
@needs_physics
def test_a_large_body_that_is_shaken_spins_no_faster_than_a_small_one():
    scene = arcwright.read(DATA / "gltf" / "quaternius" / "Trex.glb")  # 24 m
    session = PuppetSession(scene, Target(), PuppetOptions(rate=RATE))
    size, time = session.character.size, np.arange(240) / RATE
    poses = np.zeros((240, 1, 7))
    poses[:, 0, 3] = 1.0
    poses[:, 0, 1] = size * (1.2 + np.clip(time, 0, 1))
    poses[:, 0, 0] = 0.8 * size * np.sin(9 * time) * (time > 1.5)
    session.update(Performance(time, poses))
    values = np.array([tick.values for tick in session.ticks])
    body = forward(scene.characters[0].rig, values, [scene.characters[0].rig.joint("Body")])
    root = body[:, 0, :3, :3] / np.cbrt(np.linalg.det(body[:, 0, :3, :3]))[:, None, None]
    turned = np.einsum("tba,tbc->tac", root[:-1], root[1:])
    spin = RATE * np.arccos(np.clip((np.trace(turned, axis1=1, axis2=2) - 1) / 2, -1, 1))
    assert spin.max() < 40  # a tick is several steps
