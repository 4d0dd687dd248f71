import json
from pathlib import Path

import numpy as np
import pytest

from arcwright.kinematics.contact import footplants
from arcwright.kinematics.resting import rest_speed
from arcwright.kinematics.stances import sole_paths, stances
from arcwright.scene.motion import Motion
from arcwright.scene.rig import ChannelTable, Kind, Rig
from arcwright.scene.take import Take
from data import DATA, needs_data

MARKS = Path(__file__).resolve().parents[2] / "benchmarks" / "stances" / "marks.json"
PARTS = ("Foot", "ToeBase", "ToeBase_End")
PLACE = {"Foot": (0.0, 0.08), "ToeBase": (0.14, 0.02), "ToeBase_End": (0.2, 0.02)}


def runner():
    """A head above two feet, whose heel, ball and toes move freely."""
    names, parents, offset = ["Head"], [-1], [[0.0, 1.7, 0.0]]
    for side, x in (("Left", 0.1), ("Right", -0.1)):
        foot = len(names)
        for part in PARTS:
            names.append(side + part)
            parents.append(-1 if part == "Foot" else foot if part == "ToeBase" else foot + 1)
            offset.append([x, 0.0, 0.0] if part == "Foot" else [0.0, 0.0, 0.0])
    moving = [(joint, axis) for joint in range(1, 7) for axis in (1, 2)]
    return Rig(
        names=tuple(names),
        parents=parents,
        offset=offset,
        rest=[[1.0, 0, 0, 0]] * 7,
        scale=np.ones((7, 3)),
        modes=("XYZ",) * 7,
        channels=ChannelTable.of(
            [joint for joint, _ in moving], [Kind(axis) for _, axis in moving]
        ),
    )


def gait(rate, stance=0.1, period=0.6, speed=4.0, roll=0.0, in_place=False, seconds=2.4):
    """A take whose feet stand for a time in each period, half a period apart.

    With `roll`, the ball comes down that long after, and the heel rises that long before it ends.
    """
    time = np.arange(int(seconds * rate) + 1) / rate
    values = np.zeros((len(time), 12))
    for side, shift in enumerate((0.0, period / 2)):
        phase = (time + shift) % period
        step = np.floor((time + shift) / period) - shift / period
        place = _way(phase, 0.0, stance, period) * speed * period
        for part, name in enumerate(PARTS):
            ahead, up = PLACE[name]
            down = (roll if name != "Foot" else 0.0, stance - roll if name == "Foot" else stance)
            lift = _lift(phase, *down, period)
            forward = place + step * speed * period + ahead
            forward -= time * speed if in_place else 0.0
            values[:, 6 * side + 2 * part] = up + lift
            values[:, 6 * side + 2 * part + 1] = forward
    for side in (0, 6):  # of the parts after the first, seen from their parents
        values[:, side + 4 : side + 6] -= values[:, side + 2 : side + 4]
        values[:, side + 2 : side + 4] -= values[:, side : side + 2]
    return Take(runner(), Motion("run", time, values, rate))


def _way(phase, start, end, period):
    """0 in the stance, then to 1 until the next."""
    return np.clip((phase - end) / (period - (end - start)), 0.0, 1.0)


def _lift(phase, start, end, period):
    """0 from start to end of a stance, an arc of 25 cm in the rest of the period."""
    along = ((phase - end) % period) / (period - (end - start))
    return np.where((phase >= start) & (phase <= end), 0.0, 0.25 * np.sin(np.pi * along.clip(0, 1)))


def spans_of(found, joint):
    return [(each.start, each.end) for each in found if each.joint == joint]


@pytest.mark.parametrize("rate", [30.0, 60.0, 120.0])
def test_short_stances_of_a_run_are_found_at_any_frame_rate(rate):
    found = spans_of(stances(gait(rate)), "LeftToeBase")
    expected = [(0.6 * step, 0.6 * step + 0.1) for step in range(5)]
    assert np.allclose(found[:4], expected[:4], atol=0.034)


def test_a_stance_lasts_from_the_strike_of_the_heel_until_the_toes_leave():
    take = gait(120.0, stance=0.3, roll=0.08, speed=2.0)
    for start, end in spans_of(stances(take), "RightToeBase")[1:3]:
        assert end - start == pytest.approx(0.3, abs=0.03)
    for each in footplants(take):
        assert each.end - each.start < 0.28


def test_a_run_in_place_has_stances_but_no_footplants():
    take = gait(60.0, in_place=True)
    assert sole_paths(take).in_place
    assert sole_paths(take).ground == pytest.approx([0, 0, -4.0], abs=0.4)
    assert len(spans_of(stances(take), "LeftToeBase")) >= 4
    assert footplants(take) == ()


def test_a_run_that_travels_stands_on_ground_that_rests():
    take = gait(60.0)
    assert not sole_paths(take).in_place
    assert not sole_paths(take).ground.any()
    assert len({(each.point.joint, each.start) for each in footplants(take)}) >= 7


def test_the_first_and_last_moment_of_a_rest_are_slow():
    time = np.arange(31) / 30
    place = np.zeros((31, 1, 3))
    place[:, 0, 2] = np.where(time < 0.5, 0.0, time - 0.5) * 3
    speed = rest_speed(time, place, 0.033)[:, 0]
    assert np.flatnonzero(speed > 0.1).min() == 16


@needs_data
@pytest.mark.parametrize("name", ["02_03_run", "35_22_run", "02_01_walk", "143_10_pickup_toolbox"])
def test_stances_agree_with_those_marked_by_hand(name):
    from arcwright.files import bvh

    clip = next(each for each in json.loads(MARKS.read_text())["clips"] if each["name"] == name)
    take = bvh.read(DATA / clip["file"]).characters[0].takes[0]
    first, last = clip["frames"]
    for side, marked in clip["stances"].items():
        flags = np.zeros((2, last + 1), bool)
        for a, b in marked:
            flags[0, a : b + 1] = True
        for start, end in spans_of(stances(take), f"{side.title()}ToeBase"):
            flags[1, max(round(start * take.rate), first) : round(end * take.rate) + 1] = True
        both = (flags[0] & flags[1]).sum()
        assert both >= 0.8 * flags[0].sum()
        assert both >= 0.85 * flags[1].sum()
