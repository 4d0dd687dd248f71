import numpy as np
import pytest

from arcwright.errors import BadValue
from arcwright.scene.scene import Character
from arcwright.scene.shape import Look, Part, Shape, Skin
from builders import arm_rig

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [2, 1, 0]], np.float32)


def part(**given):
    return Part(**{"attributes": {"POSITION": CORNERS}, "indices": None, **given})


def test_attributes_keep_their_number_type_and_are_frozen():
    kept = part().attributes["POSITION"]
    assert kept.dtype == np.float32
    assert not kept.flags.writeable
    with pytest.raises(TypeError):
        part().attributes["NORMAL"] = kept


def test_triangles_of_lists_strips_and_fans():
    assert part(indices=[0, 1, 2, 3]).triangles.tolist() == [[0, 1, 2]]
    assert part(mode=5).triangles.tolist() == [[0, 1, 2], [1, 3, 2], [2, 3, 4]]
    assert part(mode=6).triangles.tolist() == [[0, 1, 2], [0, 2, 3], [0, 3, 4]]
    assert part(mode=1).triangles.shape == (0, 3)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"attributes": {"NORMAL": CORNERS}}, r"POSITION of shape \(V, 3\)"),
        ({"attributes": {"POSITION": CORNERS[:, :2]}}, r"POSITION of shape \(V, 3\)"),
        ({"indices": [5]}, r"Part.indices: expected 0 to 4"),
        ({"morphs": ({"POSITION": CORNERS[:2]},)}, "expected 5 vertices, got 2"),
        ({"attributes": {"POSITION": np.full((5, 3), np.inf)}}, "finite"),
    ],
)
def test_bad_parts_are_refused(given, message):
    with pytest.raises(BadValue, match=message):
        part(**given)


def test_a_skin_needs_a_matrix_for_each_joint():
    with pytest.raises(BadValue, match=r"Skin.inverse_bind: expected 2 matrices, got 1"):
        Skin([0, 1], np.eye(4)[None])


def test_a_shape_must_sit_on_joints_of_its_rig():
    with pytest.raises(BadValue, match="shape 'box' of 'arm': expected joints 0 to 2"):
        Character("arm", arm_rig(), shapes=(Shape("box", 3, (part(),)),))
    bent = Shape("box", 0, (part(),), Skin([9], np.eye(4)[None]))
    with pytest.raises(BadValue, match="joints 0 to 2"):
        Character("arm", arm_rig(), shapes=(bent,))


def test_a_look_is_gltf_json():
    look = Look.of({"materials": [{"name": "red"}]})
    assert look.gltf["materials"][0]["name"] == "red"
    with pytest.raises(BadValue, match=r"Look.text: expected JSON"):
        Look("{")
    with pytest.raises(BadValue, match="a JSON object"):
        Look("[]")
