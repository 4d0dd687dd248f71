"""Completion by a network: exact keys, invariance, answers; the same numbers as PyTorch."""

import numpy as np
import pytest

from arcwright import read
from arcwright.errors import BadValue, UnknownName
from arcwright.tools.autocomplete.key_spline import KeyedValues, interpolated
from arcwright.tools.autocomplete.network.architecture import Architecture
from arcwright.tools.autocomplete.network.completion_model import CompletionModel
from arcwright.tools.autocomplete.network.features import Gaps
from arcwright.tools.autocomplete.network.forward import BLOCK, forward
from arcwright.tools.autocomplete.network.tokens import Tokens, smoothly
from small_models import SMALL, partial_keys, random_weights, small_model


def model(**changed):
    return CompletionModel("small", small_model(**changed))


def dense(keys, rate=120):
    first, last = keys.times[[0, -1]]
    return np.unique(np.concatenate([np.arange(first, last, 1 / rate), keys.times]))


@pytest.mark.parametrize("seed", range(8))
def test_answers_pass_exactly_through_every_known_key(seed):
    keys = partial_keys(seed)
    answers = model(seed=seed).complete(keys, keys.times, answers=3, seed=seed)
    for answer in answers:
        np.testing.assert_array_equal(answer[keys.known], keys.values[keys.known])


def test_a_random_network_does_change_what_lies_between_keys():
    keys = partial_keys()
    times = dense(keys)
    assert abs(model().complete(keys, times)[0] - interpolated(keys, times)).max() > 0.1


def test_strength_leads_from_the_interpolation_to_the_model():
    keys = partial_keys(1)
    times = dense(keys)
    none, half, full = (model().complete(keys, times, strength=s)[0] for s in (0, 0.5, 1))
    np.testing.assert_array_equal(none, interpolated(keys, times))
    np.testing.assert_allclose(half, (none + full) / 2, atol=1e-9)


def test_a_motion_further_along_the_ground_is_completed_alike():
    keys = partial_keys(2)
    moved = KeyedValues(keys.times, keys.values + [100, 0, 0], keys.known, keys.slopes)
    there = model().complete(moved, dense(keys))[0] - model().complete(keys, dense(keys))[0]
    np.testing.assert_allclose(there, np.broadcast_to([100, 0, 0], there.shape), atol=1e-4)


def test_a_later_motion_is_completed_alike():
    keys = partial_keys(3)
    later = KeyedValues(keys.times + 512, keys.values, keys.known, keys.slopes)
    there = model().complete(later, dense(keys) + 512) - model().complete(keys, dense(keys))
    assert abs(there).max() < 1e-3


def test_the_first_answer_is_the_same_however_many_are_asked_for():
    keys = partial_keys(4)
    one = model().complete(keys, dense(keys))
    five = model().complete(keys, dense(keys), answers=5, seed=3)
    np.testing.assert_allclose(five[0], one[0], atol=1e-5)
    assert min(abs(five[i] - five[j]).max() for i in range(5) for j in range(i)) > 1e-3
    np.testing.assert_array_equal(five, model().complete(keys, dense(keys), answers=5, seed=3))
    assert abs(five[1] - model().complete(keys, dense(keys), 2, seed=4)[1]).max() > 1e-3


def test_outside_all_keys_an_answer_is_constant():
    keys = partial_keys(5)
    first, last = keys.times[[0, -1]]
    values = model().complete(keys, [first - 9, first, last, last + 9])[0]
    np.testing.assert_array_equal(values[0], values[1])
    np.testing.assert_array_equal(values[2], values[3])


def test_a_channel_without_keys_is_completed_from_its_mean_and_others():
    known = np.ones((3, 3), bool)
    known[:, 2] = False
    keys = KeyedValues([0, 0.5, 1], np.zeros((3, 3)), known)
    file = small_model()
    values = CompletionModel("small", file).complete(keys, dense(keys))[0]
    assert abs(values[:, 2] - file.mean[2]).max() > 0.01
    assert np.isfinite(values).all()


@pytest.mark.parametrize("times", [[0], [0, 0.001], [0, 60]])
def test_keys_may_be_alone_or_very_near_or_very_far(times):
    keys = KeyedValues(times, np.ones((len(times), 3)))
    values = model().complete(keys, np.linspace(0, times[-1], 50))
    assert np.isfinite(values).all()
    np.testing.assert_array_equal(values[0, 0], 1)


def test_a_bound_model_leaves_other_channels_to_the_spline():
    rig = read("lamp:hop").characters[0].rig
    bound = model().bound_to(rig)
    count = len(rig.channels)
    keys = KeyedValues([0, 1], np.random.default_rng(0).normal(size=(2, count)))
    times = np.linspace(0, 1, 20)
    changed = abs(bound.complete(keys, times)[0] - interpolated(keys, times)).max(axis=0) > 0
    names = {rig.channel_names[c] for c in np.flatnonzero(changed)}
    assert names == {*bound.file.channels, "Base.translate.x"}  # it goes where it faces


def test_a_rig_without_the_channels_of_a_model_is_refused_by_name():
    rig = read("biped:walk").characters[0].rig
    assert "Base.translate.z" in model().problem_with(rig)
    with pytest.raises(BadValue, match="LowerArm"):
        model().bound_to(rig)
    assert model().problem_with(read("lamp:hop").characters[0].rig) == ""


