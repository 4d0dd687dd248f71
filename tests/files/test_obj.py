import numpy as np
import pytest

from arcwright.errors import BadFile
from arcwright.files import obj
from arcwright.files.obj.polygons import triangulate
from data import DATA, needs_data

SQUARE = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
PNG = b"\x89PNG\r\n\x1a\n rest of a picture"


@pytest.fixture
def read(tmp_path):
    def read_text(text, **beside):
        for name, content in beside.items():
            path = tmp_path / name.replace("__", ".")
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        (tmp_path / "thing.obj").write_text(text)
        return obj.read(tmp_path / "thing.obj")

    return read_text


@pytest.fixture
def fault(read):
    def fault_text(text):
        with pytest.raises(BadFile) as caught:
            read(text)
        message = str(caught.value)
        assert "\n" not in message
        return message.split("thing.obj: ")[1]

    return fault_text


def part(scene, prop=0, at=0):
    return scene.props[prop].shapes[0].parts[at]


def area(places, triangles):
    a, b, c = (places[triangles[:, corner]] for corner in range(3))
    return np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2


def test_a_square_is_two_triangles(read):
    found = part(read(SQUARE + "f 1 2 3 4"))
    assert found.triangles.tolist() == [[0, 1, 2], [0, 2, 3]]
    assert found.attributes["POSITION"].dtype == np.float32
    assert list(found.attributes) == ["POSITION"]


def test_objects_become_props_and_groups_do_where_there_are_none(read):
    faces = "{0} a\nf 1 2 3\n{0} b\nf 1 2 4\n{0} a\nf 2 3 4\n"
    for word in "og":
        scene = read(SQUARE + faces.format(word))
        assert [prop.name for prop in scene.props] == ["a", "b"]
        assert len(part(scene).triangles) == 2
    scene = read(SQUARE + "o a\ng x\nf 1 2 3\ng y\nf 1 2 4")
    assert [prop.name for prop in scene.props] == ["a"]


def test_faces_without_an_object_take_the_name_of_the_file(read):
    assert read(SQUARE + "f 1 2 3").props[0].name == "thing"


def test_a_part_has_only_the_vertices_it_uses(read):
    scene = read(SQUARE + "o a\nf 1 2 3\no b\nf 2 3 4")
    assert len(part(scene, 1).attributes["POSITION"]) == 3


def test_corners_may_name_coordinates_and_normals_in_every_way(read):
    text = SQUARE + "vt 0.25 0.75\nvn 0 0 2\n"
    both = part(read(text + "f 1/1/1 2/1/1 3/1/1")).attributes
    assert both["TEXCOORD_0"].tolist() == [[0.25, 0.25]] * 3
    assert both["NORMAL"].tolist() == [[0, 0, 1]] * 3
    assert list(part(read(text + "f 1//1 2//1 3//1")).attributes) == ["POSITION", "NORMAL"]
    assert list(part(read(text + "f 1/1 2/1 3/1")).attributes) == ["POSITION", "TEXCOORD_0"]
    assert list(part(read(text + "f 1/1/1 2 3/1/")).attributes) == ["POSITION", "TEXCOORD_0"]


def test_negative_numbers_count_back_from_where_they_stand(read):
    found = part(read("v 9 9 9\n" + SQUARE + "f -4 -3 -2\nv 5 5 5\nf -1 1 2"))
    assert found.attributes["POSITION"][found.triangles[0]].tolist() == [
        [0, 0, 0],
        [1, 0, 0],
        [1, 1, 0],
    ]
    assert found.attributes["POSITION"][found.triangles[1]][0].tolist() == [5, 5, 5]


def test_lines_ending_in_a_backslash_go_on(read):
    assert len(part(read(SQUARE + "f 1 2 \\\n3 \\\r\n4\n")).triangles) == 2


def test_comments_blanks_and_tabs_do_not_matter(read):
    text = "  # hello\n\n" + SQUARE.replace(" ", "\t") + "  f  1\t2 3 # a face\n"
    assert len(part(read(text)).triangles) == 1


def test_colours_behind_vertices_are_kept(read):
    found = part(read("v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nf 1 2 3"))
    assert found.attributes["COLOR_0"].tolist() == np.eye(3).tolist()


@pytest.mark.parametrize(
    ("line", "fault_text"),
    [
        ("f 1 2 5", "line 5: a face uses vertex 5, but there are 4"),
        ("f 1 2 0", "line 5: a face uses vertex 0, but there are 4"),
        ("f 1 2 -5", "line 5: a face uses vertex 0, but there are 4"),
        ("f 1/1 2/1 3/1", "line 5: a face uses texture vertex 1, but there are 0"),
        ("f 1//7 2//7 3//7", "line 5: a face uses normal 7, but there are 0"),
        ("f 1 2 99999999999999999999", "line 5: a face uses vertex"),
        ("f a b c", "line 5: expected a corner of a face such as 1/2/3, found 'a'"),
        ("f 1/2/3/4 2 3", "line 5: expected a corner of a face such as 1/2/3, found '1/2/3/4'"),
        ("v 1 x 3\nf 1 2 3", "line 5: expected a number, found 'x'"),
        ("v 1 2\nf 1 2 3", "line 5: a vertex of 2 numbers"),
        ("v 1 2 nan\nf 1 2 3", "a vertex is not a finite number"),
        ("f 1 2", "no faces in it"),
        ("", "no faces in it"),
    ],
)
def test_damage_is_named_by_line(fault, line, fault_text):
    assert fault(SQUARE + line).startswith(fault_text)


