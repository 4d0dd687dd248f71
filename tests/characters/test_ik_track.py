import numpy as np
import pytest

from arcwright.characters.ik_track import Limb, bake, soft_loop, track
from arcwright.characters.posing import clip, point_position, pose, pose_at, solve_ik
from arcwright.characters.skeleton import Joint, root, skeleton
from arcwright.curves.evaluate import evaluate_curve
from arcwright.scene.curve import Extrapolation, Handle

WIDE = {"x": (-90.0, 90.0), "y": (-40.0, 40.0), "z": (-50.0, 60.0)}
RIG = skeleton(
    [
        root("Hips", (0, 1, 0)),
        Joint("Thigh", "Hips", (0, 0.95, 0), WIDE, "XZY"),
        Joint("Shin", "Thigh", (0, 0.5, 0.01), {"x": (0, 150)}),
        Joint("Foot", "Shin", (0, 0.1, 0), WIDE, "XYZ"),
    ]
)
LEG = Limb(("Thigh", "Shin", "Foot"), "Foot", ((0.0, 0.0, 0.0), (0.0, -0.1, 0.1)))
AT = (0.0, 0.1, 0.0)


def planted(_, posed):
    guess = pose(RIG, {"Thigh": (-30, 0, 0), "Shin": 60, "Foot": (-30, 0, 0)})
    return solve_ik(RIG, posed | guess, "Foot", AT, (0, 0, 0))


def sinking(**options):
    high, low = (
        pose(RIG, {"Hips.translate": (0, -y, 0), "Shin": 40 + 200 * y, "Thigh": (-20, 0, 0)})
        for y in (0.06, 0.3)
    )
    return clip(RIG, "sink", {0: high, 12: low, 24: high}, **options)


def drift(played, frames):
    places = [point_position(RIG, pose_at(RIG, played, f), "Foot") for f in frames]
    return float(np.linalg.norm(np.array(places) - AT, axis=1).max())


def test_a_track_stands_still_between_equal_keys_and_runs_on_in_a_loop():
    ahead = track({0: (0.0, 5.0), 4: (0.0, 0.0), 8: (2.0, 5.0)}, loops=True)
    assert ahead(2.0)[0] == 0
    assert ahead(9.0)[0] == pytest.approx(ahead(1.0)[0] + 2)
    assert ahead(9.0)[1] == pytest.approx(ahead(1.0)[1])
    once = track({0: (1.0,), 4: (3.0,)}, loops=False)
    assert once(7.0) == [3.0]


def test_a_baked_limb_stays_where_it_carries_with_few_keys():
    made = bake(RIG, sinking(), LEG, planted, (0.0, 24.0), planted=[(0.0, 24.0)])
    assert drift(sinking(), np.arange(0, 24, 0.25)) > 0.02
    assert drift(made, np.arange(0, 24.1, 0.25)) < 5e-4
    shin = made.curves[RIG.channel("Shin.rotate.x")]
    assert len(shin) < 13
    assert (shin.handles == Handle.ALIGNED).all()


def test_keys_outside_the_span_stay():
    before = sinking()
    made = bake(RIG, before, LEG, planted, (6.0, 18.0), planted=[(6.0, 18.0)])
    assert drift(made, np.arange(6, 18.1, 0.25)) < 5e-4
    shin = RIG.channel("Shin.rotate.x")
    for time in (0.0, 1.0):
        at = [time]
        assert evaluate_curve(made.curves[shin], at) == evaluate_curve(before.curves[shin], at)
    hips = RIG.channel("Hips.translate.y")
    assert made.curves[hips] is before.curves[hips]


def test_a_second_span_leaves_the_first_as_it_is():
    first = bake(RIG, sinking(), LEG, planted, (0.0, 6.0), planted=[(0.0, 6.0)])
    both = bake(RIG, first, LEG, planted, (18.0, 24.0), planted=[(18.0, 24.0)])
    assert drift(both, np.arange(0, 6.1, 0.25)) < 5e-4
    assert drift(both, np.arange(18, 24.1, 0.25)) < 5e-4


def test_channels_that_only_the_solution_moves_come_back_after_it():
    made = bake(RIG, sinking(), LEG, planted, (6.0, 18.0), planted=[(6.0, 18.0)])
    foot = made.curves[RIG.channel("Foot.rotate.x")]
    assert evaluate_curve(foot, [0.0, 1.0]).tolist() == [0, 0]


def test_a_baked_loop_closes_with_one_slope():
    made = soft_loop(sinking(loops=True))
    made = bake(RIG, made, LEG, planted, (0.0, 24.0), planted=[(0.0, 24.0)])
    for curve in made.curves:
        if curve is not None and len(curve) > 1:
            assert curve.after == Extrapolation.CYCLE
            (out_run, out), (in_run, into) = curve.tangent[0, 1], curve.tangent[-1, 0]
            assert out / out_run == pytest.approx(into / in_run, abs=1e-3)
