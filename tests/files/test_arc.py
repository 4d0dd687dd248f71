import json
import struct
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright import files
from arcwright.arrays import same
from arcwright.errors import BadFile, BadValue, UnknownName
from arcwright.files import arc, gltf
from arcwright.files.arc.format import VERSION, digest
from arcwright.scene.scene import Scene
from arcwright.scene.section import Section
from arcwright.scene.shape import Part, Shape
from builders import arm_constraints, arm_scene, full_scene
from gltf_builders import glb
from random_cases import examples
from random_constraints import constraints
from random_scenes import random_scene, seeds


def parts(path):
    data = path.read_bytes()
    size = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + size]), data[28 + size :]


def test_a_scene_comes_back_bit_for_bit(tmp_path):
    scene = full_scene()
    path = tmp_path / "test.arc.glb"
    arc.write(scene, path)
    back = arc.read(path)
    assert same(scene, back)


def test_what_was_shared_is_shared_again(tmp_path):
    path = tmp_path / "test.arc.glb"
    arc.write(full_scene(), path)
    back = arc.read(path)
    two, thing = back.characters[1], back.props[0]
    assert two.rig is thing.rig
    assert two.takes[0].rig is two.rig
    assert two.look is thing.look
    assert two.shapes[0].parts[0] is two.shapes[0].parts[1]


def test_arrays_already_in_the_plain_part_are_not_stored_twice(tmp_path):
    scene = full_scene()
    big = np.random.default_rng(0).normal(size=(5000, 3)).astype(np.float32)
    shape = Shape("big", 0, (Part({"POSITION": big}, None),))
    scene = replace(scene, props=(replace(scene.props[0], shapes=(shape,)),))
    arc.write(scene, tmp_path / "a.arc.glb")
    gltf.write(replace(scene, name="plain"), tmp_path / "a.glb")
    sizes = [(tmp_path / name).stat().st_size for name in ("a.arc.glb", "a.glb")]
    assert sizes[0] - sizes[1] < big.nbytes / 2


def test_the_suffix_and_the_extension_both_lead_to_the_project_reader(tmp_path):
    scene = full_scene()
    files.write(scene, tmp_path / "a.arc.glb")
    (tmp_path / "renamed.glb").write_bytes((tmp_path / "a.arc.glb").read_bytes())
    assert same(files.read(tmp_path / "a.arc.glb"), scene)
    assert same(files.read(tmp_path / "renamed.glb"), scene)


def test_a_plain_glb_is_read_as_one(tmp_path):
    gltf.write(arm_scene(), tmp_path / "plain.arc.glb")
    assert arc.read(tmp_path / "plain.arc.glb").characters[0].rig.names[0] == "joint0"


def test_a_file_changed_by_another_program_is_read_as_plain_gltf(tmp_path):
    path = tmp_path / "test.arc.glb"
    arc.write(arm_scene(), path)
    document, data = parts(path)
    document["nodes"][0]["name"] = "renamed"
    path.write_bytes(glb(json.dumps(document).encode(), data))
    back = arc.read(path)
    assert back.characters[0].rig.names[0] == "renamed"
    assert any("another program" in warning for warning in back.source.warnings)


def test_a_change_of_the_bytes_is_noticed_too(tmp_path):
    path = tmp_path / "test.arc.glb"
    arc.write(arm_scene(), path)
    data = bytearray(path.read_bytes())
    data[-9] ^= 1
    path.write_bytes(data)
    assert any("another program" in warning for warning in arc.read(path).source.warnings)


def test_newer_versions_are_refused_with_what_to_do(tmp_path):
    path = tmp_path / "test.arc.glb"
    arc.write(arm_scene(), path)
    document, data = parts(path)
    document["extensions"]["ARCWRIGHT_scene"]["version"] = VERSION + 1
    path.write_bytes(glb(json.dumps(document).encode(), data))
    with pytest.raises(BadFile, match=rf"version {VERSION + 1}.*update"):
        arc.read(path)


