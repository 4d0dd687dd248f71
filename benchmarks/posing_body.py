"""A body of 60 joints to pose: rig, pins, the way of the hand; as MJCF and URDF text too."""

from __future__ import annotations

import numpy as np

from arcwright.curves.keys import keyed
from arcwright.kinematics.forward import forward
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Pin
from arcwright.scene.point import Point
from arcwright.scene.rig import ChannelTable, Kind, Rig
from arcwright.scene.scene import Character, Scene
from arcwright.scene.take import Take

PINNED = ("LeftFoot", "RightFoot", "LeftHand", "RightHand")
HELD = "Chest"
MOVES = 120
LIMIT = 2.6  # rad

# name, parent, place in the parent (m), axes it turns about
_TRUNK = (
    ("Hips", "", (0.0, 0.95, 0.0), "XYZ"),
    ("Spine1", "Hips", (0.0, 0.08, 0.0), "XYZ"),
    ("Spine2", "Spine1", (0.0, 0.08, 0.0), "XYZ"),
    ("Spine3", "Spine2", (0.0, 0.08, 0.0), "XYZ"),
    ("Spine4", "Spine3", (0.0, 0.08, 0.0), "XYZ"),
    ("Chest", "Spine4", (0.0, 0.08, 0.0), "XYZ"),
    ("Neck1", "Chest", (0.0, 0.12, 0.0), "XYZ"),
    ("Neck2", "Neck1", (0.0, 0.06, 0.0), "XYZ"),
    ("Head", "Neck2", (0.0, 0.06, 0.0), "XYZ"),
    ("Jaw", "Head", (0.0, 0.02, 0.06), "X"),
    ("LeftEye", "Head", (0.03, 0.08, 0.08), "XY"),
    ("RightEye", "Head", (-0.03, 0.08, 0.08), "XY"),
)
_LIMBS = (
    ("Clavicle", "Chest", (0.04, 0.08, 0.0), "YZ"),
    ("UpperArm", "Clavicle", (0.15, 0.0, 0.0), "XYZ"),
    ("LowerArm", "UpperArm", (0.28, 0.0, 0.0), "XYZ"),
    ("Hand", "LowerArm", (0.26, 0.0, 0.0), "YZ"),
    ("UpperLeg", "Hips", (0.1, -0.04, 0.0), "XYZ"),
    ("LowerLeg", "UpperLeg", (0.0, -0.43, 0.0), "X"),
    ("Foot", "LowerLeg", (0.0, -0.42, 0.0), "XYZ"),
    ("Toes", "Foot", (0.0, -0.05, 0.12), "X"),
    ("ToeTip", "Toes", (0.0, 0.0, 0.06), "X"),
)
_FINGERS = ("Thumb", "Index", "Middle", "Ring", "Little")
_BENT = {  # rad; knees and elbows not straight, so that there is room to move
    "UpperLeg.rotate.x": -0.5,
    "LowerLeg.rotate.x": 1.0,
    "Foot.rotate.x": -0.5,
    "UpperArm.rotate.z": -0.7,
    "LowerArm.rotate.y": -1.0,
}


def _joints() -> list[tuple[str, str, tuple[float, float, float], str]]:
    rows = list(_TRUNK)
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        for name, parent, (x, y, z), axes in _LIMBS:
            above = parent if parent in ("Chest", "Hips") else side + parent
            rows.append((side + name, above, (sign * x, y, z), axes))
        for finger, aside in zip(_FINGERS, (0.05, 0.03, 0.01, -0.01, -0.03), strict=True):
            above = f"{side}Hand"
            for number, (along, axes) in enumerate(((0.09, "YZ"), (0.04, "Z"), (0.03, "Z"))):
                name = f"{side}{finger}{number + 1}"
                rows.append((name, above, (sign * along, 0.0, 0.0 if number else aside), axes))
                above = name
    return rows


def body() -> Rig:
    """60 joints; the hips also slide."""
    rows = _joints()
    names = [name for name, *_ in rows]
    kinds = [(0, Kind(axis)) for axis in range(3)]
    kinds += [(j, Kind[f"ROTATE_{axis}"]) for j, row in enumerate(rows) for axis in row[3]]
    table = ChannelTable.of([joint for joint, _ in kinds], [kind for _, kind in kinds])
    high = np.where(table.kind < Kind.ROTATE_X, np.inf, LIMIT)
    count = len(rows)
    return Rig(
        names=tuple(names),
        parents=[names.index(parent) if parent else -1 for _, parent, *_ in rows],
        offset=[offset for _, _, offset, _ in rows],
        rest=np.tile([1.0, 0.0, 0.0, 0.0], (count, 1)),
        scale=np.ones((count, 3)),
        modes=("XYZ",) * count,
        channels=ChannelTable(
            table.joint, table.kind, table.default, -high, high, table.stiffness, table.label
        ),
    )


