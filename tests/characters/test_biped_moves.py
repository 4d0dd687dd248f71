"""The clips that puppeteering blends: idles, gaits, the airborne phase, get-ups and one-shots."""

import numpy as np
import pytest

from arcwright.characters import built_in
from arcwright.curves.evaluate import evaluate_curve
from arcwright.kinematics.forward import forward
from arcwright.kinematics.mass import body_mass
from arcwright.kinematics.sample import sample
from arcwright.kinematics.skinning import deform
from arcwright.scene.point import Point
from cast import character, check_limits, clip_of, dense, path

LOOPS = ("idle", "run", "crouch", "crouch_walk")
STRIKES = ("punch", "kick", "throw")
GET_UPS = ("get_up_back", "get_up_front")
MOVES = (*LOOPS, "mid_jump", *STRIKES, *GET_UPS)
RATE = 24.0


def take_of(name):
    return character("biped").take(name)


def contacts_of(name):
    return built_in(f"biped:{name}").contacts


def frame_values(name):
    take = take_of(name)
    return sample(take, np.arange(round(take.duration * RATE) + 1) / RATE).values


def lowest(values):
    """Height of the lowest point of the skin in each pose, (T,) m."""
    actor = character("biped")
    world = forward(actor.rig, values)
    skins = [deform(actor, row, place) for row, place in zip(values, world, strict=True)]
    return np.array([min(part.positions[:, 1].min() for part in skin) for skin in skins])


def hips(name, frames):
    return path(take_of(name), Point("Hips"), np.asarray(frames) / RATE)


def speed(name):
    take = take_of(name)
    start, end = hips(name, [0, take.duration * RATE])
    return (end - start)[2] / take.duration


@pytest.mark.parametrize("name", MOVES)
def test_limits_hold_at_keys_and_in_between(name):
    check_limits(take_of(name))


@pytest.mark.parametrize("name", MOVES)
def test_planted_points_stay_within_a_millimetre(name):
    take = take_of(name)
    for contact in contacts_of(name):
        times = np.arange(contact.start, contact.end + 1e-9, 1 / (8 * RATE))
        places = path(take, contact.point, times)
        slide = np.linalg.norm(places - places[0], axis=1).max() * 1000
        print(f"{name} {contact.point.joint} from {contact.start * RATE:g}: {slide:.2f} mm")
        assert slide < 1


@pytest.mark.parametrize("name", [name for name in MOVES if name != "mid_jump"])
def test_every_move_that_touches_the_ground_has_contacts(name):
    assert contacts_of(name)


@pytest.mark.parametrize("name", MOVES)
def test_the_skin_stays_above_the_ground(name):
    deepest = lowest(frame_values(name)).min()
    print(f"{name}: lowest vertex {deepest * 1000:.1f} mm")
    assert deepest > (-0.01 if name in GET_UPS else -0.005)


@pytest.mark.parametrize("name", LOOPS)
def test_loops_close_in_position_and_velocity(name):
    take = take_of(name)
    clip = clip_of(take)
    assert clip.loops
    for channel, curve in zip(take.rig.channel_names, clip.curves, strict=True):
        if curve is None:
            continue
        small = 1e-6
        ends = np.array([0, small, clip.duration - small, clip.duration])
        start, after, before, end = evaluate_curve(curve, ends)
        if channel != "Hips.translate.z":
            assert end == pytest.approx(start, abs=1e-6), channel
        assert (end - before) / small == pytest.approx((after - start) / small, abs=0.02), channel


@pytest.mark.parametrize("name", ["idle", "crouch"])
def test_idles_do_not_travel(name):
    assert np.allclose(*hips(name, [0, take_of(name).duration * RATE]))
    assert np.ptp(hips(name, np.arange(take_of(name).duration * RATE)), axis=0).max() < 0.08


def test_gaits_have_their_speeds_and_heights():
    assert 3.3 < speed("run") < 3.8
    assert 0.6 < speed("crouch_walk") < 0.8
    assert 0.62 < take_of("run").duration < 0.72
    assert hips("crouch_walk", range(29))[:, 1].max() < 0.62
    assert 0.5 < hips("crouch", range(61))[:, 1].mean() < 0.55


@pytest.mark.parametrize("name", ["walk", "run", "crouch_walk"])
def test_feet_carry_in_turn_half_a_cycle_apart(name):
    period = take_of(name).duration
    starts = {}
    for contact in contacts_of(name):
        side = contact.point.joint[: -len("Toes")]
        if side not in starts or contact.start > 0:  # the part after the seam began before it
            starts.setdefault(side, contact.start)
            starts[side] = max(starts[side], contact.start)
    assert starts["Right"] - starts["Left"] == pytest.approx(period / 2)


def test_the_run_flies_twice_in_a_cycle():
    height = lowest(dense(take_of("run"))[:-1])
    flying = height > 0.002
    lift_offs = flying & ~np.roll(flying, 1)
    assert lift_offs.sum() == 2
    duty = 5 / 16  # of one foot, as the contacts say
    assert flying.mean() == pytest.approx(1 - 2 * duty, abs=0.06)


def test_the_run_falls_freely_while_it_flies():
    frames = np.arange(6.5, 9.51, 0.25)
    height = hips("run", frames)[:, 1]
    curvature = np.polyfit((frames - 8) / RATE, height, 2)[0] * 2
    assert curvature == pytest.approx(-9.8, abs=2.5)


