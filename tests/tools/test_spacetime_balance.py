"""Balance and flight: where the middle of the body is, and what keeps it there."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright import read
from arcwright.kinematics.mass import body_mass
from arcwright.scene.constraint import BalanceConstraint, Contact, FlightConstraint
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool
from chains import place
from spacetime_edits import dragged

AIR = np.linspace(15, 25, 21) / 24


def standing():
    scene = read("biped:stand")
    feet = tuple(
        Contact(Point(f"{side}{part}"), 0, 1)
        for side in ("Left", "Right")
        for part in ("Foot", "Toes")
    )
    return replace(scene, constraints=feet)


def centre(scene, times):
    character = scene.characters[0]
    mass = body_mass(character.rig, character.shapes)
    paths = np.stack([place(scene, point, times) for point in mass.points(character.rig)])
    return np.tensordot(mass.share, paths, 1)


def test_the_centre_of_a_standing_body_is_over_its_feet_a_little_above_half_its_height():
    x, y, z = centre(standing(), [0.5])[0]
    assert abs(x) < 0.005
    assert 0.85 < y < 1.05
    assert -0.05 < z < 0.12


@pytest.mark.parametrize("name", ["biped", "dinosaur", "dragon", "spider", "robot", "lamp"])
def test_the_shares_of_a_body_are_one_in_all(name):
    character = read(name).characters[0]
    mass = body_mass(character.rig, character.shapes)
    assert mass.share.sum() == pytest.approx(1)
    assert (mass.share > 0).all()
    assert len(mass.points(character.rig)) == len(mass.share)


def test_balance_keeps_the_centre_of_mass_over_the_feet_while_a_hand_reaches_far():
    scene, hand, times = standing(), Point("LeftHand"), np.linspace(0.2, 0.8, 7)
    by = [0.0, 0.1, 0.85]
    free, _ = dragged(scene, hand, 0.5, by, body_follows=1.0)
    balance = (BalanceConstraint(0, 1),)
    held, _ = dragged(scene, hand, 0.5, by, more=balance, body_follows=1.0)
    front = max(place(scene, Point(f"{side}Toes"), 0.5)[0, 2] for side in ("Left", "Right")) + 0.11
    assert centre(free, times)[:, 2].max() > front + 0.01
    assert centre(held, times)[:, 2].max() < front + 5e-3
    assert np.linalg.norm(place(held, hand, 0.5) - place(scene, hand, 0.5) - by) < 5e-3


def off_parabola(scene, times, like=None):
    """(T,) m, from the nearest way that falls with 9.81 m/s^2, or as another scene does."""
    free = centre(scene, times)
    if like is None:
        free[:, 1] += 0.5 * 9.81 * times**2
    else:
        free -= centre(like, times)
    straight = np.stack([np.ones(len(times)), times], axis=1)
    return np.linalg.norm(straight @ np.linalg.lstsq(straight, free, rcond=None)[0] - free, axis=1)


def jumped(by, more, ways=((),)):
    """A jump whose hips are moved in the air, by one update of the drag or more."""
    scene, hips = read("biped:jump"), Point("Hips")
    start = place(scene, hips, 20 / 24)[0]
    ends = []
    for way in ways:
        options = SpacetimeOptions(adapt_timing="off")
        session = SpacetimeTool().begin(scene, Target(), options, more)
        for there in (*way, by):
            session.update(Drag(hips, 20 / 24, position=start + there))
        ends.append(session.finish().apply(scene))
        assert place(ends[-1], hips, 20 / 24)[0] == pytest.approx(start + by, abs=1e-3)
    return scene, *ends


@pytest.mark.parametrize("by", [[0, 0.05, 0], [0.1, 0.1, 0.05]])
def test_in_flight_the_centre_falls_as_it_did_wherever_the_hips_go(by):
    before, free = jumped(by, ())
    ways = ((), ([-0.1, 0, 0.1], [0.05, 0.1, 0]))
    _, *flown = jumped(by, (FlightConstraint(15 / 24, 25 / 24),), ways)
    assert off_parabola(free, AIR, before).max() > 0.005
    for after in flown:
        assert off_parabola(after, AIR, before).max() < 3e-3
    whole = np.linspace(0, 41 / 24, 42)
    paths = [place(after, Point("LeftHand"), whole) for after in flown]
    assert paths[0] == pytest.approx(paths[1], abs=3e-3)


def test_a_flight_with_a_gravity_comes_near_to_a_parabola():
    before, after = jumped([0, 0.05, 0], (FlightConstraint(15 / 24, 25 / 24, 9.81),))
    assert off_parabola(before, AIR).max() > 0.04
    assert off_parabola(after, AIR).max() < 0.015


def test_a_flight_of_a_single_frame_has_no_term():
    by = [0, 0.05, 0]
    _, free = jumped(by, ())
    _, after = jumped(by, (FlightConstraint(0.5, 0.5),))
    assert place(after, Point("LeftHand"), AIR) == pytest.approx(
        place(free, Point("LeftHand"), AIR), abs=1e-6
    )
