"""The warp model: needs are met, speeds stay between a half and two, totals are exact."""

import numpy as np
import pytest

from arcwright.tools.spacetime.warp_model import LEAST, MOST, Need, solve_warp

FRAMES = np.arange(121) / 60
ENDS = True, True


def spent(warp, need):
    return (warp.moment(need.end) - warp.moment(need.start)) / (need.end - need.start)


def test_a_flight_is_stretched_evenly_and_later_frames_shift_by_whole_frames():
    need = Need(0.8, 1.2, 1.3, True)
    warp = solve_warp(FRAMES, [need], ENDS, None)
    inside = (warp.time > 0.8) & (warp.time < 1.2)
    assert warp.stretch[inside] == pytest.approx(1.3, abs=0.01)
    assert warp.stretch[[0, -1]].tolist() == [1, 1]
    assert warp.shift * 60 == pytest.approx(round(warp.shift * 60), abs=1e-9)
    assert warp.shift > 0.4 * 0.3


def test_where_the_length_is_kept_the_rest_makes_up_for_it():
    need = Need(0.8, 1.2, 1.5, True)
    warp = solve_warp(FRAMES, [need], ENDS, 0.0)
    assert warp.shift == pytest.approx(0, abs=1e-9)
    assert spent(warp, need) == pytest.approx(1.5, rel=0.01)
    assert (warp.stretch < 1).any()


@pytest.mark.parametrize("total", [None, 0.0])
@pytest.mark.parametrize("seed", range(8))
def test_speeds_stay_between_a_half_and_two_whatever_is_needed(seed, total):
    rng = np.random.default_rng(seed)
    starts = rng.uniform(0, 1.6, 4)
    needs = [
        Need(s, s + rng.uniform(0.1, 0.4), rng.uniform(0.3, 4), bool(rng.integers(2)))
        for s in starts
    ]
    warp = solve_warp(FRAMES, needs, ENDS, total)
    assert warp.stretch.min() >= LEAST - 1e-9
    assert warp.stretch.max() <= MOST + 1e-9
    assert warp.shift * 60 == pytest.approx(round(warp.shift * 60), abs=1e-6)
    if total is not None:
        assert warp.shift == pytest.approx(total, abs=1e-9)


def test_longer_steps_take_longer_and_others_hardly_change():
    long, same = Need(0.5, 0.9, 1.3, False), Need(1.0, 1.4, 1.0, False)
    warp = solve_warp(FRAMES, [long, same], ENDS, None)
    assert spent(warp, long) == pytest.approx(1.3, abs=0.05)
    assert spent(warp, same) == pytest.approx(1.0, abs=0.05)
