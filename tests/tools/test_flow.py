"""Flow curves: a stroke bends poles and bars, contacts hold, layers stack."""

from dataclasses import replace

import numpy as np
import pytest

import arcwright
from arcwright.arrays import same
from arcwright.errors import BadValue
from arcwright.kinematics.skinning import deform
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.flow.model import curve_places
from arcwright.tools.flow.notes import notes_of
from arcwright.tools.flow.options import FlowOptions
from arcwright.tools.flow.preparation import prepare_shot
from arcwright.tools.flow.session import FlowSession
from arcwright.tools.flow.shot_view import ShotView
from arcwright.tools.gesture import Drag, Stroke, ToolHandle
from arcwright.tools.overlay import ChoicesOverlay, CurveOverlay, HandleOverlay
from flow_scenes import arc_over, bar, pole, prop, square, standing, stroke_of, tube


def drawn(scene, points, **options):
    """A session with one stroke."""
    session = FlowSession(scene, Target(), FlowOptions(**options))
    session.update(stroke_of(scene.cameras[0].camera, points))
    return session


def pixels_of(scene, actor, camera):
    """The vertices of a prop in the picture, with what flow does to them."""
    one = scene.actor(actor)
    world = np.eye(4)[None]
    positions = deform(one, one.rig.channels.default, world)[0].positions
    return ShotView(camera).project(positions)


def test_a_pole_leans_along_a_stroke_and_its_foot_stays():
    scene = standing(pole())
    camera = scene.cameras[0].camera
    session = drawn(scene, arc_over(scene))
    (matched,) = session.bent().matched
    assert matched.name == "pole"
    assert not matched.free
    assert matched.angle_after < 0.1 * matched.angle_before
    after = session.finish().apply(scene)
    before, moved = pixels_of(scene, "pole", camera), pixels_of(after, "pole", camera)
    foot = before[:, 1] > before[:, 1].max() - 3
    assert np.abs(moved - before)[foot].max() < 0.5
    assert (moved - before)[:, 0].max() > 20


def test_a_bar_that_touches_nothing_comes_to_the_stroke():
    scene = standing(bar())
    camera = scene.cameras[0].camera
    share = np.linspace(-1.2, 1.2, 40)
    places = np.stack([share, 2.1 + 0.2 * np.cos(1.5 * share), 0 * share], 1)
    (matched,) = drawn(scene, ShotView(camera).project(places)).bent().matched
    assert matched.free
    assert matched.distance_after < 2


def test_what_stands_on_the_floor_of_a_scene_without_ground_stays_there():
    scene = standing(pole())
    scene = replace(scene, props=tuple(each for each in scene.props if each.name == "pole"))
    (matched,) = drawn(scene, arc_over(scene)).bent().matched
    assert not matched.free


def test_depths_stay():
    scene = standing(pole())
    session = drawn(scene, arc_over(scene))
    after = session.finish().apply(scene)
    eye = scene.cameras[0].camera.position

    def away(each):
        one = each.actor("pole")
        found = deform(one, one.rig.channels.default, np.eye(4)[None])[0].positions
        return np.linalg.norm(found - eye, axis=1)

    assert away(after) == pytest.approx(away(scene), abs=1e-5)


def test_a_stroke_at_strength_0_changes_nothing():
    scene = standing(pole())
    assert drawn(scene, arc_over(scene), strength=0.0).finish().empty


def test_a_removed_layer_leaves_the_meshes_as_they_were():
    scene = standing(pole())
    bent = drawn(scene, arc_over(scene)).finish().apply(scene)
    session = FlowSession(bent, Target(), FlowOptions())
    session.set_options(FlowOptions(remove=True))
    again = session.finish().apply(bent)
    assert again.flow.layers == ()
    assert same(again.props, scene.props)


def layered():
    """A scene with two layers that bend a pole each."""
    scene = standing(pole("left", -1.0), pole("right", 1.0))
    for x in (-1.0, 1.0):
        scene = drawn(scene, arc_over(scene, x)).finish().apply(scene)
    return scene


def test_layers_are_muted_weighted_and_reordered():
    scene = layered()
    assert [each.name for each in scene.flow.layers] == ["Stroke 1", "Stroke 2"]

    def after(**options):
        session = FlowSession(scene, Target(), FlowOptions())
        session.set_options(FlowOptions(**options))
        return session.finish().apply(scene)

    camera = scene.cameras[0].camera
    rest = pixels_of(standing(pole("left", -1.0)), "left", camera)
    full = pixels_of(scene, "left", camera) - rest
    assert np.abs(pixels_of(after(layer=1, muted=True), "left", camera) - rest).max() < 1e-3
    half = pixels_of(after(layer=1, strength=0.5), "left", camera) - rest
    assert 0.3 < np.abs(half).max() / np.abs(full).max() < 0.7
    swapped = after(layer=1, place=2)
    assert [each.name for each in swapped.flow.layers] == ["Stroke 2", "Stroke 1"]
    with pytest.raises(BadValue, match="layer"):
        after(layer=3)