def start_values(rig: Rig) -> np.ndarray:
    """(C,) a pose with bent knees and elbows."""
    values = np.zeros(len(rig.channels))
    for name, value in _BENT.items():
        for side, sign in (("Left", 1.0), ("Right", -1.0)):
            mirrored = value if name.endswith("x") else sign * value
            values[rig.channel(side + name)] = mirrored
    return values


def places(rig: Rig, values: np.ndarray) -> dict[str, np.ndarray]:
    """Where the pinned and the held joints are, m."""
    world = forward(rig, values[None])[0]
    return {name: world[rig.joint(name), :3, 3] for name in (*PINNED, HELD)}


def path(rig: Rig) -> np.ndarray:
    """(MOVES, 3) m: the chest goes round sideways, down and forward, some 5 mm a move."""
    at = places(rig, start_values(rig))[HELD]
    turn = np.linspace(0, 2 * np.pi, MOVES + 1)[1:, None]
    round_trip = [0.09, 0.0, 0.0] * np.sin(turn) + [0.0, -0.06, 0.03] * (1 - np.cos(turn))
    return at + round_trip


def scene(rig: Rig) -> Scene:
    """The body with one key on every channel and four pins at that frame."""
    curves = tuple(keyed([0.0], [value]) for value in start_values(rig))
    take = Take(rig, Clip("pose", curves, 1.0))
    pins = tuple(Pin(Point(name), 0.0, 0.0) for name in PINNED)
    return Scene(characters=(Character("body", rig, (take,)),), constraints=pins)


_AXES = {"X": "1 0 0", "Y": "0 1 0", "Z": "0 0 1"}
_MASS = 'mass="1" diaginertia="0.01 0.01 0.01"'


def mjcf(rig: Rig) -> str:
    """The same body for MuJoCo: slides and hinges in the order of our channels."""
    channels = rig.channels

    def element(joint: int) -> str:
        parts = [f'<body name="{rig.names[joint]}" pos="{_numbers(rig.offset[joint])}">']
        parts.append(f'<inertial pos="0 0 0" {_MASS}/>')
        for channel in np.flatnonzero(channels.joint == joint):
            kind = Kind(channels.kind[channel])
            sort = 'hinge" limited="true" range="-2.6 2.6' if kind.group == "rotate" else "slide"
            axis = _AXES[kind.name[-1]]
            parts.append(f'<joint name="c{channel}" type="{sort}" axis="{axis}"/>')
        parts += [element(int(child)) for child in np.flatnonzero(rig.parents == joint)]
        return "".join([*parts, "</body>"])

    return (
        '<mujoco><compiler angle="radian" autolimits="false"/><worldbody>'
        f"{element(0)}</worldbody></mujoco>"
    )


def urdf(rig: Rig) -> str:
    """The same body as URDF: one link of its own for every channel."""
    channels, parts = rig.channels, ['<robot name="body">', '<link name="world"/>']
    for joint, name in enumerate(rig.names):
        above = rig.names[rig.parents[joint]] if rig.parents[joint] >= 0 else "world"
        place = _numbers(rig.offset[joint])
        own = np.flatnonzero(channels.joint == joint)
        for channel in own:
            kind = Kind(channels.kind[channel])
            sort = "revolute" if kind.group == "rotate" else "prismatic"
            below = name if channel == own[-1] else f"{name}.{channel}"
            parts.append(
                f'<link name="{below}"/><joint name="c{channel}" type="{sort}">'
                f'<parent link="{above}"/><child link="{below}"/><origin xyz="{place}"/>'
                f'<axis xyz="{_AXES[kind.name[-1]]}"/>'
                f'<limit lower="{-LIMIT}" upper="{LIMIT}" effort="1" velocity="1000"/></joint>'
            )
            above, place = below, "0 0 0"
    return "".join([*parts, "</robot>"])


def _numbers(values: np.ndarray) -> str:
    return " ".join(f"{value:.9g}" for value in values)
