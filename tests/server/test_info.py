"""What clients receive is what the scene holds."""

import json
import struct
from dataclasses import replace

import numpy as np
import pytest

from arcwright import Point, read
from arcwright.kinematics.forward import forward
from arcwright.kinematics.motion_curve import motion_curve, refresh_curves
from arcwright.kinematics.rotation import matrix_from_quaternion
from arcwright.kinematics.sample import sample, values_at
from arcwright.kinematics.take_difference import take_differences
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.edit import Edit
from arcwright.server import messages as m
from arcwright.server.document import array_messages, info
from arcwright.server.document.display_model import display_model
from arcwright.server.interactions.preview_stream import preview_message
from arcwright.server.messages import encoding
from arcwright.tools.tool import Preview, PreviewMesh
from builders import arm_scene, change_at, full_scene


def nodes_of(data):
    (length,) = struct.unpack_from("<I", data, 12)
    return json.loads(data[20 : 20 + length])["nodes"]


@pytest.mark.parametrize("scene", [read("biped:walk"), arm_scene(), full_scene()])
def test_every_joint_is_a_node_of_the_model(scene):
    made = display_model(scene)
    nodes = nodes_of(made.data)
    for rig in info.scene_info(scene, made).rigs:
        assert [nodes[node]["name"] for node in rig.nodes] == rig.joints
        for joint, parent in enumerate(rig.parents):
            if parent >= 0:
                assert rig.nodes[joint] in nodes[rig.nodes[parent]]["children"]


def test_poses_are_where_joints_stand_in_the_world():
    scene = read("biped:walk")
    actor, take = scene.characters[0], scene.characters[0].takes[0]
    layout = display_model(scene).layouts["biped"]
    message, arrays = encoding.decode(array_messages.frames(layout, take, "biped", 3, 7))
    world = forward(actor.rig, values_at(take, np.arange(3, 8) / take.rate))
    assert (message.first, layout.stride) == (3, 7)
    poses = arrays["poses"].reshape(5, -1, 7)
    np.testing.assert_allclose(poses[..., :3], world[..., :3, 3], atol=1e-6)
    rotation = matrix_from_quaternion(poses[..., [6, 3, 4, 5]].astype(float))
    np.testing.assert_allclose(rotation, world[..., :3, :3], atol=1e-6)


def test_rigs_that_stretch_send_whole_matrices_and_morph_weights_follow():
    scene = full_scene()
    actor, take = scene.characters[1], scene.characters[1].takes[0]
    layout = display_model(scene).layouts["two"]
    values = values_at(take, np.arange(4) / take.rate)
    poses = layout.poses(take.rig, values)
    assert layout.stride == 12
    assert poses.shape == (4, 12 * len(actor.rig.names) + len(layout.weights))
    world = forward(actor.rig, values)[:, :, :3].reshape(4, -1)
    np.testing.assert_allclose(poses[:, : world.shape[1]], world, atol=1e-5, rtol=1e-6)


def test_morph_weights_come_with_the_nodes_that_carry_them():
    from arcwright.scene.clip import Clip
    from arcwright.scene.curve import Curve
    from arcwright.scene.rig import ChannelTable, Kind
    from arcwright.scene.scene import Character, Scene
    from arcwright.scene.take import Take
    from builders import rig_of

    shape = full_scene().props[0].shapes[0]
    table = ChannelTable.of([0, 0], [Kind.TRANSLATE_X, Kind.WEIGHT], label=["", "grin"])
    rig = replace(rig_of([-1, 0], [(0, [])]), channels=table)
    take = Take(rig, Clip("smile", (None, Curve.of([0, 1], [0, 1])), 1.0))
    scene = Scene("face", (Character("face", rig, (take,), (shape,)),))
    layout = display_model(scene).layouts["face"]
    ((node, first, count),) = layout.carriers
    assert "mesh" in nodes_of(display_model(scene).data)[node]
    assert (first, count, layout.weights) == (0, 1, [1])
    poses = layout.poses(rig, values_at(take, np.array([0.0, 0.5])))
    np.testing.assert_allclose(poses[:, -1], [0, 0.5])


