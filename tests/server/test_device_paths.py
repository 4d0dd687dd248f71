"""Captures that are sent as devices: the path of one joint comes back."""

import numpy as np
import pytest

from arcwright import read, write
from arcwright.errors import ArcwrightError
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.server.transport import device_paths
from arcwright.server.transport.device_paths import joint_path


@pytest.fixture
def walk(tmp_path):
    write(read("biped:walk"), tmp_path / "walk.bvh")
    return tmp_path / "walk.bvh"


def test_a_hand_is_played_unless_a_joint_is_named(walk):
    take = read(walk).characters[0].takes[0]
    for given, joint in (("", "LeftHand"), ("Head", "Head")):
        found = joint_path(walk, given)
        assert found["joint"] == joint
        places = trail(take, Point(joint), take.frame_times()).position
        np.testing.assert_allclose(np.array(found["poses"])[:, :3], places, atol=1e-6)
        assert found["times"] == pytest.approx(take.frame_times().tolist())
        assert "Hips" in found["joints"]


def test_unknown_joints_and_long_captures_end_in_a_clear_error(walk, monkeypatch):
    with pytest.raises(ArcwrightError, match="LeftHand"):
        joint_path(walk, "LeftHnd")
    monkeypatch.setattr(device_paths, "MOST_ROWS", 5)
    with pytest.raises(ArcwrightError, match="at most 5"):
        joint_path(walk)
