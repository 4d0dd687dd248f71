"""A lantern to carry by its handle, and a book, an apple and a box to look at by its light."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from arcwright.characters.assembly import Piece, assembled
from arcwright.characters.mesh import look, shape
from arcwright.characters.skeleton import Vector, root, skeleton
from arcwright.characters.solids import Solid, ball, box, drum, joined, lathe, rod, tube
from arcwright.scene.clip import Clip
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Prop
from arcwright.scene.take import Take

GRIP: Vector = (-0.112, 0.09, 0.0)  # m, the middle of its handle
LIGHT: Vector = (0.0, 0.085, 0.0)  # m, the flame
PALETTE = {
    "iron": ("#3a4048", 0.5, 0.4),
    "glow": ("#ffd98a", 0.0, 0.3),
    "cover": ("#7a3344", 0.0, 0.7),
    "paper": ("#f1e8d2", 0.0, 0.9),
    "apple": ("#b9352f", 0.0, 0.4),
    "stalk": ("#4a3324", 0.0, 0.9),
    "wood": ("#8a6a45", 0.0, 0.7),
}


def lantern_rig(at: Vector) -> Rig:
    """One joint at its foot."""
    return skeleton([root("Lantern", at)])


def lantern(at: Vector, clip: Clip) -> Prop:
    """The lantern with its clip."""
    glass = lathe([(0, 0.03), (0.04, 0.03), (0.052, 0.06), (0.052, 0.1), (0.036, 0.14), (0, 0.14)])
    foot = drum(0.062, 0.03, 0.008, 32).moved((0, 0.015, 0))
    cap = lathe(
        [(0, 0.138), (0.06, 0.138), (0.062, 0.145), (0.03, 0.168), (0.014, 0.182), (0, 0.186)]
    )
    posts = [rod((x, 0.02, z), (x, 0.142, z), 0.004, sides=8) for x, z in _corners(0.042)]
    t = np.linspace(0, np.pi, 15)
    arch = np.stack([0.062 * np.cos(t), 0.15 + 0.095 * np.sin(t) ** 0.5, 0 * t], axis=1)
    parts = {"glow": glass, "iron": joined(foot, cap, *posts, tube(arch, 0.0035, 10), _handle())}
    return _prop("Lantern", lantern_rig(at), parts, clip)


def _handle() -> Solid:
    """A bar at its -X side, fixed to foot and cap."""
    x, y, _ = GRIP
    places = [(-0.05, 0.02, 0), (-0.085, 0.022, 0), (x + 0.006, 0.045, 0), GRIP]
    places += [(x + 0.006, 2 * y - 0.045, 0), (-0.085, 2 * y - 0.022, 0), (-0.04, 0.15, 0)]
    t = np.linspace(0, 6, 25)
    line = [np.interp(t, range(7), column) for column in np.array(places).T]
    smooth = np.stack(line, axis=1)
    for _ in range(3):
        smooth[1:-1] = (smooth[:-2] + 2 * smooth[1:-1] + smooth[2:]) / 4
    return tube(smooth, 0.0085, 12)


def book(at: Vector) -> Prop:
    """A closed book."""
    covers = [box(0.13, 0.005, 0.18, 0.002).moved((0, y, 0)) for y in (0.0025, 0.0315)]
    spine = box(0.005, 0.034, 0.18, 0.002).moved((-0.0635, 0.017, 0))
    pages = box(0.122, 0.026, 0.172, 0.002).moved((0.001, 0.017, 0))
    return _prop("Book", _rig("Book", at), {"cover": joined(*covers, spine), "paper": pages})


def apple(at: Vector) -> Prop:
    """An apple."""
    flesh = ball(0.04, 0.037, 0.04).moved((0, 0.036, 0))
    stalk = rod((0, 0.07, 0), (0.006, 0.09, 0), 0.002, sides=8)
    return _prop("Apple", _rig("Apple", at), {"apple": flesh, "stalk": stalk})


def chest(at: Vector) -> Prop:
    """A small box with a lid."""
    sides = box(0.14, 0.07, 0.1, 0.006).moved((0, 0.035, 0))
    lid = box(0.146, 0.02, 0.106, 0.006).moved((0, 0.081, 0))
    lock = box(0.02, 0.024, 0.006, 0.002).moved((0, 0.068, 0.053))
    return _prop("Chest", _rig("Chest", at), {"wood": joined(sides, lid), "iron": lock})


def _corners(far: float) -> list[tuple[float, float]]:
    return [(x, z) for x in (-far, far) for z in (-far, far)]


def _rig(name: str, at: Vector) -> Rig:
    return skeleton([root(name, at)])


def _prop(name: str, rig: Rig, parts: Mapping[str, Solid], clip: Clip | None = None) -> Prop:
    mesh = assembled(rig, [Piece(name, colour, solid) for colour, solid in parts.items()])
    takes = (Take(rig, clip),) if clip else ()
    return Prop(name, rig, takes, (shape(name, mesh, rig),), look(PALETTE, mesh.materials))
