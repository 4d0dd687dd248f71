from dataclasses import replace

import numpy as np
import pytest

from arcwright.objectives.point_tasks import PointTask, TaskList
from arcwright.scene.constraint import Pin
from arcwright.scene.point import Point
from arcwright.tools.tangent.edit_window import edit_window
from arcwright.tools.tangent.model import TangentModel
from arcwright.tools.tangent.preparation import prepare_edit
from chains import TIP, chain_scene


def model_of(seed, *, unified=False, relative=False, smoothness=0.0):
    scene = chain_scene()
    actor = scene.characters[0]
    take = actor.takes[0]
    scene = replace(scene, constraints=(*scene.constraints, Pin(Point("joint1"), 0, 2)))
    points = [(TIP, 0.3), (Point("joint2"), 0.7)]
    held = prepare_edit(edit_window(scene, actor, take, points, unified=unified))
    random = np.random.default_rng(seed)
    every = np.arange(2, len(held.times))
    turns = np.linalg.qr(random.normal(size=(len(every), 3, 3)))[0]
    turns *= np.sign(np.linalg.det(turns))[:, None, None]
    tasks = (
        PointTask("a", 0, np.array([0]), random.normal(size=(1, 3)), None, 3.0, saturation=0.5),
        PointTask(
            "b",
            1,
            every,
            random.normal(size=(len(every), 3)),
            None,
            2.0,
            other=0 * relative - 1 + relative,
        ),
        PointTask("c", 1, np.array([1]), random.normal(size=(1, 3)), None, 1.5, axes=np.eye(3)[:2]),
    )
    model = TangentModel(take.rig, held, smoothness=smoothness)
    model.tasks = TaskList(tasks)
    return model


def start(model, seed):
    random = np.random.default_rng(seed)
    box = model.handles.box
    return random.uniform(np.maximum(box.low, -0.5), np.minimum(box.high, 0.5))


def differences(function, x, step=1e-6):
    columns = []
    for index in range(len(x)):
        up, down = x.copy(), x.copy()
        up[index] += step
        down[index] -= step
        columns.append((function(up) - function(down)) / (2 * step))
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize("smoothness", [0.0, 1.0])
@pytest.mark.parametrize("unified", [False, True])
@pytest.mark.parametrize("relative", [False, True])
def test_rows_follow_the_unknowns_as_finite_differences_say(unified, relative, smoothness):
    model = model_of(1, unified=unified, relative=relative, smoothness=smoothness)
    x = start(model, 2)
    found = model.linearise(x).dense
    expected = -differences(lambda y: model.linearise(y).residual, x)
    assert found == pytest.approx(expected, abs=2e-6)
