"""Shots: from where the pictures of the report are taken."""

from __future__ import annotations

from dataclasses import dataclass

from arcwright.scene.point import Point
from arcwright.tools.replay.gesture_file import Case
from drawing.compare import Shot

UPRIGHT = (470, 520)
HAND = ((-0.36, 0.58, 0.0), (-0.12, 1.12, 0.2))  # m, around the right forearm of a standing biped


@dataclass(frozen=True)
class Framing:
    """How one gesture is shown."""

    title: str
    now: float  # frame
    frames: tuple[float, ...] = ()
    view: tuple[float, float, float] | None = None
    size: tuple[int, int] = (640, 440)
    span: tuple[float, float] | None = None
    points: tuple[str, ...] = ()  # joints, where not all that are dragged
    near: tuple[tuple[float, float, float], ...] = ()

    def shot(self, case: Case) -> Shot:
        """The shot, with the curves of what is dragged."""
        dragged = {
            (drag.point.joint, drag.point.offset.tobytes()): drag.point for drag in case.drags
        }
        points = [Point(name) for name in self.points] or list(dragged.values())
        return Shot(points, self.now, self.frames, self.span, self.view, self.near, self.size)


FRONT = (-0.35, -0.12, -1.0)
SIDE = (-1.0, -0.16, -0.35)
ACROSS = (0.9, -0.34, 0.32)
AIR = ((-0.4, 1.6, -0.45), (0.4, 3.75, 1.9))  # m, where the dive goes through the air
FALL = ((-0.2, 0.9, 0.75), (0.2, 3.1, 1.95))  # m, along the hips in the fall
FIST = ((-0.4, 0.45, -0.25), (0.1, 1.15, 0.9))  # m, along the fist in the blow
NECK = ((-0.3, 0.72, 0.0), (0.42, 1.5, 0.45))  # m, around the guitar
FOOT = ((-0.1, 0.0, 0.1), (0.25, 0.3, 0.85))  # m, around the planted left foot
SHOTS = {
    "tangent/hips_over_feet.json": Framing("Hips over planted feet", 12, view=FRONT, size=UPRIGHT),
    "tangent/arm_edit.json": Framing(
        "Arm edit, hip pinned, hand in contact (fig. 5)", 11, (8, 14), span=(8, 14), size=UPRIGHT
    ),
    "tangent/infeasible.json": Framing(
        "What cannot be reached (fig. 7)", 12, view=FRONT, size=UPRIGHT
    ),
    "tangent/out_of_reach.json": Framing("Far out of reach", 11, span=(8, 14), size=UPRIGHT),
    "tangent/fingers_on_thigh.json": Framing(
        "Fingers on the thigh (fig. 9)", 12, view=(0.7, -0.1, -1.0), size=UPRIGHT, near=HAND
    ),
    "tangent/fingers_and_wrist.json": Framing(
        "Wrist over two fingers (fig. 9)", 12, view=(0.7, -0.1, -1.0), size=UPRIGHT, near=HAND
    ),
    "tangent/guitar.json": Framing(
        "Fingers on a guitar (fig. 9)", 6, view=FRONT, size=UPRIGHT, near=NECK, span=(0, 12)
    ),
    "tangent/dive_arc.json": Framing(
        "Dive: a higher arc (fig. 9)", 18.5, (9, 15, 22), SIDE, span=(9, 22), near=AIR
    ),
    "tangent/dive_turn.json": Framing(
        "Dive: place and turn (fig. 9)", 18.5, (9, 15, 22), SIDE, span=(9, 22), near=AIR
    ),
    "tangent/dive_timing.json": Framing(
        "Dive: timing (fig. 4)", 26, (22, 36), SIDE, span=(22, 36), near=FALL, size=UPRIGHT
    ),
    "tangent/spider_walk.json": Framing("Spider walk from two poses (fig. 10)", 6, (0, 12)),
    "tangent/dinosaur_punch.json": Framing(
        "Dinosaur punch (fig. 10)", 13, (11, 16), span=(0, 22), points=("RightHand",)
    ),
    "tangent/dinosaur_tail.json": Framing(
        "Leaning on the tail (fig. 10)", 36, span=(32, 40), view=SIDE
    ),
    "tangent/punch_timing.json": Framing("Punch: timing (fig. 4)", 14, span=(11, 16), near=FIST),
    "tangent/head_turn.json": Framing("Turning a head (fig. 4)", 27, span=(22, 32)),
    "tangent/robot_obstacles.json": Framing(
        "Flying around obstacles (fig. 11)", 36, (0, 14.5, 24, 48, 57, 72), ACROSS, (700, 420)
    ),
    "tangent/walk_contacts.json": Framing(
        "Walk contacts", 8, view=SIDE, span=(3, 12), points=("LeftToes",), near=FOOT
    ),
    "tangent/floor.json": Framing(
        "A floor for feet that swing",
        13,
        view=SIDE,
        span=(12, 24),
        points=("LeftToes",),
        size=UPRIGHT,
    ),
    "pose/hand_feet_pinned.json": Framing(
        "Reaching with both feet pinned (fig. 8)", 0, size=UPRIGHT, span=(0, 0)
    ),
    "pose/four_pins.json": Framing("Four pins (fig. 8)", 0, size=UPRIGHT, span=(0, 0)),
    "pose/spider_crouch.json": Framing("Eight pins", 0, span=(0, 0)),
    "pose/look_and_point.json": Framing("Keys on what moved", 28, size=UPRIGHT, span=(20, 36)),
}
