"""What stands around the biped that pours tea, what touches what, and what it is about."""

from __future__ import annotations

from typing import Any

from arcwright.characters.biped_gaze import eyes
from arcwright.characters.biped_limbs import sole_contact
from arcwright.characters.biped_reach import held
from arcwright.characters.biped_tea import (
    CUP,
    CUP_AT,
    DOWN,
    FRAMES,
    GRAB,
    LEAVE,
    LIFT,
    POT,
    POT_AT,
    POUR,
    POUR_END,
    RATE,
    REACH,
    RELEASE,
    STEADY,
    TABLE,
    TOUCH,
    poured,
)
from arcwright.characters.recipe import Stage
from arcwright.scene.activity import Activity, ActivityEvent, Effector, Pair
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point


def stage() -> Stage:
    """Table, pot and cup; soles on the floor, hands on what they hold; what it is about."""
    start, end = GRAB / RATE, RELEASE / RATE
    pot = Point("Pot", POT.anchors["handle"], "Pot")
    hold = Contact(held("Right"), start, end, True, relative_to=pot)
    cup = Point("Cup", character="Cup")
    touch = Contact(held("Left", TOUCH), STEADY / RATE, LEAVE / RATE, True, relative_to=cup)
    soles = (sole_contact(side, (0.0, FRAMES), RATE) for side in ("Left", "Right"))
    props = (POT.prop("Pot", POT_AT, poured()), CUP.prop("Cup", CUP_AT), TABLE.prop())
    return Stage(props, (*soles, hold, touch), (activity(),))


def activity() -> Activity:
    """What the pot, the cup, both hands and the eyes do, and when."""
    hold, touch = Pair("right hand", "pot.handle"), Pair("left hand", "cup")
    pouring = (hold, Pair("pot.spout", "cup.rim"), touch)
    both, cup = ("pot", "cup"), ("cup", "left hand")
    events = (
        _event(REACH, "reach", elements=("right hand", "pelvis"), look_at="pot"),
        _event(GRAB, "grab", (hold,), ("pot", "pelvis"), ("pot",), ("pot",), look_at="pot"),
        _event(LIFT, "lift", (hold,), ("pot",), ("pot",), ("pot",), look_at="pot"),
        _event(STEADY, "steady", (touch,), cup, ("cup",), ("cup",), look_at="cup"),
        _event(POUR, "pour", pouring, (*both, "pelvis"), both, both, look_at="cup"),
        _event(POUR_END, "pour end", pouring, (*both, "pelvis"), both, both, look_at="cup"),
        _event(LEAVE, "leave", (touch,), cup, ("cup",), ("cup",), look_at="cup"),
        _event(DOWN, "put down", (hold,), ("pot", "pelvis"), ("pot",), ("pot",), look_at="pot"),
        _event(RELEASE, "release", (hold,), ("pot",), ("pot",), ("pot",), look_at="pot"),
    )
    return Activity(
        "tea",
        take="tea",
        objects=(POT.object("pot", "Pot"), CUP.object("cup", "Cup")),
        effectors=(
            Effector("right hand", held("Right")),
            Effector("left hand", held("Left", TOUCH)),
            Effector("pelvis", Point("Hips")),
            Effector("head", eyes()),
        ),
        events=events,
    )


def _event(
    frame: int,
    name: str,
    pairs: tuple[Pair, ...] = (),
    movable: tuple[str, ...] = (),
    scalable: tuple[str, ...] = (),
    replaceable: tuple[str, ...] = (),
    **more: Any,
) -> ActivityEvent:
    return ActivityEvent(
        frame / RATE,
        name,
        movable=movable,
        scalable=scalable,
        replaceable=replaceable,
        pairs=pairs,
        **more,
    )
