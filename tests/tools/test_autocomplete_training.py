"""Training with PyTorch: it learns, goes on from checkpoints, and its weights travel to NumPy."""

import json
from dataclasses import replace

import numpy as np
import pytest

from arcwright.tools.autocomplete.key_spline import KeyedValues
from arcwright.tools.autocomplete.network.architecture import Architecture
from arcwright.tools.autocomplete.network.completion_model import CompletionModel
from arcwright.tools.autocomplete.network.forward import forward
from arcwright.tools.autocomplete.train.queries import Queries, virtual_keys
from arcwright.tools.autocomplete.train.sequences import RELATIVE, Normalisation, Sequences
from ballistic_hops import ballistic_hops
from small_models import SMALL, random_weights

torch = pytest.importorskip("torch")

from arcwright.tools.autocomplete.train.arnn import KINDS, initial_arnn, predicted  # noqa: E402
from arcwright.tools.autocomplete.train.arnn_training import (  # noqa: E402
    ArnnCourse,
    key_importance,
    teacher_forcing,
    train_arnn,
)
from arcwright.tools.autocomplete.train.export import exported  # noqa: E402
from arcwright.tools.autocomplete.train.residual_network import residuals  # noqa: E402
from arcwright.tools.autocomplete.train.residual_training import (  # noqa: E402
    ResidualCourse,
    Variant,
    train_residual,
)

TINY = Architecture(6, width=16, heads=2, hidden=16, layers=1, kernel=3, latent=2)


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)


def sequences(count=10):
    made = ballistic_hops(count)
    states = made["states"].astype(float)
    return Sequences(states, made["keys"].astype(int), made["contact"], made["run"], 93)


def trained(course, examples, rows=None, checkpoint=None):
    normal = Normalisation.of(examples.states)
    variants = rows or [Variant(0, np.arange(len(examples)))]
    return train_residual(course, (examples,), normal, RELATIVE, variants, checkpoint)


def test_numpy_gives_the_numbers_of_torch_with_the_same_rounded_weights():
    draw = np.random.default_rng(0)
    weights = random_weights()
    inputs = draw.normal(size=(1, 3, 40, SMALL.inputs)).astype(np.float32)
    times = np.cumsum(draw.uniform(0.5, 1.5, (1, 3, 40)), axis=2).astype(np.float32)
    latents = draw.normal(size=(1, 3, SMALL.latent + 1)).astype(np.float32)
    tensors = {name: torch.tensor(each[None]) for name, each in weights.items()}
    valid = torch.ones(1, 3, 40, dtype=torch.bool)
    own = (torch.tensor(each) for each in (inputs, times))
    found = residuals(SMALL, tensors, *own, valid, torch.tensor(latents))[0].numpy()
    for row in range(3):
        plain = forward(SMALL, weights, inputs[0, row], times[0, row], latents[0, row : row + 1])
        np.testing.assert_allclose(plain[0], found[row], atol=1e-5)


def test_tokens_out_of_use_change_nothing():
    draw = np.random.default_rng(1)
    tensors = {name: torch.tensor(each[None]) for name, each in random_weights().items()}
    inputs = torch.tensor(draw.normal(size=(1, 1, 20, SMALL.inputs)), dtype=torch.float32)
    times = torch.arange(20.0)[None, None]
    valid = (torch.arange(20) >= 4)[None, None]
    inputs = inputs * valid[..., None]
    latents = torch.zeros(1, 1, SMALL.latent + 1)
    padded = residuals(SMALL, tensors, inputs, times, valid, latents)[:, :, 4:]
    alone = residuals(
        SMALL, tensors, inputs[:, :, 4:], times[:, :, 4:] - 4, valid[:, :, 4:], latents
    )
    assert torch.allclose(padded, alone, atol=1e-5)


def test_a_short_training_lowers_the_error_and_its_model_completes():
    reports = []
    course = ResidualCourse(TINY, steps=200, batch=8, rate=5e-3, report=reports.append)
    examples = sequences()
    weights, done = trained(course, examples)
    first, last = (json.loads(line)["frame"] for line in (reports[0], reports[-1]))
    assert done
    assert last < 0.8 * first
    single = {name: each[0].numpy() for name, each in weights.items()}
    normal = Normalisation.of(examples.states)
    model = CompletionModel("tiny", exported(TINY, single, [examples], normal, 1 / 30, "test"))
    assert model.file.threshold > 0


