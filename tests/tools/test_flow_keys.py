"""Animated shots: flow per key, blended in time."""

from dataclasses import replace

import numpy as np
import pytest

import arcwright
from arcwright.arrays import same
from arcwright.flow_file import compose, flow_of
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.skinning import deform
from arcwright.scene.clip import Clip
from arcwright.scene.motion import Motion
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.flow.animated_flow import blend_curves, blend_weights
from arcwright.tools.flow.options import FlowOptions
from arcwright.tools.flow.session import FlowSession
from arcwright.tools.flow.shot_view import ShotView
from flow_scenes import arc_over, pole, standing, stroke_of


def places(actor, time):
    """Vertices of an actor at a time, with its flow."""
    take = actor.takes[0] if actor.takes else None
    values = actor.rig.channels.default if take is None else values_at(take, np.array([time]))[0]
    posed = deform(actor, values, forward(actor.rig, values[None])[0])
    return np.concatenate([each.positions for each in posed])


def strokes(scene, lean, **more):
    return {"strokes": [{"points": arc_over(scene, lean=lean).tolist(), **more}]}


def swaying(scene, first=0.2, second=0.7, time=2.0):
    """A pole that leans a little at 0 s and more later."""
    file = {**strokes(scene, first), "keys": [{"time": time, **strokes(scene, second)}]}
    edit, report = compose(scene, flow_of(file))
    return edit.apply(scene), report


def tips(scene, times, name="pole"):
    actor, camera = scene.actor(name), scene.cameras[0].camera
    rest = places(replace(actor, shapes=scene.actor(name).shapes), 0.0)
    top = int(rest[:, 1].argmax())
    found = np.array([places(actor, each)[top] for each in times])
    return ShotView(camera).project(found)


def test_weights_of_keys_are_smooth_and_sum_to_1():
    times = np.array([0.0, 0.5, 2.0, 2.5])
    at = np.linspace(-0.5, 3, 200)
    weights = blend_weights(times, at)
    assert weights.sum(1) == pytest.approx(1)
    assert blend_weights(times, times) == pytest.approx(np.eye(4))
    rig = pole().rig
    for row, curve in enumerate(blend_curves(times)):
        clip = Clip("", (curve, *(None,) * (len(rig.channels) - 1)), 3.0)
        by_curve = values_at(Take(rig, clip), np.clip(at, 0, 3))[:, 0]
        assert by_curve == pytest.approx(weights[:, row], abs=1e-9)


def test_a_pole_sways_between_the_strokes_of_two_keys_and_its_foot_stays():
    scene = standing(pole(), pole("other", 1.5))
    after, report = swaying(scene)
    assert {each["time"] for each in report["pieces"]} == {0.0, 2.0}
    along = tips(after, np.linspace(0, 2, 49))[:, 0]
    assert along[-1] - along[0] > 15
    assert (np.diff(along) > -1e-6).all()
    assert np.abs(np.diff(along, 2)).max() < 0.2
    rest = scene.actor("pole").shapes[0].parts[0].attributes["POSITION"]
    foot = rest[:, 1] < 0.01
    for time in (0.0, 0.7, 2.0):
        assert places(after.actor("pole"), time)[foot] == pytest.approx(rest[foot], abs=1e-4)
    assert same(after.actor("other"), scene.actor("other"))


def test_under_constant_flow_static_vertices_do_not_move_at_all():
    scene = standing(pole())
    after, _ = swaying(scene, 0.5, 0.5)
    assert after.actor("pole").takes == ()
    assert after.actor("pole").shapes[0].morph_names == ("Flow",)
    assert np.array_equal(places(after.actor("pole"), 0.0), places(after.actor("pole"), 1.3))


@pytest.mark.parametrize("sampled", [False, True])
def test_takes_gain_weights_and_lose_them_with_the_key(sampled):
    scene = standing(pole())
    bare = scene.actor("pole")
    count = len(bare.rig.channels)
    base = Clip("still", (None,) * count, 3.0)
    if sampled:
        base = Motion("still", np.linspace(0, 3, 31), np.tile(bare.rig.channels.default, (31, 1)))
    moving = replace(bare, takes=(Take(bare.rig, base), Take(bare.rig, replace(base, name="b"))))
    scene = replace(scene, props=(scene.props[0], moving))
    after, _ = swaying(scene)
    pole_after = after.actor("pole")
    assert [each.name for each in pole_after.takes] == ["still", "b"]
    assert pole_after.rig.channel_names[-2:] == ("pole.weight.Flow", "pole.weight.Flow 2")
    assert tips(after, [2.0])[0, 0] - tips(after, [0.0])[0, 0] > 15
    session = FlowSession(after, Target(time=2.0), FlowOptions(remove_key=True))
    edit = session.finish()
    once = edit.apply(after)
    assert once.flow.keys == ()
    assert same(once.actor("pole").takes, moving.takes)
    assert same(edit.inverse().apply(once), after)


def test_auto_key_adds_a_key_where_an_edit_is_made():
    scene = standing(pole())
    camera = scene.cameras[0].camera
    first = FlowSession(scene, Target(), FlowOptions())
    first.update(stroke_of(camera, arc_over(scene, lean=0.2)))
    scene = first.finish().apply(scene)
    plain = FlowSession(scene, Target(time=2.0), FlowOptions())
    plain.update(stroke_of(camera, arc_over(scene, lean=0.7)))
    assert plain.finish().apply(scene).flow.keys == ()
    keyed = FlowSession(scene, Target(time=2.0), FlowOptions(auto_key=True))
    assert keyed.finish().empty
    preview = keyed.update(stroke_of(camera, arc_over(scene, lean=0.7)))
    after = keyed.finish().apply(scene)
    assert [each.shot.time for each in after.flow.all_keys] == [0.0, 2.0]
    assert [len(each.layers) for each in after.flow.all_keys] == [1, 2]
    (mesh,) = preview.meshes
    moved = places(after.actor("pole"), 2.0) - places(scene.actor("pole"), 2.0)
    assert np.abs(mesh.offsets - moved[mesh.vertices]).max() < 0.02


def test_another_camera_at_a_new_key_moves_the_camera():
    scene = standing(pole())
    camera = scene.cameras[0].camera
    first = FlowSession(scene, Target(), FlowOptions())
    first.update(stroke_of(camera, arc_over(scene, lean=0.2)))
    scene = first.finish().apply(scene)
    other = replace(camera, position=camera.position + [0.5, 0, 0])
    session = FlowSession(scene, Target(time=1.0), FlowOptions(auto_key=True))
    session.update(stroke_of(other, arc_over(scene, lean=0.4)))
    after = session.finish().apply(scene)
    assert same(after.flow.keys[0].shot.camera, other)
    assert same(after.flow.shot.camera, camera)


def test_an_animated_composition_survives_files(tmp_path):
    after, _ = swaying(standing(pole()))
    arcwright.write(after, tmp_path / "a.arc.glb")
    again = arcwright.read(tmp_path / "a.arc.glb")
    assert same(again.flow, after.flow)
    assert same(again.props, after.props)
    arcwright.write(after, tmp_path / "a.glb")
    back = next(
        actor
        for actor in arcwright.read(tmp_path / "a.glb").actors
        if any(each.morph_names == ("Flow", "Flow 2") for each in actor.shapes)
    )
    for time in (0.0, 0.6, 1.1, 2.0):
        every, own = places(back, time), places(after.actor("pole"), time)
        near = np.sqrt(((own[:, None] - every) ** 2).sum(-1)).min(1)
        assert near.max() < 1e-4
