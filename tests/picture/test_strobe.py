from dataclasses import replace

import numpy as np
import pytest

from arcwright.errors import BadValue, UnknownName
from arcwright.picture import png, strip, strobe
from arcwright.scene.scene import Character, Prop, Scene
from arcwright.scene.shape import Image, Look
from box_pictures import box_scene, cool, count, cube, warm
from builders import arm_rig, arm_scene
from data import DATA, needs_data

SMALL = (240, 135)


def test_a_box_is_drawn_with_its_curve_past_warm_and_future_cool():
    image = strobe(box_scene(), points=["box"], size=SMALL)
    assert image.shape == (135, 240, 3)
    assert image.dtype == np.uint8
    assert count(image, warm) > 20
    assert count(image, cool) > 20


def test_the_character_stands_out_from_the_room():
    there = strobe(box_scene(0.0), size=SMALL, labels=False, title="", every=100)
    middle = there[50:90, 100:140].reshape(-1, 3)
    corner = there[:20, :20].reshape(-1, 3)
    assert middle.mean() > corner.mean() + 50


def test_colours_come_from_the_material():
    look = Look.of({"materials": [{"pbrMetallicRoughness": {"baseColorFactor": [0, 0.8, 0, 1]}}]})
    image = strobe(box_scene(look=look, material=0), size=SMALL, points=["box"])
    assert count(image, lambda r, g, b: (g > 60) & (g > r + 30) & (g > b + 30)) > 200


@pytest.mark.parametrize("readable", [True, False])
def test_colours_come_from_a_texture_where_it_can_be_read(readable):
    pixels = np.zeros((2, 2, 3), np.uint8)
    pixels[0, 1] = (255, 0, 255)
    content = png.encode(pixels) if readable else b"\xff\xd8\xff\xe0"
    surface = {"baseColorTexture": {"index": 0}}
    gltf = {"materials": [{"pbrMetallicRoughness": surface}], "textures": [{"source": 0}]}
    look = Look.of(gltf, (Image("paint", "image/png", content),))
    image = strobe(box_scene(look=look, material=0), size=SMALL)
    pink = count(image, lambda r, g, b: (r > g + 40) & (b > g + 40))
    assert (pink > 200) == readable


def test_the_same_scene_gives_the_same_picture():
    assert np.array_equal(strobe(box_scene(), size=SMALL), strobe(box_scene(), size=SMALL))


def test_the_picture_is_written_to_the_given_path(tmp_path):
    image = strobe(box_scene(), tmp_path / "out" / "box.png", size=SMALL)
    assert np.array_equal(png.read(tmp_path / "out" / "box.png"), image)


def test_a_light_room_is_light_and_a_dark_one_dark():
    light, dark = (strobe(box_scene(), size=SMALL, dark=dark) for dark in (False, True))
    assert light.mean() > 170
    assert dark.mean() < 90


def test_a_rig_without_mesh_is_drawn_as_bones():
    image = strobe(arm_scene(), size=SMALL, labels=False, title="")
    wood = count(image, lambda r, g, b: (r > 120) & (r > b + 15) & (abs(r - g) < 40))
    assert wood > 200


def test_props_are_drawn_too():
    scene = box_scene()
    shape = cube(3.0)
    prop = Prop("block", scene.characters[0].rig, shapes=(shape,))
    alone = strobe(scene, size=SMALL)
    assert not np.array_equal(strobe(replace(scene, props=(prop,)), size=SMALL), alone)


def test_poses_that_stay_in_place_are_spread():
    still = box_scene(0.0)
    wide = strobe(still, size=SMALL, labels=False, title="")
    heap = strobe(still, size=SMALL, labels=False, title="", spread=False)
    bright = [np.flatnonzero((image.mean(2) > 110).any(0)) for image in (wide, heap)]
    assert np.ptp(bright[0]) > 1.5 * np.ptp(bright[1])


def test_any_number_of_poses_and_any_view_can_be_requested():
    for options in ({"every": 1}, {"every": 7, "now": 3}, {"view": (0, -1, 0)}, {"reach": 0.1}):
        assert strobe(box_scene(), size=SMALL, **options).shape == (135, 240, 3)


def test_a_character_without_takes_stands_alone():
    rig = arm_rig()
    assert strobe(Scene("still", (Character("arm", rig),)), size=SMALL).max() > 120


@pytest.mark.parametrize("far", [1e-4, 1e6])
def test_tiny_and_huge_scenes_are_framed_alike(far):
    scene = box_scene(3 * far)
    shape = replace(scene.characters[0], shapes=(cube(0.5 * far),))
    image = strobe(replace(scene, characters=(shape,)), size=SMALL, points=["box"])
    assert count(image, warm) > 20


def test_an_empty_scene_is_refused():
    with pytest.raises(BadValue, match="empty scene"):
        strobe(Scene())


def test_names_that_are_not_there_are_refused():
    with pytest.raises(UnknownName, match="bx"):
        strobe(box_scene(), points=["bx"], size=SMALL)
    with pytest.raises(UnknownName, match="take"):
        strobe(box_scene(), take="walk", size=SMALL)
    with pytest.raises(UnknownName):
        strobe(box_scene(), character="nobody", size=SMALL)


@pytest.mark.parametrize(
    "wrong", [{"every": 0}, {"size": (0, 10)}, {"view": (0, 0, 0)}, {"view": (1, 2)}]
)
def test_senseless_options_are_refused(wrong):
    with pytest.raises(BadValue):
        strobe(box_scene(), **{"size": SMALL, **wrong})


def test_a_strip_holds_its_panels_and_captions():
    red, blue = (
        np.full((40, 60, 3), (200, 0, 0), np.uint8),
        np.full((40, 60, 3), (0, 0, 200), np.uint8),
    )
    sheet = strip([(red, "one"), (blue, "two"), (red, "")], columns=2, title="sheet")
    assert count(sheet, lambda r, g, b: (r == 200) & (b == 0)) == 4800
    assert count(sheet, lambda r, g, b: (r == 0) & (b == 200)) == 2400
    assert count(sheet, lambda r, g, b: r + g + b > 600) > 30


def test_a_strip_of_nothing_or_of_unlike_panels_is_refused():
    small, large = np.zeros((4, 4, 3), np.uint8), np.zeros((5, 4, 3), np.uint8)
    for wrong in ([], [(small, ""), (large, "")]):
        with pytest.raises(BadValue):
            strip(wrong)


@needs_data
@pytest.mark.data
def test_real_motion_capture_is_drawn():
    from arcwright.files.bvh import read

    image = strobe(read(DATA / "bvh" / "cmu" / "02_01_walk.bvh"), size=(320, 180))
    assert count(image, warm) > 20
    assert count(image, cool) > 20
