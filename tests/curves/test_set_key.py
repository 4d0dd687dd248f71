"""Keys set at a time: inside the round of keys, a hair beside its ends, and rounds away."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.curves.evaluate import evaluate_curve
from arcwright.curves.keys import keyed
from arcwright.curves.set_key import NEAR, key_time, set_key
from arcwright.errors import BadValue
from arcwright.scene.curve import Curve, Extrapolation
from plain import seeds
from random_cases import examples

CYCLIC = [Extrapolation.CYCLE, Extrapolation.CYCLE_OFFSET, Extrapolation.MIRROR]
ways = st.sampled_from(CYCLIC)
hairs = st.one_of(
    st.sampled_from([0.0, 1e-16, 1e-12, 3e-8, 5e-7, NEAR, 2e-6, 1e-3]), st.floats(0, 3 * NEAR)
).flatmap(lambda hair: st.sampled_from([hair, -hair]))


def looping(way: Extrapolation, last: float = 0.9) -> Curve:
    return keyed([0.0, 0.5, last], [0.0, 1.0, 3.0], before=way, after=way)


def random_loop(seed: int, before: Extrapolation, after: Extrapolation) -> Curve:
    """Keys 0.2 to 1 s apart; half of the curves have times that went through a file."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 6))
    time = rng.uniform(-2, 2) + np.cumsum(rng.uniform(0.2, 1.0, count))
    if rng.random() < 0.5:
        time = time.astype(np.float32).astype(float)
    return keyed(time, rng.normal(0, 2, count), before=before, after=after)


def miss(curve: Curve, time: float, value: float) -> float:
    """How far a curve passes from a value at a time, or a hair beside it where rounds meet."""
    near = time + NEAR * np.array([-1.1, 0.0, 1.1])
    return float(np.abs(evaluate_curve(curve, near) - value).min())


@examples(120, 300)
@given(seeds, ways, ways, st.booleans(), st.integers(0, 4), hairs, st.floats(-5, 5))
def test_a_key_near_an_end_of_any_cycle_takes_the_curve_through_its_value(
    seed: int,
    before: Extrapolation,
    after: Extrapolation,
    late: bool,
    rounds: int,
    hair: float,
    value: float,
) -> None:
    curve = random_loop(seed, before, after)
    first, last = float(curve.time[0]), float(curve.time[-1])
    away = rounds * (last - first)
    time = (last + away if late else first - away) + hair
    new = set_key(curve, time, value)
    assert new is not None
    assert np.abs(new.value).max() < 200
    assert miss(new, time, value) < 1e-3
    assert (new.time[0], new.time[-1]) == (first, last)


@pytest.mark.parametrize("way", CYCLIC[1:], ids=lambda way: way.name)
@pytest.mark.parametrize("hair", [1e-16, 2e-8, 5e-7])
def test_a_hair_beyond_an_end_the_key_at_that_end_is_moved(way: Extrapolation, hair: float) -> None:
    curve = looping(way)
    late, early = set_key(curve, 0.9 + hair, 2.5), set_key(curve, -hair, 2.5)
    assert late is not None
    assert late.value.tolist() == [0.0, 1.0, 2.5]
    assert early is not None
    assert early.value.tolist() == [2.5, 1.0, 3.0]


@pytest.mark.parametrize("hair", [2e-8, 5e-7])
def test_a_hair_beyond_a_plain_cycle_the_key_that_is_seen_there_is_moved(hair: float) -> None:
    curve = looping(Extrapolation.CYCLE)
    for time, values in ((0.9 + hair, [2.5, 1.0, 3.0]), (-hair, [0.0, 1.0, 2.5])):
        new = set_key(curve, time, 2.5)
        assert new is not None
        assert new.value.tolist() == values
        assert miss(new, time, 2.5) < 1e-3


def test_a_frame_meets_the_last_key_of_times_that_were_stored_as_single_floats() -> None:
    curve = looping(Extrapolation.CYCLE_OFFSET, last=float(np.float32(0.9)))
    assert curve.time[-1] < 27 / 30
    new = set_key(curve, 27 / 30, 2.5)
    assert new is not None
    assert new.value.tolist() == [0.0, 1.0, 2.5]


def test_a_hair_before_the_keys_is_at_them_even_where_nothing_cycles_there() -> None:
    curve = replace(looping(Extrapolation.CYCLE), before=Extrapolation.HOLD)
    assert key_time(curve, -5e-7) == 0.0
    assert key_time(curve, -0.1) is None


def test_a_key_that_counts_for_nothing_at_a_time_is_refused() -> None:
    """Rounding takes this time a round back, and yet so near to its end that there is a key."""
    way = Extrapolation.CYCLE_OFFSET
    curve = keyed([0.4, 1.5, 2.6], [0.0, 1.0, 3.0], before=way, after=way)
    with pytest.raises(BadValue, match="can be seen"):
        set_key(curve, 0.399999, 2.5)
