"""Training with PyTorch: it learns, goes on from checkpoints, and its weights travel to NumPy."""

import json
from dataclasses import replace

import numpy as np
import pytest

from arcwright.errors import BadFile
from arcwright.tools.autocomplete.hops.database import HopDatabase, write_database
from arcwright.tools.autocomplete.key_spline import KeyedValues
from arcwright.tools.autocomplete.network.architecture import Architecture
from arcwright.tools.autocomplete.network.completion_model import CompletionModel
from arcwright.tools.autocomplete.network.forward import forward
from arcwright.tools.autocomplete.train import sequences as stored
from arcwright.tools.autocomplete.train.queries import Queries, virtual_keys
from arcwright.tools.autocomplete.train.sequences import (
    EXCERPT,
    RELATIVE,
    Normalisation,
    Sequences,
)
from ballistic_hops import ballistic_hops
from small_models import SMALL, random_weights

torch = pytest.importorskip("torch")

from arcwright.tools.autocomplete.train.arnn import (  # noqa: E402
    KINDS,
    Form,
    initial_arnn,
    predicted,
)
from arcwright.tools.autocomplete.train.arnn_training import (  # noqa: E402
    ArnnCourse,
    PaperVariant,
    Regime,
    TrainingPoses,
    key_importance,
    normalisations,
    placed,
    seen_states,
    teacher_forcing,
    train_arnn,
)
from arcwright.tools.autocomplete.train.command import UNFINISHED, main  # noqa: E402
from arcwright.tools.autocomplete.train.export import exported  # noqa: E402
from arcwright.tools.autocomplete.train.plans import PLANS, programs  # noqa: E402
from arcwright.tools.autocomplete.train.residual_batches import Source, batches  # noqa: E402
from arcwright.tools.autocomplete.train.residual_network import residuals  # noqa: E402
from arcwright.tools.autocomplete.train.residual_training import (  # noqa: E402
    ResidualCourse,
    Variant,
    train_residual,
)
from arcwright.tools.autocomplete.train.trained import trained  # noqa: E402

TINY = Architecture(6, width=16, heads=2, hidden=16, layers=1, kernel=3, latent=2)


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)


def sequences(count=10, runs=None):
    made = ballistic_hops(count, runs=runs)
    states = made["states"].astype(float)
    return Sequences(states, made["keys"].astype(int), made["contact"], made["run"], 93)


def taught(course, examples, rows=None, checkpoint=None):
    normal = Normalisation.of(examples.states)
    variants = rows or [Variant(0, np.arange(len(examples)))]
    test = np.arange(2)
    weights, _, done = train_residual(
        course, (examples,), normal, RELATIVE, variants, test, checkpoint
    )
    return weights, done


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
    course = ResidualCourse(architecture=TINY, steps=200, batch=8, rate=5e-3, report=reports.append)
    examples = sequences()
    weights, done = taught(course, examples)
    first, last = (json.loads(line)["frame"] for line in (reports[0], reports[-1]))
    assert done
    assert last < 0.8 * first
    single = {name: each[0].numpy() for name, each in weights.items()}
    normal = Normalisation.of(examples.states)
    model = CompletionModel("tiny", exported(TINY, single, [examples], normal, 1 / 30, "test"))
    assert model.file.threshold > 0


def test_training_goes_on_from_a_checkpoint_as_if_it_had_not_stopped(tmp_path):
    examples = sequences(4)
    course = ResidualCourse(architecture=TINY, steps=6, batch=4)
    whole, _ = taught(course, examples)
    file = tmp_path / "checkpoint.npz"
    _, done = taught(replace(course, seconds=0.0), examples, checkpoint=file)
    assert not done
    while not done:
        halves, done = taught(replace(course, seconds=1e-3), examples, checkpoint=file)
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


FORMS = [Form(), Form(sees_keys=False), Form(sees_keys=False, corrected=True)]


@pytest.mark.parametrize("kind", KINDS)
def test_networks_of_the_paper_see_nothing_but_keys(kind):
    examples = sequences(3)
    known = torch.tensor(virtual_keys(examples.keys, 93, 1)[..., 0]).expand(3, 3, 93)
    poses = torch.tensor(examples.states, dtype=torch.float32).expand(3, 3, 93, 6)
    weights = initial_arnn(kind, 6, [0, 1, 2])
    gates = Form.gates(FORMS, "cpu") if kind == "recurrent" else None
    hidden = torch.where(known[..., None], poses, 0.0)
    seen, unseen = (predicted(weights, each, known, gates) for each in (poses, hidden))
    assert torch.equal(seen, unseen)
    assert torch.equal(seen[:, :, 0], poses[:, :, 0])


def test_a_form_is_what_it_says_beside_others_in_one_program():
    examples = sequences(2)
    known = torch.tensor(virtual_keys(examples.keys, 93, 1)[..., 0])[None]
    poses = torch.tensor(examples.states, dtype=torch.float32)[None]
    other = poses.clone()
    other[:, :, 46] += 1
    weights = initial_arnn("recurrent", 6, [0])
    changes = []
    for form in FORMS:
        alone, moved = (
            predicted(weights, each, known, Form.gates([form], "cpu")) for each in (poses, other)
        )
        three = {name: each.repeat_interleave(3, dim=0) for name, each in weights.items()}
        beside = predicted(
            three, poses.expand(3, -1, -1, -1), known.expand(3, -1, -1), Form.gates(FORMS, "cpu")
        )
        assert torch.allclose(beside[FORMS.index(form)], alone[0], atol=1e-5)
        changes.append(bool((alone != moved).any()))
    assert changes == [True, False, True]