def test_training_goes_on_from_a_checkpoint_as_if_it_had_not_stopped(tmp_path):
    examples = sequences(4)
    course = ResidualCourse(TINY, steps=6, batch=4)
    whole, _ = trained(course, examples)
    file = tmp_path / "checkpoint.npz"
    _, done = trained(replace(course, seconds=0.0), examples, checkpoint=file)
    assert not done
    while not done:
        halves, done = trained(replace(course, seconds=1e-3), examples, checkpoint=file)
    for name, value in whole.items():
        assert torch.equal(value, halves[name]), name


def test_models_of_one_program_give_what_each_gives_alone():
    draw = np.random.default_rng(2)
    own = [random_weights(seed=seed) for seed in (0, 1)]
    both = {name: torch.tensor(np.stack([each[name] for each in own])) for name in own[0]}
    inputs = torch.tensor(draw.normal(size=(2, 3, 20, SMALL.inputs)), dtype=torch.float32)
    times = torch.arange(20.0).expand(2, 3, 20)
    valid, latents = torch.ones(2, 3, 20, dtype=torch.bool), torch.zeros(2, 3, 3)
    together = residuals(SMALL, both, inputs, times, valid, latents)
    for model in range(2):
        single = {name: each[model : model + 1] for name, each in both.items()}
        part = slice(model, model + 1)
        parts = (inputs[part], times[part], valid[part], latents[part])
        alone = residuals(SMALL, single, *parts)[0]
        assert torch.allclose(together[model], alone, atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_networks_of_the_paper_see_nothing_but_keys(kind):
    examples = sequences(3)
    known = torch.tensor(virtual_keys(examples.keys, 93, 1)[..., 0])[None]
    poses = torch.tensor(examples.states, dtype=torch.float32)[None]
    weights = initial_arnn(kind, 6, [0])
    hidden = torch.where(known[..., None], poses, 0.0)
    seen, unseen = (predicted(kind, weights, each, known) for each in (poses, hidden))
    assert torch.equal(seen, unseen)
    assert torch.equal(seen[:, :, 0], poses[:, :, 0])


@pytest.mark.parametrize("kind", KINDS)
def test_networks_of_the_paper_learn_and_go_on_from_checkpoints(kind, tmp_path):
    reports = []
    examples = sequences(3)
    normal = Normalisation.of(examples.states)
    course = ArnnCourse(kind, epochs=4, report=reports.append)
    variants = [Variant(0, np.arange(3))]
    whole, done = train_arnn(course, examples, normal, variants)
    assert done
    file = tmp_path / "checkpoint.npz"
    done = False
    while not done:
        halves, done = train_arnn(replace(course, seconds=1e-3), examples, normal, variants, file)
    for name, value in whole.items():
        assert torch.equal(value, halves[name]), name


def test_the_curriculum_is_that_of_the_paper():
    assert teacher_forcing(0.0) > 0.99
    assert teacher_forcing(0.5) < 0.01
    assert key_importance(0.49) == 0
    assert key_importance(0.75) == pytest.approx(0.5)
    assert key_importance(1.0) > 0.99


def test_queries_of_a_batch_are_what_the_model_makes_of_its_keys():
    examples = sequences(4)
    normal = Normalisation.of(examples.states)
    weights = {n: w.astype(np.float32) for n, w in random_weights(TINY, 3).items()}
    model = CompletionModel("tiny", exported(TINY, weights, [examples], normal, 1.0, "test"))
    known = virtual_keys(examples.keys, 93, 6)
    times = np.tile(np.arange(93.0), (4, 1))
    query = Queries.of(
        normal.scored(examples.states), known, times, RELATIVE, np.full(known.shape, np.nan)
    )
    tensors = {name: torch.tensor(each[None]) for name, each in weights.items()}
    parts = (torch.tensor(each)[None] for each in (query.inputs, query.times, query.valid))
    found = residuals(TINY, tensors, *parts, torch.zeros(1, 4, 3))[0].numpy()
    expected = (query.base + query.window * found) * normal.deviation + normal.mean
    for row in range(4):
        at = examples.keys[row]
        keys = KeyedValues(at * 1.0, examples.states[row, at])
        np.testing.assert_allclose(model.complete(keys, times[row])[0], expected[row], atol=1e-4)
