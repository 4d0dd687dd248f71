"""Edits of the markers of a take: add one, move and rename it, remove it."""

from __future__ import annotations

from arcwright.edits.edited_take import EditedTake, check_finite, find_take
from arcwright.errors import BadValue
from arcwright.scene.edit import Change, Edit
from arcwright.scene.marker import Marker
from arcwright.scene.scene import Scene

MOST = 1000  # markers of a take


def add_marker(scene: Scene, character: str, take: str, name: str, time: float) -> Edit:
    """Add a marker; one at the same time is replaced."""
    edited = find_take(scene, character, take)
    check_finite(time=time)
    others = [each for each in edited.take.markers if abs(each.time - time) > 1e-6]
    if len(others) >= MOST:
        raise BadValue("markers", f"at most {MOST}", len(others) + 1)
    label = f"Add marker {name} at frame {_frame(edited, time)}"
    return _edit(edited, [*others, Marker(name, time)], label)


def change_marker(
    scene: Scene,
    character: str,
    take: str,
    index: int,
    *,
    name: str | None = None,
    time: float | None = None,
) -> Edit:
    """Rename or move a marker; None leaves a value unchanged."""
    edited = find_take(scene, character, take)
    before = _marker(edited, index)
    after = Marker(before.name if name is None else name, before.time if time is None else time)
    markers = list(edited.take.markers)
    markers[index] = after
    moved = time is not None and time != before.time
    label = f"Move marker {after.name} to frame {_frame(edited, after.time)}"
    return _edit(edited, markers, label if moved else f"Rename marker to {after.name}")


def remove_marker(scene: Scene, character: str, take: str, index: int) -> Edit:
    """Remove a marker."""
    edited = find_take(scene, character, take)
    gone = _marker(edited, index)
    kept = [each for each in edited.take.markers if each is not gone]
    return _edit(edited, kept, f"Remove marker {gone.name}")


def _marker(edited: EditedTake, index: int) -> Marker:
    if not 0 <= index < len(edited.take.markers):
        raise BadValue("marker", f"0 to {len(edited.take.markers) - 1}", index)
    return edited.take.markers[index]


def _edit(edited: EditedTake, markers: list[Marker], label: str) -> Edit:
    before, after = edited.take.markers, tuple(sorted(markers, key=lambda each: each.time))
    address = (*edited.address, "markers")
    return Edit(label, () if before == after else (Change(address, before, after),))


def _frame(edited: EditedTake, time: float) -> str:
    return f"{round(time * edited.take.rate, 2):g}"
