import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from arcwright.characters.sdf_primitive import (
    ball,
    block,
    both_sides,
    bounds,
    distance_field,
    gradient,
    limb,
    material_regions,
    mirrored,
)

SMALL = st.floats(-1, 1)
SIZE = st.floats(0.05, 0.3)


def cloud(count=400, seed=3):
    return np.random.default_rng(seed).uniform(-1, 1, (count, 3))


@given(SIZE, SIZE, st.tuples(SMALL, SMALL, SMALL))
def test_a_limb_is_the_hull_of_two_balls(radius, tip, way):
    end = np.array(way) + [0, 1.2, 0]
    points = cloud(60)
    shares = np.linspace(0, 1, 400)[:, None]
    centres, radii = shares * end, radius + (tip - radius) * shares[:, 0]
    brute = (np.linalg.norm(points[:, None] - centres, axis=2) - radii).min(axis=1)
    exact = limb("A", (0, 0, 0), tuple(end), radius, tip).distance(points)
    # inside the hull the balls only bound the distance
    outside = brute > 0.01
    assert np.allclose(exact[outside], brute[outside], atol=2e-4)


def test_a_ball_and_a_block_are_zero_on_their_surface():
    egg = ball("A", (0.1, 0.2, 0.3), (0.2, 0.3, 0.1), (20, 30, 40))
    tips = np.array(egg.at) + np.array(egg.rotation) * np.array(egg.radii)[:, None]
    assert np.allclose(egg.distance(tips), 0, atol=1e-12)
    box = block("A", (0, 0, 0), (0.2, 0.1, 0.3), 0.05)
    faces = np.diag([0.2, 0.1, 0.3])
    assert np.allclose(box.distance(faces), 0, atol=1e-12)


def test_primitives_flow_into_each_other_and_never_shrink():
    parts = [limb("A", (0, -0.3, 0), (0, 0, 0), 0.1, 0.1), ball("B", (0.1, 0, 0), 0.12, blend=0.1)]
    together = distance_field(parts)(cloud())
    apart = np.minimum(*(part.distance(cloud()) for part in parts))
    assert (together <= apart + 1e-12).all()
    assert (together >= apart - 0.1 / 4 - 1e-12).all()


def test_primitives_far_from_the_points_are_skipped_without_a_trace():
    parts = [ball("A", (x, 0, 0), 0.1, blend=0.05) for x in np.linspace(-1, 1, 9)]
    points = cloud(50) * 0.1 + [0.25, 0, 0]
    one_by_one = np.concatenate([distance_field(parts)(point[None]) for point in points])
    assert np.allclose(distance_field(parts)(points), one_by_one, atol=1e-12)


def test_carving_takes_away():
    hollow = distance_field(
        [ball("A", (0, 0, 0), 0.3), ball("A", (0, 0, 0), 0.2, carve=True, blend=0)]
    )
    assert np.allclose(hollow(np.array([[0.0, 0, 0], [0.25, 0, 0]])), [0.2, -0.05], atol=1e-9)


def test_the_slope_of_a_ball_points_outward():
    points = cloud(50) + [2, 0, 0]
    steep = gradient(ball("A", (0, 0, 0), 0.4).distance, points)
    outward = points / np.linalg.norm(points, axis=1, keepdims=True)
    assert np.allclose(steep, outward, atol=1e-8)


def test_a_mirrored_primitive_is_the_primitive_seen_in_a_mirror():
    part = limb("LeftArm", (0.2, 0.1, 0), (0.5, -0.3, 0.2), 0.1, 0.05)
    other = mirrored(part)
    assert other.joint == "RightArm"
    assert np.allclose(part.distance(cloud()), other.distance(cloud() * [-1, 1, 1]), atol=1e-12)
    assert [each.joint for each in both_sides([part])] == ["LeftArm", "RightArm"]


def test_bounds_hold_every_primitive():
    parts = [limb("A", (0, 0, 0), (0.4, 0.3, -0.2), 0.1, 0.05), ball("B", (-0.5, 0, 0), 0.1)]
    low, high = bounds(parts)
    points = cloud(4000)
    inside = points[distance_field(parts)(points) < 0]
    assert (inside >= low).all()
    assert (inside <= high).all()


def test_coats_say_where_each_colour_lies():
    parts = [
        ball("A", (-0.2, 0, 0), 0.2, colour="red"),
        ball("A", (0.2, 0, 0), 0.2, colour="blue"),
        ball("A", (0.4, 0, 0), 0.05, colour="dot", paint=True),
    ]
    names = [name for name, _ in material_regions(parts)]
    assert names == ["red", "blue", "dot"]
    blue, dot = material_regions(parts)[1][1], material_regions(parts)[2][1]
    assert blue(np.array([[0.1, 0, 0]])) < 0 < blue(np.array([[-0.1, 0, 0]]))
    assert dot(np.array([[0.39, 0, 0]])) < 0
