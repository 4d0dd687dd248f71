"""Every combination of what a drag can ask for, drawn at random: no exception, no NaN."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright import characters
from arcwright.kinematics.rotation import quaternion_from_vector, quaternion_multiply
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Drag

SCENES = ("lamp", "robot")  # small ones: far drags of large rigs take seconds to end
SLOW_SEEDS = [pytest.param(seed, marks=pytest.mark.slow) for seed in (4, 5, 6)]
KINDS = ("position", "orientation", "both", "time scale", "all", "along")


def random_scene(random):
    """One take of a built-in with up to three pins and contacts."""
    scene = characters.built_in(SCENES[random.integers(len(SCENES))])
    character = scene.characters[0]
    take = character.takes[0]
    pins, contacts = [], []
    for _ in range(random.integers(4)):
        joint = Point(take.rig.names[random.integers(len(take.rig.names))])
        span = np.sort(random.uniform(0, take.duration, 2)) if random.random() < 0.5 else None
        start, end = (0.0, take.duration) if span is None else span.tolist()
        position = bool(random.random() < 0.8)
        orientation = not position or bool(random.random() < 0.4)
        if random.random() < 0.5:
            pins.append(Pin(joint, start, end, position, orientation))
        else:
            contacts.append(Contact(joint, start, end, position, orientation))
    only = replace(character, takes=(take,))
    return replace(scene, characters=(only,), props=(), constraints=(*pins, *contacts))


def random_drag(random, take, kind):
    """A drag of a random joint at a random time, near or far."""
    point = Point(take.rig.names[random.integers(len(take.rig.names))], random.normal(0, 0.03, 3))
    time = float(random.uniform(0, take.duration))
    there = trail(take, point, np.array([time]))
    size = 10 ** random.uniform(-3, -0.3)
    position = there.position[0] + random.normal(0, size, 3)
    turned = quaternion_from_vector(random.normal(0, min(size, 2.0), 3))
    turned = quaternion_multiply(turned, there.orientation[0])
    return Drag(
        point,
        time,
        position=position if kind in ("position", "both", "all", "along") else None,
        orientation=turned if kind in ("orientation", "both", "all") else None,
        time_scale=float(random.uniform(-1, 1)) if kind in ("time scale", "all") else None,
        axes=np.eye(3)[: random.integers(1, 4)] if kind == "along" else None,
    )


@pytest.mark.parametrize("name", ["tangent", "pose"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [1, 3, *SLOW_SEEDS])
def test_random_drags_with_random_pins_and_contacts_end_in_finite_motion(name, kind, seed):
    random = np.random.default_rng([seed, KINDS.index(kind)])
    scene = random_scene(random)
    take = scene.characters[0].takes[0]
    chosen = tool(name)
    rotate = ("joint", "keep ends", "body")[random.integers(3)]
    session = chosen.begin(scene, Target(), chosen.Options(rotate=rotate))
    for _ in range(2):
        preview = session.update(random_drag(random, take, kind))
        assert np.isfinite(preview.poses[0].values).all()
    after = session.finish().apply(scene).characters[0].takes[0]
    assert np.isfinite(values_at(after, np.linspace(0, take.duration, 40))).all()
    assert all(note.text for note in session.notes())


def test_an_orientation_that_cannot_be_met_is_noted_not_raised():
    scene = characters.built_in("biped:jump")
    point, time = Point("LeftShoulder"), 24.25 / scene.characters[0].takes[0].rate
    there = trail(scene.characters[0].takes[0], point, np.array([time]))
    turned = quaternion_from_vector(np.array([-0.128, -0.075, -0.132]))
    turned = quaternion_multiply(turned, there.orientation[0])
    for rotate in ("joint", "body"):
        session = tool("tangent").begin(scene, Target(), tool("tangent").Options(rotate=rotate))
        session.update(Drag(point, time, orientation=turned))
        session.finish()
        assert all("°" in note.text for note in session.notes())
