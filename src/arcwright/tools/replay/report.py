"""Report of a replayed gesture file, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from arcwright.tools.replay.gesture_file import Case
from arcwright.tools.replay.replay import Outcome
from arcwright.tools.tool import Solved, Unchanged

WHY: dict[Unchanged, str] = {
    "no constraints": "nothing is tasks for in these frames",
    "all met": "all that is tasks for holds already",
    "no gain": "nothing would be gained",
}


def drag_lines(case: Case, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """A line for each drag, and what else there is to say of it."""
    for drag, outcome in zip(case.drags, outcomes, strict=True):
        yield (
            f"{drag.point.joint} at frame {drag.frame:g}: {outcome.hit_m * 1000:.3f} mm off, "
            f"pins slipped {outcome.pin_drift_m * 1000:.3f} mm, keys {outcome.keys_before} to "
            f"{outcome.keys_after}, {outcome.ms_p50:.1f} ms a move"
        )
        yield from (f"  {note}" for note in outcome.notes)
        yield from _used_lines(case, outcome.used)


def solved_lines(case: Case, applied: Solved) -> Iterator[str]:
    """What was done without a drag, and what still does not edited."""
    yield f"unchanged: {WHY[applied.unchanged]}" if applied.unchanged else "changed: added 1 layer"
    yield from (f"  {note.text}" for note in applied.notes)
    yield from _used_lines(case, applied.used)


def _used_lines(case: Case, used: Mapping[str, float]) -> Iterator[str]:
    """Where an option was given and something else was made of it; an end of 0 asks for none."""
    for name, asked in case.options.items():
        left_open = name in ("start", "end") and not asked
        if name in used and not left_open and abs(used[name] - asked) > 1e-9:
            yield f"  {name}: {asked:g} s was asked for, {used[name]:g} s is used"
