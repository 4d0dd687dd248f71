"""Drags on rigs as exporters write them: scaled or mirrored armatures, helpers, still tracks."""

import numpy as np
import pytest

from arcwright.kinematics.forward import forward
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.rig import Kind
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Drag
from exported_rig import exported

RIGS = {
    "as it is": {},
    "metres": {"armature": (1.0, 1.0, 1.0)},
    "hundredth": {"armature": (0.01, 0.01, 0.01)},
    "mirrored": {"armature": (-100.0, 100.0, 100.0)},
    "helpers": {"helpers": 3},
    "scale tracks": {"scaled": True},
    "all": {"armature": (-0.01, 0.01, 0.01), "helpers": 2, "scaled": True},
}
HAND, WHEN = Point("Hand"), 0.5
BY = np.array([0.0, -0.05, 0.08])  # m


def bones(take, times):
    """(T, J) m."""
    place = forward(take.rig, values_at(take, times))[:, :, :3, 3]
    return np.linalg.norm(place - place[:, np.maximum(take.rig.parents, 0)], axis=2)


def dragged(name, character):
    scene = Scene(characters=(character,))
    take = character.takes[0]
    chosen = tool(name)
    session = chosen.begin(scene, Target(), chosen.Options())
    start = trail(take, HAND, np.array([WHEN])).position[0]
    session.update(Drag(HAND, WHEN, position=start + BY))
    after = session.finish().apply(scene).characters[0].takes[0]
    return after, trail(after, HAND, np.array([WHEN])).position[0] - start


@pytest.mark.parametrize("rig", RIGS)
def test_the_root_is_found_whatever_is_above_it(rig):
    character = exported(**RIGS[rig])
    assert character.rig.names[analyse(character).root] == "Hips"


@pytest.mark.parametrize("rig", RIGS)
@pytest.mark.parametrize("name", ["pose", "tangent", "spacetime"])
def test_joints_rotate_to_bring_the_hand_to_its_target(name, rig):
    character = exported(**RIGS[rig])
    after, moved = dragged(name, character)
    assert np.linalg.norm(moved - BY) < 2e-3
    times = np.linspace(0, 1, 25)
    longer = bones(after, times) - bones(character.takes[0], times)
    hips = after.rig.joint("Hips")
    assert abs(np.delete(longer, hips, axis=1)).max() < 1e-6


@pytest.mark.parametrize("rig", RIGS)
def test_scale_tracks_stay_as_they_are(rig):
    character = exported(**RIGS[rig])
    after, _ = dragged("pose", character)
    table = character.rig.channels
    scales = (table.kind >= Kind.SCALE_X) & (table.kind <= Kind.SCALE_Z)
    values = values_at(after, np.linspace(0, 1, 25))[:, scales]
    assert (values == table.default[scales]).all()


@pytest.mark.parametrize("rig", ["metres", "hundredth", "mirrored", "helpers"])
@pytest.mark.parametrize("name", ["pose", "tangent"])
def test_the_unit_of_the_armature_makes_no_difference(name, rig):
    """The same body, written in other units or below helpers, is moved the same way."""
    plain, _ = dragged(name, exported())
    other, _ = dragged(name, exported(**RIGS[rig]))
    times, helpers = np.linspace(0, 1, 25), RIGS[rig].get("helpers", 0)
    was, now = (forward(t.rig, values_at(t, times))[:, :, :3, 3] for t in (plain, other))
    assert np.linalg.norm(now[:, helpers:] - was, axis=2).max() < 1e-3