def test_choosing_a_layer_changes_nothing():
    scene = layered()
    session = FlowSession(scene, Target(), FlowOptions())
    preview = session.set_options(FlowOptions(layer=1))
    (layers,) = [each for each in preview.overlays if isinstance(each, ChoicesOverlay)]
    assert layers.chosen == 0
    assert session.finish().empty


def test_excluded_objects_stay():
    scene = standing(pole("left", -0.1), pole("right", 0.1))
    stroke = arc_over(scene)
    assert {each.name for each in drawn(scene, stroke).bent().matched} == {"left", "right"}
    (only,) = drawn(scene, stroke, exclude="left").bent().matched
    assert only.name == "right"
    (only,) = drawn(scene, stroke, only="left").bent().matched
    assert only.name == "left"


def test_the_curves_are_shown_before_the_first_gesture():
    session = FlowSession(standing(pole(), bar()), Target(), FlowOptions())
    named = {each.name for each in session.rest_overlays() if isinstance(each, CurveOverlay)}
    assert named == {"pole", "bar"}


def test_a_control_point_of_a_stroke_can_be_dragged():
    scene = standing(pole())
    bent = drawn(scene, arc_over(scene)).finish().apply(scene)
    session = FlowSession(bent, Target(), FlowOptions())
    handles = [each for each in session.rest_overlays() if isinstance(each, HandleOverlay)]
    last = handles[-1]
    session.update(Drag(ToolHandle(last.name), 0.0, position=last.position + [0.3, 0, 0]))
    again = session.finish().apply(bent)
    camera = scene.cameras[0].camera
    moved = pixels_of(again, "pole", camera) - pixels_of(bent, "pole", camera)
    assert moved[:, 0].max() > 5
    still = FlowSession(bent, Target(), FlowOptions())
    still.update(Drag(ToolHandle(last.name), 0.0, position=last.position))
    assert still.finish().empty


def test_a_point_of_an_object_can_be_dragged():
    scene = standing(pole())
    session = FlowSession(scene, Target(), FlowOptions())
    top = arcwright.Point("pole", np.array([0.0, 2.2, 0.0]), "pole")
    preview = session.update(Drag(top, 0.0, position=[0.4, 2.1, 0.0]))
    assert preview.drag.remaining < 0.01
    assert session.finish().apply(scene).flow.layers[0].kind == "points"


def test_previews_name_the_vertices_that_move():
    scene = standing(pole())
    session = FlowSession(scene, Target(), FlowOptions())
    preview = session.update(stroke_of(scene.cameras[0].camera, arc_over(scene)))
    (mesh,) = preview.meshes
    assert (mesh.actor, mesh.shape, mesh.part) == ("pole", 0, 0)
    target = preview.edit.apply(scene).actor("pole").shapes[0].parts[0].morphs[-1]["POSITION"]
    assert mesh.offsets == pytest.approx(target[mesh.vertices], abs=1e-6)


def test_a_stroke_through_another_camera_is_refused_with_a_note():
    scene = layered()
    other = replace(scene.cameras[0].camera, position=[3.0, 1.6, 7.0])
    session = FlowSession(scene, Target(), FlowOptions())
    session.update(Stroke(other, arc_over(scene), np.linspace(0, 1, 40)))
    assert session.finish().empty
    assert "camera" in session.notes()[0].text


def test_a_composition_survives_the_project_file(tmp_path):
    scene = layered()
    arcwright.write(scene, tmp_path / "shot.arc.glb")
    assert same(arcwright.read(tmp_path / "shot.arc.glb").flow, scene.flow)
    arcwright.write(scene, tmp_path / "shot.glb")
    back = arcwright.read(tmp_path / "shot.glb")
    shape = next(each for actor in back.actors for each in actor.shapes if each.name == "left")
    assert shape.morph_names == ("Flow",)
    assert shape.morph_weights == (1.0,)


@pytest.mark.parametrize("points", [np.zeros((0, 2)), [[480.0, 200]], [[5.0, 5], [9, 5]]])
def test_strokes_that_bend_nothing_say_why(points):
    scene = standing(pole())
    session = drawn(scene, points)
    assert session.finish().empty
    if len(points):
        assert session.notes()[0].kind == "info"


