"""What networks are trained on: key sets, splines of whole batches, splits by search run."""

import numpy as np
import pytest

from arcwright.errors import BadValue
from arcwright.tools.autocomplete.key_spline import KeyedValues, interpolated, window
from arcwright.tools.autocomplete.network.features import Gaps
from arcwright.tools.autocomplete.train.batched_spline import batched_spline
from arcwright.tools.autocomplete.train.queries import (
    Queries,
    augmented,
    deleted,
    excerpts,
    random_known,
    virtual_keys,
)
from arcwright.tools.autocomplete.train.sequences import RELATIVE, Sequences, split_by_run
from ballistic_hops import ballistic_hops

COUNT, CHANNELS = 93, 6


def sequences(count=12, **changed):
    made = ballistic_hops(count, **changed)
    states = made["states"].astype(float)
    return Sequences(states, made["keys"].astype(int), made["contact"], made["run"], COUNT)


def test_splines_of_batches_and_their_windows_are_those_of_keys():
    draw = np.random.default_rng(0)
    for _ in range(60):
        count = int(draw.integers(4, 30))
        times = np.cumsum(draw.uniform(0.5, 1.5, count))
        values, known = draw.normal(size=(count, 4)), draw.random((count, 4)) < draw.uniform(0, 0.6)
        known[[0, -1], 0] = True
        slopes = np.where(draw.random((count, 4)) < 0.1, draw.normal(size=(count, 4)), np.nan)
        rows = known.any(axis=1)
        keys = KeyedValues(times[rows], values[rows], known[rows], slopes[rows])
        found = batched_spline(times[None], values[None], known[None], slopes[None])[0]
        np.testing.assert_allclose(found, interpolated(keys, times), atol=1e-12)
        gaps = Gaps.of(times[None], known[None], np.full((1, count), True))
        np.testing.assert_allclose(
            gaps.window()[0], window(keys, times, open_ends=True), atol=1e-12
        )


def test_deleted_keys_leave_the_first_and_the_last():
    keys = sequences().keys
    whole = virtual_keys(keys, COUNT, CHANNELS)
    fewer = deleted(whole, 2, np.random.default_rng(0))
    lost = (whole & ~fewer)[..., 0].sum(axis=1)
    assert set(lost) == {0, 1, 2}
    assert fewer[:, [0, -1]].all()


def test_random_keys_bound_every_query_and_are_of_many_kinds():
    keys = np.tile(sequences().keys, (20, 1))
    known = random_known(keys, COUNT, CHANNELS, np.random.default_rng(0))
    counts = known.any(axis=2).sum(axis=1)
    assert (counts >= 2).all()
    assert counts.max() > 15
    partial = known.any(axis=2) & ~known.all(axis=2)
    assert 0.05 < partial.any(axis=1).mean() < 0.5


def test_queries_hold_the_truth_at_known_keys_and_a_window_of_zero():
    own = sequences()
    draw = np.random.default_rng(1)
    known = random_known(own.keys, COUNT, CHANNELS, draw)
    states, times, slopes = augmented(own.states, known, draw, 0.5)
    query = Queries.of(states, known, times, RELATIVE, slopes)
    known &= query.valid[..., None]
    np.testing.assert_allclose(query.base[known], states[known], atol=1e-5)
    assert not query.window[known].any()
    assert not query.inputs[~query.valid].any()


def test_a_network_never_sees_where_on_the_ground_a_motion_is():
    own = sequences()
    known = virtual_keys(own.keys, COUNT, CHANNELS)
    times = np.tile(np.arange(COUNT * 1.0), (len(own), 1))
    none = np.full(known.shape, np.nan)
    here = Queries.of(own.states, known, times, RELATIVE, none)
    there = Queries.of(own.states + np.eye(6)[0] * 5, known, times, RELATIVE, none)
    np.testing.assert_allclose(here.inputs, there.inputs, atol=1e-5)


def test_excerpts_begin_at_zero_and_keep_their_keys():
    own = sequences()
    states, keys = excerpts(own.states, own.keys, 40, np.random.default_rng(0))
    assert states.shape == (len(own), 40, 6)
    assert not states[:, 0, 0].any()
    for row in range(len(own)):
        first = np.flatnonzero((own.states[row, :, 3:] == states[row, 0, 3:]).all(axis=1))
        shifted = {int(k - f) for k in own.keys[row] for f in first} & set(range(40))
        assert set(keys[row]) - {-1} <= shifted | {0, 39}


def test_flights_that_are_scaled_in_height_stay_on_the_ground_at_both_ends():
    own = sequences()
    known = virtual_keys(own.keys, COUNT, CHANNELS)
    higher, _, _ = augmented(own.states, known, np.random.default_rng(0), 1.0)
    ratio = higher[:, 13, 1] / own.states[:, 13, 1]
    assert ratio.min() < 0.8 < 1.4 < ratio.max()
    np.testing.assert_allclose(higher[:, own.keys[0, 2], 1], 0, atol=1e-6)


@pytest.mark.parametrize("runs", [np.arange(60), np.repeat(np.arange(12), 5)])
def test_no_search_run_is_both_trained_and_tested_on(runs):
    train, test = split_by_run(sequences(60, runs=runs), 20)
    assert len(test) == 20
    assert not set(runs[train]) & set(runs[test])
    assert len(set(runs[train[:8]])) >= 8 or len(set(runs)) < 16


def test_too_few_sequences_to_hold_out_are_refused():
    with pytest.raises(BadValue):
        split_by_run(sequences(5), 5)
