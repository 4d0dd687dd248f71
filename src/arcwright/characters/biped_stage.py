"""What stands around the biped: a chair to sit on, a block to dive from, its planted feet."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from arcwright.characters import (
    biped_carry,
    biped_gaits,
    biped_get_up,
    biped_guitar,
    biped_idle,
    biped_juggle,
    biped_lamp,
    biped_point,
    biped_strikes,
    biped_tea_stage,
)
from arcwright.characters.assembly import Piece, assembled
from arcwright.characters.mesh import look, shape
from arcwright.characters.recipe import Stage
from arcwright.characters.skeleton import Vector, root, skeleton
from arcwright.characters.solids import box
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.scene.scene import Prop

WOOD = {
    "wood": ("#c98f5a", 0.0, 0.7),
    "iron": ("#3a4048", 0.3, 0.5),
    "water": ("#4fb3d9", 0.0, 0.1),
}
RATE = 24.0
SEAT = 0.44  # m, top of the chair's seat
TOWER = 1.6  # m, top of the block the biped dives from


def _prop(name: str, at: Vector, boxes: list[tuple[str, Vector, Vector]]) -> Prop:
    """A prop made of boxes: colour, centre and size of each, relative to `at`."""
    rig = skeleton([root(name, at)])
    mesh = assembled(
        rig,
        [Piece(name, colour, box(*size, 0.012).moved(middle)) for colour, middle, size in boxes],
    )
    return Prop(name, rig, (), (shape(name, mesh, rig),), look(WOOD, mesh.materials))


def _chair() -> Prop:
    legs: list[tuple[str, Vector, Vector]] = [
        ("iron", (x, -0.23, z), (0.034, 0.42, 0.034)) for x in (-0.19, 0.19) for z in (-0.18, 0.18)
    ]
    posts: list[tuple[str, Vector, Vector]] = [
        ("iron", (x, 0.2, -0.2), (0.03, 0.48, 0.03)) for x in (-0.17, 0.17)
    ]
    seat: list[tuple[str, Vector, Vector]] = [
        ("wood", (0, -0.02, 0), (0.44, 0.04, 0.42)),
        ("wood", (0, 0.36, -0.2), (0.42, 0.2, 0.035)),
    ]
    return _prop("Chair", (0, SEAT, -0.34), [*legs, *posts, *seat])


def _foot(side: str, start: float, end: float) -> Contact:
    return Contact(Point(f"{side}Foot"), start / RATE, end / RATE, orientation=True)


def _both(start: float, end: float) -> tuple[Contact, ...]:
    return (_foot("Left", start, end), _foot("Right", start, end))


def _stand() -> Stage:
    return Stage(constraints=_both(0, 24))


def _walk() -> Stage:
    """The heel rises while the foot carries, so it is the toes that stay."""
    left = Contact(Point("LeftToes"), 3 / RATE, 12 / RATE)
    return Stage(constraints=(left, Contact(Point("RightToes"), 15 / RATE, 24 / RATE)))


def _sit() -> Stage:
    seated = Contact(
        Point("Hips"), 20 / RATE, 32 / RATE, relative_to=Point("Chair", character="Chair")
    )
    return Stage((_chair(),), (*_both(0, 32), seated))


def _dive() -> Stage:
    tower = _prop(
        "Tower",
        (0, TOWER, 0),
        [
            ("wood", (0, -0.03, -0.25), (0.6, 0.06, 0.9)),
            ("iron", (0, -0.83, -0.3), (0.26, 1.54, 0.6)),
        ],
    )
    water = _prop("Water", (0, 0, 0), [("water", (0, -0.05, 1.6), (1.8, 0.1, 2.2))])
    return Stage((tower, water), _both(0, 9))


STAGES: Mapping[str, Callable[[], Stage]] = {
    "stand": _stand,
    "walk": _walk,
    "sit": _sit,
    "dive": _dive,
    "point": lambda: Stage(constraints=_both(0, 36)),
    "guitar": biped_guitar.stage,
    "carry": biped_carry.stage,
    "juggle": biped_juggle.stage,
    "idle": biped_idle.idle_stage,
    "run": biped_gaits.run_stage,
    "crouch": biped_idle.crouch_stage,
    "crouch_walk": biped_gaits.crouch_walk_stage,
    "punch": biped_strikes.punch_stage,
    "kick": biped_strikes.kick_stage,
    "throw": biped_strikes.throw_stage,
    "get_up_back": biped_get_up.get_up_back_stage,
    "get_up_front": biped_get_up.get_up_front_stage,
    "tea": biped_tea_stage.stage,
    "point_right": biped_point.stage,
    "lamp": biped_lamp.stage,
    "jump": lambda: Stage(constraints=(*_both(0, 9), *_both(30, 41))),
}