def test_what_is_left_out_is_reported(read):
    scene = read(SQUARE + "l 1 2\np 1\nf 1 2\ncurv2 1\nf 1 2 3")
    assert scene.source.warnings[:4] == (
        "1 times l, left out",
        "1 times p, left out",
        "1 times a face with fewer than 3 corners, left out",
        "1 times curv2, left out",
    )


MTL = """newmtl brick
Kd 0.5 0.25 0.125
Ns 96
d 0.5
map_Kd -s 1 1 1 -o 0 0 brick wall.png
newmtl plain
Kd 2 -1 0.5
"""


def test_materials_and_pictures_become_a_look(read, tmp_path):
    (tmp_path / "brick wall.png").write_bytes(PNG)
    text = "mtllib a.mtl\n" + SQUARE + "usemtl brick\nf 1 2 3\nusemtl plain\nf 1 3 4"
    scene = read(text, a__mtl=MTL)
    look = scene.props[0].look
    brick, plain = look.gltf["materials"]
    surface = brick["pbrMetallicRoughness"]
    assert surface["baseColorFactor"] == [0.5, 0.25, 0.125, 0.5]
    assert surface["roughnessFactor"] == pytest.approx((2 / 98) ** 0.5)
    assert surface["baseColorTexture"] == {"index": 0}
    assert brick["alphaMode"] == "BLEND"
    assert plain["pbrMetallicRoughness"]["baseColorFactor"] == [1, 0, 0.5, 1]
    assert look.gltf["textures"] == [{"source": 0}]
    assert (look.images[0].mime, look.images[0].data) == ("image/png", PNG)
    assert [part(scene, 0, at).material for at in (0, 1)] == [0, 1]


def test_a_missing_library_picture_or_material_is_reported(read):
    text = "mtllib none.mtl\nmtllib a.mtl\n" + SQUARE + "usemtl brick\nf 1 2 3\nusemtl x\nf 1 3 4"
    scene = read(text, a__mtl=MTL)
    assert scene.source.warnings[:3] == (
        "material library 'none.mtl' is not a readable file in this file's folder",
        "picture 'brick wall.png' is not a readable file in this file's folder",
        "material x is in no library: using a default",
    )


def test_a_picture_of_another_kind_is_left_out(read, tmp_path):
    (tmp_path / "brick wall.png").write_bytes(b"BM")
    scene = read("mtllib a.mtl\n" + SQUARE + "usemtl brick\nf 1 2 3", a__mtl=MTL)
    assert "neither PNG nor JPEG" in scene.source.warnings[0]
    assert scene.props[0].look.images == ()


def test_unknown_unit_and_up_axis_are_reported_and_can_be_given(read, tmp_path):
    assert read(SQUARE + "f 1 2 3").source.warnings == (
        "unit not known: assuming 1 m",
        "up axis not known: assuming Y",
    )
    scene = obj.read(tmp_path / "thing.obj", unit=0.5, up="Z")
    assert scene.source.warnings == ()
    assert part(scene).attributes["POSITION"].max() == 0.5


def test_concave_polygons_are_triangulated_within_their_outline():
    rng = np.random.default_rng(3)
    for count in (4, 5, 7, 12, 30):
        angle = np.sort(rng.uniform(0, 2 * np.pi, count))
        radius = rng.uniform(0.3, 1, count)
        flat = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
        x, y = flat.T
        outline = 0.5 * (x * np.roll(y, -1) - y * np.roll(x, -1)).sum()
        if np.diff(angle, append=angle[0] + 2 * np.pi).max() > np.pi:
            continue
        for axes in ([0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0]):
            places = np.zeros((count, 3))
            places[:, axes[:2]] = flat
            triangles = triangulate(np.arange(count), np.array([count]), places)
            assert triangles.shape == (count - 2, 3)
            assert area(places, triangles) == pytest.approx(outline)


def test_an_arrow_of_four_corners_is_cut_at_its_notch():
    for turn in range(4):
        places = np.roll([[0, 0, 0], [2, 1, 0], [0, 2, 0], [0.5, 1, 0]], turn, axis=0)
        triangles = triangulate(np.arange(4), np.array([4]), places)
        assert area(places, triangles) == pytest.approx(1.5)


def test_triangles_keep_the_order_of_the_faces():
    corners = np.array([0, 1, 2, 0, 1, 2, 3, 1, 2, 3])
    places = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    triangles = triangulate(corners, np.array([3, 4, 3]), places)
    assert triangles.tolist() == [[0, 1, 2], [0, 1, 2], [0, 2, 3], [1, 2, 3]]


@needs_data
def test_real_scenery_has_its_picture():
    scene = obj.read(DATA / "scenes" / "obj" / "fence.obj")
    assert scene.props[0].name == "fence_Cube.045"
    assert scene.props[0].look.images[0].mime == "image/png"
    found = part(scene)
    assert len(found.triangles) == 380
    assert np.linalg.norm(found.attributes["NORMAL"], axis=1) == pytest.approx(1, abs=1e-6)
