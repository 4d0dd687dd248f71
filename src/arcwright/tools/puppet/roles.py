"""Roles: which of a character's takes is its idle, walk, run, … by name, or as the user says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

ROLES: Mapping[str, tuple[str, ...]] = {
    "idle": ("idle", "stand", "breath", "wait", "survey", "hover", "rest"),
    "walk": ("walk", "stride"),
    "run": ("run", "gallop", "sprint", "jog"),
    "crouch": ("crouch idle", "sneak idle", "crouch", "sneak pose"),
    "crouch_walk": ("crouch walk", "sneak walk", "crouch forward", "crouch fwd", "sneak"),
    "mid_jump": ("mid jump", "jump idle", "jump loop", "jump air", "fall idle", "jump", "fall"),
    "get_up_back": ("get up back", "get up", "getup", "lie stand up", "stand up", "standing"),
    "get_up_front": ("get up front", "get up", "getup", "lie stand up"),
    "punch": ("punch",),
    "kick": ("kick",),
    "throw": ("throw",),
}
"""Words of each role's takes, the best first; a word of a name may go on: walk, walking."""
_ACTS = ("attack", "hit", "death", "die", "dead", "sit", "lie", "climb", "swim", "fly", "dance")
_ASIDE = ("back", "strafe", "left", "right", "turn", "side", "stop", "start", "end")
NEVER: Mapping[str, tuple[str, ...]] = {
    "idle": (*_ACTS, "jump", "fall", "crouch", "sneak", "block", "walk", "run", "up"),
    "walk": (*_ACTS, *_ASIDE, "jump", "fall", "crouch", "sneak", "crawl", "run"),
    "run": (*_ACTS, *_ASIDE, "jump", "fall", "crouch", "sneak", "slide", "walk"),
    "crouch": (*_ACTS, *_ASIDE, "walk", "forward", "fwd", "run", "up"),
    "crouch_walk": (*_ACTS, *_ASIDE, "idle", "pose"),
    "mid_jump": (*_ACTS, "land", "start", "end"),
    "get_up_back": ("sit", "chair", "front", "idle", "walk", "run"),
    "get_up_front": ("sit", "chair", "back", "idle", "walk", "run"),
    "punch": ("hit", "death", "block", "idle"),
    "kick": ("hit", "death", "block", "idle"),
    "throw": ("hit", "death", "block", "idle"),
}
"""Words of takes that do something else."""
AFLOAT = "fly", "swim"
"""Words of the idle of a character that neither stands nor walks."""
PLAIN = ("a", "loop", "normal", "neutral", "basic", "forward", "fwd", "in", "place", "full", "long")
"""Words that do not make a take a variant."""


def find_roles(takes: Sequence[str], chosen: Mapping[str, str] | None = None) -> dict[str, str]:
    """The take of each role that there is one for; `chosen` says it for some."""
    found = {role: take for role, take in (chosen or {}).items() if take in takes and role in ROLES}
    for role, phrases in ROLES.items():
        if role not in found and (take := _plainest(takes, phrases, NEVER[role])):
            found[role] = take
    if not found.keys() & {"idle", "walk", "run"}:
        never = (*NEVER["idle"], *NEVER["walk"])
        if take := _plainest(takes, AFLOAT, never):
            found["idle"] = take
    if not found and len(takes) == 1:
        found["walk"] = takes[0]  # a single clip without a telling name
    return found


def _plainest(takes: Sequence[str], phrases: Sequence[str], never: Sequence[str]) -> str:
    """The take of the first phrase that any has, with the fewest other words; "" without."""
    for phrase in phrases:
        named = [take for take in takes if _matches(take, phrase, never)]
        if named:
            return min(named, key=lambda take: (_extra(take, phrase), takes.index(take)))
    return ""


def _matches(take: str, phrase: str, never: Sequence[str]) -> bool:
    words, parts = _words(take), phrase.split()
    if any(_is(word, bad) for word in words for bad in never if bad not in parts):
        return False
    if phrase == "standing":
        return words == ["standing"]
    return all(any(_is(word, part) for word in words) for part in parts)


def _extra(take: str, phrase: str) -> int:
    """How many words make the take a variant of what the phrase says."""
    parts = (*phrase.split(), *PLAIN)
    return sum(not any(_is(word, part) for part in parts) for word in _words(take))


def _is(word: str, part: str) -> bool:
    """Whether a word of a name is a word of a phrase, or begins with it; short ones do not."""
    return word == part or (len(part) > 2 and word.startswith(part))


def _words(take: str) -> list[str]:
    """The words of a name in any notation, of `Armature|Walk` those after the bar."""
    name = take.rpartition("|")[2]
    found = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)
    return [word.lower() for word in found]
