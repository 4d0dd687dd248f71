"""Captures with activities made of events that were marked by hand (`benchmarks/events`).

    python benchmarks/activity_captures.py FOLDER [NAME ...]

writes a strip for each: the scene at every event. Props stand where the marks imply them. A clip
that wipes in circles has no marks: its events were read off a strip.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.arrays import Floats
from arcwright.characters.skeleton import vector
from arcwright.characters.tableware import Cup
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import sample, values_at
from arcwright.scene.activity import Activity, ActivityEvent, ActivityObject, Effector, Pair
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.scene import Character, Prop, Scene
from arcwright.scene.take import Take
from event_clips import GRIPS, MarkedClip, MarkedEvent, MarkedProp, marked_clips
from stance_clips import PACKED

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from captured_activities import SEAT, furniture

RATE = 30.0
BESIDE = 30  # frames before the first mark and after the last one that a scene has
TOGETHER = 2  # frames within which marks are one event
NAMES = {"RightHand": "right hand", "LeftHand": "left hand", "Hips": "pelvis"}
CLIPS = ("14_37", "69_69", "143_10", "143_13", "75_18", "143_18", "15_06", "15_07", "79_44")
LEFT_HANDED = ("143_10",)  # marked as of the right hand, which stays up while the left one lifts
OTHER = {"RightHand": "LeftHand"}
BOXES = {  # width, height and depth, m, and how far the top is above what is held
    "object": ((0.3, 0.12, 0.2), 0.0),
    "toolbox": ((0.45, 0.22, 0.2), -0.02),
    "basket": ((0.3, 0.18, 0.22), 0.02),
}
WINDOW = MarkedClip(
    *("14_11", "window", PACKED, RATE, "seen", (60, 215), ("RightHand",)),
    (
        MarkedEvent(76, "RightHand", "turn"),
        MarkedEvent(96, "RightHand", "reach"),
        MarkedEvent(176, "RightHand", "reach"),
    ),
    (),
)


@dataclass(frozen=True)
class Moment:
    """Marks that are one event, at a frame of the scene."""

    frame: int
    marks: tuple[MarkedEvent, ...]


def capture(clip: MarkedClip) -> Scene:
    """The clip around its marks, at 30 frames a second, with its props and one activity."""
    take, first = clip.load(), max(clip.frames[0] - BESIDE, 1)
    last = min(clip.frames[1] + BESIDE, int(take.duration * RATE))
    times = np.arange(first, last + 1) / RATE
    values = sample(take, times).values
    motion = Motion(take.name, times - times[0], values, RATE)
    person = Character("person", take.rig, (Take(take.rig, motion),))
    props = tuple(_prop(clip, each.name, first, last) for each in clip.props)
    effectors = tuple(Effector(NAMES[each], Point(GRIPS[each])) for each in clip.elements)
    objects = tuple(ActivityObject(each.name, each.name.capitalize()) for each in clip.props)
    events = _named(_event(clip, moment, first) for moment in _moments(clip))
    about = Activity(clip.motion, objects=objects, effectors=effectors, events=events)
    return Scene(clip.name, (person,), props, activities=(about,))


def _moments(clip: MarkedClip) -> list[Moment]:
    found: list[Moment] = []
    for mark in clip.events:
        if found and mark.frame - found[-1].frame <= TOGETHER:
            found[-1] = replace(found[-1], marks=(*found[-1].marks, mark))
        else:
            found.append(Moment(mark.frame, (mark,)))
    return found


def _event(clip: MarkedClip, moment: Moment, first: int) -> ActivityEvent:
    """Who is marked takes part, with what it holds; that leads, and only it may be moved."""
    near = range(moment.frame - TOGETHER, moment.frame + TOGETHER + 1)
    held = [
        (NAMES[element], prop.name)
        for prop in clip.props
        for element, start, end in clip.holders(prop)
        if any(start <= frame <= end for frame in near)
    ]
    marked = {NAMES[mark.element] for mark in moment.marks}
    props = {prop for element, prop in held if element in marked}
    involved = marked | props | {element for element, prop in held if prop in props}
    led = {element for element, prop in held if prop in props}
    mark = next((each for each in moment.marks if each.prop), moment.marks[0])
    return ActivityEvent(
        (moment.frame - first) / RATE,
        f"{NAMES[mark.element]} {mark.kind}",
        elements=tuple(sorted(involved)),
        movable=tuple(sorted(props | (marked - led))),
        pairs=tuple(Pair(element, prop) for element, prop in held if prop in props),
        look_at=next(iter(sorted(props)), "") if "pelvis" not in marked else "",
    )


def _named(events: Iterable[ActivityEvent]) -> tuple[ActivityEvent, ...]:
    """The events with names that occur once."""
    found: list[ActivityEvent] = []
    for event in events:
        count = sum(each.name.rstrip(" 0123456789") == event.name for each in found)
        found.append(event if not count else replace(event, name=f"{event.name} {count + 1}"))
    return tuple(found)


def _prop(clip: MarkedClip, name: str, first: int, last: int) -> Prop:
    about = next(each for each in clip.props if each.name == name)
    inside = clip.prop_places(about)
    inside = inside + _middle(clip, about) - inside[0]
    before, after = clip.frames[0] - first, last - clip.frames[1]
    path = np.pad(inside, ((before, after), (0, 0)), mode="edge")
    prop = _stood(name, path[0])
    if not about.moves:
        return prop
    slides = path - path[0]
    values = np.tile(prop.rig.channels.default, (len(path), 1))
    for axis, column in zip("xyz", slides.T, strict=True):
        values[:, prop.rig.channel(f"{prop.rig.names[0]}.translate.{axis}")] += column
    motion = Motion("carried", np.arange(len(path)) / RATE, values, RATE)
    return replace(prop, takes=(Take(prop.rig, motion),))


def _middle(clip: MarkedClip, prop: MarkedProp) -> Floats:
    """(3,) m, between all that hold a prop when it is first held."""
    spans = clip.holders(prop)
    start = spans[0][1]
    names = {element for element, first, _ in spans if first - start <= TOGETHER}
    take = clip.load()
    values = values_at(take, np.array([start / RATE]))
    joints = [take.rig.joint(GRIPS[each]) for each in names]
    found: Floats = forward(take.rig, values, joints)[0, :, :3, 3].mean(axis=0)
    return found


def _stood(name: str, held: Floats) -> Prop:
    """A prop below what holds it."""
    title = name.capitalize()
    x, y, z = vector(held)
    if name == "seat":
        top = y - SEAT
        return furniture("chair_stool", title, (x, 0.0, z), (0.42, top, 0.42))
    if name == "can":
        return Cup(0.033, 0.12, handle=False, colour="#b8352f").prop(title, (x, y - 0.09, z))
    size, above = BOXES[name]
    foot = y + above - size[1]
    return furniture("cabinet_medium", title, (x, foot, z), size)


def _other_hand(clip: MarkedClip) -> MarkedClip:
    """The clip with marks of the right hand for the left one."""
    elements = tuple(OTHER.get(each, each) for each in clip.elements)
    events = tuple(replace(e, element=OTHER.get(e.element, e.element)) for e in clip.events)
    return replace(clip, elements=elements, events=events)


def _clips() -> dict[str, MarkedClip]:
    found = {each.name: each for each in marked_clips() if each.name in CLIPS}
    found |= {name: _other_hand(found[name]) for name in LEFT_HANDED}
    return found | {WINDOW.name: WINDOW}


CAPTURES: dict[str, Callable[[], Scene]] = {
    name: partial(capture, each) for name, each in _clips().items()
}

if __name__ == "__main__":
    from activity_scenes import events_strip

    for chosen in sys.argv[2:] or CAPTURES:
        events_strip(CAPTURES[chosen](), Path(sys.argv[1]) / f"{chosen}.png")
        print(chosen)
