"""Flights are found where the centre of mass falls on a parabola, whatever gravity a file has."""

import numpy as np
import pytest

from arcwright.kinematics.flights import Flight, find_flights

TIMES = np.arange(240) / 120


def jump(gravity, air=0.5, take_off=0.8):
    """Heights of a crouch, a flight and a landing with continuous velocity."""
    speed = gravity * air / 2
    before = np.clip((TIMES - (take_off - 0.3)) / 0.3, 0, 1)
    pushed = -0.1 * np.sin(np.pi * before) * (before < 1)
    past = np.clip(TIMES - take_off, 0, air)
    landed = np.clip(TIMES - take_off - air, 0, 0.3)
    sink = speed * landed - speed * landed**2 / 0.6
    return 1 + pushed + speed * past - gravity * past**2 / 2 - sink * (landed > 0)


@pytest.mark.parametrize("gravity", [9.81, 12.7, 39.2])
def test_a_jump_is_found_with_its_gravity(gravity):
    air = 0.5 if gravity < 20 else 0.25
    (found,) = find_flights(TIMES, jump(gravity, air))
    assert found.gravity == pytest.approx(gravity, rel=0.06)
    assert found.start == pytest.approx(0.8, abs=0.04)
    assert found.end - found.start == pytest.approx(air, rel=0.12)


def test_a_walk_does_not_fly():
    assert find_flights(TIMES, 0.9 + 0.03 * np.sin(2 * np.pi * 1.8 * TIMES)) == ()


def test_a_few_frames_have_no_flight():
    assert find_flights(TIMES[:4], jump(9.81)[:4]) == ()


@pytest.mark.parametrize("rise", [0.3, 0.1, -0.05])
def test_a_higher_flight_takes_as_long_as_a_fall_from_there(rise):
    flight = Flight(0.0, 0.5, 9.81)
    height = 9.81 * 0.25**2 / 2 + rise
    assert 0.5 * flight.stretch(rise) == pytest.approx(2 * np.sqrt(2 * height / 9.81))
