"""Puppets on their feet: blend space, speeds, feet that stand."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.characters import built_in
from arcwright.kinematics.forward import forward
from arcwright.kinematics.places import places
from arcwright.tools.puppet.locomotion.periodic_spline import resampled
from arcwright.tools.puppet.locomotion.simplices import delaunay, grid_simplices
from arcwright.tools.puppet.locomotion.speed_map import Probes, SpeedMap, measured_at, shepard
from arcwright.tools.puppet.locomotion.walker import Walker
from arcwright.tools.puppet.measures import under_feet
from arcwright.tools.puppet.puppet_character import puppet_character
from random_cases import examples

FIVE = np.array([[0, 1], [0.5, 1], [1, 1], [0, 0], [1, 0.0]])  # the clips of figure 6.3
number = st.floats(-1, 2)


@pytest.fixture(scope="module")
def biped():
    return puppet_character(built_in("biped").characters[0])


def flat(x, z):
    return 0.0


@given(number, number)
@examples(50, 1000)
def test_a_point_is_blended_of_the_corners_around_it_or_of_the_nearest_place(x, y):
    found = delaunay(FIVE)
    members, share, inside = found.locate(np.array([x, y]))
    assert share.min() >= 0
    assert share.sum() == pytest.approx(1)
    nearest = np.clip([x, y], 0, 1)
    away = abs(nearest - [x, y]).max()
    assert inside == (away < 1e-9) or 1e-10 < away < 1e-8
    assert np.allclose(share @ FIVE[members], nearest, atol=1e-9)


@given(number, number, number)
@examples(30, 300)
def test_blend_spaces_may_have_three_dimensions(x, y, z):
    corners = np.array(list(np.ndindex(2, 2, 2)), float)
    members, share, _ = delaunay(corners).locate(np.array([x, y, z]))
    assert np.allclose(share @ corners[members], np.clip([x, y, z], 0, 1), atol=1e-7)


def test_a_grid_is_filled_by_its_simplices():
    points = np.array(list(np.ndindex(3, 4)), float)
    members = grid_simplices((3, 4))
    edges = points[members[:, 1:]] - points[members[:, :1]]
    assert np.abs(np.linalg.det(edges)).sum() / 2 == pytest.approx(2 * 3)


def test_the_blend_goes_at_the_speed_that_was_asked_for(biped):
    speeds = biped.gaits.speeds
    fastest = speeds.probes.measured[:, 0].max()
    for speed in np.linspace(0.02, fastest, 37):
        point = speeds.invert(speed, biped.height)
        realised = point.playback * _speed(biped, point.point)
        assert realised == pytest.approx(speed, abs=0.01 * fastest)
    beyond = speeds.invert(1.5 * fastest, biped.height)
    assert beyond.playback * _speed(biped, beyond.point) == pytest.approx(1.5 * fastest, rel=0.02)


def _speed(biped, point):
    points = biped.gaits.legs.toes.joined(places(biped.rig, [biped.grip]))
    return measured_at(biped.gaits.space, biped.gaits.writer, points, point)[0]


def test_speeds_are_measured_anew_for_other_proportions(biped):
    actor = built_in("biped").characters[0]
    legs = [joint for joint, name in enumerate(actor.rig.names) if "Leg" in name or "Foot" in name]
    offset = actor.rig.offset.copy()
    offset[legs] *= 1.2
    rig = replace(actor.rig, offset=offset)
    takes = tuple(replace(take, rig=rig) for take in actor.takes)
    longer = puppet_character(replace(actor, rig=rig, takes=takes))
    fastest = [each.gaits.speeds.probes.measured[:, 0].max() for each in (biped, longer)]
    assert fastest[1] > 1.05 * fastest[0]


def test_the_published_inverse_is_a_staircase(biped):
    probes = biped.gaits.speeds.probes
    wanted = np.linspace(0, probes.measured[:, 0].max(), 60)

    def ours(speed):
        found = biped.gaits.speeds.invert(speed, biped.height)
        return found.playback * _speed(biped, found.point)

    def published(speed):
        return _speed(biped, shepard(probes, speed, biped.height))

    first, second = (np.mean([abs(of(v) - v) for v in wanted]) for of in (ours, published))
    assert first < 0.5 * second


@pytest.mark.parametrize("speed", [0.0, 0.4, 1.2])
def test_feet_that_stand_do_not_slide(biped, speed):
    steps = _walk(biped, speed, 150)
    under = _under_feet(biped, steps)
    locked = np.array([step.locked for step in steps])
    both = locked[1:] & locked[:-1]
    slid = np.abs(np.diff(under, axis=0))[..., [0, 2]].max(axis=-1).min(axis=-1)  # heel or toes
    assert both.sum() > 100  # ticks in which a foot comes to a stop do not count
    assert slid[both].max() < 5e-4


@pytest.mark.parametrize("speed", [0.5, 1.2])
def test_one_foot_or_the_other_stands_on_its_heel_its_sole_or_its_toes(biped, speed):
    steps = _walk(biped, speed, 150)[30:]
    locked = np.array([step.locked for step in steps])
    assert (~locked.any(axis=1)).mean() < 0.25
    assert any(clip.heels.any() for clip in biped.gaits.space.clips)


@pytest.mark.parametrize("speed", [0.3, 0.9])
def test_feet_that_touch_the_ground_do_not_go_over_it(biped, speed):
    """Whether the walker takes them to stand or not: a foot that swings is above the ground."""
    steps = _walk(biped, speed, 150)[30:]
    under = _under_feet(biped, steps)
    low = under[..., 1] < 0.005 + biped.gaits.soles.level[:, None]
    stays = low[1:] & low[:-1]
    slid = np.hypot(*np.diff(under, axis=0)[..., [0, 2]].transpose(3, 0, 1, 2))
    least = np.where(stays, slid, np.inf).min(axis=-1)
    assert least[np.isfinite(least)].mean() < 7e-4  # m a tick; 4e-3 without heels
    assert under[..., 1].min() > -4e-3  # 14 mm without


def test_both_feet_stand_soon_after_a_walk_has_stopped(biped):
    """What is left of the walk in the blend lifts no foot."""
    walker, seconds = Walker(biped.gaits), 1 / 60
    for tick in range(60):
        walker.step(seconds, np.array([0, 0, tick / 60]), 0.0, 1.0, biped.height, flat)
    stops = [
        walker.step(seconds, np.array([0, 0, 1.0]), 0.0, 0.0, biped.height, flat) for _ in range(90)
    ]
    assert all(step.locked.all() for step in stops[60:])


def _walk(biped, speed, ticks):
    walker, seconds = Walker(biped.gaits), 1 / 60
    places = [np.array([0.0, 0.0, speed * tick * seconds]) for tick in range(ticks)]
    return [walker.step(seconds, place, 0.0, speed, biped.height, flat) for place in places]


def _under_feet(biped, steps):
    """(T, F, P, 3) m, toes first."""
    return under_feet(biped, np.array([step.values for step in steps]))


def test_legs_bend_where_there_is_no_clip_for_a_crouch():
    scene = built_in("biped:walk")
    biped = puppet_character(scene.characters[0])
    walker = Walker(biped.gaits)
    low = biped.height - 0.3
    for _ in range(60):
        step = walker.step(1 / 60, np.zeros(3), 0.0, 0.0, low, flat)
    world = forward(biped.rig, step.values[None])[0]
    assert world[biped.rig.joint(biped.grip.joint), 1, 3] == pytest.approx(low, abs=0.02)
    toes = world[biped.gaits.legs.toes.joints, 1, 3]
    assert toes == pytest.approx(biped.gaits.sole, abs=0.01)


def test_a_walk_has_no_kinks_at_ticks(biped):
    """The fourth difference of every joint is that of a smooth motion, knees included."""
    walker, seconds, poses = Walker(biped.gaits), 1 / 60, []
    for tick in range(150):
        place = np.array([0.0, 0.0, 0.9 * tick * seconds])
        poses.append(walker.step(seconds, place, 0.0, 0.9, biped.height, flat).values)
    world = forward(biped.rig, np.array(poses))[60:, :, :3, 3]
    jitter = np.linalg.norm(np.diff(world, 4, axis=0), axis=-1)
    assert np.median(jitter.max(axis=1)) < 2.5e-3  # m; 5e-3 with legs solved to 0.01 rad


def test_a_spline_goes_through_its_samples_and_is_smooth_between_them():
    phase = 2 * np.pi * np.arange(24) / 24
    wave = np.stack([np.sin(phase), np.cos(2 * phase), np.full(24, 3.0)], axis=1)
    fine = resampled(wave, 96)
    assert np.allclose(fine[::4], wave, atol=1e-12)
    truth = np.arange(96) * 2 * np.pi / 96
    assert np.abs(fine[:, 0] - np.sin(truth)).max() < 2e-5
    assert np.abs(fine[:, 2] - 3).max() < 1e-12


def test_a_growing_speed_never_goes_back_in_a_blend_that_is_slow_between_its_clips():
    points = np.stack([np.linspace(0, 1, 5), np.ones(5)], axis=1)
    measured = np.stack([[0, 1.0, 0.6, 0.8, 2.0], np.ones(5)], axis=1)
    speeds = SpeedMap(Probes(points, measured, np.zeros((5, 3)), (5, 1)))
    wanted = np.linspace(0.05, 1.95, 39)
    found = [speeds.invert(speed, 1.0) for speed in wanted]
    along = np.array([each.point[0] for each in found])
    assert (np.diff(along) > 0).all()
    played = np.interp(along, points[:, 0], measured[:, 0]) * [each.playback for each in found]
    assert np.allclose(played, wanted)