def test_each_shape_knows_the_node_that_draws_it():
    scene = full_scene()
    model = display_model(scene)
    for rig, actor in zip(
        info.scene_info(scene, model).rigs, array_messages.actors(scene), strict=True
    ):
        assert len(rig.shapes) == len(actor.shapes)
        for node, shape in zip(rig.shapes, actor.shapes, strict=True):
            assert (node >= 0) == bool(shape.parts)
            assert node < 0 or "mesh" in nodes_of(model.data)[node]
    assert any(rig.shapes for rig in info.scene_info(scene, model).rigs)


def test_previews_carry_the_vertices_of_deformed_meshes():
    vertices, offsets = np.array([3, 70_000]), np.array([[0.5, 0, 0], [0, -0.25, 1]])
    mesh = PreviewMesh("tree", 0, 1, vertices, offsets)
    preview = Preview(lambda: Edit("Bend"), make_meshes=lambda: (mesh,))
    message, arrays = preview_message(None, 3, preview, {})
    assert message.meshes == [m.MeshInfo("tree", 0, 1)]
    decoded, blocks = encoding.decode(encoding.encode(message, **arrays))
    assert decoded.meshes == message.meshes
    np.testing.assert_array_equal(blocks["mesh0"], [[3, 0.5, 0, 0], [70_000, 0, -0.25, 1]])


def test_keys_are_sent_with_their_handles():
    take = read("biped:walk").characters[0].takes[0]
    (data,) = array_messages.keys(take, "biped")
    message, arrays = encoding.decode(data)
    channel = message.channels[2]
    curve = take.base.curves[channel]
    rows = arrays["keys"][sum(message.counts[:2]) :][: message.counts[2]]
    np.testing.assert_allclose(rows[:, 0], curve.time, atol=1e-7)
    np.testing.assert_allclose(rows[:, 1], curve.value, atol=1e-6)
    np.testing.assert_allclose(rows[:, 2:6], curve.tangent.reshape(-1, 4), atol=1e-6)
    np.testing.assert_array_equal(rows[:, 6:8], curve.handles)
    np.testing.assert_array_equal(rows[:, 8], curve.interpolation)


def test_many_keys_are_sent_in_several_messages(monkeypatch):
    take = read("biped:walk").characters[0].takes[0]
    monkeypatch.setattr(array_messages, "KEYS_PER_MESSAGE", 20)
    parts = [encoding.decode(data) for data in array_messages.keys(take, "biped")]
    assert len(parts) > 3
    whole = [channel for message, _ in parts for channel in message.channels]
    assert whole == [c for c, curve in enumerate(take.base.curves) if curve is not None]
    assert sum(len(arrays["keys"]) for _, arrays in parts) == take.base.key_count


def test_samples_have_no_keys_but_an_answer():
    take = arm_scene().characters[0].take("recorded")
    ((message, arrays),) = [encoding.decode(data) for data in array_messages.keys(take, "arm")]
    assert message.channels == []
    assert arrays["keys"].shape == (0, 9)


def test_only_the_part_of_a_curve_that_changed_is_sent():
    scene = read("biped:walk")
    take = scene.characters[0].takes[0]
    still = motion_curve(scene, Point("Hips"))
    point = encoding.point_ref(still.point, "")
    channel = next(c for c in still.channels.tolist() if take.base.curves[c] is not None)
    curve = take.base.curves[channel]
    tangent = curve.tangent.copy()
    tangent[1, 1, 1] += 0.05
    at = ("characters", 0, "takes", 0, "base", "curves", channel)
    edit = Edit("bend", (change_at(scene, at, replace(curve, tangent=tangent)),))
    after = edit.apply(scene)
    drawn = refresh_curves(still, after)
    message, arrays = encoding.decode(array_messages.curve(drawn, still, point, "biped", 5))
    first, count = message.first, len(arrays["times"])
    assert 0 < first < first + count < message.total
    assert message.keys is None
    whole = still.position.astype(np.float32)
    whole[first : first + count] = arrays["positions"]
    np.testing.assert_array_equal(whole, drawn.position.astype(np.float32))
    assert array_messages.curve(still, still, point, "biped") is None

    (found,) = take_differences(scene, after)
    assert found.channels == [channel]
    low, high = curve.time[1] * take.rate, curve.time[2] * take.rate
    assert found.frames == range(int(np.ceil(low)), int(high) + 1)


