"""The guitar, a prop: X runs along its neck, Y across the strings, Z out of its face.

Its middle is the sound hole; its keys are where the player's key poses hold it.
"""

from __future__ import annotations

from arcwright.arrays import Floats
from arcwright.characters.assembly import Piece, assembled
from arcwright.characters.mesh import look, shape
from arcwright.characters.posing import clip, pose, pose_at, values_of
from arcwright.characters.skeleton import Vector, root, skeleton
from arcwright.characters.solids import Solid, box, drum, joined, rod
from arcwright.kinematics.forward import forward
from arcwright.scene.clip import Clip
from arcwright.scene.scene import Prop
from arcwright.scene.take import Take

FACE = 0.05  # m, of the fingerboard before the middle
NUT = 0.56  # m, where the neck ends
RATE = 24.0
PALETTE = {
    "wood": ("#c98f5a", 0.0, 0.5),
    "dark": ("#4a3324", 0.0, 0.6),
    "steel": ("#d8dce2", 0.8, 0.3),
}
REST: Vector = (-0.1, 0.965, 0.23)  # m
KEYS: dict[int, tuple[Vector, Vector]] = {  # frame: slide in m, turn in degrees, from rest
    0: ((-0.02, -0.01, 0.0), (-10, -6, 38)),
    12: ((0.03, 0.0, 0.02), (-18, -14, 54)),
    24: ((-0.02, -0.01, 0.0), (-10, -6, 38)),
}
RIG = skeleton([root("Guitar", REST)])


def guitar() -> Prop:
    """The prop with its clip: it sways with the player."""
    mesh = assembled(RIG, [Piece("Guitar", colour, solid) for colour, solid in _parts()])
    whole = (shape("Guitar", mesh, RIG),)
    return Prop("Guitar", RIG, (Take(RIG, sway()),), whole, look(PALETTE, mesh.materials))


def sway() -> Clip:
    """Its clip: three keys on every channel."""
    poses = {
        frame: pose(RIG, {"Guitar.translate": slide, "Guitar": rotation})
        for frame, (slide, rotation) in KEYS.items()
    }
    return clip(RIG, "guitar", poses, rate=RATE, whole=True)


def world_from_guitar(frame: float) -> Floats:
    """(4, 4) where the guitar is at a frame."""
    posed = pose_at(RIG, sway(), frame)
    whole: Floats = forward(RIG, values_of(RIG, posed)[None])[0, 0]
    return whole


def _parts() -> list[tuple[str, Solid]]:
    lower = drum(0.165, 0.08, 0.012, 28).rotated(x=90).scaled(0.95, 1, 1).moved((-0.13, 0, 0))
    upper = drum(0.125, 0.08, 0.012, 28).rotated(x=90).scaled(0.9, 1, 1).moved((0.06, 0, 0))
    hole = drum(0.042, 0.01, 0.002, 24).rotated(x=90).moved((0.03, 0, 0.038))
    neck = box(NUT - 0.1, 0.042, 0.022, 0.008).moved(((NUT + 0.1) / 2, 0, FACE - 0.014))
    board = box(NUT - 0.06, 0.044, 0.006, 0.001).moved(((NUT + 0.06) / 2, 0, FACE - 0.003))
    head = box(0.13, 0.062, 0.016, 0.006).rotated(y=8).moved((NUT + 0.06, 0, FACE - 0.02))
    bridge = box(0.022, 0.11, 0.012, 0.003).moved((-0.17, 0, 0.044))
    return [
        ("wood", joined(lower, upper)),
        ("dark", joined(hole, neck, board, head, bridge)),
        ("steel", joined(*_pegs(), *_strings())),
    ]


def _pegs() -> list[Solid]:
    places = [(NUT + 0.03 + 0.03 * n, side) for n in range(3) for side in (-1, 1)]
    return [
        rod((x, side * 0.028, FACE - 0.02), (x, side * 0.05, FACE - 0.02), 0.006, sides=8)
        for x, side in places
    ]


def _strings() -> list[Solid]:
    across = [0.0065 * n - 0.01625 for n in range(6)]
    return [rod((-0.17, y, FACE + 0.001), (NUT, y, FACE + 0.001), 0.0009, sides=5) for y in across]
