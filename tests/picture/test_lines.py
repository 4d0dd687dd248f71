import numpy as np
import pytest

from arcwright.picture.camera import framed
from arcwright.picture.canvas import colour, composite, from_srgb, to_srgb, tone_map
from arcwright.picture.lines import STROKES, ball, flat_line, line, text, text_width

WHITE = np.ones(3)


def row(x, y, radius=1.0, near=1.0):
    return [x, y, near, radius, 1, 1, 1, 1]


def painted(fragments, size):
    out = np.zeros(size[0] * size[1])
    np.maximum.at(out, fragments.sample, fragments.alpha)
    return out.reshape(size[1], size[0])


def test_a_line_covers_its_width_and_no_sample_twice():
    drawn = flat_line(np.array([row(5, 10, 2), row(35, 10, 2), row(35, 30, 2)], float), 40, 40)
    assert len(np.unique(drawn.sample)) == len(drawn.sample)
    cover = painted(drawn, (40, 40))
    assert np.isclose(cover[:, 20].sum(), 4, atol=0.1)
    assert np.isclose(cover[20].sum(), 4, atol=0.1)


def test_a_slanting_line_is_as_thick_as_a_level_one():
    drawn = flat_line(np.array([row(0, 0, 1.5), row(60, 40, 1.5)], float), 60, 40)
    middle = painted(drawn, (60, 40))[:, 30].sum() * np.cos(np.arctan2(40, 60))
    assert np.isclose(middle, 3, atol=0.15)


def test_hair_lines_fade_instead_of_breaking():
    thin = painted(flat_line(np.array([row(0, 0, 0.1), row(60, 21, 0.1)], float), 60, 40), (60, 40))
    sums = thin[:, 2:50].sum(0)
    assert sums.min() > 0.1
    assert sums.max() < 0.5


def test_lines_off_the_screen_broken_or_huge_draw_nothing_wrong():
    table = np.array([row(-50, -50), row(-40, -60), row(np.nan, 1), row(1e30, 5), row(5, 5)], float)
    drawn = flat_line(table, 20, 20)
    assert np.isfinite(drawn.alpha).all()
    assert (drawn.sample >= 0).all()
    assert (drawn.sample < 400).all()


def test_a_world_line_through_the_camera_is_cut():
    camera = framed(np.eye(3), np.array([0, 0, -1.0]), (60, 40))
    points = np.array([camera.eye - camera.axes[2], camera.eye + 3 * camera.axes[2], np.zeros(3)])
    drawn = line(camera, points, 1.0, WHITE)
    assert len(drawn.sample) > 0
    assert np.isfinite(drawn.nearness).all()


def test_a_ball_is_a_disc_of_its_size():
    camera = framed(np.eye(3), np.array([0, 0, -1.0]), (60, 40))
    drawn = ball(camera, np.full(3, 1 / 3), 6.0, WHITE)
    assert np.isclose(drawn.alpha.sum(), np.pi * 36, rtol=0.03)
    assert len(ball(camera, camera.eye - camera.axes[2], 6.0, WHITE).sample) == 0


def test_near_fragments_lie_over_far_ones_in_any_order():
    red = flat_line(np.array([row(2, 4, 2, near=1.0), row(14, 4, 2, near=1.0)], float), 16, 8)
    blue = flat_line(np.array([row(2, 4, 2, near=2.0), row(14, 4, 2, near=2.0)], float), 16, 8)
    red.colour[:] = (1, 0, 0)
    blue.colour[:] = (0, 0, 1)
    ground = np.zeros((4, 8, 3))
    one, other = composite([red, blue], ground), composite([blue, red], ground)
    assert np.array_equal(one, other)
    assert np.allclose(one[1, 4], (0, 0, 1))


def test_half_a_covering_mixes_in_linear_light():
    half = flat_line(
        np.array([[2, 4, 1, 2, 1, 1, 1, 0.5], [14, 4, 1, 2, 1, 1, 1, 0.5]], float), 16, 8
    )
    assert np.allclose(composite([half], np.zeros((4, 8, 3)))[1, 4], 0.5)
    assert abs(int(tone_map(np.full((1, 1, 3), 0.5))[0, 0, 0]) - 188) <= 1


def test_srgb_there_and_back():
    shown = np.linspace(0, 1, 256)
    assert np.allclose(to_srgb(from_srgb(shown)), shown, atol=1e-9)
    assert np.allclose(colour("#ffffff"), 1)


def test_every_letter_has_its_own_shape():
    drawn = {
        letter: painted(text(letter, (4, 30), 24, WHITE, (40, 44), align=0), (40, 44))
        for letter in STROKES
    }
    assert drawn.pop(" ").sum() == 0
    alike = {"0": "O"}
    for one, shape in drawn.items():
        assert shape.sum() > 4
        for other, twin in drawn.items():
            if one < other and alike.get(one) != other:
                assert np.abs(shape - twin).sum() > 5, (one, other)


@pytest.mark.parametrize("align", [0.0, 0.5, 1.0])
def test_text_stands_where_it_is_put(align):
    cover = painted(text("HEH", (100, 50), 24, WHITE, (200, 80), align=align), (200, 80)).sum(0)
    left, right = np.flatnonzero(cover)[[0, -1]]
    assert abs(left + (right - left) * align - 100) < 4
    assert abs((right - left) - text_width("HEH", 24)) < 6


def test_unknown_letters_become_question_marks():
    one = text("\u4e2d", (9, 30), 20, WHITE, (30, 40))
    other = text("?", (9, 30), 20, WHITE, (30, 40))
    assert np.array_equal(one.sample, other.sample)
