"""Models of motion curves with one task of every kind."""

from dataclasses import replace

import numpy as np

from arcwright.kinematics.rotation import matrix_from_vector
from arcwright.objectives.point_tasks import PointTask, TaskList
from arcwright.scene.constraint import Pin
from arcwright.scene.point import Point
from arcwright.tools.tangent.edit_window import edit_window
from arcwright.tools.tangent.model import TangentModel
from arcwright.tools.tangent.preparation import prepare_edit
from chains import TIP, chain_scene


def turns(random, count, size):
    """Rotations by up to `size` radians."""
    axis = random.normal(size=(count, 3))
    axis /= np.linalg.norm(axis, axis=1)[:, None]
    return matrix_from_vector(axis * random.uniform(0, size, (count, 1)))


def tasks_of_every_kind(random, every):
    """One task of every kind."""
    count = len(every)

    def places():
        return random.normal(size=(count, 3))

    return (
        PointTask("near", 0, np.array([0]), random.normal(size=(1, 3)), None, 3.0, saturation=0.5),
        PointTask(
            "far", 0, np.array([0]), random.normal(size=(1, 3)) * 9, None, 3.0, saturation=0.5
        ),
        PointTask("relative", 1, every, places(), None, 2.0, other=0),
        PointTask("both", 1, every, places(), turns(random, count, 3.1), 1.5),
        PointTask(
            "turned a little", 0, every, None, turns(random, count, 1e-7), 1.5, saturation=0.01
        ),
        PointTask(
            "along", 1, np.array([1]), random.normal(size=(1, 3)), None, 1.5, axes=np.eye(3)[:2]
        ),
        PointTask("above", 0, every, places(), None, 1e3, above=True),
        PointTask("never", 1, every[:0], places()[:0], None, 1.0),
    )


def model_of(seed, *, unified=False, smoothness=0.0):
    scene = chain_scene()
    actor = scene.characters[0]
    scene = replace(scene, constraints=(*scene.constraints, Pin(Point("joint1"), 0, 2)))
    points = [(TIP, 0.3), (Point("joint2"), 0.7)]
    held = prepare_edit(edit_window(scene, actor, actor.takes[0], points, unified=unified))
    model = TangentModel(actor.takes[0].rig, held, smoothness=smoothness)
    random = np.random.default_rng(seed)
    model.tasks = TaskList(
        tasks_of_every_kind(random, np.arange(2, len(held.times))), model.constraint_tasks
    )
    box = model.handles.box
    return model, random.uniform(np.maximum(box.low, -0.9), np.minimum(box.high, 0.9))
