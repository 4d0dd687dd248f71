"""Props for puppets: balls and boxes, and devices that lead a puppet to them."""

from dataclasses import replace

import numpy as np

from arcwright.characters import built_in
from arcwright.characters.assembly import Piece, assembled
from arcwright.characters.mesh import look, shape
from arcwright.characters.skeleton import root, skeleton
from arcwright.characters.solids import ball, box
from arcwright.scene.scene import Prop
from arcwright.tools.gesture import Performance

RATE = 60
PAINT = {"paper": ("#c9a36a", 0.0, 0.8)}


def prop(name, at, solid):
    """A prop of one solid whose middle is at a place."""
    rig = skeleton([root(name, at)])
    mesh = assembled(rig, [Piece(name, "paper", solid)])
    return Prop(name, rig, (), (shape(name, mesh, rig),), look(PAINT, mesh.materials))


def ball_prop(name, radius, x, z):
    return prop(name, (x, radius, z), ball(radius, radius, radius, 24, 17))


def box_prop(name, sides, x, z):
    return prop(name, (x, sides[1] / 2, z), box(*sides, 0.005))


def scene_with(*props):
    return replace(built_in("biped"), props=props)


def led(places, **buttons):
    """A device that eases through places (s, x, y, z); buttons are down from and to a time."""
    at = np.array(places, float)
    times = np.arange(round(at[-1, 0] * RATE) + 1) / RATE
    after = np.clip(np.searchsorted(at[:, 0], times), 1, len(at) - 1)
    share = (times - at[after - 1, 0]) / (at[after, 0] - at[after - 1, 0])
    share = (share * share * (3 - 2 * share))[:, None]
    poses = np.zeros((len(times), 1, 7))
    poses[:, 0, :3] = [0.0, 1.6, -1.5] + (1 - share) * at[after - 1, 1:] + share * at[after, 1:]
    poses[:, 0, 3] = 1.0
    down = [(times >= first) & (times < last) for first, last in buttons.values()]
    pressed = np.stack(down, axis=1) if down else np.zeros((len(times), 0), bool)
    return Performance(times, poses, buttons=pressed, button_names=tuple(buttons))


def picked_up(z, *more):
    """Places of a device that goes ahead, crouches before a prop and rises, then goes on."""
    start = [(0.0, 0, 0, 0), (0.3, 0, 0, 0), (1.2, 0, 0, z), (1.4, 0, 0, z)]
    return [*start, (2.1, 0, -0.42, z), (2.5, 0, -0.42, z), (3.2, 0, 0, z), *more]
