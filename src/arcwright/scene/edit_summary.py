"""What an edit changes, as short lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.motion import Motion

if TYPE_CHECKING:
    from arcwright.scene.edit import Address, Change, Edit
    from arcwright.scene.scene import Actor, Scene

_SHOWN = 3  # channels of a take that are named


def edit_lines(edit: Edit, scene: Scene | None = None) -> list[str]:
    """The label, then a line for each take, actor or kind of constraint that changes."""
    if edit.empty:
        return [edit.label or "no label", "changes nothing"]
    groups = groupby(edit.changes, key=lambda change: change.address[: _depth(change.address)])
    return [edit.label or "no label", *(_line(at, list(group), scene) for at, group in groups)]


def _depth(address: Address) -> int:
    """How much of an address names the take, or else the actor, or else nothing."""
    if address[:1] not in (("characters",), ("props",)) or len(address) < 2:
        return 0
    return 4 if address[2:3] == ("takes",) and len(address) > 3 else 2


def _line(at: Address, changes: Sequence[Change], scene: Scene | None) -> str:
    curves = [change for change in changes if _is_curve(change)]
    parts = [_part(change, len(at)) for change in changes if not _is_curve(change)]
    if curves:
        before, after = (sum(map(_keys, each)) for each in _values(curves))
        parts.append(f"{_channels(curves, scene)}, keys {before} → {after}")
    where = _where(at, scene)
    return f"{where}: {', '.join(parts)}" if where else ", ".join(parts)


def _values(changes: Sequence[Change]) -> Iterator[list[object]]:
    yield [change.before for change in changes]
    yield [change.after for change in changes]


def _is_curve(change: Change) -> bool:
    return change.address[4:6] == ("base", "curves") and len(change.address) == 7


def _part(change: Change, depth: int) -> str:
    """One change below its actor or take."""
    rest = change.address[depth:]
    name = " ".join(str(step) for step in rest if isinstance(step, str)) or "whole"
    before, after = change.before, change.after
    if isinstance(before, tuple) and isinstance(after, tuple):
        return f"{name} {len(before)} → {len(after)}"
    if isinstance(before, Clip | Motion) and isinstance(after, Clip | Motion):
        return f"{_content(before)} → {_content(after)}"
    return f"{name} changed"


def _content(base: Clip | Motion) -> str:
    return f"{base.key_count} keys" if isinstance(base, Clip) else f"{len(base.time)} samples"


def _keys(curve: object) -> int:
    return len(curve) if isinstance(curve, Curve) else 0


def _channels(changes: Sequence[Change], scene: Scene | None) -> str:
    count = "1 channel" if len(changes) == 1 else f"{len(changes)} channels"
    actor = _actor(changes[0].address, scene)
    if actor is None:
        return count
    shown = [actor.rig.channel_names[int(change.address[-1])] for change in changes[:_SHOWN]]
    return f"{count} ({', '.join(shown)}{', …' if len(changes) > _SHOWN else ''})"


def _actor(at: Address, scene: Scene | None) -> Actor | None:
    actors: tuple[Actor, ...] = getattr(scene, str(at[0]), ())
    return actors[int(at[1])] if int(at[1]) < len(actors) else None


def _where(at: Address, scene: Scene | None) -> str:
    """The actor and take at an address, by name or number; nothing for the scene itself."""
    if len(at) < 2:
        return ""
    actor = _actor(at, scene)
    named = actor.name if actor else f"{str(at[0]).removesuffix('s')} {int(at[1]) + 1}"
    if len(at) < 4:
        return named
    takes = actor.takes if actor else ()
    index = int(at[3])
    return f"{named}, take {takes[index].name if index < len(takes) else index + 1}"
