"""What is set by hand: brush, curves that are drawn, moved, hidden or locked, objects regrouped."""

import numpy as np
import pytest

from arcwright.errors import UnknownName
from arcwright.scene.target import Target
from arcwright.tools.flow.active_key import active_key
from arcwright.tools.flow.model import strength_at
from arcwright.tools.flow.options import FlowOptions
from arcwright.tools.flow.session import FlowSession
from arcwright.tools.flow.shot_keys import prepared_keys
from arcwright.tools.gesture import Drag, ToolHandle
from arcwright.tools.overlay import HandleOverlay
from flow_scenes import arc_over, pole, prop, standing, stroke_of, tube


def session_of(scene, **options):
    return FlowSession(scene, Target(), FlowOptions(**options))


def after(scene, points, **options):
    """The scene after one stroke."""
    session = session_of(scene, **options)
    session.update(stroke_of(scene.cameras[0].camera, points))
    return session.finish().apply(scene)


def matched(scene):
    return {each.name: each for each in session_of(scene).bent().matched}


def test_a_brush_excludes_and_includes_objects():
    scene = standing(pole("left", -0.1), pole("right", 0.1), pole("far", 1.6))
    scene = after(scene, arc_over(scene))
    assert matched(scene).keys() == {"left", "right"}
    over = arc_over(scene, x=0.1, lean=0.0)
    moved = matched(scene)["right"].after
    scene = after(scene, moved, use="brush", brush_size=3.0)
    assert matched(scene).keys() == {"left"}
    scene = after(scene, over, use="brush", brush="include", brush_size=3.0)
    assert matched(scene).keys() == {"left", "right"}
    far = arc_over(scene, x=1.6, lean=0.0)
    scene = after(scene, far, use="brush", brush="include", brush_size=10.0)
    assert matched(scene).keys() == {"left", "right", "far"}


def test_a_brush_sets_the_strength_where_it_goes():
    scene = standing(pole())
    scene = after(scene, arc_over(scene))
    full = matched(scene)["pole"]
    upper = full.after[np.argsort(full.after[:, 1])[:3]]
    scene = after(scene, upper, use="brush", brush="strength", brush_size=60.0)
    (layer,) = scene.flow.layers
    assert layer.brush.shape[1] == 4
    less = matched(scene)["pole"]
    top = full.samples[:, 1].argmin()
    assert np.linalg.norm((less.after - less.samples)[top]) < 0.6 * np.linalg.norm(
        (full.after - full.samples)[top]
    )
    assert strength_at(layer, np.array([[0.0, 0.0]])) == pytest.approx(1)


def test_a_hidden_curve_follows_nothing_until_it_is_released():
    scene = standing(pole())
    hidden = session_of(scene, hide="pole").finish().apply(scene)
    assert matched(after(hidden, arc_over(scene), use="flow")) == {}
    back = session_of(hidden, release="pole").finish().apply(hidden)
    assert matched(after(back, arc_over(scene))).keys() == {"pole"}
    with pytest.raises(UnknownName, match="nobody"):
        session_of(scene, hide="nobody").finish()


def test_a_locked_curve_stays():
    scene = standing(pole())
    locked = session_of(scene, lock="pole").finish().apply(scene)
    assert matched(after(locked, arc_over(scene))) == {}


def test_a_curve_is_moved_by_its_control_points():
    scene = standing(pole())
    session = session_of(scene, curve="pole")
    handles = [each for each in session.rest_overlays() if isinstance(each, HandleOverlay)]
    assert [each.name for each in handles] == [f"curve {n}" for n in range(1, 7)]
    tip = max(handles, key=lambda each: each.position[1])
    session.update(Drag(ToolHandle(tip.name), 0.0, position=tip.position + [0.3, 0, 0]))
    moved = session.finish().apply(scene)
    (curve,) = moved.flow.curves
    assert curve.name == "pole"
    before = session.prepared.curves[0].points
    shift = np.abs(curve.points - before).max(1)
    assert shift.max() > 15
    assert np.median(shift) < 8
    still = session_of(scene, curve="pole")
    still.update(Drag(ToolHandle(tip.name), 0.0, position=tip.position))
    assert still.finish().empty


def fence():
    parts = [tube((x, 0, 0), (x, 1.5, 0), 0.04) for x in (-0.6, -0.2, 0.2, 0.6)]
    count = np.cumsum([0, *(len(each) for each, _ in parts)])
    positions = np.concatenate([each for each, _ in parts])
    faces = np.concatenate([each + n for (_, each), n in zip(parts, count, strict=False)])
    return prop("fence", positions, faces)


def names(scene, **options):
    active = active_key(scene, Target(), FlowOptions(**options))
    return [each.name for each in prepared_keys(scene, active.flow)[0].objects if not each.ground]


def test_objects_are_cut_and_merged_by_hand():
    scene = standing(fence(), pole("post", 2.0))
    whole = {"split": "meshes"}
    assert names(scene, **whole) == ["fence", "post"]
    assert names(scene, **whole, cut="fence") == [
        *(f"fence part {n}" for n in range(1, 5)),
        "post",
    ]
    assert names(scene, **whole, cut="fence", merge="fence part 1, fence part 2") == [
        "fence part 1",
        "fence part 3",
        "fence part 4",
        "post",
    ]
    assert names(scene, **whole, merge="fence, post") == ["fence"]
    assert names(scene, **whole, cut="fence", regroup=True) == ["fence", "post"]


def test_a_merged_object_bends_all_its_meshes():
    scene = standing(pole("a", -0.15), pole("b", 0.15))
    merged = after(scene, arc_over(scene), merge="a, b")
    assert merged.flow.merged == (("a", "b"),)
    for name in ("a", "b"):
        assert merged.actor(name).shapes[0].morph_names == ("Flow",)
