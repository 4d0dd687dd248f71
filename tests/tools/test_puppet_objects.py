"""Puppets and props: hands, carrying, rolling, pushing, throwing, looking."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.arrays import same
from arcwright.characters import built_in
from arcwright.characters.snowman import snowball
from arcwright.kinematics.forward import forward
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.rotation import quaternion_rotate
from arcwright.open import read
from arcwright.scene.target import Target
from arcwright.scene.terrain import Terrain
from arcwright.tools.gesture import Performance, chunks
from arcwright.tools.puppet.measures import measures
from arcwright.tools.puppet.objects.hands_on import HandsOn
from arcwright.tools.puppet.objects.hold_machine import Event, Hold, HoldMachine, HoldSignals
from arcwright.tools.puppet.objects.look_at import PITCH, YAW, look_at
from arcwright.tools.puppet.objects.movable import Placement, channel_values, movable_of
from arcwright.tools.puppet.options import PuppetOptions
from arcwright.tools.puppet.puppet_character import puppet_character
from arcwright.tools.puppet.session import PuppetSession
from data import DATA, needs_data
from prop_scenes import RATE, ball_prop, box_prop, led, picked_up, scene_with

STILL = np.array([1.0, 0.0, 0.0, 0.0])


def performed(scene, performance, terrain=None, character="", **options):
    scene = replace(scene, ground=terrain or Terrain())
    session = PuppetSession(scene, Target(character), PuppetOptions(**options))
    session.update(performance)
    return session


def events(session):
    return [event for _, event in session.events]


def places(session, column=0):
    return np.array([tick.objects[column].position for tick in session.ticks])


def palms(session, tick):
    arms = session.character.arms
    return point_jacobian(arms.rig, tick.values[None], arms.palms, []).position[0]


def advanced(machine, seconds, **seen):
    found = []
    for _ in range(round(seconds * RATE)):
        machine = machine.advance(HoldSignals(**seen), 1 / RATE)
        found += [machine.event] if machine.event else []
    return machine, found


def test_a_crouch_before_a_prop_and_a_rise_pick_it_up():
    near = {"near": True, "touched": True}
    machine, found = advanced(HoldMachine(), 0.5, near=True, crouch=0.9)
    assert (machine.hold, found) == (Hold.REACHING, [Event.NEAR])
    machine, _ = advanced(machine, 0.2, crouch=0.9, **near)
    machine, found = advanced(machine, 0.2, crouch=0.5, **near)
    assert (machine.hold, found) == (Hold.CARRYING, [Event.PICKED])
    machine, found = advanced(machine, 0.2, crouch=0.4, rests=True, **near)
    assert machine.hold is Hold.CARRYING, "nothing is put down before it was up"
    machine, _ = advanced(machine, 0.2, crouch=0.0, **near)
    machine, found = advanced(machine, 0.2, crouch=0.8, rests=True, **near)
    assert (machine.hold, found) == (Hold.FREE, [Event.PUT_DOWN])
    machine, found = advanced(machine, 0.5, crouch=0.9, **near)
    assert not found, "what was put down is not picked up in the same crouch"


def test_going_against_a_prop_in_a_crouch_moves_it_and_rising_leaves_it():
    near = {"near": True, "touched": True}
    machine, _ = advanced(HoldMachine(), 0.3, crouch=0.9, **near)
    machine, found = advanced(machine, 0.3, crouch=0.9, towards=0.5, **near)
    assert (machine.hold, found) == (Hold.MOVING, [Event.PUSHED])
    machine, found = advanced(machine, 0.3, crouch=0.0, **near)
    assert (machine.hold, found) == (Hold.FREE, [Event.LEFT])


def test_only_what_is_heavy_is_pushed_by_a_puppet_that_stands():
    against = {"near": True, "blocked": True, "towards": 0.6}
    assert advanced(HoldMachine(), 0.3, light=True, **against)[1] == []
    machine, found = advanced(HoldMachine(), 0.3, light=False, **against)
    assert (machine.hold, found) == (Hold.MOVING, [Event.PUSHED])
    assert advanced(machine, 1.0, near=True, light=False)[1] == [Event.LEFT]


def test_a_puppet_that_is_lifted_drops_what_it_carries():
    assert advanced(HoldMachine(Hold.CARRYING), 0.1, near=True, on_feet=False)[1] == [Event.DROPPED]


def test_a_prop_knows_its_shape():
    assert movable_of(ball_prop("ball", 0.2, 0, 0)).round
    crate = movable_of(box_prop("crate", (0.4, 0.3, 0.2), 1.0, 2.0))
    assert not crate.round
    assert crate.half == pytest.approx([0.2, 0.15, 0.1])
    assert crate.start.position == pytest.approx([1.0, 0.15, 2.0])
    moved = Placement(np.array([0.0, 1.0, 0.0]), np.array([0.6, 0.0, 0.8, 0.0]))
    world = forward(crate.writer.rig, channel_values(crate, moved)[None])[0, 0]
    assert world[:3, 3] == pytest.approx([0, 1, 0], abs=1e-6)


@given(
    st.lists(st.tuples(st.floats(-0.02, 0.02), st.floats(-0.02, 0.02)), min_size=1, max_size=30),
    st.floats(0.05, 1.0),
)
def test_a_ball_rolls_without_sliding(steps, radius):
    placed = Placement(np.array([0.0, radius, 0.0]), STILL)
    for x, z in steps:
        by = np.array([x, 0.0, z])
        lowest = np.array([0.0, -radius, 0.0])  # at the ground before it rolls
        rolled = placed.rolled(by, radius)
        back = [-1, 1, 1, 1] * placed.rotation
        own = quaternion_rotate(rolled.rotation, quaternion_rotate(-back, lowest))
        angle = np.linalg.norm(by) / radius
        slid = (own - lowest)[[0, 2]] + by[[0, 2]] * np.sin(angle) / max(angle, 1e-12)
        assert np.abs(slid).max() < 1e-9
        placed = rolled


def test_a_box_is_carried_by_both_hands_and_put_down():
    scene = scene_with(box_prop("box", (0.3, 0.22, 0.26), 0.0, 1.0))
    more = [(5.2, 0.6, 0, 1.4), (5.5, 0.6, 0, 1.4), (6.3, 0.6, -0.42, 1.4), (7.2, 0.6, 0, 1.4)]
    session = performed(scene, led(picked_up(0.6, *more)))
    assert events(session) == ["near box", "picked box", "put down box"]
    (_, picked), (_, down) = session.events[1:]
    assert (picked, down) == ("picked box", "put down box")
    first, last = (round(time * RATE) for time, _ in session.events[1:])
    for tick in session.ticks[first + 30 : last - 5]:
        away = palms(session, tick) - tick.objects[0].position
        assert np.abs(np.linalg.norm(away, axis=1) - 0.17).max() < 0.06
    high = places(session)[:, 1]
    assert high.max() > 0.9
    assert high[-1] == pytest.approx(0.11, abs=1e-6)
    found = measures(session.character, session.ticks, RATE, Terrain())
    assert found["skate_cm_per_frame"] < 0.1
    assert found["skate_max_cm"] < 0.05


def test_performer_and_prop_change_in_one_undo_step():
    scene = scene_with(
        box_prop("box", (0.3, 0.22, 0.26), 0.0, 1.0), box_prop("far", (0.3, 0.3, 0.3), 5.0, 5.0)
    )
    session = performed(scene, led(picked_up(0.6)))
    edit = session.finish()
    after = edit.apply(scene)
    own, moved = after.characters[0].takes[-1], after.props[0].takes[-1]
    assert (own.name, moved.name) == ("performance", "performance")
    assert own.duration == moved.duration
    assert after.props[1].takes == (), "what was not touched has no take"
    assert same(edit.inverse().apply(after), scene)


def test_how_samples_are_cut_changes_nothing():
    scene, whole = scene_with(ball_prop("ball", 0.12, 0.0, 0.9)), led(picked_up(0.5))
    at_once = performed(scene, whole)
    session = PuppetSession(scene, Target(), PuppetOptions())
    for part in chunks(whole, 7):
        session.update(part)
    assert places(session).tolist() == places(at_once).tolist()


def test_a_large_ball_is_rolled_by_exactly_its_way():
    scene = scene_with(ball_prop("ball", 0.35, 0.0, 1.1))
    low = [(1.9, 0, -0.4, 0.45), (2.3, 0, -0.4, 0.45), (4.3, 0.3, -0.4, 1.9), (5.2, 0.3, 0, 1.9)]
    session = performed(scene, led([(0, 0, 0, 0), (1.1, 0, 0, 0.45), *low]))
    assert events(session) == ["near ball", "pushed ball", "left ball"]
    way = np.linalg.norm(np.diff(places(session), axis=0), axis=1)
    turns = np.array([tick.objects[0].rotation for tick in session.ticks])
    angle = 2 * np.arccos(np.clip(np.abs((turns[1:] * turns[:-1]).sum(axis=1)), 0, 1))
    assert way.sum() > 1.0
    assert angle.sum() * 0.35 == pytest.approx(way.sum(), rel=1e-3)
    rolls = [tick for tick, moved in zip(session.ticks[1:], way, strict=True) if moved > 0.005]
    for tick in rolls[10:]:
        away = np.linalg.norm(palms(session, tick) - tick.objects[0].position, axis=1)
        assert np.abs(away - 0.37).max() < 0.05


def test_a_heavy_crate_is_pushed():
    scene = scene_with(box_prop("crate", (0.8, 0.9, 0.8), 0.0, 1.3))
    session = performed(scene, led([(0, 0, 0, 0), (0.3, 0, 0, 0), (3, 0, 0, 1.8), (4, 0, 0, 1.8)]))
    assert events(session) == ["pushed crate", "left crate"]
    assert places(session)[-1, 2] > 2.2
    assert (np.diff(places(session)[:, 2]) > -1e-6).all(), "it is never pulled"


def test_a_carried_ball_is_thrown_ahead_and_rolls_to_rest():
    scene = scene_with(ball_prop("ball", 0.12, 0.0, 0.9))
    held = {"held": (0.0, 20.0), "throw": (3.8, 3.9)}
    session = performed(scene, led(picked_up(0.5, (9.0, 0, 0, 0.5)), **held))
    assert events(session) == ["near ball", "picked ball", "thrown ball"]
    path = places(session)
    assert path[-1, 2] > 3.0
    assert path[:, 1].min() > 0.119
    assert path[:, 1].max() > 1.3


def test_a_kick_sends_a_ball_ahead():
    scene = scene_with(ball_prop("ball", 0.12, 0.0, 0.55))
    session = performed(scene, led([(0, 0, 0, 0), (3, 0, 0, 0)], held=(0, 9), kick=(0.5, 0.6)))
    assert events(session) == ["kicked ball"]
    assert places(session)[-1, 2] > 2.0


def test_a_ball_grows_on_snow_with_its_way():
    ball = ball_prop("ball", 0.35, 0.0, 1.1)
    low = [(1.9, 0, -0.4, 0.45), (2.3, 0, -0.4, 0.45), (4.3, 0, -0.4, 1.9), (5.2, 0, 0, 1.9)]
    session = performed(
        scene_with(ball), led([(0, 0, 0, 0), (1.1, 0, 0, 0.45), *low]), Terrain(snow=0.05)
    )
    scale = session.ticks[-1].objects[0].scale
    assert scale == 1.0, "a rig without channels of scale does not grow"


def test_a_prop_is_itself_held_by_the_stick_and_set_down():
    scene = scene_with(box_prop("box", (0.3, 0.22, 0.26), 0.0, 1.0))
    whole = led([(0, 0, 0, 0), (1, 0, 0.5, 0), (2, 1, 0.5, 0), (3.5, 1, 0.5, 0)], held=(0.0, 2.0))
    tilt = np.array([np.cos(0.2), 0.0, 0.0, np.sin(0.2)])
    poses = whole.poses.copy()
    poses[90:, 0, 3:] = tilt
    whole = Performance(whole.times, poses, buttons=whole.buttons, button_names=("held",))
    session = performed(scene, whole, character="box")
    names = [state.value for _, state in session.states]
    assert names[:3] == ["locomotion", "held", "fall"]
    assert names[-1] == "locomotion"
    take = session.finish().apply(scene).props[0].takes[-1]
    world = forward(take.rig, take.base.values[-1:])[0, 0]
    assert world[1, 3] == pytest.approx(0.11, abs=0.002)
    assert world[1, 1] == pytest.approx(1.0, abs=1e-3), "it stands upright again"


def test_a_snowball_is_itself_held_by_the_stick():
    scene = scene_with(snowball("Ball", 0.2, 0.6, 0.0))
    session = performed(scene, led([(0, 0, 0, 0), (1, 0, 0.5, 0)]), character="Ball")
    take = session.finish().apply(scene).props[0].takes[-1]
    heights = forward(take.rig, take.base.values)[:, 0, 1, 3]
    assert heights.max() > 0.6
    assert heights[0] == pytest.approx(0.2, abs=0.002)


def test_a_head_follows_a_place_smoothly_within_limits():
    character = PuppetSession(scene_with(), Target(), PuppetOptions()).character
    head = look_at(character.rig, character.stand)
    values, angles = character.stand, []
    for _ in range(RATE):
        values = head.applied(character.stand, np.array([2.0, 1.4, 1.0]), 0.0, 1 / RATE)
        angles.append(head.angles.copy())
    aside = forward(character.rig, values[None], [character.rig.joint("Head")])[0, 0]
    assert aside[0, 2] > 0.7, "to the left, where the place is"
    assert np.abs(np.diff(angles, axis=0)).max() < 0.1
    for _ in range(2 * RATE):
        head.applied(character.stand, np.array([5.0, -9.0, 0.5]), 0.0, 1 / RATE)
    assert abs(head.angles[0]) <= YAW + 0.2
    assert abs(head.angles[1]) <= PITCH + 0.2
    for _ in range(2 * RATE):
        values = head.applied(character.stand, np.array([0.0, 1.4, -3.0]), 0.0, 1 / RATE)
    assert values == pytest.approx(character.stand, abs=1e-2), "not behind itself"


@pytest.mark.parametrize("away", [0.2, 0.6, 1.5])
def test_hands_that_do_not_reach_do_not_shake(away):
    character = puppet_character(built_in("biped").characters[0])
    hands, palms = HandsOn(character.arms), []
    for tick in range(60):
        ahead = np.array([[0.1, 1.0, away], [-0.1, 1.0, away]]) + [0.001 * tick, 0.0, 0.0]
        values = hands.applied(character.stand, ahead, 1.0, 1 / 60)
        found = point_jacobian(character.rig, values[None], character.arms.palms, [])
        palms.append(found.position[0])
    steps = np.linalg.norm(np.diff(palms, axis=0), axis=2)
    assert steps[20:].max() < 0.02


@needs_data
def test_hands_are_found_by_the_shape_of_the_rig_and_pick_up_a_box():
    robot = read(DATA / "gltf" / "RobotExpressive.glb")
    character = puppet_character(robot.characters[0])
    assert character.arms is not None  # its joints named hands are controllers beside the arms
    assert [character.rig.names[each] for each in character.arms.palms.joints] == [
        "Palm2.L",
        "Palm2.R",
    ]
    size, low = character.size, character.lowest - character.height
    box = box_prop("box", (0.2 * size, 0.16 * size, 0.18 * size), 0.0, 0.7 * size)
    way = [(0.0, 0, 0, 0), (0.2, 0, 0, 0), (1.4, 0, 0, 0.42 * size), (1.5, 0, 0, 0.42 * size)]
    down = [(2.2, 0, low, 0.42 * size), (2.7, 0, low, 0.42 * size), (3.5, 0, 0, 0.42 * size)]
    session = performed(replace(robot, props=(box,)), led([*way, *down, (4, 0, 0, 0.42 * size)]))
    assert events(session) == ["near box", "picked box"]
    away = palms(session, session.ticks[-1]) - session.ticks[-1].objects[0].position
    assert np.linalg.norm(away, axis=1).max() < 0.13 * size