def test_long_previews_of_curves_have_positions_only(monkeypatch):
    scene = read("biped:walk")
    drawn = motion_curve(scene, Point("Hips"))
    point = encoding.point_ref(drawn.point, "")
    monkeypatch.setattr(array_messages, "LONG", 50)
    _, preview = encoding.decode(array_messages.curve(drawn, None, point, "biped", 1))
    _, still = encoding.decode(array_messages.curve(drawn, None, point, "biped"))
    assert list(preview) == ["positions"]
    assert list(still) == ["times", "positions", "orientations", "speeds"]
    np.testing.assert_array_equal(preview["positions"], still["positions"])


def test_curves_of_very_long_takes_are_coarse_and_end_early(monkeypatch):
    scene = read("biped:walk")
    take = scene.characters[0].takes[0]
    monkeypatch.setattr(array_messages, "FINE", 20)
    monkeypatch.setattr(array_messages, "MAX_FRAMES", 22)
    drawn = motion_curve(scene, [Point("Hips")], "walk", array_messages.sampling(take))[0]
    message, arrays = encoding.decode(
        array_messages.curve(drawn, None, encoding.point_ref(drawn.point, ""), "biped")
    )
    assert (message.per_frame, message.total) == (1, 23)
    assert len(arrays["positions"]) == 23


def test_a_scene_that_only_has_other_limits_has_no_differences_and_the_same_model():
    scene = read("biped:walk")
    rig = scene.characters[0].rig
    low = rig.channels.low.copy()
    low[4] = -0.1
    other = replace(rig, channels=replace(rig.channels, low=low))
    limited = replace(scene, characters=(replace(scene.characters[0], rig=other),))
    assert take_differences(scene, limited) == []
    assert display_model(scene).fits(limited)


def test_tool_infos_follow_from_their_options():
    tools = {tool.name: tool for tool in info.tool_infos()}
    reach = next(option for option in tools["tangent"].options if option.name == "time_reach")
    assert (reach.kind, reach.low, reach.high) == ("int", 0, 8)
    floor = next(option for option in tools["tangent"].options if option.name == "floor_height")
    assert (floor.kind, floor.optional, floor.unit) == ("float", True, "m")
    kinds = next(option for option in tools["tangent"].options if option.name == "tangents")
    assert kinds.choices == ["broken", "smooth", "unified"]


def test_names_that_are_not_valid_text_are_still_sent():
    scene = full_scene()
    made = display_model(scene)
    assert encoding.encode(info.scene_info(scene, made))
    from arcwright.scene.history import History
    from arcwright.server.document.document import Document

    assert b"all " in encoding.encode(Document(History(scene)).message(1))


def test_takes_say_whether_their_motion_is_baked():
    scene = read("biped:walk")
    actor, take = scene.characters[0], scene.characters[0].takes[0]
    times = np.arange(round(take.duration * take.rate) + 1) / take.rate
    every = tuple(Curve.of(times, row) for row in values_at(take, times).T)
    bases = (take.base, sample(take, times), Clip("every", every, float(times[-1]), take.rate))
    takes = [replace(take, base=base) for base in bases]
    scenes = [replace(scene, characters=(replace(actor, takes=(each,)),)) for each in takes]
    seen = [info.take_infos(each)[actor.name][0] for each in scenes]
    assert [(each.keyed, each.baked) for each in seen] == [
        (True, False),
        (False, True),
        (True, True),
    ]
