"""Sections of takes in an animation's extras, by the name of the actor's first joint."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

from arcwright.files.gltf.item import Item
from arcwright.scene.section import Section

SECTIONS_EXTRA = "arcwright_sections"  # {"Root": [[seconds, name], ...]}
MOST = 10_000  # sections of one take that are read

Sections = dict[str, tuple[Section, ...]]


def section_extras(sections: Mapping[str, tuple[Section, ...]]) -> dict[str, Any]:
    """What the extras of an animation say of the sections of its actors."""
    stored = {
        name: [[each.start, each.name] for each in own] for name, own in sections.items() if own
    }
    return {SECTIONS_EXTRA: stored} if stored else {}


def stored_sections(animation: Item) -> Sections:
    """The sections of an animation; what is no section is left out."""
    extras = animation.value.get("extras")
    stored = extras.get(SECTIONS_EXTRA) if isinstance(extras, dict) else None
    if not isinstance(stored, dict):
        return {}
    return {name: _rising(own) for name, own in stored.items() if isinstance(own, list)}


def _rising(stored: list[Any]) -> tuple[Section, ...]:
    found: list[Section] = []
    for entry in stored[:MOST]:
        match entry:
            case [float() | int() as start, str(name)] if isfinite(start):
                if not found or start > found[-1].start:
                    found.append(Section(name, start))
    return tuple(found)
