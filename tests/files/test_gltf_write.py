import json
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.errors import UnknownName
from arcwright.files.gltf import read, write
from arcwright.files.gltf.frame_rate import stored_rate
from arcwright.files.gltf.item import Item
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Extrapolation, Handle, Interpolation
from arcwright.scene.layer import Layer
from arcwright.scene.motion import Motion
from arcwright.scene.rig import ChannelTable, Kind
from arcwright.scene.scene import Character, Prop, Scene
from arcwright.scene.shape import Image, Look, Part, Shape, Skin
from arcwright.scene.take import Take
from builders import (
    QUATERNION,
    ROTATE,
    SCALE,
    TRANSLATE,
    arm_constraints,
    arm_scene,
    random_rig,
    rig_of,
)
from gltf_builders import PNG
from random_cases import examples

TRIANGLE = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0]])


def bezier(rng, time, *, thirds):
    """Random keys with Bezier handles, one third of the gap long or of any length."""
    count = len(time)
    gap = np.diff(time)
    tangent = np.zeros((count, 2, 2))
    share = np.full((2, count - 1), 1 / 3) if thirds else rng.uniform(0.05, 0.6, (2, count - 1))
    tangent[:-1, 1, 0], tangent[1:, 0, 0] = gap * share[0], gap * share[1]
    tangent[:, :, 1] = rng.normal(size=(count, 2)) * 0.1
    tangent[0, 0] = tangent[-1, 1] = 0
    return Curve(
        time,
        rng.normal(size=count),
        tangent,
        np.full((count, 2), Handle.FREE),
        np.full(count, Interpolation.BEZIER),
    )


def scene_of(rig, base, layers=()):
    return Scene(characters=(Character("one", rig, (Take(rig, base, layers),)),))


def there_and_back(scene, folder):
    said = write(scene, folder / "test.glb")
    return read(folder / "test.glb", unit=1.0), said


def apart(scene, back, times):
    """The largest difference of any joint's world matrix."""
    a, b = scene.characters[0].takes[0], back.characters[0].takes[0]
    worlds = (forward(take.rig, values_at(take, times)) for take in (a, b))
    return abs(next(worlds) - next(worlds)).max()


def written_samplers(path):
    data = path.read_bytes()
    size = int.from_bytes(data[12:16], "little")
    gltf = json.loads(data[20 : 20 + size])
    return [sampler for each in gltf["animations"] for sampler in each["samplers"]]


@pytest.mark.parametrize("word", ["LINEAR", "STEP", "CUBICSPLINE"])
@pytest.mark.parametrize("seed", range(3))
def test_aligned_keys_are_written_as_they_are(word, seed, tmp_path):
    rng = np.random.default_rng(seed)
    rig = rig_of([-1, 0], [(0, TRANSLATE + SCALE), (1, TRANSLATE)])
    time = np.cumsum(rng.uniform(0.1, 0.5, 5)).astype(np.float32).astype(float)
    if word == "CUBICSPLINE":
        curves = [bezier(rng, time, thirds=True) for _ in range(9)]
    else:
        kind = Interpolation[word]
        curves = [Curve.of(time, rng.normal(size=5), interpolation=kind) for _ in range(9)]
    scene = scene_of(rig, Clip("c", tuple(curves), time[-1]))
    back, said = there_and_back(scene, tmp_path)
    assert said == ()
    assert {each["interpolation"] for each in written_samplers(tmp_path / "test.glb")} == {word}
    again = [curve for curve in back.characters[0].takes[0].base.curves if curve is not None]
    assert [len(curve) for curve in again if len(curve) == 5] == [5] * 9
    assert apart(scene, back, np.linspace(0, time[-1], 97)) < 1e-6


def test_quaternion_splines_with_thirds_are_exact(tmp_path):
    rng = np.random.default_rng(4)
    rig = random_rig(4, 1)
    rig = replace(rig_of([-1], [(0, QUATERNION)], ["quaternion"]), rest=rig.rest, offset=rig.offset)
    time = np.array([0, 0.5, 1.25])
    curves = [bezier(rng, time, thirds=True) for _ in range(4)]
    unit = np.stack([curve.value for curve in curves])
    unit /= np.linalg.norm(unit, axis=0)
    curves = [replace(curve, value=value) for curve, value in zip(curves, unit, strict=True)]
    scene = scene_of(rig, Clip("c", tuple(curves), 1.25))
    back, said = there_and_back(scene, tmp_path)
    assert said == ()
    assert apart(scene, back, np.linspace(0, 1.25, 61)) < 1e-6


