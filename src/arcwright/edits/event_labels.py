"""Event labels: what a step of the history did to an event."""

from __future__ import annotations

from dataclasses import replace

from arcwright.scene.activity import ActivityEvent

_ROLES = (  # a list of an event, and what it says of an element that joins and leaves it
    ("elements", "{} takes part", "{} takes no part"),
    ("movable", "{} may be moved", "{} may not be moved"),
    ("scalable", "{} may be scaled", "{} may not be scaled"),
    ("replaceable", "{} may be swapped", "{} may not be swapped"),
)


def event_change_label(old: ActivityEvent, new: ActivityEvent) -> str:
    """What was changed, where it is one thing that has words of its own; else ""."""
    if old == new:
        return ""
    what = _role(old, new) or _paired(old, new) or _looks(old, new)
    if what:
        return f"{what} at {new.name!r}" if new.name else what
    if old.name and new.name and replace(old, name=new.name) == new:
        return f"Rename event {old.name} to {new.name}"
    return ""


def _role(old: ActivityEvent, new: ActivityEvent) -> str:
    """The most telling list that changed: who takes part follows from the others."""
    lists = {name: getattr(new, name) for name, *_ in _ROLES}
    if replace(old, **lists) != new:
        return ""
    for name, joins, _ in reversed(_ROLES):
        was, now = set(getattr(old, name)), set(getattr(new, name))
        if len(now - was) == 1 and now >= was:
            return joins.format(*(now - was))
    for name, _, leaves in _ROLES:
        was, now = set(getattr(old, name)), set(getattr(new, name))
        if len(was - now) == 1 and was >= now:
            return leaves.format(*(was - now))
    return ""


def _paired(old: ActivityEvent, new: ActivityEvent) -> str:
    was, now = set(old.pairs), set(new.pairs)
    alone = replace(old, pairs=new.pairs, elements=new.elements) == new
    if alone and len(was ^ now) == 1:
        (pair,) = was ^ now
        names = f"{_plain(pair.constrained)} with {_plain(pair.constraining)}"
        return f"{'Pair' if now > was else 'Unpair'} {names}"
    return ""


def _looks(old: ActivityEvent, new: ActivityEvent) -> str:
    if replace(old, look_at=new.look_at, elements=new.elements) != new:
        return ""
    return f"Look at {_plain(new.look_at) or 'nothing'}"


def _plain(reference: str) -> str:
    return reference.replace(".", " ")
