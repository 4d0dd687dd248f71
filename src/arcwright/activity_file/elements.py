"""Objects and effectors of an activity file, and the names by which the rest of it refers to them.

In the paper's form one point of an object may be named, its `offsetName`. That point stands for
the object where it meets another object; a hand follows the object's origin.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from arcwright.activity_file.values import (
    anchors_in,
    entries,
    flag,
    needed_text,
    optional_text,
    shown,
    vector,
)
from arcwright.arrays import Floats
from arcwright.errors import ArcwrightError, BadValue
from arcwright.kinematics.anchors import marked_anchor
from arcwright.kinematics.effectors import EFFECTORS, effector_joint, effector_name
from arcwright.scene.activity import ActivityObject, Effector, anchor_of, element_of
from arcwright.scene.point import Point
from arcwright.scene.scene import Actor, Scene
from arcwright.tools.replay.json_values import mapping_in

MOST_ELEMENTS = 100  # objects, and effectors, of a file
_OBJECT_KEYS = {"objectName", "offsetName", "isModifiable", "isReplaceable", "actor", "anchors"}
_EFFECTOR_KEYS = {"effectorName", "joint", "offset"}


@dataclass
class Elements:
    """The elements of a file, and how it calls them."""

    objects: list[ActivityObject] = field(default_factory=list)
    effectors: list[Effector] = field(default_factory=list)
    modifiable: list[str] = field(default_factory=list)
    replaceable: list[str] = field(default_factory=list)
    offsets: dict[str, str] = field(default_factory=dict)  # object: the anchor that stands for it
    _called: dict[str, str] = field(default_factory=dict)  # name in the file: of the element

    @property
    def names(self) -> list[str]:
        """Effectors, then objects."""
        return [*(each.name for each in self.effectors), *(each.name for each in self.objects)]

    def reference(self, text: str, where: str) -> str:
        """The element, or an anchor of one as in `pot.spout`, that a text of the file names."""
        name, anchor = self._called.get(text), ""
        if name is None and "." in text:
            start, _, anchor = text.rpartition(".")
            name = self._called.get(start)
        name = name or self._otherwise_spelt(text)
        if name is None:
            listed = ", ".join(self._called) or "none; the file has no objects or effectors"
            raise BadValue(where, f"one of {listed}", repr(shown(text)))
        if not anchor:
            return name
        found = [each for each in self.objects if each.name == name]
        if not found or anchor not in found[0].anchor_names:
            known = ", ".join(found[0].anchor_names if found else ()) or "none"
            raise BadValue(where, f"an anchor of {name}: {known}", repr(shown(anchor)))
        return f"{name}.{anchor}"

    def of_object(self, text: str, where: str) -> str:
        """The object, or an anchor of one, that a text of the file names."""
        name = self.reference(text, where)
        known = [each.name for each in self.objects]
        if element_of(name) not in known:
            expected = f"an object: {', '.join(known) or 'none; the file has no objects'}"
            raise BadValue(where, expected, repr(shown(text)))
        return name

    def object_name(self, text: str, where: str) -> str:
        """The object that a text of the file names."""
        name = self.of_object(text, where)
        if anchor_of(name):
            raise BadValue(where, "an object, without its anchors", repr(shown(text)))
        return name

    def pair(self, constrained: str, constraining: str) -> tuple[str, str]:
        """Two references that meet; between objects, their offsets stand for them."""
        of_objects = [each.name for each in self.objects]
        if element_of(constrained) in of_objects and element_of(constraining) in of_objects:
            return self._with_offset(constrained), self._with_offset(constraining)
        return constrained, constraining

    def add_object(self, value: object, where: str, scene: Scene, character: Actor) -> None:
        """Read one entry of `objects`."""
        given = mapping_in(value, where, _OBJECT_KEYS)
        called = needed_text(given, "objectName", f"{where}.")
        prop = _prop(given, called, where, scene, character)
        made = _object(given, called, prop, where)
        self._add(called, made.name, f"{where}.objectName")
        self.objects.append(made)
        self.modifiable += [made.name] if flag(given, "isModifiable", f"{where}.") else []
        self.replaceable += [made.name] if flag(given, "isReplaceable", f"{where}.") else []
        offset = optional_text(given, "offsetName", f"{where}.")
        if offset:
            self.offsets[made.name] = _plain(offset)

    def add_effector(self, value: object, where: str, character: Actor) -> None:
        """Read one entry of `effectors`."""
        given = mapping_in(value, where, _EFFECTOR_KEYS)
        called = needed_text(given, "effectorName", f"{where}.")
        name = _plain(called)
        self._add(called, name, f"{where}.effectorName")
        self.effectors.append(Effector(name, _point(given, called, where, character)))

    def _add(self, called: str, name: str, where: str) -> None:
        if name in self.names:
            raise BadValue(where, "a name of its own", f"{shown(called)!r} twice")
        self._called[called] = self._called[name] = name

    def _with_offset(self, reference: str) -> str:
        offset = self.offsets.get(reference)
        return f"{reference}.{offset}" if offset else reference

    def _otherwise_spelt(self, text: str) -> str | None:
        """An effector that is spelt otherwise here than where it was listed."""
        spelt = effector_name(text)
        found = [each.name for each in self.effectors if effector_name(each.name) == spelt]
        return found[0] if spelt and len(found) == 1 else None


def read_elements(whole: Mapping[str, Any], scene: Scene, character: Actor) -> Elements:
    """The elements of a file."""
    found = Elements()
    for index, each in enumerate(entries(whole, "effectors", "", MOST_ELEMENTS)):
        found.add_effector(each, f"effectors[{index}]", character)
    for index, each in enumerate(entries(whole, "objects", "", MOST_ELEMENTS)):
        found.add_object(each, f"objects[{index}]", scene, character)
    return found


def effector_point(character: Actor, name: str) -> Point:
    """The point of an effector of this name, or of the joint that is called so."""
    spelt = effector_name(name)
    if spelt:
        joint = character.rig.names[effector_joint(character, spelt)]
    elif name in character.rig.names:
        joint = name
    else:
        expected = f"one of {', '.join(EFFECTORS)}, or a joint of {character.name}"
        raise BadValue("effectorName", expected, repr(shown(name)))
    return Point(joint, character=character.name)


def _point(given: Mapping[str, Any], called: str, where: str, character: Actor) -> Point:
    joint = optional_text(given, "joint", f"{where}.")
    if joint:
        try:
            character.rig.joint(joint)
        except ArcwrightError as error:
            raise BadValue(f"{where}.joint", f"a joint of {character.name}", error) from error
        point = Point(joint, character=character.name)
    else:
        try:
            point = effector_point(character, called)
        except BadValue as error:
            raise BadValue(f"{where}.effectorName", error.expected, error.got) from error
    offset = given.get("offset")
    return point if offset is None else replace(point, offset=vector(offset, f"{where}.offset"))


def _prop(
    given: Mapping[str, Any], called: str, where: str, scene: Scene, character: Actor
) -> Actor:
    own = optional_text(given, "actor", f"{where}.")
    known = {each.name: each for each in scene.actors if each is not character}
    found = known.get(own or called)
    if found is None:
        listed = ", ".join(known) or "none; the scene has no props"
        key = "actor" if own else "objectName"
        raise BadValue(
            f"{where}.{key}", f"a prop of the scene: {listed}", repr(shown(own or called))
        )
    return found


def _object(given: Mapping[str, Any], called: str, prop: Actor, where: str) -> ActivityObject:
    anchors = anchors_in(given.get("anchors"), f"{where}.anchors")
    offset = optional_text(given, "offsetName", f"{where}.")
    if offset and offset not in anchors:
        anchors = {offset: _marked(prop, offset, f"{where}.offsetName"), **anchors}
    places = np.array([*anchors.values()]).reshape(-1, 3)
    name = _plain(called)
    names = tuple(map(_plain, anchors))
    if len(set(names)) < len(names) or not all(names):
        raise BadValue(f"{where}.anchors", "names of their own", ", ".join(map(repr, anchors)))
    return ActivityObject(name, "" if prop.name == name else prop.name, names, places)


def _marked(prop: Actor, name: str, where: str) -> Floats:
    found = marked_anchor(prop, name)
    if found is None:
        expected = f"a joint of {prop.name}, or one of its anchors"
        raise BadValue(where, expected, repr(shown(name)))
    return found


def _plain(name: str) -> str:
    """A name for an element or anchor: dots lead from an element to its anchors."""
    return name.replace(".", "_")