REGIMES = {
    "recurrent": [Regime(form) for form in FORMS]
    + [Regime(curriculum=False), Regime(relative=True), Regime(frame_stage=True)]
    + [Regime(less_gravity=True)],
    "feed-forward": [Regime()],
}


@pytest.mark.parametrize("kind", KINDS)
def test_networks_of_the_paper_learn_and_go_on_from_checkpoints(kind, tmp_path):
    examples = sequences(5)
    course = ArnnCourse(kind=kind, steps=4)
    variants = [PaperVariant(0, np.arange(3), regime) for regime in REGIMES[kind]]
    test = np.arange(3, 5)
    whole, progress, done = train_arnn(course, examples, variants, test)
    assert done
    errors = progress.arrays()["curve_held_out_frame"]
    assert errors.shape == (4, len(variants))
    assert np.isfinite(errors).all()
    file = tmp_path / "checkpoint.npz"
    done = False
    while not done:
        brief = replace(course, seconds=1e-3)
        halves, again, done = train_arnn(brief, examples, variants, test, file)
    assert again == progress
    for name, value in whole.items():
        assert torch.equal(value, halves[name]), name


def test_regimes_change_the_key_loss_the_forcing_and_what_is_shown():
    examples = sequences(2)
    assert Regime(frame_stage=True).importance(0.95) == 0 < Regime(frame_stage=True).importance(0.8)
    assert Regime(curriculum=False).importance(0.0) == 1
    assert Regime(curriculum=False).forcing(0.0) == 0
    relative = Regime(relative=True)
    moves = seen_states(examples.states, relative)
    assert not moves[:, 0, :2].any()
    np.testing.assert_allclose(placed(moves, examples.states, relative), examples.states)


def test_a_step_under_less_gravity_is_a_higher_and_further_flight():
    examples = sequences(2)
    variants = [PaperVariant(0, np.arange(2), Regime(less_gravity=True))]
    normal = normalisations(examples, variants)
    gravity = torch.tensor([[1.0, 0.5]])
    shown = TrainingPoses(examples, variants, normal, "cpu").under(gravity)[0].numpy()
    states = shown * normal[0].deviation + normal[0].mean
    np.testing.assert_allclose(states[0], examples.states[0], atol=1e-5)
    np.testing.assert_allclose(states[1, :, :2], 2 * examples.states[1, :, :2], atol=1e-5)


def test_plans_that_are_one_program_end_in_files_of_their_own(tmp_path, monkeypatch):
    names = ("arnn", "segregated")
    for name in (*names, "residual"):
        monkeypatch.setitem(PLANS, name, replace(PLANS[name], counts=(4,)))
    assert programs(["residual", "arnn", "segregated"]) == [("residual",), names]
    hops = tmp_path / "hops.npz"
    write_database(database(60), hops)
    flags = ["--hops", str(hops), "--work", str(tmp_path), "--steps", "2", "--seeds", "2"]
    assert main(["residual", *names, *flags, "--minutes", "0"]) == UNFINISHED
    assert main(["residual", *names, *flags]) == 0
    for name in ("residual", *names):
        found = trained(name, tmp_path)
        assert found.steps == 2
        assert found.seeds.tolist() == [0, 1]
        assert found.counts.tolist() == [4, 4]
        assert found.curves["held_out_frame"].shape == (2, 2)
        assert {len(each) for each in found.weights.values()} == {2}
    together = [trained(name, tmp_path).curves["held_out_frame"] for name in names]
    assert (together[0] != together[1]).all()


def database(count):
    made = ballistic_hops(count, runs=np.arange(count) // 2)
    states, time = made["states"], np.tile(np.arange(93) / 30, (count, 1))
    policy = np.zeros((count, 16))
    return HopDatabase(states, time, made["contact"], made["keys"], made["run"], policy)


def test_batches_that_other_processes_make_are_those_made_here():
    examples = sequences(4)
    normal = Normalisation.of(examples.states)
    source = Source((examples,), normal, RELATIVE, (np.arange(2), np.arange(4)), 2, 0.5)
    with batches(source, 1) as ahead:
        for seed in (5, 6):
            found, expected = ahead(seed), source.batch(seed)
            assert found["inputs"].shape[:2] == (2, 2)
            for name, value in expected.items():
                np.testing.assert_array_equal(found[name], value)


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


def test_sequences_in_real_time_are_simulated_once_and_for_one_database(tmp_path, monkeypatch):
    made = replace(sequences(60, runs=np.arange(60) // 2), excerpt=EXCERPT)
    simulated = []
    monkeypatch.setattr(stored, "timed_sequences", lambda hops: simulated.append(hops) or made)
    hops = database(60)
    for _ in range(2):
        found = stored.stored_timed_sequences(hops, tmp_path / "timed.npz")
        np.testing.assert_allclose(found.states, made.states, atol=1e-6)
        np.testing.assert_array_equal(found.keys, made.keys)
    assert len(simulated) == 1
    with pytest.raises(BadFile):
        stored.stored_timed_sequences(database(50), tmp_path / "timed.npz")


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_a_graph_gives_what_single_steps_give():
    examples = sequences(5)
    variants = [PaperVariant(0, np.arange(3), regime) for regime in REGIMES["feed-forward"]]
    course = ArnnCourse(kind="feed-forward", steps=5)
    there, here = (
        train_arnn(replace(course, device=device), examples, variants, np.arange(3, 5))[0]
        for device in ("cuda", "cpu")
    )
    for name, value in here.items():
        assert torch.allclose(there[name].cpu(), value, atol=1e-4), name
