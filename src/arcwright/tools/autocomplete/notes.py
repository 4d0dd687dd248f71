"""Notes: what a completion leaves undone, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from arcwright.tools.autocomplete.key_fit import KeyFit
from arcwright.tools.tool import Note


def completion_notes(
    fit: KeyFit, tolerance: float, missed: Mapping[str, float], unlike: float | None, why: str
) -> Iterator[Note]:
    """Notes on the model, on feet and on the fit."""
    if why:
        yield Note(why, "info")
    if unlike is not None and unlike > 1:
        text = (
            f"These keys are unlike the examples of the model ({unlike:.1f} times as far as usual)"
        )
        yield Note(f"{text}: check the result, or lower the strength", "info", unlike)
    for joint, away in missed.items():
        yield Note(
            f"{joint} stays {100 * away:.1f} cm short of its path", "residual", away, "reach"
        )
    if fit.error > tolerance:
        text = f"Between keys joints are up to {1000 * fit.error:.0f} mm off"
        few = "in-between keys are at most 8 a second and one a frame"
        yield Note(f"{text}: {few}", "info", fit.error)
