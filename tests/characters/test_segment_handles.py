import numpy as np
import pytest

from arcwright.characters.posing import clip, pose
from arcwright.characters.segment_handles import (
    SHARES,
    fit_handles,
    linear_handles,
    mirrored_handles,
    refine_handles,
    with_handles,
)
from arcwright.characters.skeleton import Joint, root, skeleton
from arcwright.errors import BadValue
from arcwright.kinematics.sample import sample
from arcwright.scene.take import Take

RIG = skeleton([root("Body", (0, 1, 0)), Joint("LeftArm", "Body", (0, 1, 0), {"x": (-90, 90)})])
NAME = "LeftArm.rotate.x"


def made():
    return clip(RIG, "swing", {0.0: pose(RIG, {"LeftArm": 0}), 24.0: pose(RIG, {"LeftArm": 60})})


def values(played, times):
    return sample(Take(RIG, played), np.asarray(times)).values[:, RIG.channel(NAME)]


def test_linear_handles_give_a_straight_line():
    end = np.radians(60)
    times = np.linspace(0, 1, 9)
    assert np.allclose(
        values(with_handles(RIG, made(), 0, {NAME: linear_handles(0, end)}), times), times * end
    )


def test_fitted_handles_follow_any_cubic_exactly_and_move_no_key():
    end = float(np.radians(60))

    def target(share, posed):
        return posed | {NAME: end * share + 0.7 * share * (1 - share) * (2 - share)}

    bends = fit_handles(RIG, made(), 0.0, 1.0, ["LeftArm"], target)
    after = with_handles(RIG, made(), 0, bends)
    times = np.linspace(0, 1, 31)
    assert np.allclose(values(after, times), [target(t, {})[NAME] for t in times], atol=1e-9)
    before = made().curves[RIG.channel(NAME)]
    curve = after.curves[RIG.channel(NAME)]
    assert (curve.time == before.time).all()
    assert (curve.value == before.value).all()


def test_mirrored_handles_change_sides_and_signs():
    assert mirrored_handles({"LeftArm.rotate.y": (1.0, -2.0), "Body.rotate.x": (3.0, 4.0)}) == {
        "RightArm.rotate.y": (-1.0, 2.0),
        "Body.rotate.x": (3.0, 4.0),
    }


def test_handles_without_a_key_are_refused_by_name():
    with pytest.raises(BadValue, match=r"handles of LeftArm\.rotate\.x"):
        with_handles(RIG, made(), 1, {NAME: (0.0, 0.0)})


def test_refined_handles_remove_a_fault():
    line = np.radians(60) * SHARES**2
    before = {NAME: linear_handles(0, np.radians(60))}
    at = RIG.channel(NAME)

    def faults(values):
        return values[:, [at]] - line[:, None]

    after = refine_handles(RIG, with_handles(RIG, made(), 0, before), 0.0, 1.0, before, faults)
    there = values(with_handles(RIG, made(), 0, after), SHARES)
    assert np.abs(there - line).max() < 0.001
