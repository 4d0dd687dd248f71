"""What kept performances key: no channel that hardly changes, and acted ones anew."""

import numpy as np
import pytest

from acting import circles, performed, triggers
from arcwright.arrays import same
from arcwright.characters import built_in
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.target import Target


@pytest.mark.parametrize(
    ("name", "hand"), [("dinosaur:stand", "LeftHand"), ("biped:juggle", "RightHand")]
)
def test_a_small_loop_of_a_hand_leaves_hips_and_legs_as_they_are(name, hand):
    scene = built_in(name)
    acted = circles(1.0, radius=0.02)
    after, _ = performed(scene, Target(point=Point(hand)), acted)
    before, take = scene.characters[0].takes[0], after.characters[0].takes[0]
    names, joint = take.rig.names, take.rig.channels.joint
    changed = {
        names[joint[channel]]
        for channel, (old, new) in enumerate(zip(before.base.curves, take.base.curves, strict=True))
        if not same(old, new)
    }
    assert changed
    assert all(each.startswith(hand.removesuffix("Hand")) for each in changed)
    path = trail(take, Point(hand), np.linspace(0, take.duration, 49)).position
    off = np.linalg.norm(path - path[:-1].mean(axis=0), axis=1) - 0.02
    assert np.abs(off).max() < 0.005


def test_a_channel_acted_twice_per_loop_loses_what_it_did_once():
    scene, chest = built_in("biped:stand"), "UpperChest.rotate.x"
    for period in (1.0, 0.5):
        acted = triggers(period, 6 / period, start=1.1)
        scene, _ = performed(scene, Target(channels=(chest,)), acted)
        take, at = scene.characters[0].takes[0], np.arange(24) / 24
        values = values_at(take, at * take.duration)[:, take.rig.channel(chest)]
        assert take.duration == pytest.approx(1.0, abs=0.05)
        assert np.ptp(values) > 0.1
        repeats = np.abs(values - np.roll(values, 12)).max() < 1e-6
        assert repeats == (period == 0.5)
