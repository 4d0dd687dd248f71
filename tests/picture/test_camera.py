import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.errors import BadValue
from arcwright.picture.camera import framed, looking
from random_cases import examples


@examples(24, 60)
@given(st.integers(0, 2**32 - 1), st.sampled_from([1e-3, 1.0, 1e4]))
def test_a_framed_scene_is_wholly_in_the_picture_and_fills_it(seed, scale):
    random = np.random.default_rng(seed)
    points = random.normal(size=(40, 3)) * random.uniform(0.2, 3, 3) * scale
    points += random.normal(size=3) * scale * 10
    direction = random.normal(size=3) * (1, 0.3, 1)
    x, y, near = framed(points, direction, (320, 180)).project(points).T
    assert (near > 0).all()
    assert x.min() > 0
    assert y.min() > 0
    assert x.max() < 320
    assert y.max() < 180
    assert np.ptp(x) > 0.7 * 320 or np.ptp(y) > 0.6 * 180


def test_a_level_camera_has_up_at_the_top_and_right_at_the_right():
    camera = framed(np.array([[-1.0, 0, 0], [1, 2, 0]]), np.array([0, 0, -1.0]), (200, 100))
    low, high = camera.project(np.array([[0.0, 0, 0], [0, 2, 0]]))
    left, right = camera.project(np.array([[-1.0, 1, 0], [1, 1, 0]]))
    assert high[1] < low[1]
    assert left[0] < right[0]


def test_nearer_points_are_nearer():
    camera = framed(np.eye(3), np.array([0, 0, -1.0]), (200, 100))
    far, close = camera.project(np.array([[0.0, 0, 0], [0, 0, 1]]))
    assert close[2] > far[2]


def test_points_behind_the_camera_are_not_on_the_screen():
    camera = framed(np.eye(3), np.array([0, 0, -1.0]), (200, 100))
    behind = camera.eye - 3 * camera.axes[2]
    assert np.isnan(camera.project(behind)).any()


def test_rays_go_through_the_points_they_came_from():
    camera = framed(np.eye(3), np.array([1, -0.4, -1.0]), (200, 100))
    place = np.array([0.2, 0.3, 0.4])
    x, y, near = camera.project(place)
    ray = camera.rays(np.array(x), np.array(y)) / near
    assert np.allclose(camera.eye + ray @ camera.axes, place)


def test_looking_straight_down_still_has_axes():
    axes = looking(np.array([0, -1.0, 0]))
    assert np.allclose(axes @ axes.T, np.eye(3))


def test_no_direction_is_refused():
    with pytest.raises(BadValue, match="view"):
        looking(np.zeros(3))


def test_one_point_can_be_framed():
    camera = framed(np.array([[1.0, 2, 3]]), np.array([0, 0, -1.0]), (64, 64))
    assert np.isfinite(camera.project(np.array([1.0, 2, 3]))).all()
