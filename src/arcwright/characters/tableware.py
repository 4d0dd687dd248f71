"""Teapots and cups: props that stand at their origin, Y up, with anchors to hold and pour by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from arcwright.arrays import Floats
from arcwright.characters.assembly import Piece, assembled
from arcwright.characters.mesh import look, shape
from arcwright.characters.skeleton import Vector, root, skeleton, with_scale_channels
from arcwright.characters.solids import Solid, ball, joined, lathe, ring, tube
from arcwright.errors import BadValue
from arcwright.scene.activity import ActivityObject
from arcwright.scene.clip import Clip
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Prop
from arcwright.scene.take import Take

HandleSide = Literal["back", "left", "right"]
TURNS = {"back": 180.0, "left": 90.0, "right": -90.0}  # degrees about Y, from +X, the spout's side
HEIGHT = 0.13  # m, of a teapot of size 1 without its lid
ROUND = 0.65  # of a teapot's height, its radius
ROOT = 0.38  # of a teapot's height, where its spout begins
LIP = 0.011  # m, radius of the spout's tip
BAR = 0.0085  # m, radius of a teapot's handle
REACH = 0.052  # m, from a teapot to the far side of its handle
WALL = 0.005  # m, of a cup
DARK = ("#3a2f2a", 0.0, 0.9)
BELLY = ((0.0, 0.0), (0.52, 0.0), (0.57, 0.03), (0.8, 0.14), (0.95, 0.3), (1.0, 0.45))
SHOULDER = ((0.96, 0.62), (0.84, 0.78), (0.66, 0.9), (0.54, 0.96), (0.5, 1.0), (0.0, 1.0))
LID = ((0.0, 0.985), (0.5, 0.985), (0.5, 1.02), (0.4, 1.07), (0.2, 1.1), (0.0, 1.11))


@dataclass(frozen=True)
class Teapot:
    """A round teapot with its spout along +X and a handle opposite to it or at a side."""

    spout_length: float = 0.12  # m
    height: float = HEIGHT  # m, without the lid
    tilt: float = 48.0  # degrees of the spout above level
    handle_side: HandleSide = "back"  # left and right as seen along the spout
    size: float = 1.0  # scales all of it
    colour: str = "#3f7d86"

    def __post_init__(self) -> None:
        for name in ("spout_length", "height", "size"):
            _check_length(f"Teapot.{name}", getattr(self, name))
        if not 0 <= self.tilt < 90:
            raise BadValue("Teapot.tilt", "degrees from 0 to below 90", self.tilt)
        _check_side("Teapot.handle_side", self.handle_side)

    @property
    def anchors(self) -> Mapping[str, Floats]:
        """Named points of it, (3,) m: tip of the spout, where a palm holds it, knob, base."""
        points = {
            "spout": self._spout()[-1],
            "handle": _at_side(_loop(self._radius, self.height))[16],
            "lid": np.array([0.0, 1.24 * self.height, 0.0]),
            "base": np.zeros(3),
        }
        points["handle"] = points["handle"] @ _turn(self.handle_side).T
        return {name: self.size * at for name, at in points.items()}

    def object(self, name: str = "pot", actor: str = "") -> ActivityObject:
        """What takes part in an activity: a prop with these anchors."""
        return _object(name, actor, self.anchors)

    def prop(self, name: str = "Teapot", at: Vector = (0, 0, 0), clip: Clip | None = None) -> Prop:
        """The prop standing at a place, with a clip of its `tableware_rig` if given."""
        palette = {"glaze": (self.colour, 0.0, 0.35), "inside": DARK}
        return _prop(name, at, self._parts(), palette, clip)

    @property
    def _radius(self) -> float:
        return ROUND * self.height

    def _spout(self) -> Floats:
        """Its middle line (17, 3), an S from inside the body to the tip."""
        start = np.array([0.72 * self._radius, ROOT * self.height, 0.0])
        lean = np.radians(self.tilt)
        out = np.array([0.2 * self._radius, 0.0, 0.0])
        tip = start + out + self.spout_length * np.array([np.cos(lean), np.sin(lean), 0.0])
        flat = lean - np.radians(14)
        into = 0.4 * self.spout_length * np.array([np.cos(flat), np.sin(flat), 0.0])
        rise = 0.45 * self.spout_length * np.array([np.cos(0.2 * lean), np.sin(0.2 * lean), 0.0])
        return _bezier(start, start + out + rise, tip - into, tip, 17)

    def _parts(self) -> dict[str, Solid]:
        wide, high = self._radius, self.height
        body = lathe([(r * wide, y * high) for r, y in (*BELLY, *SHOULDER)], 40)
        lid = lathe([(r * wide, y * high) for r, y in LID], 40)
        knob = ball(0.13 * wide, 0.07 * high, 0.13 * wide, 20, 9).moved((0, 1.17 * high, 0))
        line = self._spout()
        share = np.linspace(0, 1, len(line))
        thick = LIP + (0.24 * wide - LIP) * (1 - share) ** 1.6
        spout = tube(line, thick, 20)
        mouth = tube(line[-2:] + (line[-1] - line[-2]) * 0.02, 0.72 * LIP, 20)
        handle = tube(_at_side(_loop(wide, high)), BAR, 14).moved(matrix=_turn(self.handle_side))
        glazed = joined(body, lid, knob, spout, handle)
        parts = {"glaze": glazed, "inside": mouth}
        return {name: each.scaled(self.size, self.size, self.size) for name, each in parts.items()}


@dataclass(frozen=True)
class Cup:
    """A cup, open above; its handle, if it has one, is at +X turned about Y."""

    radius: float = 0.042  # m, of the rim
    height: float = 0.075  # m
    handle: bool = True
    handle_turn: float = 0.0  # degrees about Y
    colour: str = "#e8e2d4"

    def __post_init__(self) -> None:
        for name in ("radius", "height"):
            _check_length(f"Cup.{name}", getattr(self, name))

    @property
    def anchors(self) -> Mapping[str, Floats]:
        """Named points of it, (3,) m: middle of the rim, where fingers hold it, base."""
        points = {"rim": np.array([0.0, self.height, 0.0]), "base": np.zeros(3)}
        side = np.array([self.radius, 0.55 * self.height, 0.0])
        points["handle"] = self._line()[8] if self.handle else side @ _spin(self.handle_turn).T
        return points

    def object(self, name: str = "cup", actor: str = "") -> ActivityObject:
        """What takes part in an activity: a prop with these anchors."""
        return _object(name, actor, self.anchors)

    def prop(self, name: str = "Cup", at: Vector = (0, 0, 0), clip: Clip | None = None) -> Prop:
        """The prop standing at a place, with a clip of its `tableware_rig` if given."""
        return _prop(name, at, self._parts(), {"china": (self.colour, 0.0, 0.35)}, clip)

    def _line(self) -> Floats:
        high, out = self.height, self.radius + 0.026
        top, low = (
            np.array([0.95 * self.radius, 0.8 * high, 0]),
            np.array([0.8 * self.radius, 0.25 * high, 0]),
        )
        far = np.array([out + 0.008, 0.85 * high, 0.0]), np.array([out + 0.006, 0.2 * high, 0.0])
        return _bezier(top, *far, low, 17) @ _spin(self.handle_turn).T

    def _parts(self) -> dict[str, Solid]:
        wide, high = self.radius, self.height
        outside = [(0, 0), (0.56, 0.0), (0.6, 0.03), (0.76, 0.2), (0.9, 0.5), (0.97, 0.8)]
        profile = [(r * wide, y * high) for r, y in outside]
        profile += [(wide, high - 0.002), (wide - 0.3 * WALL, high), (wide - 0.7 * WALL, high)]
        inside = [(r * wide - WALL, max(y * high, 2 * WALL)) for r, y in outside[:2:-1]]
        whole = lathe([*profile, (wide - WALL, high - 0.002), *inside, (0.0, 1.6 * WALL)], 36)
        solids = [whole, ring(0.52 * wide, 0.0025).moved((0, 0.0025, 0))]
        if self.handle:
            solids.append(tube(self._line(), 0.0045, 12))
        return {"china": joined(*solids)}


def tableware_rig(name: str, at: Vector) -> Rig:
    """The rig of a teapot or a cup: one joint that moves, turns and scales."""
    return with_scale_channels(skeleton([root(name, at)]))


def _prop(
    name: str,
    at: Vector,
    parts: Mapping[str, Solid],
    palette: Mapping[str, tuple[str, float, float]],
    clip: Clip | None,
) -> Prop:
    rig = tableware_rig(name, at)
    mesh = assembled(rig, [Piece(name, colour, solid) for colour, solid in parts.items()])
    takes = (Take(rig, clip),) if clip else ()
    return Prop(name, rig, takes, (shape(name, mesh, rig),), look(palette, mesh.materials))


def _object(name: str, actor: str, anchors: Mapping[str, Floats]) -> ActivityObject:
    return ActivityObject(name, actor, tuple(anchors), np.array(list(anchors.values())))


def _loop(wide: float, high: float) -> tuple[Floats, Floats]:
    """Distances from the axis and heights (33,) of a handle's middle line, from its upper end."""
    ends = np.array([[0.6 * wide, 0.72 * high, 0.0], [0.6 * wide, 0.2 * high, 0.0]])
    far = 1.12 * wide + 1.33 * REACH
    line = _bezier(ends[0], [far, 1.1 * high, 0.0], [far, 0.06 * high, 0.0], ends[1], 33)
    return line[:, 0], line[:, 1]


def _at_side(loop: tuple[Floats, Floats]) -> Floats:
    return np.stack([loop[0], loop[1], np.zeros(len(loop[0]))], axis=1)


def _turn(side: HandleSide) -> Floats:
    return _spin(TURNS[side])


def _spin(degrees: float) -> Floats:
    """A rotation about Y."""
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[cos, 0, sin], [0, 1, 0], [-sin, 0, cos]])


def _bezier(a: Floats, b: object, c: object, d: Floats, count: int) -> Floats:
    """(count, 3) places on a cubic Bézier curve."""
    t = np.linspace(0, 1, count)[:, None]
    inner = 3 * t * (1 - t) ** 2 * np.asarray(b, float) + 3 * t**2 * (1 - t) * np.asarray(c, float)
    return np.asarray((1 - t) ** 3 * a + inner + t**3 * d)


def _check_length(where: str, value: float) -> None:
    if not 0 < value < np.inf:
        raise BadValue(where, "a number above 0", value)


def _check_side(where: str, side: str) -> None:
    if side not in TURNS:
        raise BadValue(where, ", ".join(TURNS), repr(side))
