"""What an edit of a shot leaves undone, in plain words."""

from __future__ import annotations

from collections.abc import Mapping

from arcwright.scene.flow import FlowLayer
from arcwright.tools.flow.model import Bent
from arcwright.tools.flow.prepared_shot import PreparedShot
from arcwright.tools.flow.shear import worst_shear
from arcwright.tools.tool import Note

_NAMED = 3  # of the objects that are limited
_SHEAR = 1.5  # ratio of singular values in space, of an object's triangles


def notes_of(prepared: PreparedShot, bent: Bent, layer: FlowLayer | None) -> tuple[Note, ...]:
    """Notes on the last layer, and on how the whole looks from elsewhere."""
    if layer is None:
        return ()
    found = []
    if layer.kind == "stroke" and not layer.muted and layer.strength > 0 and not bent.matched:
        found.append(Note(_why_nothing(prepared, bent, layer), "info"))
    if layer.kind == "centre" and not layer.muted and layer.strength > 0 and not bent.matched:
        text = "No curve can be led to the centre point: all would have to turn too far."
        found.append(Note(text, "info"))
    found += _limited(prepared, bent.shares)
    found += _shear_note(prepared, bent)
    return tuple(found)


def _why_nothing(prepared: PreparedShot, bent: Bent, layer: FlowLayer) -> str:
    if not any(prepared.movable):
        return "Nothing in the shot can be bent: it is empty, or all of it is ground or sky."
    if not bent.flow:
        return "The stroke is too short: draw a line of at least 8 px."
    return (
        f"No curve within {layer.range:.0f} px runs along the stroke: draw nearer to one, or raise "
        "the range."
    )


def _limited(prepared: PreparedShot, shares: Mapping[int, float]) -> list[Note]:
    """Objects that the distortion budget stopped, the most limited first."""
    stopped = sorted((share, prepared.names[i]) for i, share in shares.items() if share < 0.999)
    if not stopped:
        return []
    least, name = stopped[0]
    if len(stopped) == 1:
        text = f"{name} goes {100 * least:.0f} % of the way: further would distort it too much."
        return [Note(text, "residual", 1 - least, name)]
    listed = ", ".join(f"{each} {100 * share:.0f} %" for share, each in stopped[:_NAMED])
    more = ", …" if len(stopped) > _NAMED else ""
    text = (
        f"{len(stopped)} objects go part of the way ({listed}{more}): further would distort them "
        "too much."
    )
    return [Note(text, "residual", 1 - least, name)]


def _shear_note(prepared: PreparedShot, bent: Bent) -> list[Note]:
    worst = worst_shear(prepared, bent)
    if worst is None or worst[1] < _SHEAR:
        return []
    name, ratio = worst
    text = (
        f"{name} is stretched by {ratio:.1f} in space: from another view it looks sheared. "
        "Keep the camera where it is."
    )
    return [Note(text, "info", ratio)]
