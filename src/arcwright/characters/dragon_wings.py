"""The dragon's wings: bones of arm and fingers as clay, and the membrane between them."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.characters.dragon_joints import ELBOW, FINGERS, JOINTS, SHOULDER, WRIST
from arcwright.characters.membrane import Patch, grid_normals, mirrored, sheet, tube
from arcwright.characters.mesh import Mesh
from arcwright.characters.sdf_primitive import SdfPrimitive, ball, limb
from arcwright.characters.skeleton import Vector

NAMES = tuple(joint.name for joint in JOINTS)
FLANK: Vector = (0.12, 0.9, -0.5)  # m, where the membrane ends at the hips
BREAST: Vector = (0.1, 1.0, 0.4)  # m, where the leading edge begins at the chest
THICKNESS = 0.012  # m
SCALLOP = 0.24  # of a finger's length: how far the trailing edge is cut in between two tips
SAG = 0.07  # of the width of a panel: how far it bellies upward
SOFT = 0.1  # of a chain of two bones: over how much of it the weight passes from one to the next


def arm() -> list[SdfPrimitive]:
    """Arm, forearm and wrist, from which the fingers grow."""
    return [
        limb("LeftWingArm", (0.06, 0.97, 0.18), SHOULDER, 0.075, 0.07, blend=0.05, soft=0.03),
        limb("LeftWingArm", SHOULDER, ELBOW, 0.066, 0.043, blend=0.03, soft=0.03),
        ball("LeftWingForearm", ELBOW, (0.05, 0.045, 0.048), blend=0.02),
        limb("LeftWingForearm", ELBOW, WRIST, 0.045, 0.034, blend=0.02),
        ball("LeftWingHand", (1.015, 1.322, 0.19), (0.052, 0.038, 0.046), blend=0.02),
    ]


def fingers() -> list[Mesh]:
    """The fingers of both wings."""
    share = np.array([0, 0.02, 0.15, 0.3, 0.42, 0.47, 0.5, 0.53, 0.58, 0.7, 0.85, 0.97, 1])
    left = []
    for name, bones in FINGERS.items():
        thick = (0.03 if name == "1" else 0.026) * (1 - 0.72 * share)
        thick[4:9] *= np.array([1.0, 1.12, 1.2, 1.12, 1.0])
        own = f"LeftWingFinger{name}"
        root = (WRIST, bones[1], bones[2])
        weights = _chain((own, f"{own}Tip"), share)
        left.append(tube(_curve(root, share), thick, weights, NAMES, "skin"))
    return [*left, *(mirrored(mesh) for mesh in left)]


def claws() -> list[SdfPrimitive]:
    """The claw of the thumb."""
    return [
        limb("LeftWingHand", (1.01, 1.345, 0.22), (1.015, 1.4, 0.29), 0.022, 0.014, colour="ivory"),
        limb("LeftWingHand", (1.015, 1.4, 0.29), (1.035, 1.4, 0.345), 0.014, 0.004, blend=0.005),
    ]


def membranes() -> list[Mesh]:
    """The panels of both wings."""
    patches = [_between("1", "2", 14, 9), _between("2", "3", 13, 9), _rear(), _front()]
    left = [sheet(each, NAMES) for each in patches]
    return [*left, *(mirrored(mesh) for mesh in left)]


def _between(one: str, other: str, rows: int, columns: int) -> Patch:
    """From one finger to the next, from the knuckles to a scalloped edge."""
    u, v = np.linspace(0, 1, rows)[:, None], np.linspace(0, 1, columns)[None]
    far = u * (1 - SCALLOP * 4 * v * (1 - v))
    a, b = (_curve(FINGERS[name], far) for name in (one, other))
    place = _bellied(a + (b - a) * v[..., None])
    share = np.linspace(0, 1, rows)
    held = {
        "left": _chain((f"LeftWingFinger{one}", f"LeftWingFinger{one}Tip"), share),
        "right": _chain((f"LeftWingFinger{other}", f"LeftWingFinger{other}Tip"), share),
    }
    return Patch(place, held, "membrane", THICKNESS)


def _rear(rows: int = 13, columns: int = 17) -> Patch:
    """From the last finger over the arm to the flank."""
    u, v = np.linspace(0, 1, rows)[:, None], np.linspace(0, 1, columns)[None]
    finger = (WRIST, *FINGERS["3"][1:])
    arm = _curve((WRIST, ELBOW, SHOULDER), v)
    edge = np.array(finger[2]) + (np.array(FLANK) - finger[2]) * v[..., None]
    far = (u * (1 - 0.8 * SCALLOP * 4 * v * (1 - v)))[..., None]
    bent = _curve(finger, u) - (
        _curve(finger, u * 0) * (1 - u[..., None]) + u[..., None] * edge[0, 0]
    )
    place = _bellied(arm + (edge - arm) * far + bent * (1 - v[..., None]))
    held = {
        "first": _chain(("LeftWingForearm", "LeftWingArm"), np.linspace(0, 1, columns)),
        "left": _chain(("LeftWingFinger3", "LeftWingFinger3Tip"), np.linspace(0, 1, rows)),
        "right": _chain(("Spine",), np.linspace(0, 1, rows)),
    }
    return Patch(place, held, "membrane", THICKNESS)


def _front(rows: int = 5, columns: int = 13) -> Patch:
    """Before the arm, from the chest to the wrist."""
    u, v = np.linspace(0, 1, rows)[:, None], np.linspace(0, 1, columns)[None]
    arm = _curve((WRIST, ELBOW, SHOULDER), v)
    lead = _curve(((WRIST[0], WRIST[1], WRIST[2] + 0.02), (0.55, 1.2, 0.2), BREAST), v)
    place = arm + (lead - arm) * u[..., None]
    held = {
        "last": _chain(("LeftWingForearm", "LeftWingArm"), np.linspace(0, 1, columns)),
        "right": _chain(("Chest",), np.linspace(0, 1, rows)),
    }
    return Patch(place[::-1], held, "membrane", THICKNESS)


def _bellied(place: Floats) -> Floats:
    """A patch that rises over its middle, most where it is widest."""
    rows, columns = place.shape[:2]
    wide = np.linalg.norm(place[:, -1] - place[:, 0], axis=1)[:, None]
    dome = (
        np.sin(np.pi * np.linspace(0, 1, columns))[None] * np.linspace(0, 1, rows)[:, None] ** 0.5
    )
    normal = grid_normals(place)
    return np.asarray(place + (SAG * wide * dome)[..., None] * normal * np.sign(normal[..., 1:2]))


def _curve(points: tuple[Vector, Vector, Vector], share: Floats) -> Floats:
    """Places on two straight bones, their corner at half."""
    a, b, c = (np.array(point) for point in points)
    first, second = np.clip(2 * share, 0, 1)[..., None], np.clip(2 * share - 1, 0, 1)[..., None]
    return np.asarray(a + (b - a) * first + (c - b) * second)


def _chain(names: tuple[str, ...], share: Floats) -> Floats:
    """(N, J) weights along a chain of bones of equal share, soft at their joints."""
    weights = np.zeros((len(share), len(NAMES)))
    left = np.ones(len(share))
    for at, name in enumerate(names):
        border = (at + 1) / len(names)
        over = np.clip((share - border) / SOFT + 0.5, 0, 1) if at + 1 < len(names) else 0 * share
        passed = over * over * (3 - 2 * over)
        weights[:, NAMES.index(name)] += left * (1 - passed)
        left = left * passed
    return weights
