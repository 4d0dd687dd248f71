"""The model of the lamp that comes with Arcwright, on hops simulated anew."""

import numpy as np
import pytest

from arcwright import read
from arcwright.tools.autocomplete.hops.lamp_take import lamp_channels
from arcwright.tools.autocomplete.key_spline import KeyedValues, interpolated
from arcwright.tools.autocomplete.network.completion_model import (
    SHIPPED,
    CompletionModel,
    shipped,
)
from arcwright.tools.autocomplete.network.model_file import MOST_SHIPPED
from arcwright.tools.autocomplete.train.sequences import (
    FRAME_TIME,
    paper_sequences,
    timed_sequences,
)
from hopping import database


@pytest.fixture(scope="module")
def model():
    return CompletionModel.load("lamp")


@pytest.fixture(scope="module")
def hop():
    return timed_sequences(database(1))


def keys_of(sequences):
    frames = np.unique(sequences.keys[0])
    states = sequences.states[0, : frames[-1] + 1]
    return KeyedValues(frames * FRAME_TIME, states[frames]), states


def test_it_is_small_and_knows_the_channels_of_the_lamp(model):
    assert "lamp" in shipped()
    assert (SHIPPED / "lamp.npz").stat().st_size <= MOST_SHIPPED
    rig = read("lamp:hop").characters[0].rig
    bound = model.bound_to(rig)
    np.testing.assert_array_equal(bound.columns, lamp_channels(rig))


def test_sequences_in_real_time_go_from_rest_to_rest(hop):
    states, keys = hop.states[0], hop.keys[0]
    np.testing.assert_allclose(states[0, 1:3], 0, atol=1e-3)
    np.testing.assert_allclose(states[keys[-1], 1:], states[0, 1:], atol=0.12)
    assert (np.diff(keys) > 0).all()
    assert states[keys[2::3][:3], 1].min() > 0.02


@pytest.mark.parametrize("layout", [timed_sequences, paper_sequences])
def test_it_completes_a_hop_better_than_splines_and_hits_its_keys(model, layout):
    keys, states = keys_of(layout(database(1)))
    times = np.arange(len(states)) * FRAME_TIME
    completed, spline = model.complete(keys, times)[0], interpolated(keys, times)
    at = np.rint(keys.times / FRAME_TIME).astype(int)
    np.testing.assert_array_equal(completed[at], keys.values)
    errors = [
        np.square((each - states) / model.file.deviation).mean() for each in (completed, spline)
    ]
    assert errors[0] < 0.8 * errors[1]


def test_its_answers_differ_and_all_hit_the_keys(model, hop):
    keys, _ = keys_of(hop)
    answers = model.complete(keys, keys.times, answers=5)
    np.testing.assert_array_equal(answers, np.repeat(keys.values[None], 5, axis=0))
    between = model.complete(keys, keys.times[:-1] + np.diff(keys.times) / 2, answers=5)
    apart = between[1:] - between[:1]
    assert (abs(apart / model.file.deviation).max(axis=(1, 2)) > 0.1).all()


def test_keys_of_a_hop_are_like_the_examples_and_impossible_ones_are_not(model, hop):
    keys, _ = keys_of(hop)
    assert model.distance_to_examples(keys) < 1.2
    strange = KeyedValues(keys.times, keys.values + [0, 0.6, 0.9, -0.9, -1.5, 1.5], keys.known)
    assert model.distance_to_examples(strange) > 1.5


def turned(keys, rig, angle, columns):
    """Keys of the lamp's rig at which it goes, and faces, another way."""
    values = np.tile(rig.channels.default, (len(keys.times), 1))
    values[:, columns] = keys.values
    way = keys.values[:, 0]
    values[:, rig.channel("Base.translate.z")] = 0.4 + way * np.cos(angle)
    values[:, rig.channel("Base.translate.x")] = -0.7 + way * np.sin(angle)
    values[:, rig.channel("Base.rotate.y")] = angle
    return KeyedValues(keys.times, values)


@pytest.mark.parametrize("angle", [0.0, 0.7, np.pi, -2.5])
def test_a_lamp_that_faces_another_way_is_completed_alike(model, hop, angle):
    rig = read("lamp:hop").characters[0].rig
    bound = model.bound_to(rig)
    keys, states = keys_of(hop)
    times = np.arange(len(states)) * FRAME_TIME
    alone = model.complete(keys, times)[0]
    there = bound.complete(turned(keys, rig, angle, bound.columns), times)[0]
    np.testing.assert_allclose(there[:, bound.columns[1:]], alone[:, 1:], atol=1e-4)
    z, x = (there[:, rig.channel(f"Base.translate.{axis}")] for axis in "zx")
    np.testing.assert_allclose(z, 0.4 + alone[:, 0] * np.cos(angle), atol=1e-4)
    np.testing.assert_allclose(x, -0.7 + alone[:, 0] * np.sin(angle), atol=1e-4)
    far = bound.distance_to_examples(turned(keys, rig, angle, bound.columns))
    assert far == pytest.approx(model.distance_to_examples(keys), abs=1e-3)


def test_partial_keys_on_a_curved_way_are_hit_exactly(model):
    rig = read("lamp:hop").characters[0].rig
    bound, draw = model.bound_to(rig), np.random.default_rng(0)
    for _ in range(5):
        values = draw.normal(size=(6, len(rig.channels))) / 3
        known = draw.random(values.shape) < 0.5
        keys = KeyedValues(np.cumsum(draw.uniform(0.1, 0.5, 6)), values, known)
        answer = bound.complete(keys, keys.times)[0]
        np.testing.assert_array_equal(answer[known], values[known])
