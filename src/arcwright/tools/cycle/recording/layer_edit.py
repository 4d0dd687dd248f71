"""The edit of a layer: performed channels get its curves, all others stay as they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from arcwright.arrays import same
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.edit import Address, Change, Edit
from arcwright.scene.take import Take


def layer_edit(
    label: str, before: Take | None, address: Address, longer: Take, curves: Mapping[int, Curve]
) -> Edit:
    """One undo step: from the take at an address (None for an actor without one) to the layered."""
    base = longer.base
    assert isinstance(base, Clip)
    layered = replace(
        base, curves=tuple(curves.get(channel, old) for channel, old in enumerate(base.curves))
    )
    if before is None:
        take = replace(longer, base=layered)
        return Edit(label, (Change(address, (), (take,)),))
    was = before.base
    assert isinstance(was, Clip)
    if not same(replace(base, curves=()), replace(was, curves=())):
        return Edit(label, (Change((*address, "base"), was, layered),))
    changes = [
        Change((*address, "base", "curves", channel), old, new)
        for channel, (old, new) in enumerate(zip(was.curves, layered.curves, strict=True))
        if not same(old, new)
    ]
    return Edit(label, tuple(changes))
