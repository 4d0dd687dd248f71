"""Learning a body model: PyTorch and NumPy agree, a training is continued, a model completes."""

import json
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import arcwright  # noqa: E402
from arcwright.kinematics.sample import values_at  # noqa: E402
from arcwright.learning import takes_of  # noqa: E402
from arcwright.tools.autocomplete.body.body_file import read_body_file  # noqa: E402
from arcwright.tools.autocomplete.body.body_model import BodyModel  # noqa: E402
from arcwright.tools.autocomplete.body.body_network import BodyNetwork  # noqa: E402
from arcwright.tools.autocomplete.body.key_slerp import Poses  # noqa: E402
from arcwright.tools.autocomplete.body.rig_captures import captures_of  # noqa: E402
from arcwright.tools.autocomplete.body.skeleton import world_poses  # noqa: E402
from arcwright.tools.autocomplete.key_spline import KeyedValues  # noqa: E402
from arcwright.tools.autocomplete.network.completion_model import SHIPPED, latents  # noqa: E402
from arcwright.tools.autocomplete.train import learning  # noqa: E402
from arcwright.tools.autocomplete.train.body_batches import cut, tensors_of  # noqa: E402
from arcwright.tools.autocomplete.train.body_training import (  # noqa: E402
    BodyCourse,
    Scores,
    likeliest,
    ready,
)
from arcwright.tools.autocomplete.train.learning import Limits, learn  # noqa: E402


@pytest.fixture(scope="module")
def captures():
    return captures_of(takes_of(["biped:jump", "biped:tea"]))


def test_numpy_and_pytorch_agree_with_the_same_rounded_weights(captures):
    model = read_body_file(SHIPPED / "humanoid.npz")
    names = model.skeleton.names
    count = len(names)
    draw = np.random.default_rng(1)
    turns = np.repeat(captures.rotations[:40, :1], count, axis=1)
    own = replace(
        captures,
        skeleton=model.skeleton,
        rotations=turns,
        position=captures.position[:40] * 2,
        start=np.array([0, 40]),
        offsets=model.skeleton.offsets[None],
        planted=np.zeros((40, 2), bool),
        feet=np.array([4, 8]),
        mirror=np.arange(count),
    )
    windows = cut(own, 30, 2, draw)
    weights = {
        name: torch.from_numpy(each.copy())[None]
        for name, each in model.weights.unpacked(model.architecture).items()
    }
    course = BodyCourse(architecture=model.architecture)
    scores = Scores(model.mean, model.deviation, model.scale)
    _, places = likeliest(course, own, weights, ready(tensors_of(own, windows), scores), scores)
    drawn = latents(model.architecture.latent, 1, 0)
    for row in range(2):
        keys = Poses(windows.poses.rotations[row], windows.poses.position[row])
        frames = np.arange(30.0)
        found = BodyNetwork(model).complete(
            keys, frames, windows.known[row], drawn, windows.offsets[row]
        )
        _, ours = world_poses(
            model.skeleton, found.rotations[0], found.position[0], windows.offsets[row]
        )
        np.testing.assert_allclose(ours, places[row].numpy(), atol=1e-5)


def test_a_small_model_is_learned_continued_and_used(captures, tmp_path, monkeypatch):
    tiny = {"width": 16, "heads": 2, "hidden": 16, "layers": 1, "latent": 2, "reach": 16}
    monkeypatch.setattr(learning, "SIZES", tiny)
    monkeypatch.setattr("arcwright.tools.autocomplete.train.body_training.MEASURED", 2)
    out, lines = tmp_path / "my.model", []
    first = learn(captures, out, Limits(steps=4, minutes=0.0, looks=2), lines.append)
    assert not first.done
    assert (tmp_path / "my.model.checkpoint.npz").exists()
    done = learn(captures, out, Limits(steps=4, minutes=1.0, looks=2), lines.append)
    assert done.done
    assert done.progress.step == 4
    assert not (tmp_path / "my.model.checkpoint.npz").exists()
    assert json.loads(lines[-1])["done"]
    page = (tmp_path / "my.html").read_text()
    assert "Held-out error" in page
    assert "<svg" in page
    actor = arcwright.read("biped:walk").characters[0]
    take, times = actor.takes[0], np.array([0.0, 0.5, 1.0])
    keys = KeyedValues(times, values_at(take, times))
    found = BodyModel.load(out).bound_to(actor, take).complete(keys, np.linspace(0, 1, 11))[0]
    np.testing.assert_array_equal(found[[0, 5, 10]], keys.values)
