"""Arcwright: animate with movement itself.

Files are read into a scene; a tool turns a gesture on a scene into an edit; studio, command line
and scripts apply it.
"""

from arcwright.arrays import same
from arcwright.errors import ArcwrightError
from arcwright.kinematics.contact import find_contacts
from arcwright.kinematics.forward import forward
from arcwright.kinematics.motion_curve import MotionCurve, motion_curve
from arcwright.kinematics.reduce import fit
from arcwright.kinematics.sample import sample
from arcwright.kinematics.trail import trail
from arcwright.open import read, write
from arcwright.picture.strobe import strobe
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.curve import Curve, Extrapolation, Handle, Interpolation
from arcwright.scene.edit import Change, Edit
from arcwright.scene.history import History
from arcwright.scene.layer import Layer
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.rig import ChannelTable, Kind, Rig
from arcwright.scene.scene import Character, Prop, Scene
from arcwright.scene.shape import Look, Shape
from arcwright.scene.take import Take
from arcwright.version import __version__

__all__ = [
    "ArcwrightError",
    "Change",
    "ChannelTable",
    "Character",
    "Clip",
    "Contact",
    "Curve",
    "Edit",
    "Extrapolation",
    "Handle",
    "History",
    "Interpolation",
    "Kind",
    "Layer",
    "Look",
    "Motion",
    "MotionCurve",
    "Pin",
    "Point",
    "Prop",
    "Rig",
    "Scene",
    "Shape",
    "Take",
    "__version__",
    "find_contacts",
    "fit",
    "forward",
    "motion_curve",
    "read",
    "same",
    "sample",
    "strobe",
    "trail",
    "write",
]
