"""Boxes as triangles, whole or open."""

import numpy as np

CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def box(low, high, sides=range(6)):
    """Vertices and faces of a box; of some sides only."""
    low, high = np.array(low, float), np.array(high, float)
    faces = [f for i in sides for a, b, c, d in [SIDES[i]] for f in ((a, b, c), (a, c, d))]
    return low + CORNERS * (high - low), np.array(faces)
