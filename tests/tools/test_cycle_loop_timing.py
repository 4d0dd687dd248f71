"""Ticks dragged along a loop: exact, local, monotone, and periodic."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.tools.cycle.shaping.loop_timing import Tick, loop_timing
from random_cases import examples

RATE, REACH = 24.0, 0.25


@st.composite
def ticks(draw):
    """A loop or take, and up to three ticks on frames or between them."""
    loops, start = draw(st.booleans()), draw(st.sampled_from([0.0, 0.1]))
    length = draw(st.floats(0.4, 3.0))
    found = []
    for _ in range(draw(st.integers(1, 3))):
        frame = draw(st.integers(1, int(length * RATE) - 1))
        time = start + frame / RATE + draw(st.sampled_from([0.0, 0.0, 0.013]))
        way = draw(st.floats(-0.12, 0.12))
        found.append(Tick(time, time + way, draw(st.sampled_from([0.0, 0.0, 0.5, -0.7]))))
    return found, start, length, loops


@given(case=ticks())
@examples(60, 1000)
def test_time_goes_on_and_frames_beyond_the_range_stay(case):
    found, start, length, loops = case
    timing = loop_timing(found, start, length, RATE, REACH, loops=loops)
    times = np.linspace(start - 1, start + length + 1, 1501)
    moments = timing.moments(times)
    assert (np.diff(moments) > 0).all()
    assert timing.times(moments) == pytest.approx(times, abs=1e-9)
    still = ~timing.affected(times)
    assert moments[still] == pytest.approx(times[still], abs=1e-12)
    if loops:
        assert timing.moments(times + length) == pytest.approx(moments + length, abs=1e-9)
    missed = {tick for tick, _ in timing.missed}
    for tick in found:
        shown = timing.moments(np.array([tick.time]))[0]
        way = (
            (tick.shown - shown + length / 2) % length - length / 2 if loops else tick.shown - shown
        )
        assert tick in missed or abs(way) < 1e-6


@pytest.mark.parametrize("frame", [0, 1, 12, 23])
def test_a_single_tick_of_a_loop_is_met_exactly_and_is_local(frame):
    tick = Tick(frame / RATE, (frame + 1.7) / RATE)
    timing = loop_timing([tick], 0.0, 1.0, RATE, REACH, loops=True)
    assert not timing.missed
    assert timing.moments(np.array([tick.time]))[0] == pytest.approx(tick.shown, abs=1e-14)
    apart = np.abs((np.arange(24) - frame + 12) % 24 - 12)
    moved = np.abs(timing.moments(np.arange(24) / RATE) - np.arange(24) / RATE) > 1e-12
    assert (moved == (apart < 6)).all()


def test_a_far_tick_widens_its_range_up_to_the_opposite_frame():
    tick = Tick(12 / RATE, 16 / RATE)
    timing = loop_timing([tick], 0.0, 1.0, RATE, 0.05, loops=True)
    assert not timing.missed
    assert timing.moments(np.array([0.5]))[0] == pytest.approx(16 / RATE)
    assert timing.affected(np.array([5 / RATE])).all()
    far = loop_timing([Tick(12 / RATE, 22 / RATE)], 0.0, 1.0, RATE, 0.05, loops=True)
    assert far.moments(np.zeros(1)) == pytest.approx([0.0])
    assert not far.missed


def test_the_short_way_round_is_taken_over_the_seam():
    timing = loop_timing([Tick(1 / RATE, 23 / RATE)], 0.0, 1.0, RATE, REACH, loops=True)
    assert timing.moments(np.array([1 / RATE]))[0] == pytest.approx(-1 / RATE)


def test_the_first_frame_of_a_take_that_does_not_loop_stays():
    timing = loop_timing([Tick(0.0, 2 / RATE)], 0.0, 1.0, RATE, REACH, loops=False)
    assert timing.moments(np.zeros(1))[0] == 0
    assert timing.missed


@pytest.mark.parametrize("start", [0.0, 0.1])
@pytest.mark.parametrize("beside", [-0.3, -0.001, 0.03, 0.45])
def test_a_tick_beside_the_seam_leaves_the_ends_of_the_loop_where_they_are(start, beside):
    tick = Tick(start + beside / RATE, start + (beside + 1.2) / RATE)
    timing = loop_timing([tick], start, 1.0, RATE, REACH, loops=True)
    assert timing.time[[0, -1]].tolist() == [start, start + 1.0]
    assert (np.diff(timing.time) > 0).all()
    assert timing.moments(np.array([tick.time]))[0] == pytest.approx(tick.shown, abs=1e-12)
    assert timing.shown[-1] - timing.shown[0] == pytest.approx(1.0, abs=1e-12)
    assert timing.slope[0] == pytest.approx(timing.slope[-1], abs=1e-12)
    assert not timing.missed


@pytest.mark.parametrize("part", [0.1, 0.38, 0.5, 0.62])
@pytest.mark.parametrize("way", [-0.49, 0.3, 2.0])
def test_a_tick_between_frames_is_met(part, way):
    tick = Tick((7 + part) / RATE, (7 + part + way) / RATE)
    for reach in (0.04, 0.09, 0.3):
        timing = loop_timing([tick], 0.0, 1.25, RATE, reach, loops=True)
        assert not timing.missed
