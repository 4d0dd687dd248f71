import numpy as np
import pytest

from arcwright.characters.sdf_primitive import limb

SHARES = np.linspace(0, 1, 4001)


@pytest.mark.parametrize(("radius", "tip"), [(0.12, 0.05), (0.04, 0.09), (0.07, 0.07)])
def test_a_limb_is_as_far_as_the_nearest_of_the_balls_along_it(radius, tip):
    start, end = np.array([0.1, 0.2, -0.3]), np.array([0.4, -0.1, 0.0])
    places = np.random.default_rng(3).normal(size=(300, 3)) * 0.4
    middles = start + SHARES[:, None] * (end - start)
    balls = np.linalg.norm(places[:, None] - middles, axis=2) - (radius + (tip - radius) * SHARES)
    one = limb("Arm", tuple(start.tolist()), tuple(end.tolist()), radius, tip)
    assert np.allclose(one.distance(places), balls.min(axis=1), atol=1e-6)
