"""The car: a toy of one and a half metres whose four wheels roll; the front ones steer."""

from __future__ import annotations

from arcwright.characters.assembly import Piece, assembled, both_sides
from arcwright.characters.mesh import Mesh
from arcwright.characters.posing import Pose, clip
from arcwright.characters.recipe import Recipe
from arcwright.characters.skeleton import FREE, Joint, root, skeleton
from arcwright.characters.skeleton import both_sides as both_joints
from arcwright.characters.solids import Solid, ball, box, drum, joined, plate, ring, rod
from arcwright.scene.clip import Clip
from arcwright.scene.rig import Rig

RATE = 24.0
RADIUS = 0.18  # m, of a wheel
FRONT, REAR, ASIDE = 0.46, -0.44, 0.36  # m, axles and the middles of wheels
DROOP = 0.05  # m by which a wheel that hangs goes down, and one that is pressed up
WHEELS = ("LeftFrontWheel", "RightFrontWheel", "LeftRearWheel", "RightRearWheel")

JOINTS = tuple(
    both_joints(
        [
            root("Body", (0, 0.34, 0), stiffness=2),
            Joint(
                "LeftFrontWheel",
                "Body",
                (ASIDE, RADIUS, FRONT),
                {"y": (-40, 40), "x": FREE},
                "YXZ",
                translation_limits={"y": (-DROOP, DROOP)},
            ),
            Joint(
                "LeftRearWheel",
                "Body",
                (ASIDE, RADIUS, REAR),
                {"x": FREE},
                "YXZ",
                translation_limits={"y": (-DROOP, DROOP)},
            ),
        ]
    )
)

PALETTE = {
    "paint": ("#e2483d", 0.1, 0.35),
    "trim": ("#fbf3e4", 0.0, 0.5),
    "glass": ("#9fd0e8", 0.2, 0.1),
    "rubber": ("#2a2d33", 0.0, 0.9),
    "metal": ("#c9d2da", 0.7, 0.3),
    "light": ("#fff1b8", 0.0, 0.2),
    "tail": ("#b3202a", 0.0, 0.3),
}


def sculptures() -> list[Mesh]:
    """Body and wheels, each piece carried by one joint."""
    return [assembled(skeleton(JOINTS), [*_body(), *both_sides(_wheels())])]


def _body() -> list[Piece]:
    side = [(-0.7, -0.12), (0.72, -0.12), (0.76, 0.0), (0.7, 0.1), (0.3, 0.16), (-0.72, 0.16)]
    roof = [(-0.52, 0.14), (0.34, 0.14), (0.1, 0.4), (-0.4, 0.4)]
    window = [(-0.44, 0.17), (0.25, 0.17), (0.07, 0.36), (-0.36, 0.36)]
    lamps = [ball(0.06, 0.06, 0.04, 14, 9).moved((x, 0.02, 0.735)) for x in (-0.2, 0.2)]
    tails = [box(0.1, 0.06, 0.03, 0.01).moved((x, 0.05, -0.715)) for x in (-0.2, 0.2)]
    bumpers = [box(0.6, 0.06, 0.06, 0.02).moved((0, -0.1, z)) for z in (-0.7, 0.74)]
    stripe = plate([(0.28, 0.155), (0.66, 0.095), (0.67, 0.11), (0.29, 0.17)], 0.12, 0.004)
    axles = [rod((-ASIDE, -0.16, z), (ASIDE, -0.16, z), 0.02) for z in (FRONT, REAR)]
    return [
        Piece("Body", "paint", plate(side, 0.56, 0.05)),
        Piece("Body", "paint", plate(roof, 0.46, 0.04)),
        Piece("Body", "glass", plate(window, 0.475, 0.02)),
        Piece("Body", "glass", box(0.36, 0.02, 0.27, 0.008).rotated(x=47).moved((0, 0.27, 0.222))),
        Piece("Body", "trim", joined(*bumpers, stripe)),
        Piece("Body", "light", joined(*lamps)),
        Piece("Body", "tail", joined(*tails)),
        Piece("Body", "metal", joined(*axles)),
    ]


def _wheels() -> list[Piece]:
    pieces = []
    for joint in WHEELS[::2]:
        tyre = drum(RADIUS, 0.12, 0.03, 36).rotated(z=90)
        pieces += [
            Piece(joint, "rubber", tyre),
            Piece(joint, "trim", ring(0.115, 0.012, 32, 8).rotated(z=90).moved((0.056, 0, 0))),
            Piece(joint, "metal", joined(*_spokes())),
        ]
    return pieces


def _spokes() -> list[Solid]:
    """A hub and five spokes, so that a wheel is seen to roll."""
    spoke = rod((0.06, 0, 0), (0.06, 0.105, 0), 0.011, sides=8)
    hub = drum(0.035, 0.02, 0.006).rotated(z=90).moved((0.062, 0, 0))
    return [hub, *(spoke.rotated(x=72 * number) for number in range(5))]


def drive(rig: Rig) -> Clip:
    """Two metres ahead to a stop: every wheel rolls by exactly the way."""
    ways = {0: 0.0, 14: 0.45, 30: 1.55, 48: 2.0}  # frame: m
    return clip(rig, "drive", {frame: _rolled(way) for frame, way in ways.items()}, rate=RATE)


def _rolled(way: float) -> Pose:
    return {"Body.translate.z": way, **{f"{name}.rotate.x": way / RADIUS for name in WHEELS}}


RECIPE = Recipe("car", JOINTS, sculptures, PALETTE, lambda rig: [drive(rig)])
