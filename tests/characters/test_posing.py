import numpy as np
import pytest

from arcwright.characters.posing import (
    clip,
    mirrored,
    only,
    point_position,
    pose,
    pose_at,
    solve_ik,
    values_of,
    with_fitted_handles,
)
from arcwright.characters.skeleton import Joint, both_sides, root, skeleton
from arcwright.errors import BadValue, UnknownName
from arcwright.kinematics.forward import forward
from arcwright.scene.curve import Extrapolation, Handle

WIDE = {"x": (-90.0, 90.0), "y": (-40.0, 40.0), "z": (-50.0, 60.0)}
RIG = skeleton(
    both_sides(
        [
            root("Hips", (0, 1, 0)),
            Joint("LeftThigh", "Hips", (0.1, 0.95, 0), WIDE, "XZY"),
            Joint("LeftShin", "LeftThigh", (0.1, 0.5, 0.01), {"x": (0, 150)}),
            Joint("LeftFoot", "LeftShin", (0.1, 0.1, 0), WIDE, "XYZ"),
        ]
    )
)


def test_poses_are_written_in_degrees_and_metres():
    posed = pose(RIG, {"LeftShin": 30, "LeftThigh": (10, 0, -5), "Hips.translate": (0, 0.1, 0)})
    assert posed["LeftShin.rotate.x"] == pytest.approx(np.radians(30))
    assert posed["LeftThigh.rotate.z"] == pytest.approx(np.radians(-5))
    assert posed["Hips.translate.y"] == 0.1
    assert pose(RIG, {"Hips.y": 90}) == {"Hips.rotate.y": pytest.approx(np.pi / 2)}
    assert pose(RIG, {"Hips.translate.z": 2}) == {"Hips.translate.z": 2.0}


def test_a_wrong_name_or_count_is_refused():
    with pytest.raises(UnknownName, match="LeftTigh"):
        pose(RIG, {"LeftTigh": 3})
    with pytest.raises(BadValue, match="1 numbers"):
        pose(RIG, {"LeftShin": (1, 2)})


def test_a_mirrored_pose_puts_every_joint_in_the_mirror():
    posed = pose(RIG, {"LeftThigh": (20, 10, -15), "LeftShin": 40, "Hips": (5, 20, 10)})
    posed |= pose(RIG, {"Hips.translate": (0.1, 0, 0.2)})
    one = forward(RIG, values_of(RIG, posed)[None])[0, :, :3, 3]
    other = forward(RIG, values_of(RIG, mirrored(posed))[None])[0, :, :3, 3]
    swap = [RIG.joint(n.replace("Left", "R_").replace("Right", "Left").replace("R_", "Right"))
            for n in RIG.names]  # fmt: skip
    assert np.allclose(one * [-1, 1, 1], other[swap], atol=1e-12)
    assert mirrored(mirrored(posed)) == posed


@pytest.mark.parametrize("seed", range(8))
def test_reach_plants_a_foot_exactly_and_keeps_limits(seed):
    random = np.random.default_rng(seed)
    posed = pose(RIG, {"Hips.translate": tuple(random.uniform(-0.14, -0.06, 3)), "Hips": (8, 5, 3)})
    at = np.array([0.13, 0.1, 0]) + random.uniform(-0.08, 0.08, 3) * [1, 0, 1]
    planted = solve_ik(RIG, posed, "LeftFoot", at, (0, 8, 0))
    assert np.allclose(point_position(RIG, planted, "LeftFoot"), at, atol=1e-6)
    sole = forward(RIG, values_of(RIG, planted)[None])[0, RIG.joint("LeftFoot"), :3, 1]
    assert np.allclose(sole, [0, 1, 0], atol=1e-5)
    values = values_of(RIG, planted)
    assert (values >= RIG.channels.low - 1e-12).all()
    assert (values <= RIG.channels.high + 1e-12).all()
    assert {n.split(".")[0] for n in planted if planted[n] != posed.get(n)} <= {
        "LeftThigh",
        "LeftShin",
        "LeftFoot",
    }


def test_ik_reports_its_residual():
    with pytest.raises(BadValue, match="missed by"):
        solve_ik(RIG, {}, "LeftFoot", (0.1, -0.5, 0))


def test_a_clip_keys_only_what_is_named_and_moves():
    low, high = pose(RIG, {"LeftShin": 10, "Hips": (0, 0, 0)}), pose(RIG, {"LeftShin": 60})
    made = clip(RIG, "bend", {0: low, 6: pose(RIG, {"LeftThigh.x": 9}), 12: high})
    keyed = {n: c for n, c in zip(RIG.channel_names, made.curves, strict=True) if c is not None}
    assert list(keyed) == ["LeftThigh.rotate.x", "LeftShin.rotate.x"]
    assert len(keyed["LeftThigh.rotate.x"]) == 1
    assert keyed["LeftShin.rotate.x"].time.tolist() == [0, 0.5]
    assert (keyed["LeftShin.rotate.x"].handles == Handle.AUTO_CLAMPED).all()
    assert made.duration == 0.5


def test_lag_delays_inner_keys_only():
    poses = {f: pose(RIG, {"LeftShin": 10 + f}) for f in (0, 6, 12)}
    made = clip(RIG, "late", poses, lag={"LeftShin": 2})
    curve = made.curves[RIG.channel("LeftShin.rotate.x")]
    assert curve.time.tolist() == [0, 8 / 24, 0.5]


def test_a_loop_runs_on_smoothly():
    poses = {f: pose(RIG, {"LeftShin": b, "Hips.translate.z": f / 24}) for f, b in
             ((0, 20), (6, 50), (12, 30), (24, 20))}  # fmt: skip
    made = clip(RIG, "round", poses, loops=True)
    shin = made.curves[RIG.channel("LeftShin.rotate.x")]
    slide = made.curves[RIG.channel("Hips.translate.z")]
    assert shin.after == Extrapolation.CYCLE
    assert slide.after == Extrapolation.CYCLE_OFFSET
    out, into = shin.tangent[0, 1], shin.tangent[-1, 0]
    assert out[1] / out[0] == pytest.approx(into[1] / into[0])


def test_handles_are_fitted_to_poses_without_changing_keys():
    still = pose(RIG, {"Hips.translate": (0, -0.02, 0), "Hips": (0, 0, 0)})
    deep = pose(RIG, {"Hips.translate": (0, -0.3, 0), "Hips": (20, 0, 0)})
    keys = {0: solve_ik(RIG, still, "LeftFoot", (0.1, 0.1, 0), (0, 0, 0)),
            10: solve_ik(RIG, deep, "LeftFoot", (0.1, 0.1, 0), (0, 0, 0))}  # fmt: skip
    made = clip(RIG, "crouch", keys)
    leg = ("LeftThigh", "LeftShin", "LeftFoot")
    wanted = {}
    for f in range(1, 10):
        posed = solve_ik(RIG, pose_at(RIG, made, f), "LeftFoot", (0.1, 0.1, 0), (0, 0, 0))
        wanted[f] = only(posed, *leg)
    better = with_fitted_handles(RIG, made, wanted)

    def slip(played):
        return max(
            abs(point_position(RIG, pose_at(RIG, played, f), "LeftFoot")[1] - 0.1)
            for f in range(11)
        )

    assert slip(better) < slip(made) / 4
    for one, other in zip(made.curves, better.curves, strict=True):
        assert one is None or np.array_equal(one.value, other.value)
