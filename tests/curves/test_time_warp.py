"""Time warps: rising, with an inverse, and a shift behind their last knot."""

import numpy as np
import pytest

from arcwright.curves.time_warp import TimeWarp
from arcwright.errors import BadValue

WARP = TimeWarp([1.0, 1.5, 2.0, 3.0], [1.0, 1.8, 0.6, 1.0])
TIMES = np.linspace(0, 5, 201)


def test_new_times_rise_and_the_inverse_leads_back():
    new = WARP(TIMES)
    assert (np.diff(new) > 0).all()
    assert WARP.inverse(new) == pytest.approx(TIMES, abs=1e-12)


def test_before_the_first_knot_nothing_changes_and_after_the_last_all_shifts():
    assert WARP(np.array([0.3, 1.0])).tolist() == [0.3, 1.0]
    assert WARP(np.array([3.0, 4.5])) - [3.0, 4.5] == pytest.approx(WARP.shift, abs=1e-12)


def test_the_stretch_is_the_derivative():
    step, middle = 1e-6, np.linspace(1.01, 2.99, 50)
    slope = (WARP(middle + step) - WARP(middle - step)) / (2 * step)
    assert slope == pytest.approx(np.interp(middle, WARP.time, WARP.stretch), abs=1e-5)


def test_infinite_times_stay_infinite():
    assert WARP(np.array([-np.inf, np.inf])).tolist() == [-np.inf, np.inf]


def test_a_warp_that_would_stop_time_is_refused():
    with pytest.raises(BadValue, match="above 0"):
        TimeWarp([0.0, 1.0], [1.0, 0.0])
