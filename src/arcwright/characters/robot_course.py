"""The robot's obstacles: a bar to duck under, a pillar to fly around, a hoop to fly through."""

from __future__ import annotations

from arcwright.characters.assembly import Piece, assembled
from arcwright.characters.mesh import look, shape
from arcwright.characters.recipe import Stage
from arcwright.characters.skeleton import Vector, root, skeleton
from arcwright.characters.solids import Solid, box, drum, joined, lathe, ring
from arcwright.scene.scene import Prop

BAR: tuple[Vector, float] = ((0.45, 1.56, -2.05), 0.055)  # m, middle and radius, along x
SPAN = 0.95  # m, from the bar's middle to its posts
PILLAR: tuple[Vector, float] = ((0.13, 1.1, 0.1), 0.2)  # m, middle and radius, upright
HOOP: tuple[Vector, float, float] = ((-0.48, 1.66, 2.05), 0.72, 0.05)  # m, middle, radius, thick

PALETTE = {
    "wood": ("#e9e4d8", 0.0, 0.7),
    "warning": ("#e8493f", 0.0, 0.5),
    "base": ("#4b525c", 0.0, 0.6),
}


def course() -> Stage:
    """Three props, each standing where the default flight runs into it."""
    return Stage(props=(_bar(), _pillar(), _hoop()))


def _bar() -> Prop:
    (_, high, _), radius = BAR
    cuts = [-SPAN + 0.19 * n for n in range(11)]
    bands = [drum(radius, 0.19, 0.004).rotated(z=90).moved((x + 0.095, 0, 0)) for x in cuts[:-1]]
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
    whole = ring(radius, thick, 48, 12).rotated(x=90)
    post = drum(0.045, high - radius, 0.01).moved((0, -radius - (high - radius) / 2, 0))
    foot = lathe([(0, 0), (0.2, 0), (0.2, 0.02), (0.07, 0.06), (0, 0.06)]).moved((0, -high, 0))
    return _prop("Hoop", HOOP[0], [("warning", whole), ("base", joined(post, foot))])


def _prop(name: str, at: Vector, parts: list[tuple[str, Solid]]) -> Prop:
    rig = skeleton([root(name, at)])
    mesh = assembled(rig, [Piece(name, colour, solid) for colour, solid in parts])
    return Prop(name, rig, (), (shape(name, mesh, rig),), look(PALETTE, mesh.materials))
