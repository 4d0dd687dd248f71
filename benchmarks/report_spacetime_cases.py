"""Cases of the spacetime report: the paper's examples, on captured clips where they are there."""

from __future__ import annotations

from dataclasses import dataclass

from report_shots import UPRIGHT, Framing

ASIDE = (-1.0, -0.14, -0.12)  # along the floor, a walk ahead goes to the left
AHEAD = (-0.75, -0.3, -0.8)
WIDE = (640, 360)


@dataclass(frozen=True)
class Shown:
    """One example: its gesture file, and how it is shown."""

    file: str  # in tests/gestures/spacetime
    framing: Framing

    @property
    def seen(self) -> str:
        """What there is to see in its picture, good and bad."""
        return SEEN.get(self.file, "")

    @property
    def picture(self) -> str:
        """The name of its picture."""
        return f"spacetime_{self.file.removesuffix('.json').replace('/', '_')}.png"


@dataclass(frozen=True)
class Example:
    """A case of the paper: captured, or built in where no captured clip is there."""

    title: str
    captured: Shown | None
    built_in: Shown


TAKE_OFF = ((-0.2, 0.0, -1.2), (0.3, 1.1, -0.3))  # m, around the feet before the jump
JUMP = Framing("jump", 160, (90, 130, 190, 240), ASIDE, WIDE, points=("Hips",))
CROSS = Framing("walk", 178, (45, 112, 246, 312), AHEAD, WIDE, points=("LeftToeBase",))
HOP = Framing("jump", 20, (6, 14, 27, 38), ASIDE, WIDE, points=("Hips",))
STEP = Framing("step", 8, (0, 16), (-1.0, -0.16, -0.35), WIDE)
EXAMPLES = (
    Example(
        "A higher jump",
        Shown("captured/higher_jump.json", JUMP),
        Shown("higher_jump.json", HOP),
    ),
    Example(
        "A footplant elsewhere",
        Shown("captured/step_aside.json", CROSS),
        Shown("longer_step.json", STEP),
    ),
    Example(
        "Over an obstacle",
        Shown(
            "captured/step_over.json",
            Framing("walk", 112, (60, 178, 246), ASIDE, WIDE, (60, 240), ("LeftToeBase",)),
        ),
        Shown("step_over.json", Framing("walk", 18, (6,), ASIDE, WIDE, points=("LeftToes",))),
    ),
    Example(
        "Longer steps by the hand at the last frame (fig. 5)",
        Shown(
            "captured/longer_steps.json",
            Framing("walk", 343, (45, 112, 178, 246, 300), ASIDE, WIDE, points=("LeftHand",)),
        ),
        Shown(
            "reach_floating.json",
            Framing("jump", 41, (6, 20, 30), ASIDE, WIDE, points=("LeftHand",)),
        ),
    ),
    Example(
        "The thief whose treasure is moved",
        None,
        Shown(
            "box_aside.json",
            Framing("carry", 32, view=(-0.5, -0.2, -1.0), size=(470, 440), points=("LeftHand",)),
        ),
    ),
    Example(
        "A walk with heels and toes planted",
        Shown(
            "captured/heel_and_toe.json",
            Framing("walk", 108, (45, 178, 246), ASIDE, WIDE, (0, 300), ("Hips",)),
        ),
        Shown("lower_hips.json", STEP),
    ),
)
PLAIN = Example(
    "Plain displacement: the character floats (fig. 4)",
    Shown(
        "captured/higher_jump.json",
        Framing("jump", 118, (160,), ASIDE, UPRIGHT, (90, 190), ("Hips",), TAKE_OFF),
    ),
    Shown("higher_jump.json", Framing("jump", 9, (2, 20, 33), ASIDE, WIDE)),
)
SEEN = {
    "captured/higher_jump.json": """
It crouches deeper, rises as a whole and keeps its pose in the air, for longer, as a higher jump
does. The frames after it show an earlier moment.
""",
    "captured/step_aside.json": """
The step aside is plain to see, and the foot comes down flat. Hips and head go with it by a third of
the way, over a second, so that the body stays above its feet.
""",
    "captured/step_over.json": """
The knee comes up and the whole foot clears the box, from heel to tip. The trunk leans ahead over
it. Shins are not looked at. The rise before the box is steep: just before it the toes are near the
floor.
""",
    "captured/longer_steps.json": """
Every step becomes longer, and the body keeps its pose. The start stays as it is: the first long
footplant, of the left foot, slides by 5.5 cm beside it, all others by 3 mm at most.
""",
    "box_aside.json": """
Both hands stay on the box as they held it, and the body leans after it without a step, as feet keep
their places.
""",
    "captured/heel_and_toe.json": """
The standing foot stays flat and its knee bends; hips go down and up over a second and a half. The
tip of the swinging foot touches the floor.
""",
}
