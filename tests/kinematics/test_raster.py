import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from arcwright.kinematics.raster import clip_near, rasterise
from random_cases import examples


def triangle(*corners):
    return np.array([corners], float)


def picture(found, width, height, values=None):
    out = np.full(width * height, -1)
    out[found.pixel] = found.triangle if values is None else values
    return out.reshape(height, width)


def test_a_triangle_covers_the_pixels_whose_centres_are_inside():
    found = rasterise(triangle((0, 0, 1), (8, 0, 1), (0, 8, 1)), 8, 8)
    y, x = np.mgrid[:8, :8] + 0.5
    assert np.array_equal(picture(found, 8, 8) == 0, x + y < 8)


def test_either_winding_is_drawn():
    one = rasterise(triangle((1, 1, 1), (9, 2, 1), (3, 8, 1)), 10, 10)
    other = rasterise(triangle((3, 8, 1), (9, 2, 1), (1, 1, 1)), 10, 10)
    assert np.array_equal(one.pixel, other.pixel)
    assert len(one.pixel) > 15


def test_the_nearer_triangle_hides_the_farther_in_any_order():
    far = triangle((0, 0, 1), (10, 0, 1), (0, 10, 1))
    near = triangle((0, 0, 2), (4, 0, 2), (0, 4, 2))
    first = picture(rasterise(np.concatenate([far, near]), 10, 10), 10, 10)
    second = picture(rasterise(np.concatenate([near, far]), 10, 10), 10, 10)
    assert first[0, 0] == 1
    assert first[0, 6] == 0
    assert np.array_equal(first == 1, second == 0)


def test_two_triangles_through_each_other_change_places_along_a_line():
    level = (
        triangle((0, 0, 5), (20, 0, 5), (0, 20, 5)),
        triangle((20, 0, 5), (20, 20, 5), (0, 20, 5)),
    )
    slope = (
        triangle((0, 0, 1), (20, 0, 9), (0, 20, 1)),
        triangle((20, 0, 9), (20, 20, 9), (0, 20, 1)),
    )
    shown = picture(rasterise(np.concatenate([*level, *slope]), 20, 20), 20, 20)
    assert (shown[:, :10] < 2).all()
    assert (shown[:, 10:] >= 2).all()


def test_nearness_is_read_off_the_plane_of_the_triangle():
    found = rasterise(triangle((0, 0, 1), (16, 0, 3), (0, 16, 2)), 16, 16)
    y, x = np.divmod(found.pixel, 16)
    assert np.allclose(found.nearness, 1 + (x + 0.5) / 8 + (y + 0.5) / 16, atol=1e-6)


def test_equally_near_triangles_go_to_the_first():
    same = triangle((0, 0, 1), (8, 0, 1), (0, 8, 1))
    assert (rasterise(np.concatenate([same, same, same]), 8, 8).triangle == 0).all()


@examples(24, 60)
@given(st.integers(0, 2**32 - 1))
def test_a_square_cut_in_any_two_has_no_hole_and_no_overlap(seed):
    random = np.random.default_rng(seed)
    a, b, c, d = (0.0, 0.0), (30.0, 0.0), (30.0, 30.0), (0.0, 30.0)
    middle = tuple(random.uniform(1, 29, 2))
    parts = [
        np.array([[(*p, 1.0), (*q, 1.0), (*middle, 1.0)]])
        for p, q in zip((a, b, c, d), (b, c, d, a), strict=True)
    ]
    counts = sum(len(rasterise(part, 30, 30).pixel) for part in parts)
    assert counts == 900
    assert len(rasterise(np.concatenate(parts), 30, 30).pixel) == 900


def test_degenerate_huge_and_broken_triangles_do_no_harm():
    corners = np.concatenate(
        [
            triangle((5, 5, 1), (5, 5, 1), (5, 5, 1)),
            triangle((0, 5.5, 1), (10, 5.5, 1), (20, 5.5, 1)),
            triangle((-1e30, -1e30, 1), (1e30, -1e30, 1), (0, 1e30, 1)),
            triangle((np.nan, 0, 1), (9, 0, 1), (0, 9, 1)),
            triangle((np.inf, 0, 1), (9, 0, 1), (0, 9, 1)),
            triangle((-50, -50, 1), (-40, -50, 1), (-50, -40, 1)),
        ]
    )
    found = rasterise(corners, 12, 12)
    assert np.isfinite(found.nearness).all()
    assert set(found.triangle.tolist()) <= {0, 1, 2}
    assert found.pixel.min() >= 0
    assert found.pixel.max() < 144


def test_nothing_gives_nothing():
    assert len(rasterise(np.zeros((0, 3, 3)), 4, 4).pixel) == 0


def test_many_triangles_are_drawn_in_batches_as_one(monkeypatch):
    random = np.random.default_rng(3)
    corners = random.uniform((0, 0, 1), (60, 40, 2), (300, 3, 3))
    whole = rasterise(corners, 60, 40)
    monkeypatch.setattr("arcwright.kinematics.raster.BATCH", 500)
    parts = rasterise(corners, 60, 40)
    assert np.array_equal(whole.pixel, parts.pixel)
    assert np.array_equal(whole.triangle, parts.triangle)


def test_clipping_keeps_what_is_in_front_with_its_area():
    one_in = triangle((0, 0, 3), (4, 0, -1), (0, 4, -1))
    two_in = triangle((0, 0, -1), (4, 0, 3), (0, 4, 3))
    behind = triangle((0, 0, 0.5), (4, 0, -1), (0, 4, 1))
    whole = triangle((0, 0, 2), (4, 0, 2), (0, 4, 2))
    pieces, source = clip_near(np.concatenate([one_in, two_in, behind, whole]), 1.0)
    assert sorted(source.tolist()) == [0, 1, 1, 3]
    assert pieces[:, :, 2].min() >= 1 - 1e-12
    areas = (
        np.linalg.norm(np.cross(pieces[:, 1] - pieces[:, 0], pieces[:, 2] - pieces[:, 0]), axis=1)
        / 2
    )
    full = np.linalg.norm(np.cross((4, 0, -4), (0, 4, -4))) / 2
    assert np.isclose(areas[source == 0].sum(), full / 4)
    assert np.isclose(areas[source == 1].sum(), full * 3 / 4)
    assert np.isclose(areas[source == 3].sum(), 8)
