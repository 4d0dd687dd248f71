"""Animated shots: flow per key, blended in time."""

from dataclasses import replace

import numpy as np
import pytest

import arcwright
from arcwright.arrays import same
from arcwright.flow_file import compose, flow_of
from arcwright.flow_file.compose import flow_from
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.skinning import deform
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
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
    assert after.flow.lift


def test_a_file_whose_camera_moves_is_lifted_unless_it_says_no():
    scene = standing(pole())
    view = {"eye": [1, 1.6, 7], "target": [0, 1.2, 0], "width": 960, "height": 540}
    key = {"time": 1.0, "camera": view, **strokes(scene, 0.4)}
    still = {**strokes(scene, 0.2), "keys": [{"time": 1.0, **strokes(scene, 0.4)}]}
    for given, lifts in (
        ({**strokes(scene, 0.2), "keys": [key]}, True),
        ({**strokes(scene, 0.2), "keys": [key], "lift": False}, False),
        (still, False),
    ):
        assert flow_from(scene, flow_of(given), FlowOptions()).lift is lifts


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


def turning():
    """A pole that turns about its foot by a quarter in a second, and leans as it does."""
    scene = standing(pole())
    stick = scene.actor("pole")
    table = stick.rig.channels
    curves = [None] * len(table)
    for name, value in (("rotate.y", np.pi / 2), ("rotate.z", 0.3)):
        curves[stick.rig.channel(f"pole.{name}")] = curve([0.0, 1.0], [0.0, value])
    take = Take(stick.rig, Clip("turn", tuple(curves), 1.0))
    return replace(scene, props=(scene.props[0], replace(stick, takes=(take,))))


def curve(times, values):
    straight = np.zeros((len(times), 2, 2))
    kinds = np.zeros((len(times), 2), int), np.ones(len(times), int)
    return Curve(np.array(times), np.array(values), straight, *kinds)


def test_the_flow_of_a_turning_body_does_not_turn_with_it():
    scene = turning()
    file = {
        **strokes(scene, 0.4, range=300),
        "keys": [{"time": 1.0, **strokes(scene, 0.9, range=300)}],
    }
    edit, _ = compose(scene, flow_of(file))
    after = edit.apply(scene)
    view = ShotView(scene.cameras[0].camera)
    shift = []
    for time in np.linspace(0, 1, 25):
        rest, bent = (places(each.actor("pole"), time) for each in (scene, after))
        shift.append(view.project(bent) - view.project(rest))
    second = np.sqrt((np.diff(shift, 2, axis=0) ** 2).sum(-1))
    moved = np.abs(shift[-1]).max()
    assert moved > 10
    assert np.percentile(second, 99) < 6.5 * moved / 24**2
    assert len(after.actor("pole").shapes[0].morph_names) == 25