def test_bad_requests_are_refused():
    keys = partial_keys()
    for call in (
        lambda: model().complete(keys, [0], answers=0),
        lambda: model().complete(KeyedValues([0, 1], np.zeros((2, 2))), [0]),
        lambda: model().complete(KeyedValues([0, 1e6], np.zeros((2, 3))), [0]),
        lambda: model().complete(KeyedValues(np.zeros(0), np.zeros((0, 3))), [0]),
        lambda: Architecture(3, width=10),
        lambda: Architecture(3, kernel=4),
        lambda: Architecture(0),
    ):
        with pytest.raises(BadValue):
            call()
    with pytest.raises(UnknownName):
        CompletionModel.load("no such model")


def test_keys_of_examples_are_near_and_others_far():
    file = small_model()
    own = file.mean + file.deviation * file.examples[2, [3, 11, 20]].astype(float)
    times = np.array([3, 11, 20]) / 30
    assert CompletionModel("small", file).distance_to_examples(KeyedValues(times, own)) < 0.01
    own[1, 1] += 5 * file.deviation[1]
    assert CompletionModel("small", file).distance_to_examples(KeyedValues(times, own)) > 1


def test_the_distance_ignores_where_on_the_ground_a_motion_is_and_what_is_not_known():
    file = small_model()
    own = file.mean + file.deviation * file.examples[1, [0, 9]].astype(float)
    known = np.array([[1, 1, 1], [1, 0, 1]], bool)
    own = np.where(known, own + [77, 0, 0], 1e3)
    keys = KeyedValues(np.array([0, 9]) / 30, own, known)
    assert CompletionModel("small", file).distance_to_examples(keys) < 0.05


def test_tokens_stand_at_keys_and_evenly_between():
    keys = np.array([0.1, 0.11, 0.7, 2.0])
    tokens = Tokens.between(keys, 1 / 30)
    np.testing.assert_array_equal(tokens.times[tokens.keys], keys)
    assert np.diff(tokens.times).max() < 0.05
    assert (np.diff(tokens.times) > 0).all()


def test_values_between_tokens_are_smooth_and_exact_at_tokens():
    tokens = np.array([0, 1, 2.5, 3])
    values = np.random.default_rng(0).normal(size=(2, 4, 3))
    np.testing.assert_allclose(smoothly(tokens, values, tokens), values)
    line = tokens[None, :, None] * np.ones((1, 1, 2))
    times = np.linspace(0, 3, 31)
    np.testing.assert_allclose(smoothly(tokens, line, times)[0, :, 0], times, atol=1e-12)


def test_padding_does_not_count_as_a_gap():
    valid = np.array([[0, 1, 1, 1, 0]], bool)
    known = np.zeros((1, 5, 1), bool)
    known[0, [1, 3]] = True
    gaps = Gaps.of(np.arange(5.0)[None], known, valid)
    np.testing.assert_allclose(gaps.window()[0, 1:4, 0], [0, 1, 0])


def reference(architecture, weights, inputs, times, latent):
    """The network again, token by token, in double precision and from its definition."""
    w = {name: each.astype(float) for name, each in weights.items()}

    def norm(x, at):
        return (x - x.mean()) / np.sqrt(x.var() + 1e-5) * w[at + ".gain"] + w[at + ".bias"]

    def linear(x, at):
        return x @ w[at + ".weight"] + w[at + ".bias"]

    x = np.array(
        [linear(row, "input") + latent @ w["latent.weight"] for row in inputs.astype(float)]
    )
    heads, size = architecture.heads, architecture.width // architecture.heads
    half = size // 2
    speed = 200.0 ** -(np.arange(half) / max(half - 1, 1))
    turn = np.exp(1j * times[:, None] * speed)
    for layer in range(architecture.layers):
        at = f"{layer}."
        normed = np.array([norm(row, at + "attention_norm") for row in x])
        kernel, side = w[at + "convolution.weight"], architecture.kernel // 2
        mixed = normed.copy()
        for t in range(len(x)):
            for offset in range(-side, side + 1):
                if 0 <= t + offset < len(x):
                    mixed[t] += kernel[offset + side] * normed[t + offset]
        q, k, v = np.split(linear(mixed, at + "attention"), 3, axis=1)
        seen = np.zeros_like(x)
        for head in range(heads):
            own = slice(head * size, (head + 1) * size)
            turned = [(p[:, own][:, :half] + 1j * p[:, own][:, half:]) * turn for p in (q, k)]
            score = (turned[0] @ turned[1].conj().T).real / np.sqrt(size)
            token = np.arange(len(x))
            score[abs(token[:, None] - token) > architecture.reach] = -np.inf
            share = np.exp(score - score.max(axis=1, keepdims=True))
            seen[:, own] = share / share.sum(axis=1, keepdims=True) @ v[:, own]
        x = x + linear(seen, at + "attention_output")
        hidden = linear(np.array([norm(row, at + "norm") for row in x]), at + "up")
        x = x + linear(hidden / (1 + np.exp(-hidden)), at + "down")
    return np.array([linear(norm(row, "norm"), "output") for row in x])


@pytest.mark.parametrize("count", [1, 12, BLOCK + 30])
def test_the_forward_pass_is_what_its_definition_says(count):
    draw = np.random.default_rng(count)
    inputs = draw.normal(size=(count, SMALL.inputs)).astype(np.float32)
    times = np.cumsum(draw.uniform(0.5, 1.5, count)).astype(np.float32)
    latents = draw.normal(size=(2, SMALL.latent + 1)).astype(np.float32)
    weights = random_weights()
    found = forward(SMALL, weights, inputs, times, latents)
    for answer, latent in zip(found, latents, strict=True):
        expected = reference(SMALL, weights, inputs, times.astype(float), latent.astype(float))
        np.testing.assert_allclose(answer, expected, atol=1e-5)
