"""The flying robot's joints and the pieces they carry: shell, visor, arms, ducted rotors, fin."""

from __future__ import annotations

from arcwright.characters.assembly import Piece, both_sides
from arcwright.characters.skeleton import FREE, Joint, root
from arcwright.characters.skeleton import both_sides as both_joints
from arcwright.characters.solids import ball, beam, box, drum, joined, lathe, plate, ring, rod

HOVER = 1.0  # m, height of the body's middle in the rest pose

JOINTS = both_joints(
    [
        root("Body", (0, HOVER, 0)),
        Joint("Neck", "Body", (0, HOVER + 0.155, 0), {"x": (-30, 30), "z": (-20, 20)}, stiffness=2),
        Joint("Head", "Neck", (0, HOVER + 0.2, 0), {"x": (-35, 35), "y": (-75, 75)}, "YZX"),
        Joint(
            "Antenna1",
            "Head",
            (0, HOVER + 0.4, -0.03),
            {"x": (-60, 60), "z": (-60, 60)},
            "ZYX",
            0.4,
        ),
        Joint(
            "Antenna2",
            "Antenna1",
            (0, HOVER + 0.46, -0.03),
            {"x": (-70, 70), "z": (-70, 70)},
            "ZYX",
            0.4,
        ),
        Joint("Tail", "Body", (0, HOVER - 0.04, -0.14), {"x": (-35, 35), "y": (-45, 45)}, "YZX"),
        Joint(
            "LeftPylon",
            "Body",
            (0.13, HOVER + 0.07, -0.07),
            {"x": (-75, 75), "z": (-30, 30)},
            "ZYX",
            2,
        ),
        Joint("LeftRotor", "LeftPylon", (0.295, HOVER + 0.13, -0.1), {"y": FREE}),
        Joint(
            "LeftUpperArm",
            "Body",
            (0.15, HOVER + 0.02, 0.03),
            {"x": (-150, 70), "y": (-70, 70), "z": (-20, 110)},
            "ZYX",
        ),
        Joint("LeftLowerArm", "LeftUpperArm", (0.195, HOVER - 0.09, 0.035), {"x": (-135, 5)}),
        Joint(
            "LeftHand",
            "LeftLowerArm",
            (0.2, HOVER - 0.195, 0.055),
            {"x": (-60, 60), "y": (-80, 80), "z": (-40, 40)},
            "ZYX",
            0.7,
        ),
        Joint(
            "LeftFingers", "LeftHand", (0.2, HOVER - 0.235, 0.075), {"x": (-80, 30)}, stiffness=0.5
        ),
    ]
)

PALETTE = {
    "shell": ("#f5f1e8", 0.0, 0.35),
    "dark": ("#2b3038", 0.2, 0.5),
    "accent": ("#ff7626", 0.0, 0.4),
    "steel": ("#98a2ad", 0.8, 0.35),
    "glass": ("#11161f", 0.0, 0.1),
    "glow": ("#63ecff", 0.0, 0.4),
}


def pieces() -> list[Piece]:
    """All pieces, in the axes of the joints that carry them."""
    return both_sides([*_body(), *_head(), *_tail(), *_arm(), *_rotor()])


def _body() -> list[Piece]:
    dome = [(0.142, -0.055), (0.152, -0.045), (0.158, 0.0), (0.152, 0.05), (0.133, 0.1)]
    shell = lathe([*dome, (0.105, 0.135), (0.07, 0.153), (0.05, 0.156), (0.0, 0.156)], 32)
    keel = [(0, -0.2), (0.05, -0.2), (0.062, -0.196), (0.1, -0.165), (0.13, -0.115)]
    hull = lathe([*keel, (0.146, -0.066), (0.14, -0.05), (0, -0.05)], 32)
    belt = lathe([(0.13, -0.074), (0.151, -0.072), (0.153, -0.056), (0.13, -0.052)], 32)
    badge = drum(0.052, 0.02, 0.006, 24).rotated(x=90).moved((0, 0.025, 0.152))
    lamp = drum(0.034, 0.02, 0.006, 24).rotated(x=90).moved((0, 0.025, 0.159))
    jet = lathe([(0, -0.205), (0.03, -0.214), (0.05, -0.202), (0.05, -0.198), (0, -0.198)], 24)
    flame = lathe([(0, -0.245), (0.016, -0.232), (0.024, -0.215), (0.02, -0.2), (0, -0.2)], 20)
    vents = [
        box(0.05, 0.007, 0.02, 0.003).moved((0, -0.1 - 0.02 * n, 0.132 - 0.012 * n)) for n in (0, 1)
    ]
    return [
        Piece("Body", "shell", shell),
        Piece("Body", "dark", joined(hull, badge)),
        Piece("Body", "accent", belt),
        Piece("Body", "steel", joined(jet, *vents)),
        Piece("Body", "glow", joined(lamp, flame)),
        Piece("Neck", "dark", drum(0.055, 0.07, 0.01).moved((0, 0.012, 0))),
        Piece("Neck", "steel", ring(0.056, 0.008, 28, 8).moved((0, 0.015, 0))),
    ]