@pytest.mark.parametrize("name", STRIKES)
def test_strikes_begin_and_end_as_idle_begins(name):
    ends = frame_values(name)[[0, -1]]
    assert np.allclose(ends, frame_values("idle")[0], atol=1e-5)


@pytest.mark.parametrize("name", GET_UPS)
def test_get_ups_begin_flat_and_end_as_idle_begins(name):
    values = frame_values(name)
    assert np.allclose(values[-1], frame_values("idle")[0], atol=1e-5)
    world = forward(take_of(name).rig, values[:1])[0]
    high = [world[take_of(name).rig.joint(joint), 1, 3] for joint in ("Hips", "Chest", "LeftFoot")]
    high += [world[take_of(name).rig.joint(f"{side}Hand"), 1, 3] for side in ("Left", "Right")]
    assert max(high) < 0.15
    up = world[take_of(name).rig.joint("Hips"), 1, 2]  # of the way the hips face
    assert up == pytest.approx(1 if name == "get_up_back" else -1, abs=0.02)
    assert 40 <= len(values) - 1 <= 60


def test_mid_jump_stays_in_its_place_and_tucks_in_the_middle():
    values = frame_values("mid_jump")
    places = hips("mid_jump", range(len(values)))
    assert np.ptp(places[:, [0, 2]], axis=0).max() < 1e-6
    assert np.ptp(places[:, 1]) < 0.12
    height = lowest(values)
    assert height.argmax() == pytest.approx((len(values) - 1) / 2, abs=1)
    assert height.max() > 0.15
    assert abs(height[[0, -1]]).max() < 0.005


def centre_of_mass(name):
    actor = character("biped")
    mass = body_mass(actor.rig, actor.shapes)
    world = forward(actor.rig, frame_values(name), mass.joints.tolist())
    places = np.einsum("tpij,pj->tpi", world[:, :, :3, :3], mass.centre) + world[:, :, :3, 3]
    return np.einsum("p,tpi->ti", mass.share, places)


@pytest.mark.parametrize("name", ["idle", "crouch", *STRIKES])
def test_the_weight_stays_over_the_feet(name):
    x, _, z = centre_of_mass(name).T
    assert abs(x).max() < 0.15
    assert z.min() > -0.09  # the heels
    assert z.max() < 0.185  # the toes


def test_the_kick_balances_on_the_left_foot():
    x = centre_of_mass("kick")[9:19, 0]
    assert abs(x - 0.105).max() < 0.035


def points_of_arms(world, rig):
    """Points along forearms and hands (T, P, 3) and how thick they are there (P,), m."""
    places, thick = [], []
    for side in ("Left", "Right"):
        elbow, wrist, finger = (
            world[:, rig.joint(f"{side}{name}"), :3, 3]
            for name in ("LowerArm", "Hand", "MiddleIntermediate")
        )
        for share in (0.4, 0.7, 1.0):
            places.append(elbow + (wrist - elbow) * share)
            thick.append(0.03)
        for share in (0.4, 0.8):
            places.append(wrist + (finger - wrist) * share)
            thick.append(0.02)
    return np.stack(places, axis=1), np.array(thick)


@pytest.mark.parametrize("name", MOVES)
def test_arms_stay_out_of_trunk_and_legs(name):
    actor = character("biped")
    rig = actor.rig
    values = frame_values(name)[::3]
    world = forward(rig, values)
    arms, thick = points_of_arms(world, rig)
    trunk = ("Hips", "Spine", "Chest", "UpperChest", "Head", "UpperLeg", "LowerLeg")
    solid = [
        rig.joint(n) for n in rig.names if n.removeprefix("Left").removeprefix("Right") in trunk
    ]
    for row, places, points in zip(values, world, arms, strict=True):
        skin, normal = [], []
        moved = deform(actor, row, places)
        for part, surface in zip(actor.shapes[0].parts, moved, strict=True):
            own = actor.shapes[0].skin.joints[part.attributes["JOINTS_0"]]
            keep = (np.isin(own, solid) * part.attributes["WEIGHTS_0"]).sum(axis=1) > 0.95
            skin.append(surface.positions[keep])
            normal.append(surface.normals[keep])
        skin, normal = np.concatenate(skin), np.concatenate(normal)
        way = points[:, None] - skin[None]
        near = np.linalg.norm(way, axis=2).argmin(axis=1)
        out = (way[np.arange(len(points)), near] * normal[near]).sum(axis=1)
        far = np.linalg.norm(way[np.arange(len(points)), near], axis=1)
        assert (out - thick)[far < 0.08].min(initial=1) > -0.012


@pytest.mark.parametrize("name", MOVES)
def test_hands_and_forearms_do_not_touch_each_other(name):
    rig = character("biped").rig
    places, thick = points_of_arms(forward(rig, dense(take_of(name))), rig)
    half = len(thick) // 2
    apart = np.linalg.norm(places[:, :half, None] - places[:, None, half:], axis=3)
    assert (apart - thick[:half, None] - thick[half:]).min() > 0.01


@pytest.mark.parametrize("name", MOVES)
def test_knees_do_not_pop(name):
    take = take_of(name)
    for side in ("Left", "Right"):
        knee = dense(take)[:, take.rig.channel(f"{side}LowerLeg.rotate.x")]
        change = abs(np.diff(knee, 2)) * (4 * RATE)  # rad/s in a quarter frame
        assert change.max() < 12, side
