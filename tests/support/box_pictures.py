"""A box that slides, and how many pixels of a picture are warm or cool."""

import numpy as np

from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.rig import ChannelTable, Kind, Rig
from arcwright.scene.scene import Character, Scene
from arcwright.scene.shape import Look, Part, Shape
from arcwright.scene.take import Take


def cube(size=1.0, material=-1):
    corner = np.array([[x, y, z] for x in (-1, 1) for y in (-2, 0) for z in (-1, 1)]) * size / 2
    faces = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1)]
    faces += [(2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]
    uv = np.tile([0.75, 0.25], (8, 1))
    part = Part({"POSITION": corner, "TEXCOORD_0": uv}, np.ravel(faces), material=material)
    return Shape("cube", 0, (part,))


def box_scene(travel=3.0, look=None, material=-1):
    """A box that slides along x in one second."""
    table = ChannelTable.of([0, 0], [Kind.TRANSLATE_X, Kind.TRANSLATE_Y])
    one = np.array([[1.0, 0, 0, 0]])
    rig = Rig(("box",), np.array([-1]), np.zeros((1, 3)), one, np.ones((1, 3)), ("XYZ",), table)
    slide = Curve.of([0, 0.5, 1], [0, travel / 2, travel])
    take = Take(rig, Clip("slide", (slide, None), 1.0))
    shapes = (cube(0.5, material),)
    return Scene("box", (Character("box", rig, (take,), shapes, look or Look()),))


def count(image, test):
    red, green, blue = image.astype(int).transpose(2, 0, 1)
    return int(test(red, green, blue).sum())


def warm(red, green, blue):
    return (red > 180) & (red > blue + 70)


def cool(red, green, blue):
    return (blue > 180) & (blue > red + 70)
