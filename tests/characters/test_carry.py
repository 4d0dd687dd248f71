import numpy as np
import pytest

from arcwright.characters import built_in
from arcwright.characters.biped_carry import ASIDE, BENCH, HELD, SIZE, palm
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.skinning import deform
from arcwright.kinematics.trail import trail
from cast import check_limits, check_mesh

FRAMES = np.arange(HELD[0], HELD[1] + 0.01, 0.25) / 24  # s


def scene():
    return built_in("biped:carry")


def on_box(side, times):
    """Where a palm is on the box, (T, 3) m."""
    box = trail(scene().actor("Box").takes[0], "Box", times).position
    return trail(scene().characters[0].takes[0], palm(side), times).position - box


def test_the_box_and_the_bench_are_sound():
    box, bench = scene().actor("Box"), scene().actor("Bench")
    for prop in (box, bench):
        check_mesh(prop)
    check_limits(box.takes[0])
    assert not bench.takes
    assert box.takes[0].duration == scene().characters[0].takes[0].duration


def test_the_box_is_lifted_and_lies_on_the_bench_elsewhere():
    path = trail(scene().actor("Box").takes[0], "Box", np.array([0, 10, 32, 54]) / 24).position
    low = path[:, 1] - SIZE[1] / 2
    assert low[[0, 1, 3]] == pytest.approx(np.full(3, BENCH))
    assert low[2] > BENCH + 0.3
    assert path[3, 0] - path[0, 0] == pytest.approx(ASIDE)


@pytest.mark.parametrize("side", ["Left", "Right"])
def test_palms_lie_on_the_sides_of_the_box_at_keys_and_hardly_slide_between(side):
    sign = 1 if side == "Left" else -1
    keys = on_box(side, np.array([10, 20, 32, 44, 54]) / 24)
    assert keys == pytest.approx(np.tile([sign * SIZE[0] / 2, 0, 0], (5, 1)), abs=1e-6)
    path = on_box(side, FRAMES)
    assert np.linalg.norm(path - path[0], axis=1).max() < 1e-3


def test_body_and_head_stay_out_of_box_and_bench():
    biped = scene().characters[0]
    box = scene().actor("Box").takes[0]
    names = ("Hips", "Spine", "Chest", "UpperChest", "Head", "LeftUpperLeg", "RightUpperLeg")
    solid = [biped.rig.joint(name) for name in names]
    for frame in range(0, 55, 6):
        time = np.array([frame / 24])
        values = values_at(biped.takes[0], time)
        middle = trail(box, "Box", time).position[0]
        for part, moved in zip(
            biped.shapes[0].parts,
            deform(biped, values[0], forward(biped.rig, values)[0]),
            strict=True,
        ):
            joints, weights = (part.attributes[name] for name in ("JOINTS_0", "WEIGHTS_0"))
            own = biped.shapes[0].skin.joints[joints]
            body = moved.positions[(np.isin(own, solid) * weights).sum(axis=1) > 0.7]
            inside = np.abs(body - middle) < np.array(SIZE) / 2
            assert not inside.all(axis=1).any()
