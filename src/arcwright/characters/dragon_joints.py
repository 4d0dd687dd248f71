"""The dragon's skeleton: four legs, a neck of five joints, a tail of eight, wings with fingers.

All joints have the world's axes, and the wings are spread in the rest pose: z beats a wing, y
folds it back, x twists it. A positive x of a neck or tail joint nods it down or lifts the tail.
"""

from __future__ import annotations

from arcwright.characters.skeleton import Joint, Vector, both_sides, root

NECK: list[tuple[Vector, float]] = [
    ((0, 0.95, 0.43), 0.142),
    ((0, 1.075, 0.545), 0.12),
    ((0, 1.215, 0.61), 0.102),
    ((0, 1.36, 0.655), 0.09),
    ((0, 1.495, 0.72), 0.084),
    ((0, 1.6, 0.82), 0.082),
]
"""Where Neck1 to Neck5 and the head stand, and how thick the neck is there, m."""
TAIL: list[tuple[Vector, float]] = [
    ((0, 0.795, -0.5), 0.166),
    ((0, 0.755, -0.7), 0.14),
    ((0, 0.695, -0.9), 0.117),
    ((0, 0.62, -1.1), 0.096),
    ((0, 0.54, -1.3), 0.078),
    ((0, 0.47, -1.5), 0.062),
    ((0, 0.42, -1.7), 0.048),
    ((0, 0.4, -1.9), 0.036),
    ((0, 0.415, -2.1), 0.024),
]
"""The same of Tail1 to Tail8 and the tip."""
SHOULDER: Vector = (0.12, 1.02, 0.16)  # m, of the left wing
ELBOW: Vector = (0.5, 1.19, -0.08)
WRIST: Vector = (1.0, 1.32, 0.2)
FINGERS: dict[str, tuple[Vector, Vector, Vector]] = {  # m: knuckle, middle, tip
    "1": ((1.06, 1.33, 0.2), (1.66, 1.4, 0.09), (2.2, 1.34, -0.2)),
    "2": ((1.05, 1.325, 0.165), (1.5, 1.37, -0.32), (1.82, 1.28, -0.82)),
    "3": ((1.02, 1.32, 0.14), (1.13, 1.32, -0.44), (1.2, 1.21, -1.0)),
}
SOLE: Vector = (0.0, -0.055, 0.06)  # m, in the toes of either pair: where a foot stands
BEND = {"x": (-28.0, 28.0), "y": (-28.0, 28.0), "z": (-18.0, 18.0)}
WAG = {"x": (-32.0, 32.0), "y": (-32.0, 32.0)}


def _leg(pair: str, parent: str, places: tuple[Vector, Vector, Vector, Vector]) -> list[Joint]:
    """Upper leg, lower leg, foot and toes of the left; `pair` is Fore or nothing."""
    hip, knee, ankle, toes = places
    swing = {"x": (-65.0, 65.0), "y": (-30.0, 30.0), "z": (-20.0, 40.0)}
    hinge = {"x": (-70.0, 75.0)}
    return [
        Joint(f"Left{pair}UpperLeg", parent, hip, swing, "YZX"),
        Joint(f"Left{pair}LowerLeg", f"Left{pair}UpperLeg", knee, hinge),
        Joint(
            f"Left{pair}Foot",
            f"Left{pair}LowerLeg",
            ankle,
            {"x": (-75, 75), "y": (-20, 20), "z": (-20, 20)},
            "YZX",
        ),
        Joint(f"Left{pair}Toes", f"Left{pair}Foot", toes, {"x": (-60, 60)}),
    ]


def _wing() -> list[Joint]:
    arm = {"x": (-60.0, 60.0), "y": (-40.0, 85.0), "z": (-80.0, 85.0)}
    forearm = {"x": (-40.0, 40.0), "y": (-120.0, 20.0), "z": (-45.0, 45.0)}
    hand = {"x": (-40.0, 40.0), "y": (-25.0, 125.0), "z": (-50.0, 50.0)}
    rows = [
        Joint("LeftWingArm", "Chest", SHOULDER, arm, "ZYX", 1.2),
        Joint("LeftWingForearm", "LeftWingArm", ELBOW, forearm, "ZYX", 0.9),
        Joint("LeftWingHand", "LeftWingForearm", WRIST, hand, "ZYX", 0.7),
    ]
    for name, (knuckle, middle, _) in FINGERS.items():
        own, fold = f"LeftWingFinger{name}", {"y": (-35.0, 75.0), "z": (-45.0, 45.0)}
        rows.append(Joint(own, "LeftWingHand", knuckle, fold, "ZYX", 0.5))
        rows.append(Joint(f"{own}Tip", own, middle, {"y": (-30, 60), "z": (-50, 50)}, "ZYX", 0.4))
    return rows


JOINTS = both_sides(
    [
        root("Hips", (0, 0.8, -0.3), stiffness=2),
        Joint("Spine", "Hips", (0, 0.83, -0.05), BEND, "YZX", 1.8),
        Joint("Chest", "Spine", (0, 0.86, 0.2), BEND, "YZX", 1.6),
        *(
            Joint(f"Neck{n + 1}", f"Neck{n}" if n else "Chest", NECK[n][0], BEND, "YZX", 1.0)
            for n in range(5)
        ),
        Joint(
            "Head",
            "Neck5",
            NECK[5][0],
            {"x": (-45, 45), "y": (-50, 50), "z": (-35, 35)},
            "YZX",
            0.8,
        ),
        Joint("Jaw", "Head", (0, 1.575, 0.89), {"x": (-4, 42)}, stiffness=0.5),
        *(
            Joint(
                f"Tail{n + 1}", f"Tail{n}" if n else "Hips", TAIL[n][0], WAG, "YZX", 1.2 - 0.08 * n
            )
            for n in range(8)
        ),
        *_leg(
            "",
            "Hips",
            ((0.16, 0.76, -0.32), (0.25, 0.47, -0.14), (0.24, 0.25, -0.38), (0.24, 0.06, -0.27)),
        ),
        *_leg(
            "Fore",
            "Chest",
            ((0.15, 0.79, 0.26), (0.225, 0.5, 0.13), (0.215, 0.22, 0.25), (0.215, 0.06, 0.31)),
        ),
        *_wing(),
    ]
)
