"""The flying robot: hovers on two ducted rotors and flies a course of obstacles in four keys.

In the default flight it hits every one of them between the keys; no key does.
"""

from __future__ import annotations

from arcwright.characters.assembly import Piece, assembled
from arcwright.characters.mesh import Mesh, look, shape
from arcwright.characters.posing import Pose, clip, pose
from arcwright.characters.recipe import Recipe, Stage
from arcwright.characters.robot_body import HOVER, JOINTS, PALETTE, pieces
from arcwright.characters.skeleton import Vector, root, skeleton
from arcwright.characters.solids import Solid, box, drum, joined, lathe, ring
from arcwright.scene.clip import Clip
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Prop

BAR: tuple[Vector, float] = ((0.45, 1.56, -2.05), 0.055)  # m, middle and radius, along x
PILLAR: tuple[Vector, float] = ((0.13, 1.1, 0.1), 0.2)  # m, middle and radius, upright
HOOP: tuple[Vector, float, float] = (
    (-0.48, 1.66, 2.05),
    0.72,
    0.05,
)  # m, middle, radius, thickness
SPAN = 0.95  # m, from the bar's middle to its posts
SPIN = 40.0  # degrees a frame

COURSE = {
    "wood": ("#e9e4d8", 0.0, 0.7),
    "warning": ("#e8493f", 0.0, 0.5),
    "base": ("#4b525c", 0.0, 0.6),
}
"""Colours of the obstacles."""


def clips(rig: Rig) -> list[Clip]:
    """`flight`: start, a bank to the left, a bank to the right, the stop."""
    keys = {0: _start(rig), 24: _left(rig), 48: _right(rig), 72: _stop(rig)}
    spinning = {
        frame: posed | pose(rig, {"LeftRotor": frame * SPIN, "RightRotor": -frame * SPIN})
        for frame, posed in keys.items()
    }
    return [clip(rig, "flight", spinning)]


def _at(x: float, y: float, z: float) -> Vector:
    return (x, y - HOVER, z)


def _start(rig: Rig) -> Pose:
    return pose(rig, _ALL | {
        "Body.translate": _at(0, 1.1, -3.1), "Body": (6, 10, 0), "Head": (-4, 8),
        "LeftUpperArm": (8, 0, 12), "RightUpperArm": (8, 0, -12),
        "LeftLowerArm": -25, "RightLowerArm": -25, "LeftPylon": (6, 0), "RightPylon": (6, 0),
    })  # fmt: skip


def _left(rig: Rig) -> Pose:
    return pose(rig, _ALL | {
        "Body.translate": _at(0.95, 1.3, -1.0), "Body": (24, -18, 16), "Neck": (-12, -6), "Head": (-8, -28),
        "LeftUpperArm": (48, 0, 20), "RightUpperArm": (42, 0, -26),
        "LeftLowerArm": -15, "RightLowerArm": -22, "LeftPylon": (22, 6), "RightPylon": (22, 6),
        "Antenna1": (-22, 8), "Antenna2": (-20, 6), "Tail": (-10, -22),
    })  # fmt: skip


def _right(rig: Rig) -> Pose:
    return pose(rig, _ALL | {
        "Body.translate": _at(-0.95, 1.15, 1.05), "Body": (26, 16, -18), "Neck": (-14, 6), "Head": (-10, 26),
        "LeftUpperArm": (-118, 0, 10), "RightUpperArm": (50, 0, -18), "LeftLowerArm": -6, "RightLowerArm": -18,
        "LeftFingers": -40, "LeftPylon": (24, -6), "RightPylon": (24, -6),
        "Antenna1": (-24, -10), "Antenna2": (-22, -8), "Tail": (-10, 24),
    })  # fmt: skip


def _stop(rig: Rig) -> Pose:
    return pose(rig, _ALL | {
        "Body.translate": _at(0, 1.25, 3.1), "Body": (-14, -6, 0), "Neck": (8, 0), "Head": (4, -8),
        "LeftUpperArm": (-30, 0, 62), "RightUpperArm": (-30, 0, -62), "LeftLowerArm": -42, "RightLowerArm": -42,
        "LeftHand": (0, 0, 15), "RightHand": (0, 0, -15), "LeftPylon": (-12, 0), "RightPylon": (-12, 0),
        "Antenna1": (16, 0), "Antenna2": (14, 0), "Tail": (14, 0),
    })  # fmt: skip


_ALL: dict[str, float | Vector | tuple[float, float]] = {
    "Body": (0, 0, 0), "Neck": (0, 0), "Head": (0, 0), "Antenna1": (0, 0), "Antenna2": (0, 0), "Tail": (0, 0),
    "LeftHand": (0, 0, 0), "RightHand": (0, 0, 0), "LeftFingers": 0, "RightFingers": 0,
}  # fmt: skip
"""What every key says where it does not say otherwise."""


def course() -> Stage:
    """A bar to duck under, a pillar to fly around, a hoop to fly through."""
    return Stage(props=(_bar(), _pillar(), _hoop()))


def _bar() -> Prop:
    (_, high, _), radius = BAR
    cuts = [-SPAN + 0.19 * n for n in range(11)]
    bands = [drum(radius, 0.19, 0.004).turned(z=90).moved((x + 0.095, 0, 0)) for x in cuts[:-1]]
    post = drum(0.045, high + 0.12, 0.015).moved((0, 0.06 - high / 2, 0))
    foot = lathe([(0, 0), (0.16, 0), (0.16, 0.02), (0.06, 0.05), (0, 0.05)]).moved((0, -high, 0))
    return _prop("Bar", BAR[0], [
        ("wood", joined(*bands[1::2], *(post.moved((x, 0, 0)) for x in (-SPAN, SPAN)))),
        ("warning", joined(*bands[::2])),
        ("base", joined(*(foot.moved((x, 0, 0)) for x in (-SPAN, SPAN)))),
    ])  # fmt: skip


def _pillar() -> Prop:
    (_, middle, _), radius = PILLAR
    step = middle * 2 / 5
    drums = [drum(radius, step, 0.012, 32).moved((0, step * (n - 2), 0)) for n in range(5)]
    foot = box(0.6, 0.08, 0.6, 0.02).moved((0, 0.04 - middle, 0))
    cap = box(0.5, 0.06, 0.5, 0.02).moved((0, middle + 0.03, 0))
    parts = [
        ("wood", joined(*drums[::2])),
        ("warning", joined(*drums[1::2])),
        ("base", joined(foot, cap)),
    ]
    return _prop("Pillar", PILLAR[0], parts)


def _hoop() -> Prop:
    (_, high, _), radius, thick = HOOP
    whole = ring(radius, thick, 48, 12).turned(x=90)
    post = drum(0.045, high - radius, 0.01).moved((0, -radius - (high - radius) / 2, 0))
    foot = lathe([(0, 0), (0.2, 0), (0.2, 0.02), (0.07, 0.06), (0, 0.06)]).moved((0, -high, 0))
    return _prop("Hoop", HOOP[0], [("warning", whole), ("base", joined(post, foot))])


def _prop(name: str, at: Vector, parts: list[tuple[str, Solid]]) -> Prop:
    rig = skeleton([root(name, at)])
    mesh = assembled(rig, [Piece(name, colour, solid) for colour, solid in parts])
    return Prop(name, rig, (), (shape(name, mesh, rig),), look(COURSE, mesh.materials))


def sculptures() -> list[Mesh]:
    """The robot's pieces as one mesh."""
    return [assembled(skeleton(JOINTS), pieces())]


RECIPE = Recipe("robot", JOINTS, sculptures, PALETTE, clips, {"flight": course})