def inactive_scene():
    """What files before version 7 hold: no activities, stored poses or markers."""
    scene = full_scene()
    extra = scene.characters[-1]
    extra = replace(extra, takes=tuple(replace(take, markers=()) for take in extra.takes))
    characters = (*scene.characters[:-1], extra)
    return replace(scene, characters=characters, activities=(), poses=())


def test_files_of_the_first_version_open_for_ever():
    back = arc.read(Path(__file__).with_name("version_1.arc.glb"))
    scene = inactive_scene()
    assert same(back, replace(scene, constraints=(*scene.pins, *scene.contacts)))  # no others then


def test_files_of_the_second_version_open_for_ever():
    assert same(arc.read(Path(__file__).with_name("version_2.arc.glb")), inactive_scene())


def corrected_scene():
    """A scene whose rig has what files have since version 3."""
    scene = inactive_scene()
    first = scene.characters[1]
    count = len(first.rig.names)
    rig = replace(
        first.rig,
        file_names=("",) * count,
        lengths=("free", "locked") + ("",) * (count - 2),
        root=1,
    )
    return replace(scene, characters=(scene.characters[0], replace(first, rig=rig)))


def test_files_of_the_third_version_open_for_ever():
    assert same(arc.read(Path(__file__).with_name("version_3.arc.glb")), corrected_scene())


def test_files_of_the_fourth_version_open_for_ever():
    assert same(arc.read(Path(__file__).with_name("version_4.arc.glb")), inactive_scene())


def test_files_of_the_sixth_version_open_for_ever():
    scene = inactive_scene()
    arm = scene.characters[0]
    parts = Section("rise", 0.0), Section("fall", 0.5)
    wave = replace(arm.takes[0], sections=parts)
    arm = replace(arm, takes=(wave, *arm.takes[1:]))
    before = replace(scene, characters=(arm, *scene.characters[1:]))
    assert same(arc.read(Path(__file__).with_name("version_6.arc.glb")), before)


@examples(6, 60)
@given(seeds)
def test_any_scene_is_restored_bit_for_bit(seed):
    scene = random_scene(seed)
    with TemporaryDirectory() as folder:
        arc.write(scene, Path(folder) / "test.arc.glb")
        assert same(arc.read(Path(folder) / "test.arc.glb"), scene)


@examples(24, 60)
@given(st.lists(constraints(whose=("", "arm"), clips=("", "wave")), max_size=5))
def test_constraints_are_restored_bit_for_bit(constraints):
    scene = replace(arm_scene(), constraints=tuple(constraints))
    with TemporaryDirectory() as folder:
        arc.write(scene, Path(folder) / "test.arc.glb")
        assert same(arc.read(Path(folder) / "test.arc.glb"), scene)