def test_objects_that_stop_short_share_a_note():
    scene = standing(*(bar(f"bar{n}", x=1.9 * n - 3) for n in range(4)))
    session = drawn(scene, np.array([[100.0, 200], [500, 180]]))
    shares = {session.prepared.index_of(f"bar{n}"): 0.2 * n for n in range(1, 4)}
    layer = session.finish().apply(scene).flow.layers[0]
    stopped = replace(session.bent(), shares={**shares, session.prepared.index_of("bar0"): 0.1})
    (note,) = (
        each for each in notes_of(session.prepared, stopped, layer) if each.kind == "residual"
    )
    assert note.text.startswith("4 objects go part of the way (bar0 10 %, bar1 20 %, bar2 40 %, …)")
    assert note.amount == pytest.approx(0.9)


def test_bad_scenes_end_in_notes_or_nothing():
    camera = standing().cameras[0]
    empty = Scene("empty", cameras=(camera,))
    assert drawn(empty, [[10.0, 10], [300, 300]]).finish().empty
    behind = standing(pole(z=20.0))
    session = drawn(behind, arc_over(standing(pole())))
    assert session.finish().empty
    assert "Nothing" in session.notes()[0].text
    flat = prop("flat", np.zeros((3, 3)), np.array([[0, 1, 2]]))
    degenerate = prop("line", np.array([[0.0, 0, 0], [0, 1, 0], [0, 2, 0]]), np.array([[0, 1, 2]]))
    drawn(standing(flat, degenerate), arc_over(standing(pole()))).finish()


def test_components_of_a_mesh_are_split_or_kept_together():
    parts = [tube((x, 0, 0), (x, 1.5, 0), 0.04) for x in (-0.6, -0.2, 0.2, 0.6)]
    count = np.cumsum([0, *(len(each) for each, _ in parts)])
    positions = np.concatenate([each for each, _ in parts])
    faces = np.concatenate([each + n for (_, each), n in zip(parts, count, strict=False)])
    scene = standing(prop("fence", positions, faces))
    shot = scene.cameras[0]
    whole = prepare_shot(scene, shot, split="meshes")
    assert [each.kind for each in whole.curves if not each.second] == ["contour"]
    pieces = prepare_shot(scene, shot, split="components")
    kinds = [each.kind for each in pieces.curves]
    assert kinds.count("principal") == 4
    assert kinds.count("group") == 1


def test_points_of_a_cloud_move_along():
    random = np.random.default_rng(0)
    cloud = random.normal(0, 0.05, (200, 3)) + np.linspace([0, 0.4, 0], [0, 2.0, 0], 200)
    scene = standing(prop("water", cloud))
    session = drawn(scene, arc_over(scene))
    assert [each.name for each in session.bent().matched] == ["water"]
    assert not session.finish().empty


def test_every_curve_hangs_on_its_grid_exactly():
    scene = standing(pole(), bar())
    prepared = prepare_shot(scene, scene.cameras[0])
    session = drawn(scene, arc_over(scene))
    places = curve_places(prepared, session.bent())
    assert [len(each) for each in places] == [len(each.points) for each in prepared.curves]
    for curve, hung in zip(prepared.curves, prepared.embeddings, strict=True):
        grid = prepared.grids[curve.objects[0]].grid
        found = (grid.vertices[hung.corners] * hung.shares[..., None]).sum(1)
        assert found == pytest.approx(curve.points, abs=1e-9)


def test_ground_stays_unless_it_is_included():
    scene = standing(pole())
    names = {each.name for each in prepare_shot(scene, scene.cameras[0]).curves}
    assert "ground" not in names
    assert square()[0].shape == (4, 3)
    session = FlowSession(scene, Target(), FlowOptions(include="ground"))
    named = {each.name for each in session.rest_overlays() if isinstance(each, CurveOverlay)}
    assert "ground" in named


def test_a_centre_point_leads_ends_to_it_and_is_dragged():
    scene = standing(pole("left", -1.0), pole("right", 1.0))
    turn = np.linspace(0, 2 * np.pi, 20)
    circle = np.array([480.0, 60]) + 20 * np.stack([np.cos(turn), np.sin(turn)], 1)
    session = drawn(scene, circle, use="centre", range=50.0)
    led = {each.name: each.after for each in session.bent().matched}
    assert led.keys() == {"left", "right"}
    for line in led.values():
        top = line if line[-1, 1] < line[0, 1] else line[::-1]
        way, goal = top[-1] - top[-4], np.array([480.0, 60]) - top[-1]
        cosine = way @ goal / np.linalg.norm(way) / np.linalg.norm(goal)
        assert cosine > np.cos(np.radians(5))
    preview = session.preview()
    (handle,) = [each for each in preview.overlays if isinstance(each, HandleOverlay)]
    before = session.finish()
    session.update(Drag(ToolHandle("centre"), 0.0, position=handle.position + [0.8, 0, 0]))
    assert not same(session.finish(), before)
