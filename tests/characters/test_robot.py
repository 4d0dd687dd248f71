from dataclasses import replace

import numpy as np
import pytest

from arcwright.characters import built_in
from arcwright.characters.robot_course import BAR, HOOP, PILLAR, SPAN
from arcwright.scene.point import Point
from arcwright.scene.take import Take
from cast import (
    character,
    check_asset,
    check_limits,
    check_mesh,
    check_stiffness,
    clip_of,
    key_times,
    path,
)

BODY = [  # joint, offset and radius (m) of balls that fill the robot
    ("Body", (0, 0, 0), 0.155),
    ("Body", (0, -0.12, 0), 0.1),
    ("Head", (0, 0.1, 0), 0.16),
    ("LeftRotor", (0, 0, 0), 0.135),
    ("RightRotor", (0, 0, 0), 0.135),
]
TIMES = np.linspace(0, 3, 289)


def flight():
    return character("robot").take("flight")


def to_line(places, a, b):
    a, b = np.array(a, float), np.array(b, float)
    share = np.clip((places - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
    return np.linalg.norm(places - a - share[:, None] * (b - a), axis=1)


def to_bar(places):
    (x, y, z), radius = BAR
    return to_line(places, (x - SPAN, y, z), (x + SPAN, y, z)) - radius


def to_pillar(places):
    (x, y, z), radius = PILLAR
    return to_line(places, (x, 0, z), (x, 2 * y, z)) - radius


def to_hoop(places):
    middle, radius, thick = HOOP
    x, y, z = (places - np.array(middle)).T
    return np.hypot(np.hypot(x, y) - radius, z) - thick


OBSTACLES = {"Bar": to_bar, "Pillar": to_pillar, "Hoop": to_hoop}


def gaps(take, times, obstacle):
    """Distance of the robot from an obstacle at each time, m, below 0 inside it."""
    balls = [
        OBSTACLES[obstacle](path(take, Point(joint, np.array(offset)), times)) - radius
        for joint, offset, radius in BODY
    ]
    return np.min(balls, axis=0)


def bent(take, changes):
    """The take with handle heights changed: channel, key, side (0 in, 1 out), by how much."""
    curves = list(clip_of(take).curves)
    for name, key, side, change in changes:
        at = take.rig.channel(name)
        tangent = curves[at].tangent.copy()
        tangent[key, side, 1] += change
        curves[at] = replace(curves[at], tangent=tangent)
    return Take(take.rig, replace(clip_of(take), curves=tuple(curves)))


def test_mesh_limits_stiffness_and_asset_are_sound():
    check_mesh(character("robot"))
    check_limits(flight())
    check_stiffness(character("robot"))
    check_asset("robot")


def test_the_flight_has_exactly_four_keys_in_every_channel_it_uses():
    assert key_times(flight()) == [0.0, 1.0, 2.0, 3.0]
    assert {len(curve) for curve in clip_of(flight()).curves if curve is not None} == {4}


def test_the_obstacles_stand_on_the_floor():
    props = built_in("robot:flight").props
    assert [prop.name for prop in props] == list(OBSTACLES)
    for prop in props:
        check_mesh(prop)
        low = min(p.attributes["POSITION"][:, 1].min() for s in prop.shapes for p in s.parts)
        assert low == pytest.approx(0, abs=0.002)


@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_the_default_flight_hits_every_obstacle_between_keys_and_none_at_a_key(obstacle):
    assert gaps(flight(), TIMES, obstacle).min() < -0.03
    assert gaps(flight(), np.array(key_times(flight())), obstacle).min() > 0.05


def test_handles_alone_can_lead_it_past_all_of_them():
    x, y = "Body.translate.x", "Body.translate.y"
    duck = [(y, 0, 1, -0.9), (y, 1, 0, 0.9)]
    around = [(x, 1, 1, -1.2), (x, 2, 0, 1.2)]
    through = [(y, 2, 1, 0.75), (y, 3, 0, -0.75)]
    edited = bent(flight(), [*duck, *around, *through])
    for obstacle in OBSTACLES:
        assert gaps(edited, TIMES, obstacle).min() > 0.02, obstacle
    for before, after in zip(clip_of(flight()).curves, clip_of(edited).curves, strict=True):
        if before is not None:
            assert (before.time == after.time).all()
            assert (before.value == after.value).all()


def test_rotors_rotate_evenly_in_opposite_directions():
    rig = flight().rig
    left, right = (
        clip_of(flight()).curves[rig.channel(f"{side}Rotor.rotate.y")] for side in ("Left", "Right")
    )
    assert np.allclose(left.value, -right.value)
    assert np.allclose(np.diff(left.value), left.value[1])


def test_hovering_it_is_still_and_loops_without_obstacles():
    clip = clip_of(character("robot").take("hover"))
    assert (clip.duration, clip.loops) == (1.0, True)
    assert all(curve is not None and np.ptp(curve.value) == 0 for curve in clip.curves)
    check_limits(character("robot").take("hover"))
    assert not built_in("robot:hover").props
