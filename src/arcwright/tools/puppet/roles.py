"""Roles: which of a character's takes is its idle, walk, run, … by name, or as the user says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

ROLES: Mapping[str, tuple[str, ...]] = {
    "idle": ("idle", "stand", "breath", "wait", "survey", "hover"),
    "walk": ("walk", "walking", "stride"),
    "run": ("run", "running", "gallop", "sprint", "jog"),
    "crouch": ("crouch", "crouching", "sneak idle"),
    "crouch_walk": ("crouch walk", "walk crouch", "crouching walk", "sneak", "sneaking"),
    "mid_jump": ("mid jump", "jump idle", "jump air", "fall idle", "jump"),
    "get_up_back": ("get up back", "get up", "lie stand up", "stand up", "standing"),
    "get_up_front": ("get up front", "get up", "lie stand up"),
    "punch": ("punch",),
    "kick": ("kick",),
    "throw": ("throw",),
}
"""Words of each role's takes, the best first."""
NOT_IDLE = ("jump", "fall", "crouch", "lie", "sit", "attack", "block")


def find_roles(takes: Sequence[str], chosen: Mapping[str, str] | None = None) -> dict[str, str]:
    """The take of each role that there is one for; `chosen` says it for some."""
    found = dict(chosen or {})
    for role, phrases in ROLES.items():
        if role in found:
            continue
        for phrase in phrases:
            named = [take for take in takes if _matches(take, phrase, role)]
            if named:
                found[role] = min(named, key=lambda take: (len(_words(take)), takes.index(take)))
                break
    if not found and len(takes) == 1:
        found["walk"] = takes[0]  # a single clip without a telling name
    return found


def _matches(take: str, phrase: str, role: str) -> bool:
    words = _words(take)
    if role in ("idle", "walk", "run") and any(word in NOT_IDLE for word in words):
        return False
    return all(any(word.startswith(part) for word in words) for part in phrase.split())


def _words(take: str) -> list[str]:
    """The words of a name in any notation, of `Armature|Walk` those after the bar."""
    name = take.rpartition("|")[2]
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
