"""Pouring tea, as small as it gets: an arm with two hands that pours from a pot into a cup."""

from __future__ import annotations

import numpy as np

from arcwright.scene.activity import Activity, ActivityEvent, ActivityObject, Effector, Pair
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.scene import Character, Prop, Scene
from arcwright.scene.take import Take
from builders import arm_clip, arm_rig, rig_of

RATE = 24.0
HAND = Effector("Hand", Point("joint2", character="arm"))
PELVIS = Effector("Pelvis", Point("joint0", character="arm"))
POT = ActivityObject("pot", "", ("spout", "handle"), [[0.2, 0.1, 0], [-0.2, 0, 0]])
CUP = ActivityObject("cup")
LIFT = ActivityEvent(
    0.25,
    "lift",
    elements=("Hand", "pot"),
    movable=("Hand", "pot"),
    pairs=(Pair("Hand", "pot.handle"),),
    look_at="pot",
)
POUR = ActivityEvent(
    0.5,
    "pour",
    movable=("pot", "cup"),
    scalable=("cup",),
    replaceable=("pot", "cup"),
    pairs=(Pair("Hand", "pot.handle"), Pair("pot.spout", "cup")),
    look_at="cup",
)
REST = ActivityEvent(1.0, elements=("Pelvis", "Hand"))


def tea(take: str = "wave", name: str = "tea") -> Activity:
    """Lift, pour and rest, with everything named in full."""
    return Activity(name, "arm", take, (POT, CUP), (PELVIS, HAND), (LIFT, POUR, REST))


def tea_scene(*activities: Activity) -> Scene:
    """An arm with two takes, a pot and a cup; with the activity where none is given."""
    rig, small = arm_rig(), rig_of([-1, 0], [(0, [])])
    still = np.zeros((13, len(rig.channels)))
    takes = (
        Take(rig, arm_clip()),
        Take(rig, Motion("still", np.arange(13) / RATE, still, RATE)),
    )
    props = tuple(Prop(name, small) for name in ("pot", "cup", "table"))
    return Scene("tea", (Character("arm", rig, takes),), props, activities=activities or (tea(),))
