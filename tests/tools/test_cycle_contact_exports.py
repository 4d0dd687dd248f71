"""Contact strokes on loops of characters from other exporters: nothing slides."""

from dataclasses import replace

import numpy as np
import pytest

import arcwright
from arcwright import Take
from arcwright.kinematics.rig_analysis import analyse
from data import DATA, needs_data
from stroked import Made

pytestmark = needs_data
SLIDE = 1e-4  # m a frame, for a metre of the body's size


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("CesiumMan.glb", "animation_0"),  # fitted loops have keys above the root, too
        ("Fox.glb", "Walk"),
        ("quaternius/Trex.glb", "Armature|TRex_Walk"),  # its feet hang beside its root
    ],
)
def test_feet_of_exported_characters_do_not_slide(file, name):
    scene = arcwright.read(DATA / "gltf" / file)
    actor = scene.characters[0]
    take = next(each for each in actor.takes if each.name == name)
    size = analyse(actor, take).size
    loop = arcwright.cycle(take, actor=actor).loop(tolerance=0.005 * size)
    alone = replace(actor, takes=(Take(take.rig, loop.clip),))
    made = Made(replace(scene, characters=(alone,), constraints=()))
    assert made.touches.any(axis=0).sum() >= 2
    assert made.slide(loops=2) <= SLIDE * size
    stride = made.touch.found.stride
    assert made.stride() == pytest.approx(stride, abs=1e-3 * np.linalg.norm(stride))
