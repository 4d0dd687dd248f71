from dataclasses import replace

import numpy as np
import pytest

from arcwright.curves.keys import keyed
from arcwright.picture import png
from arcwright.picture.compare import Shot, compare
from arcwright.picture.marks import SIGNS, Mark
from arcwright.picture.palette import palette
from arcwright.scene.point import Point
from arcwright.scene.scene import Prop
from box_pictures import box_scene, cool, count, warm

SIZE = (240, 160)
BOX = Shot([Point("box")], now=12, size=SIZE)


def lifted(scene):
    """The sliding box, higher in the middle."""
    actor = scene.characters[0]
    take = actor.takes[0]
    curves = (take.base.curves[0], keyed([0.0, 0.5, 1.0], [0.0, 1.0, 0.0]))
    taken = replace(take, base=replace(take.base, curves=curves))
    return replace(scene, characters=(replace(actor, takes=(taken,)),))


def test_a_prop_is_drawn_at_the_position_of_its_take():
    scene = box_scene()
    box = scene.characters[0]
    still, moving = (
        replace(scene, props=(Prop("thing", box.rig, takes, box.shapes, box.look),))
        for takes in ((), lifted(scene).characters[0].takes)
    )
    shot = replace(BOX, now=12)
    assert (compare(still, still, shot) != compare(moving, moving, shot)).any()
    first = replace(BOX, now=0)
    assert (compare(still, still, first) == compare(moving, moving, first)).all()


def halves(sheet):
    return sheet[:, : sheet.shape[1] // 2], sheet[:, sheet.shape[1] // 2 :]


def test_both_motions_have_their_curve_and_the_old_one_returns_in_grey():
    before, after = halves(compare(box_scene(), lifted(box_scene()), BOX))
    for half in (before, after):
        assert count(half, warm) > 20
        assert count(half, cool) > 20
    _, alone = halves(compare(lifted(box_scene()), lifted(box_scene()), BOX))
    seen = (after != alone).any(axis=2)
    red, green, blue = after[seen].astype(int).T
    assert seen.sum() > 60
    assert np.median(np.abs(red - green) + np.abs(green - blue)) < 30


def test_a_small_file_has_few_colours_and_looks_the_same(tmp_path):
    path = tmp_path / "pictures" / "box.png"
    sheet = compare(box_scene(), lifted(box_scene()), BOX, path)
    read = png.read(path)
    assert read.shape == sheet.shape
    assert len(np.unique(read.reshape(-1, 3), axis=0)) <= 256
    assert np.abs(read.astype(int) - sheet).mean() < 4
    assert path.stat().st_size < 0.7 * len(png.encode(sheet))


@pytest.mark.parametrize("sign", SIGNS)
def test_a_mark_is_seen_in_its_colour(sign):
    scene = box_scene()
    mark = Mark(sign, np.array([1.5, 0.6, 0.0]), toward=np.array([1.5, 0.0, 0.0]))
    plain, marked = (compare(scene, scene, BOX, marks=(signs, ())) for signs in ((), (mark,)))
    changed = (plain != marked).any(axis=2)
    assert changed[:, : changed.shape[1] // 2].sum() > 40
    assert not changed[:, changed.shape[1] // 2 :].any()


def test_a_mark_behind_the_camera_is_left_out():
    scene = box_scene()
    mark = Mark("pin", np.array([0.0, 0.0, 1e4]))
    shot = replace(BOX, view=(0.0, 0.0, -1.0))
    plain, marked = (compare(scene, scene, shot, marks=(signs, ())) for signs in ((), (mark,)))
    assert np.array_equal(plain, marked)


def test_a_picture_of_few_colours_keeps_them_exactly():
    image = np.zeros((9, 9, 3), np.uint8)
    image[3:6, 3:6] = (250, 20, 90)
    image[7:, 7:] = (10, 200, 30)
    index, colours = palette(image)
    assert np.array_equal(colours[index], image)