@pytest.mark.parametrize(
    ("kind", "field", "value", "said"),
    [
        ("Pin", "position", 1, "of type Pin has a position of the wrong kind"),
        ("Contact", "relative_to", 3, "of type Contact has a relative_to of the wrong kind"),
        ("DistanceConstraint", "distance", -1, "DistanceConstraint.distance: expected metres"),
        ("DistanceConstraint", "other", None, "has a other of the wrong kind"),
        ("CoincidentConstraint", "end", {"float": "nan"}, "CoincidentConstraint.end"),
        ("PathConstraint", "times", "soon", "has a times of the wrong kind"),
        ("RegionConstraint", "region", {"object": 0}, "has a region of the wrong kind"),
        ("RegionConstraint", "inside", 1, "has a inside of the wrong kind"),
        ("Sphere", "radius", 0, "is not a Sphere: Sphere.radius: expected metres above 0"),
        ("FloorConstraint", "height", 1e300, "FloorConstraint.height"),
        ("BalanceConstraint", "margin", True, "has a margin of the wrong kind"),
        ("FlightConstraint", "gravity", {"float": "inf"}, "FlightConstraint.gravity"),
        ("FlightConstraint", "take", 3, "has a take of the wrong kind"),
        ("Scene", "constraints", [1], "of type Scene has a constraints of the wrong kind"),
        ("Scene", "activities", [1], "of type Scene has a activities of the wrong kind"),
        ("Activity", "events", [{"object": 0}], "of type Activity has a events of the wrong kind"),
        ("Activity", "effectors", [], "no element of the activity named 'tip'"),
        ("ActivityEvent", "time", -1, "ActivityEvent.time: expected seconds from the take's start"),
        ("ActivityEvent", "time", {"float": "nan"}, "ActivityEvent.time: expected seconds"),
        ("ActivityEvent", "pairs", ["tip"], "of type ActivityEvent has a pairs of the wrong kind"),
        (
            "ActivityObject",
            "anchor_names",
            ["a", "b"],
            "is not a ActivityObject: ActivityObject.an",
        ),
        ("ActivityObject", "name", "a.b", "expected a name without dots"),
        ("Effector", "point", None, "of type Effector has a point of the wrong kind"),
        ("Pair", "constraining", "tip", "expected an element other than the constrained one"),
    ],
)
def test_a_bad_constraint_or_activity_is_named_with_its_place(kind, field, value, said, tmp_path):
    path = tmp_path / "test.arc.glb"
    arc.write(full_scene(), path)
    document, data = parts(path)
    objects = _extension(document)["objects"]
    at = next(at for at, each in enumerate(objects) if each["type"] == kind)
    objects[at][field] = value
    _extension(document)["digest"] = digest(document, data)
    path.write_bytes(glb(json.dumps(document).encode(), data))
    assert said in _fault(path)
    assert f"object {at}" in _fault(path)


def test_values_nested_too_deeply_are_refused(tmp_path):
    path = tmp_path / "test.arc.glb"
    arc.write(arm_scene(), path)
    document, data = parts(path)
    for _ in range(450):
        _extension(document)["scene"] = [_extension(document)["scene"]]
    _extension(document)["digest"] = digest(document, data)
    path.write_bytes(glb(json.dumps(document).encode(), data))
    assert "nested too deeply" in _fault(path) or "holds no scene" in _fault(path)


def test_unit_and_up_still_apply(tmp_path):
    path = tmp_path / "test.arc.glb"
    arc.write(arm_scene(), path)
    rig = arc.read(path, unit=0.5, up="Z").characters[0].rig
    assert rig.offset[1].tolist() == [0, 0.5, 0]
    assert rig.rest[0, 0] == pytest.approx(0.5**0.5)


def test_unit_and_up_apply_to_constraints_too(tmp_path):
    scene = full_scene()
    arc.write(scene, tmp_path / "test.arc.glb")
    back = arc.read(tmp_path / "test.arc.glb", unit=0.5, up="Z")
    assert back.pins[0].point.offset.tolist() == [0, 0.5, 0]
    assert same(back.contacts[0].relative_to.offset, back.pins[0].point.offset)
    apart, _, follow, turned, *others = back.constraints[2:]
    plane, box, ball, tube, floor, _, balance, flight = others
    assert (apart.distance, balance.margin, flight.gravity) == (0.75, 0.1, 9.81 / 2)
    assert (ball.region.radius, tube.region.radius, floor.height) == (0.2, 0.125, -0.25)
    assert follow.positions[1] == pytest.approx([0.05, 0, -0.5])  # (x, y, z) becomes (x, z, -y)
    assert box.region.low == pytest.approx([-0.5, -0.5, 0])
    assert box.region.high == pytest.approx([0, 0.25, 0.5])
    assert tube.region.end == pytest.approx([0, 0, -0.5])
    assert plane.region.normal == pytest.approx(np.array([0, 3, -1]) / 10**0.5)
    assert np.linalg.norm(turned.orientation) == pytest.approx(1)
    assert [(each.start, each.end) for each in back.constraints] == [
        (each.start, each.end) for each in scene.constraints
    ]


