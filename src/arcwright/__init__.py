"""Arcwright: animate with movement itself.

Files are read into a scene; a tool turns a gesture on a scene into an edit; studio, command line
and scripts apply it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from arcwright.arrays import same
from arcwright.errors import ArcwrightError
from arcwright.kinematics.contact import find_contacts
from arcwright.kinematics.forward import forward
from arcwright.kinematics.motion_curve import MotionCurve, motion_curve
from arcwright.kinematics.reduction import fit
from arcwright.kinematics.sample import sample
from arcwright.kinematics.trail import trail
from arcwright.open import read, write
from arcwright.picture.film import film
from arcwright.picture.still import still
from arcwright.picture.strobe import strobe
from arcwright.scene.camera import Camera
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import (
    BalanceConstraint,
    CoincidentConstraint,
    Constraint,
    Contact,
    DistanceConstraint,
    FlightConstraint,
    FloorConstraint,
    OrientationConstraint,
    PathConstraint,
    Pin,
    RegionConstraint,
)
from arcwright.scene.curve import Curve, Extrapolation, Handle, Interpolation
from arcwright.scene.edit import Change, Edit
from arcwright.scene.history import History
from arcwright.scene.layer import Layer
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.region import Box, Cylinder, HalfSpace, Sphere
from arcwright.scene.rig import ChannelTable, Kind, Rig
from arcwright.scene.scene import Character, Prop, Scene
from arcwright.scene.shape import Look, Shape
from arcwright.scene.shot import Shot
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.version import __version__

if TYPE_CHECKING:
    from arcwright.scripting import (
        begin,
        cycle,
        drag,
        find_tool,
        make_drag,
        perform,
        performance_from,
        record_again,
        solve_constraints,
        tool_names,
    )
    from arcwright.tools.gesture import Drag, Performance, Setting, Stroke, ToolHandle
    from arcwright.tools.interaction import Interaction
    from arcwright.tools.tool import Note, Preview, Solved

_LOADED_ON_USE = {  # so that reading and sampling need not wait for the tools
    "scripting": (
        "begin",
        "cycle",
        "drag",
        "find_tool",
        "make_drag",
        "perform",
        "performance_from",
        "record_again",
        "solve_constraints",
        "tool_names",
    ),
    "tools.gesture": ("Drag", "Performance", "Setting", "Stroke", "ToolHandle"),
    "tools.interaction": ("Interaction",),
    "tools.tool": ("Note", "Preview", "Solved"),
}

__all__ = [
    "ArcwrightError",
    "BalanceConstraint",
    "Box",
    "Camera",
    "Change",
    "ChannelTable",
    "Character",
    "Clip",
    "CoincidentConstraint",
    "Constraint",
    "Contact",
    "Curve",
    "Cylinder",
    "DistanceConstraint",
    "Drag",
    "Edit",
    "Extrapolation",
    "FlightConstraint",
    "FloorConstraint",
    "HalfSpace",
    "Handle",
    "History",
    "Interaction",
    "Interpolation",
    "Kind",
    "Layer",
    "Look",
    "Motion",
    "MotionCurve",
    "Note",
    "OrientationConstraint",
    "PathConstraint",
    "Performance",
    "Pin",
    "Point",
    "Preview",
    "Prop",
    "RegionConstraint",
    "Rig",
    "Scene",
    "Setting",
    "Shape",
    "Shot",
    "Solved",
    "Sphere",
    "Stroke",
    "Take",
    "Target",
    "ToolHandle",
    "__version__",
    "begin",
    "cycle",
    "drag",
    "film",
    "find_contacts",
    "find_tool",
    "fit",
    "forward",
    "make_drag",
    "motion_curve",
    "perform",
    "performance_from",
    "read",
    "record_again",
    "same",
    "sample",
    "solve_constraints",
    "still",
    "strobe",
    "tool_names",
    "trail",
    "write",
]


def __getattr__(name: str) -> object:
    for module, names in _LOADED_ON_USE.items():
        if name in names:
            return getattr(import_module(f"arcwright.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