def test_linear_mixed_with_thirds_is_exact(tmp_path):
    rng = np.random.default_rng(5)
    rig = rig_of([-1], [(0, TRANSLATE)])
    time = np.array([0, 1, 1.5, 2])
    curves = [bezier(rng, time, thirds=True) for _ in range(3)]
    kinds = np.array([0, 1, 0, 0])
    curves = [replace(curve, interpolation=kinds) for curve in curves]
    scene = scene_of(rig, Clip("c", tuple(curves), 2))
    back, said = there_and_back(scene, tmp_path)
    assert said == ()
    assert len(back.characters[0].takes[0].base.curves[0]) == 4
    assert apart(scene, back, np.linspace(0, 2, 77)) < 1e-6


@examples(8, 20)
@given(st.integers(0, 10_000))
def test_whatever_the_keys_the_written_motion_is_the_same(seed):
    rng = np.random.default_rng(seed)
    rig = random_rig(seed, 2)
    curves = []
    for kind in rig.channels.kind:
        time = np.unique(rng.integers(0, 48, rng.integers(1, 6))) / 24
        curve = bezier(rng, time, thirds=False) if len(time) > 1 else Curve.of([0], [0.5])
        segments = rng.integers(0, 3, len(time))
        ends = rng.integers(0, 5, 2)
        value = curve.value * 0.3 + Kind(kind).rest
        curve = replace(curve, interpolation=segments, value=value)
        curve = replace(curve, before=Extrapolation(ends[0]), after=Extrapolation(ends[1]))
        curves.append(None if rng.random() < 0.2 else curve)
    scene = scene_of(rig, Clip("c", tuple(curves), 2.0))
    with tempfile.TemporaryDirectory() as folder:
        back, _ = there_and_back(scene, Path(folder))
    # Values jump where steps and cycles end, so not exactly there.
    times = np.arange(0, 192) / 96 + 1 / 1000
    size = abs(forward(rig, values_at(scene.characters[0].takes[0], times))).max()
    assert apart(scene, back, times) < 1e-5 * max(size, 1)


def test_constraints_are_left_out_and_counted(tmp_path):
    scene = replace(arm_scene(), constraints=arm_constraints())
    _, said = there_and_back(scene, tmp_path)
    assert f"glTF has no constraints: {len(scene.constraints)} left out" in said


def test_motions_are_written_sample_by_sample(tmp_path):
    scene = arm_scene()
    character = scene.characters[0]
    recorded = character.take("recorded")
    scene = replace(scene, characters=(replace(character, takes=(recorded,)),))
    back, said = there_and_back(scene, tmp_path)
    assert said == ("glTF has no constraints: 2 left out",)
    assert apart(scene, back, recorded.base.time) < 1e-6


def test_layers_are_written_into_the_motion(tmp_path):
    scene = arm_scene()
    character = scene.characters[0]
    rng = np.random.default_rng(0)
    layer = Layer(
        "up", 0.2, 0.7, [1], rng.normal(size=(6, 1, 3)) * 0.2, [1], rng.normal(size=(6, 1))
    )
    take = replace(character.take("wave"), layers=(layer,))
    scene = replace(scene, characters=(replace(character, takes=(take,)),))
    back, said = there_and_back(scene, tmp_path)
    assert "keys became" in said[0]
    assert apart(scene, back, np.arange(0, 96) / 96 + 0.001) < 1e-5


@pytest.mark.parametrize("rate", [30.0, 25.0, 29.97])
def test_a_layered_take_keeps_its_frame_rate(tmp_path, rate):
    character = arm_scene().characters[0]
    layer = Layer("up", 0.013, 0.391, [1], np.full((6, 1, 3), 0.2), [1], np.full((6, 1), 0.1))
    clip = replace(character.take("wave").base, rate=rate)
    scene = Scene(characters=(replace(character, takes=(Take(character.rig, clip, (layer,)),)),))
    back, _ = there_and_back(scene, tmp_path)
    assert back.characters[0].takes[0].rate == pytest.approx(rate, rel=1e-4)
    assert not any("extras" in warning for warning in back.source.warnings)


@pytest.mark.parametrize("stored", ["30", True, 0, -5, 1e400, 10**400, None, [24]])
def test_a_stored_frame_rate_that_is_none_is_ignored(stored):
    item = Item(Path("file.glb"), "animation 0", {"extras": {"arcwright_rate": stored}})
    assert stored_rate(item) is None


def test_constants_at_the_nodes_own_place_are_not_written(tmp_path):
    rig = rig_of([-1, 0], [(0, TRANSLATE), (1, TRANSLATE)])
    still = Curve.of([0, 1], [0, 0])
    moving = Curve.of([0, 1], [0, 1])
    curves = (moving, still, None, still, None, still)
    scene = scene_of(rig, Clip("c", curves, 3.0))
    back, _ = there_and_back(scene, tmp_path)
    assert len(written_samplers(tmp_path / "test.glb")) == 1
    assert back.characters[0].takes[0].duration == 3.0
    assert apart(scene, back, np.linspace(0, 3, 13)) < 1e-7