def test_a_unit_applies_to_the_points_of_activities_too(tmp_path):
    arc.write(full_scene(), tmp_path / "test.arc.glb")
    before = full_scene().activities[0]
    for up in ("Y", "Z"):
        (back,) = arc.read(tmp_path / "test.arc.glb", unit=0.5, up=up).activities
        assert back.objects[0].anchor("top").tolist() == [0, 0.25, 0]
        assert back.effectors[0].point.offset.tolist() == [0, 0.5, 0]
        assert same(back.events, before.events)


def test_activities_of_takes_that_are_left_out_are_left_out(tmp_path):
    path = tmp_path / "test.arc.glb"
    arc.write(full_scene(), path, take="wave")
    assert [each.name for each in arc.read(path).activities] == ["handling"]
    arc.write(full_scene(), path, take="odd")
    assert arc.read(path).activities == ()


def test_one_take_may_be_kept_and_must_exist(tmp_path):
    path = tmp_path / "test.arc.glb"
    arc.write(arm_scene(), path, take="wave")
    assert [take.name for take in arc.read(path).characters[0].takes] == ["wave"]
    with pytest.raises(UnknownName):
        arc.write(arm_scene(), path, take="nothing")
    with pytest.raises(BadValue):
        arc.write(arm_scene(), tmp_path / "test.gltf")


def test_an_empty_scene_is_kept(tmp_path):
    arc.write(Scene(), tmp_path / "empty.arc.glb")
    assert same(arc.read(tmp_path / "empty.arc.glb"), Scene())


@pytest.mark.parametrize("seed", range(5))
def test_tampered_extensions_are_refused_in_one_line(seed, tmp_path):
    path = tmp_path / "test.arc.glb"
    arc.write(full_scene(), path)
    text, data = path.read_bytes(), parts(path)[1]
    rng = np.random.default_rng(seed)
    odd = [None, True, -1, 10**9, 1.5, "x", [], {}, {"object": 3}, {"array": 2}, {"map": [[1, 2]]}]
    refused = 0
    for _ in range(60):
        path.write_bytes(text)
        document = parts(path)[0]
        _spoil(_extension(document), rng, odd)
        # Even with a digest that fits, nothing in the extension is trusted.
        _extension(document)["digest"] = digest(document, data)
        path.write_bytes(glb(json.dumps(document).encode(), data))
        said = _fault(path)
        assert "\n" not in said
        refused += said != ""
    assert refused > 20


def test_spoilt_constraints_are_read_or_refused_in_one_line(tmp_path):
    path = tmp_path / "test.arc.glb"
    arc.write(full_scene(), path)
    document, data = parts(path)
    text, rng = json.dumps(document), np.random.default_rng(11)
    odd = [None, True, -1, 10**400, 1e308, 5e-324, "x", [], {"object": 0}, {"float": "nan"}]
    kinds = {type(each).__name__ for each in arm_constraints()} | {"Ball", "Box", "HalfSpace"}
    refused = 0
    for _ in range(300):
        document = json.loads(text)
        constraints = [each for each in _extension(document)["objects"] if each["type"] in kinds]
        one = constraints[int(rng.integers(len(constraints)))]
        one[list(one)[int(rng.integers(len(one)))]] = odd[int(rng.integers(len(odd)))]
        _extension(document)["digest"] = digest(document, data)
        path.write_bytes(glb(json.dumps(document).encode(), data))
        assert "\n" not in _fault(path)
        refused += _fault(path) != ""
    assert 200 < refused < 300


def _fault(path):
    try:
        arc.read(path)
    except BadFile as error:
        return str(error)
    return ""


def _extension(document):
    return document["extensions"]["ARCWRIGHT_scene"]


def _spoil(value, rng, odd):
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            return
        key = keys[int(rng.integers(len(keys)))]
        if not isinstance(value[key], dict | list) or rng.random() < 0.2:
            value[key] = odd[int(rng.integers(len(odd)))]
            return
        value = value[key]