def _head() -> list[Piece]:
    skull = box(0.33, 0.22, 0.26, 0.1, 4).moved((0, 0.105, 0))
    visor = box(0.266, 0.15, 0.14, 0.068, 4).moved((0, 0.1, 0.072))
    rim = box(0.29, 0.174, 0.13, 0.062, 4).moved((0, 0.1, 0.07))
    eyes = [
        ball(0.026, 0.036, 0.008, 20, 9).moved((side * 0.06, 0.102, 0.1395)) for side in (-1, 1)
    ]
    ears = [
        drum(0.05, 0.036, 0.012).rotated(z=90).moved((side * 0.168, 0.1, -0.005))
        for side in (-1, 1)
    ]
    caps = [
        drum(0.03, 0.02, 0.007).rotated(z=90).moved((side * 0.187, 0.1, -0.005)) for side in (-1, 1)
    ]
    crest = beam((0, 0.213, 0.06), (0, 0.213, -0.09), 0.05, 0.012, 0.005)
    return [
        Piece("Head", "shell", skull),
        Piece("Head", "glass", visor),
        Piece("Head", "dark", joined(rim, *caps)),
        Piece("Head", "glow", joined(*eyes)),
        Piece("Head", "accent", joined(crest, *ears)),
        Piece(
            "Antenna1",
            "dark",
            joined(drum(0.016, 0.03, 0.005), rod((0, 0, 0), (0, 0.06, 0), 0.006)),
        ),
        Piece("Antenna2", "dark", rod((0, 0, 0), (0, 0.055, 0), 0.0055)),
        Piece("Antenna2", "glow", ball(0.017, 0.017, 0.017, 16, 9).moved((0, 0.065, 0))),
    ]


def _tail() -> list[Piece]:
    fin = plate(
        [(0.0, -0.02), (0.0, 0.02), (-0.07, 0.1), (-0.125, 0.12), (-0.115, 0.0), (-0.06, -0.035)],
        0.018,
        0.006,
    )
    trim = plate([(-0.085, 0.096), (-0.123, 0.118), (-0.117, 0.03), (-0.1, 0.03)], 0.024, 0.005)
    return [
        Piece("Tail", "dark", ball(0.035, 0.035, 0.035, 16, 9)),
        Piece("Tail", "shell", fin),
        Piece("Tail", "accent", trim),
    ]


def _arm() -> list[Piece]:
    cuff = lathe(
        [(0, -0.002), (0.028, 0), (0.036, 0.008), (0.043, 0.075), (0.04, 0.088), (0, 0.09)], 20
    )
    fingers = [
        beam((x, 0, 0.008), (x * 1.15, -0.045, 0.012), 0.018, 0.02, 0.006)
        for x in (-0.021, 0, 0.021)
    ]
    return [
        Piece("LeftUpperArm", "accent", ball(0.042, 0.042, 0.042, 20, 11)),
        Piece("LeftUpperArm", "dark", rod((0, 0, 0), (0.045, -0.11, 0.005), 0.023, 0.021)),
        Piece("LeftLowerArm", "steel", ball(0.029, 0.029, 0.029, 16, 9)),
        Piece(
            "LeftLowerArm",
            "shell",
            cuff.rotated(x=180).moved((0.002, -0.012, 0.002)).rotated(x=-10),
        ),
        Piece(
            "LeftLowerArm",
            "accent",
            drum(0.0445, 0.014, 0.004).moved((0.002, -0.08, 0.002)).rotated(x=-10),
        ),
        Piece("LeftHand", "dark", box(0.068, 0.05, 0.05, 0.018, 3).moved((0, -0.018, 0.004))),
        Piece(
            "LeftHand",
            "dark",
            beam((-0.034, -0.015, 0.01), (-0.055, -0.05, 0.028), 0.019, 0.02, 0.007),
        ),
        Piece("LeftFingers", "dark", joined(*fingers).moved((0, 0.002, -0.014))),
    ]


def _rotor() -> list[Piece]:
    out = (0.165, 0.06, -0.03)  # from the pylon to the rotor
    duct = ring(0.118, 0.017, 36, 10).scaled(1, 1.9, 1).moved(out)
    trim = ring(0.119, 0.0185, 36, 8).scaled(1, 0.45, 1).moved(out)
    stator = [
        beam(
            (out[0] + x, out[1] - 0.014, out[2] + z),
            (out[0] - x, out[1] - 0.014, out[2] - z),
            0.012,
            0.012,
            0.004,
        )
        for x, z in ((0.11, 0.0), (0.0, 0.11))
    ]
    blade = box(0.1, 0.005, 0.03, 0.0024).rotated(x=16).moved((0.056, 0.006, 0))
    blades = [blade.rotated(y=120 * n) for n in range(3)]
    arm = beam(
        (0.0, 0.0, 0.0), (out[0] - 0.1, out[1] - 0.02, out[2] + 0.01), 0.034, 0.03, 0.01, 0.8
    )
    return [
        Piece("LeftPylon", "dark", joined(ball(0.036, 0.036, 0.036, 16, 9), arm, *stator)),
        Piece("LeftPylon", "shell", duct),
        Piece("LeftPylon", "accent", trim),
        Piece("LeftRotor", "steel", joined(*blades)),
        Piece("LeftRotor", "accent", drum(0.024, 0.03, 0.008, 20)),
    ]
