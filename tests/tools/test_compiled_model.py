"""The compiled linearisation against that of NumPy; skipped where no library was built."""

import numpy as np
import pytest

import builders
from arcwright.compiled import library as compiled
from arcwright.curves.keys import keyed
from arcwright.objectives.edited_clip import find_clip
from arcwright.objectives.freedom import Freedom
from arcwright.objectives.point_tasks import PointTask, TaskList
from arcwright.objectives.pose_model import PoseModel, prepare_pose
from arcwright.scene.clip import Clip
from arcwright.scene.point import Point
from arcwright.scene.scene import Character, Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.tangent.edit_window import edit_window
from arcwright.tools.tangent.model import TangentModel
from arcwright.tools.tangent.preparation import prepare_edit
from chains import TIP, chain_scene
from tangent_models import model_of, tasks_of_every_kind

built = pytest.mark.skipif(compiled.library is None, reason="nothing was compiled at install")


def same_linearisation(ours, plain):
    assert np.array_equal(ours.task, plain.task)
    for a, b in (
        (ours.residual, plain.residual),
        (ours.weight, plain.weight),
        (ours.dense, plain.dense),
    ):
        assert a.shape == b.shape
        assert np.allclose(a, b, rtol=0, atol=1e-12 * (1 + np.abs(b).max(initial=0)))
    assert ours.cost == pytest.approx(plain.cost, rel=1e-12)


@built
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("unified", [False, True])
@pytest.mark.parametrize("smoothness", [0.0, 1.0])
def test_compiled_and_plain_linearisations_agree(seed, unified, smoothness, monkeypatch):
    model, x = model_of(seed, unified=unified, smoothness=smoothness)
    ours, there = model.linearise(x), model.position(x)
    pull = np.random.default_rng(seed).normal(size=len(ours.residual))
    product = pull @ ours.matrix
    monkeypatch.setattr(compiled, "library", None)
    other, _ = model_of(seed, unified=unified, smoothness=smoothness)
    assert other._compiled is None
    plain = other.linearise(x)
    same_linearisation(ours, plain)
    assert there == pytest.approx(other.position(x), abs=1e-12)
    assert product == pytest.approx(pull @ plain.matrix, abs=1e-11)


@built
def test_tasks_may_change_where_the_unknowns_stay():
    model, x = model_of(1)
    first = model.linearise(x)
    model.tasks = TaskList(model.tasks.own[:2], model.constraint_tasks)
    fewer = model.linearise(x)
    model.tasks = TaskList(model.tasks.own[:1], model.constraint_tasks)
    model.linearise(x)
    model.tasks = TaskList(model.tasks.own, model.constraint_tasks)
    assert fewer.residual[:6] == pytest.approx(first.residual[:6], abs=0)


@built
@pytest.mark.parametrize("seed", range(4))
def test_compiled_and_plain_agree_on_rigs_of_every_sort(seed, monkeypatch):
    rig = builders.random_rig(seed, 6, scale=bool(seed % 2))
    random = np.random.default_rng(seed)
    curves = tuple(keyed([0.0, 1.0], random.normal(1, 0.4, 2)) for _ in rig.channels.joint)
    take = Take(rig, Clip("move", curves, 1.0))
    scene = Scene(characters=(Character("body", rig, (take,)),))
    held = prepare_edit(
        edit_window(scene, scene.characters[0], take, [(Point(rig.names[-1]), 0.4)])
    )
    x = random.uniform(-0.2, 0.2, len(held.handles.stiffness))
    x = held.handles.box.clip(x)
    task = PointTask("hand", 0, np.array([0]), np.ones((1, 3)), np.eye(3)[None], 2.0)

    def asked():
        model = TangentModel(rig, held)
        model.tasks = TaskList((task,), model.constraint_tasks)
        return model.linearise(x)

    ours = asked()
    monkeypatch.setattr(compiled, "library", None)
    same_linearisation(ours, asked())


@built
def test_compiled_and_plain_poses_agree(monkeypatch):
    scene = chain_scene()
    target = find_clip(scene, Target())
    free = Freedom(target.actor, target.take)
    held = prepare_pose(scene, target, [TIP, Point("joint1")], 0.3, free)
    random = np.random.default_rng(3)
    own = [w for w in tasks_of_every_kind(random, np.array([0])) if w.samples.max(initial=0) == 0]
    x = random.uniform(-0.3, 0.3, len(held.channels))

    def asked():
        model = PoseModel(target.take.rig, held, own)
        return model.linearise(x), model.jacobian(x)

    ours, there = asked()
    monkeypatch.setattr(compiled, "library", None)
    plain, where = asked()
    for a, b in (
        (ours.residual, plain.residual),
        (ours.weight, plain.weight),
        (ours.dense, plain.dense),
    ):
        assert a == pytest.approx(b, abs=1e-12)
    assert there.position == pytest.approx(where.position, abs=1e-12)
