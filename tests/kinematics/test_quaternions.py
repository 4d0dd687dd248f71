import numpy as np
import pytest

from arcwright.kinematics.forward import forward
from arcwright.kinematics.quaternions import with_quaternions
from arcwright.kinematics.sample import values_at
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Kind
from arcwright.scene.scene import Character
from arcwright.scene.take import Take
from builders import arm_scene, random_rig


@pytest.mark.parametrize("seed", range(8))
def test_every_joint_stays_where_it_was(seed):
    rig = random_rig(seed)
    values = np.random.default_rng(seed).normal(size=(9, len(rig.channels)))
    actor = Character("a", rig, (Take(rig, Motion("m", np.arange(9) / 24, values)),))
    turned = with_quaternions(actor)
    assert not any(Kind(kind).group == "rotate" for kind in turned.rig.channels.kind)
    times = np.arange(9) / 24
    before = forward(rig, values_at(actor.takes[0], times))
    after = forward(turned.rig, values_at(turned.takes[0], times))
    assert after == pytest.approx(before, abs=1e-9)
    rest = forward(rig, rig.channels.default[None])
    assert forward(turned.rig, turned.rig.channels.default[None]) == pytest.approx(rest, abs=1e-9)


def test_clips_are_sampled_at_their_frames():
    turned = with_quaternions(arm_scene().characters[0])
    assert isinstance(turned.takes[0].base, Motion)
    assert len(turned.takes[0].base.time) == 25


def test_an_actor_without_angles_is_left_alone():
    actor = with_quaternions(Character("a", random_rig(1)))
    assert with_quaternions(actor) is actor
