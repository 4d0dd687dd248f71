"""The dinosaur's skeleton: a theropod on its toes, with a tail of nine joints.

All joints have the world's axes: x turns nod, y turns look aside, z turns tilt. A positive x of a
tail joint lifts the tail, of an arm or leg swings it back.
"""

from __future__ import annotations

from arcwright.characters.skeleton import Joint, Vector, both_sides, root

TAIL: list[tuple[Vector, float]] = [
    ((0, 0.79, -0.13), 0.158),
    ((0, 0.735, -0.28), 0.138),
    ((0, 0.67, -0.42), 0.118),
    ((0, 0.595, -0.555), 0.1),
    ((0, 0.515, -0.685), 0.084),
    ((0, 0.44, -0.815), 0.07),
    ((0, 0.375, -0.945), 0.057),
    ((0, 0.325, -1.075), 0.045),
    ((0, 0.295, -1.205), 0.034),
    ((0, 0.285, -1.345), 0.021),
]
"""Where Tail1 to Tail9 and the tip stand, and how thick the tail is there, m."""
TAIL_TIP: Vector = (0.0, 0.0, -0.135)  # m, in Tail9, just inside the tip
WAG = {"x": (-30.0, 30.0), "y": (-30.0, 30.0)}

JOINTS = both_sides(
    [
        root("Hips", (0, 0.8, 0), stiffness=2),
        Joint(
            "Spine",
            "Hips",
            (0, 0.86, 0.08),
            {"x": (-25, 30), "y": (-30, 30), "z": (-20, 20)},
            "YZX",
            1.5,
        ),
        Joint(
            "Chest",
            "Spine",
            (0, 0.96, 0.18),
            {"x": (-25, 30), "y": (-35, 35), "z": (-20, 20)},
            "YZX",
            1.5,
        ),
        Joint(
            "Neck",
            "Chest",
            (0, 1.09, 0.28),
            {"x": (-35, 35), "y": (-40, 40), "z": (-25, 25)},
            "YZX",
        ),
        Joint(
            "Head", "Neck", (0, 1.25, 0.36), {"x": (-40, 40), "y": (-50, 50), "z": (-30, 30)}, "YZX"
        ),
        Joint("Jaw", "Head", (0, 1.275, 0.44), {"x": (-4, 38)}, stiffness=0.5),
        *(
            Joint(
                f"Tail{n + 1}", f"Tail{n}" if n else "Hips", TAIL[n][0], WAG, "YZX", 1.2 - 0.08 * n
            )
            for n in range(9)
        ),
        Joint(
            "LeftShoulder", "Chest", (0.09, 1.0, 0.24), {"y": (-25, 25), "z": (-20, 20)}, "YZX", 1.5
        ),
        Joint(
            "LeftUpperArm",
            "LeftShoulder",
            (0.15, 0.99, 0.25),
            {"x": (-125, 60), "y": (-60, 60), "z": (-30, 80)},
            "ZYX",
        ),
        Joint("LeftLowerArm", "LeftUpperArm", (0.195, 0.845, 0.225), {"x": (-70, 85)}),
        Joint(
            "LeftHand",
            "LeftLowerArm",
            (0.19, 0.79, 0.37),
            {"x": (-50, 50), "y": (-40, 40), "z": (-60, 60)},
            "ZYX",
            0.6,
        ),
        Joint(
            "LeftUpperLeg",
            "Hips",
            (0.135, 0.76, 0.0),
            {"x": (-60, 60), "y": (-35, 35), "z": (-20, 40)},
            "YZX",
        ),
        Joint("LeftLowerLeg", "LeftUpperLeg", (0.18, 0.49, 0.15), {"x": (-55, 70)}),
        Joint(
            "LeftFoot",
            "LeftLowerLeg",
            (0.18, 0.24, -0.05),
            {"x": (-75, 50), "y": (-20, 20), "z": (-20, 20)},
            "YZX",
        ),
        Joint(
            "LeftToes",
            "LeftFoot",
            (0.18, 0.055, 0.05),
            {"x": (-50, 60), "y": (-15, 15), "z": (-20, 20)},
            "YZX",
        ),
    ]
)
SOLE: Vector = (0.0, -0.055, 0.06)  # m, in the toes: where the foot stands
