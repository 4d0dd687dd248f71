"""Cars as puppets: wheels that roll without slipping, wherever the stick leads them."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import arcwright
from arcwright.characters import built_in
from arcwright.kinematics.forward import forward
from arcwright.scene.target import Target
from arcwright.scene.terrain import Block, Terrain
from arcwright.tools.gesture import Performance, chunks
from arcwright.tools.puppet.driving.wheels import chassis_of
from arcwright.tools.puppet.measures import measures
from arcwright.tools.puppet.options import PuppetOptions
from arcwright.tools.puppet.puppet_character import puppet_character
from arcwright.tools.puppet.session import PuppetSession
from arcwright.tools.puppet.state_machine import State
from random_cases import examples

RATE = 60
RADIUS = 0.18
WHEELS = ("LeftFrontWheel", "RightFrontWheel", "LeftRearWheel", "RightRearWheel")


def led(way, held=None):
    """A stick (T, 3) m from where it grabs the car."""
    poses = np.zeros((len(way), 1, 7))
    poses[:, 0, :4] = [0.0, 1.6, -1.5, 1.0]
    poses[:, 0, :3] += way
    down = np.ones((len(way), 1), bool) if held is None else held[:, None]
    return Performance(np.arange(len(way)) / RATE, poses, buttons=down, button_names=("held",))


def performed(performance, terrain=None, scene=None):
    scene = replace(scene or built_in("car"), ground=terrain or Terrain())
    session = PuppetSession(scene, Target(), PuppetOptions(rate=RATE))
    session.update(performance)
    return session


def times(seconds):
    return np.arange(round(seconds * RATE) + 1) / RATE


def along(x, z, y=0.0):
    return np.stack(np.broadcast_arrays(x, y, z), axis=1).astype(float)


def slips(session):
    """(N, 4) m of each tick on the ground: how far wheels slip along and across their direction.

    A wheel goes along an arc, whose chord has the mean of its directions at both ends.
    """
    values = np.array([tick.values for tick in session.ticks])
    rig = session.character.own.own
    world = forward(rig, values, [rig.joint(name) for name in ("Body", *WHEELS)])
    heading = np.unwrap(np.arctan2(world[:, 0, 0, 2], world[:, 0, 2, 2]))
    rolled = values[:, [rig.channel(f"{name}.rotate.x") for name in WHEELS]]
    steered = np.zeros_like(rolled)
    steered[:, :2] = values[:, [rig.channel(f"{name}.rotate.y") for name in WHEELS[:2]]]
    moved = np.diff(world[:, 1:, :3, 3], axis=0)
    middle = ((heading[1:] + heading[:-1]) / 2)[:, None] + steered[1:]
    ahead = moved[..., 0] * np.sin(middle) + moved[..., 2] * np.cos(middle)
    across = moved[..., 0] * np.cos(middle) - moved[..., 2] * np.sin(middle)
    arc = ahead / np.sinc(np.diff(heading) / (2 * np.pi))[:, None]
    drives = np.array([tick.state is State.LOCOMOTION for tick in session.ticks])
    both = drives[1:] & drives[:-1]
    return (arc - RADIUS * np.diff(rolled, axis=0))[both], across[both]


def bodies(session):
    rig, values = session.character.own.own, np.array([tick.values for tick in session.ticks])
    return forward(rig, values, [rig.joint("Body")])[:, 0]


def off(session):
    """(T,) m over the ground from the body to the end of the stick."""
    ends = np.array([tick.end for tick in session.ticks])
    return np.linalg.norm((bodies(session)[:, :3, 3] - ends)[:, [0, 2]], axis=1)


@examples(12, 200)
@given(
    st.lists(
        st.tuples(st.floats(-4, 4), st.floats(-4, 4), st.floats(-0.5, 1.0), st.booleans()),
        min_size=2,
        max_size=6,
    )
)
def test_no_wheel_slips_wherever_the_stick_goes(corners):
    at = np.linspace(0, 1, len(corners) + 1)
    places = np.concatenate([np.zeros((1, 3)), np.array(corners)[:, [0, 2, 1]]])
    share = np.linspace(0, 1, 40 * len(corners))
    way = np.stack([np.interp(share, at, places[:, axis]) for axis in range(3)], axis=1)
    held = np.array([corners[min(int(s * len(corners)), len(corners) - 1)][3] for s in share])
    session = performed(led(way, held))
    rolling, sideways = slips(session)
    assert np.isfinite(np.array([tick.values for tick in session.ticks])).all()
    assert np.abs(rolling).max(initial=0.0) < 1e-6
    assert np.abs(sideways).max(initial=0.0) < 1e-6


@pytest.mark.parametrize(
    ("name", "most"), [("straight", 0.015), ("circle", 0.01), ("backwards", 0.05)]
)
def test_it_follows_the_stick_without_lag(name, most):
    t = times(8)
    ways = {
        "straight": along(0.0, 1.5 * t),
        "circle": along(2 - 2 * np.cos(0.6 * t), 2 * np.sin(0.6 * t)),
        "backwards": along(0.0, -0.8 * t),
    }
    session = performed(led(ways[name]))
    measured = measures(session.character, session.ticks, RATE, Terrain())
    print(name, measured["lag_ms"], measured["distance_rms_m"], off(session)[-1])
    assert measured["lag_ms"] < 10
    assert measured["distance_rms_m"] < most
    if name == "backwards":  # without turning round
        assert bodies(session)[-1, 2, 2] > 0.99


@pytest.mark.parametrize("x", [-2.5, -0.7, 0.5, 1.2])
@pytest.mark.parametrize("z", [-1.5, -0.3, 0.0, 0.8])
def test_it_parks_where_the_stick_stops(x, z):
    share = np.clip(times(9) / 0.8, 0, 1)
    session = performed(led(along(x * share, z * share)))
    ended = off(session)
    assert ended[-1] < 0.16
    assert np.ptp(ended[-30:]) < 1e-9


def test_a_tremor_does_not_move_a_parked_car():
    t = times(3)
    session = performed(led(along(0.003 * np.sin(40 * t), 0.003 * np.sin(50 * t))))
    assert np.ptp(bodies(session)[:, :3, 3], axis=0).max() < 1e-9


def test_lifted_it_hangs_with_hanging_wheels_and_released_it_falls():
    t = times(4)
    high = 0.6 * np.clip(t - 0.5, 0, 1)
    session = performed(led(along(0.0, t, high), held=t < 2))
    assert [state.value for _, state in session.states] == [
        *("locomotion", "held", "fall", "landing", "locomotion")
    ]
    rig = session.character.own.own
    drop = np.array(
        [tick.values[rig.channel("LeftRearWheel.translate.y")] for tick in session.ticks]
    )
    assert drop.min() < -0.045
    assert drop[-1] == pytest.approx(0.0, abs=1e-6)
    height = bodies(session)[:, 1, 3]
    assert height.max() > 0.8
    assert height[-1] == pytest.approx(height[0], abs=1e-6)
    assert np.abs(np.diff(height)).max() < 0.1


def test_it_goes_up_a_ramp_and_stops_at_a_wall():
    t = times(5)
    ramp = Terrain((Block((-2, 2), (1, 4), (0.0, 0.6)),))
    session = performed(led(along(0.0, 0.6 * t, 0.12 * np.clip(0.6 * t - 1, 0, None))), ramp)
    pitch = np.degrees(np.arcsin(-bodies(session)[-1, 1, 2]))
    assert abs(pitch) == pytest.approx(np.degrees(np.arctan(0.2)), abs=1)
    wall = Terrain((Block((-2, 2), (1.5, 3), (1.0, 1.0)),))
    session = performed(led(along(0.0, 0.6 * t)), wall)
    assert bodies(session)[-1, 2, 3] < 1.0


def test_how_samples_are_cut_changes_nothing():
    t = times(2)
    path = led(along(np.sin(2 * t), t))
    whole, session = performed(path), PuppetSession(built_in("car"), Target(), PuppetOptions())
    for part in chunks(path, 7):
        session.update(part)
    assert np.array_equal(whole.ticks[-1].values, session.ticks[-1].values)


def test_a_performance_of_a_car_is_punched_into_where_it_drives():
    t = times(3)
    scene = performed(led(along(0.2 * t, t))).finish().apply(built_in("car"))
    again = PuppetSession(scene, Target(take="performance", time=2.0), PuppetOptions())
    again.update(led(along(0.0, t)))
    values = again.finish().apply(scene).characters[0].takes[-1].base.values
    assert np.abs(np.diff(values[110:140], axis=0)).max() < 0.3


def test_a_car_of_another_program_has_wheels_too(tmp_path):
    arcwright.write(built_in("car"), tmp_path / "car.glb")
    scene = arcwright.read(tmp_path / "car.glb")
    assert chassis_of(puppet_character(scene.characters[0])) is not None
    t = times(2)
    theirs, ours = (
        performed(led(along(0.3 * t, t)), scene=each) for each in (scene, built_in("car"))
    )
    for name in WHEELS:
        places = [
            forward(each.character.own.own, each.ticks[-1].values[None])[0][
                each.character.own.own.joint(name)
            ]
            for each in (theirs, ours)
        ]
        assert np.abs(places[0] - places[1]).max() < 1e-4


def test_other_characters_are_no_cars():
    assert chassis_of(puppet_character(built_in("spider").characters[0])) is None