def test_a_take_that_stands_still_keeps_its_length(tmp_path):
    rig = rig_of([-1], [(0, TRANSLATE)])
    scene = scene_of(rig, Clip("hold", (None,) * 3, 2.5))
    back, _ = there_and_back(scene, tmp_path)
    assert back.characters[0].take("hold").duration == 2.5


def test_several_shapes_on_a_joint_and_several_looks(tmp_path):
    rig = rig_of([-1], [(0, ROTATE)])
    red = Look.of(
        {
            "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
            "textures": [{"source": 0, "sampler": 0}],
            "samplers": [{"wrapS": 33071}],
            "images": [{"name": "r"}],
        },
        (Image("r", "image/png", PNG + b"r"),),
    )
    blue = replace(red, images=(Image("b", "image/png", PNG + b"b"),))
    part = Part({"POSITION": TRIANGLE}, np.array([0, 1, 2]), material=0)
    shapes = tuple(Shape(name, 0, (part,)) for name in ("a", "b"))
    scene = Scene(props=(Prop("x", rig, (), shapes, red), Prop("y", rig, (), shapes[:1], blue)))
    back, _ = there_and_back(scene, tmp_path)
    assert [len(prop.shapes) for prop in back.props] == [2, 1]
    look = back.props[1].look
    material = look.gltf["materials"][back.props[1].shapes[0].parts[0].material]
    texture = look.gltf["textures"][material["pbrMetallicRoughness"]["baseColorTexture"]["index"]]
    assert look.images[texture["source"]].data == PNG + b"b"
    assert texture["sampler"] == 1


def test_skins_and_morphs_come_back(tmp_path):
    table = ChannelTable.of([0], [Kind.WEIGHT], default=[0.5], label=["smile"])
    rig = replace(rig_of([-1, 0], []), channels=table)
    bind = np.tile(np.eye(4), (2, 1, 1))
    bind[1, 1, 3] = -1
    attributes = {
        "POSITION": TRIANGLE,
        "JOINTS_0": np.uint8([[0, 1, 0, 0]] * 3),
        "WEIGHTS_0": np.float32([[0.5, 0.5, 0, 0]] * 3),
        "COLOR_0": np.uint8([[255, 0, 0]] * 3),
        "MOOD": np.float32([1, 2, 3]),
    }
    part = Part(attributes, None, morphs=({"POSITION": TRIANGLE * 2},))
    shape = Shape("face", 0, (part,), Skin([0, 1], bind), ("smile",), (0.5,))
    clip = Clip("grin", (Curve.of([0, 1], [0, 1]),), 1)
    scene = Scene(characters=(Character("one", rig, (Take(rig, clip),), (shape,)),))
    back, _ = there_and_back(scene, tmp_path)
    character = back.characters[0]
    assert character.rig.channel_names[-5] == "joint0.weight.smile"
    again = character.shapes[0]
    assert np.array_equal(again.skin.inverse_bind, bind)
    assert again.parts[0].attributes["COLOR_0"].dtype == np.uint8
    assert again.parts[0].attributes["_MOOD"].tolist() == [1, 2, 3]
    assert np.array_equal(again.parts[0].morphs[0]["POSITION"], TRIANGLE * 2)
    column = character.rig.channel("joint0.weight.smile")
    assert character.rig.channels.default[column] == 0.5
    assert values_at(character.takes[0], np.array([0.25]))[0, column] == 0.25


def test_one_take_may_be_chosen_and_must_exist(tmp_path):
    scene = arm_scene()
    write(scene, tmp_path / "one.glb", take="wave")
    back = read(tmp_path / "one.glb")
    assert [take.name for take in back.characters[0].takes] == ["wave"]
    with pytest.raises(UnknownName, match="wave"):
        write(scene, tmp_path / "none.glb", take="wove")


def test_gltf_is_written_with_its_bin_beside_it(tmp_path):
    scene = arm_scene()
    write(scene, tmp_path / "my arm.gltf")
    assert (tmp_path / "my arm.bin").exists()
    back = read(tmp_path / "my arm.gltf")
    assert back.source.format == "gltf"
    assert back.characters[0].rig.names == scene.characters[0].rig.names


def test_an_empty_scene_is_a_file_too(tmp_path):
    back, said = there_and_back(Scene(), tmp_path)
    assert (back.characters, back.props, said) == ((), (), ())


def test_motions_with_negative_times_begin_at_zero(tmp_path):
    rig = rig_of([-1], [(0, TRANSLATE)])
    motion = Motion("m", [-1.0, 0.0, 1.0], np.arange(9.0).reshape(3, 3))
    back, _ = there_and_back(scene_of(rig, motion), tmp_path)
    assert back.characters[0].takes[0].base.curves[0].time.tolist() == [0, 1]
