"""Report of a replayed gesture file, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from arcwright.tools.replay.gesture_entries import FileDrag, FileGesture, FileSetting
from arcwright.tools.replay.gesture_file import Case
from arcwright.tools.replay.outcome import Outcome
from arcwright.tools.tool import Solved, Unchanged

WHY: dict[Unchanged, str] = {
    "no constraints": "there are no constraints in these frames",
    "all met": "all constraints are met already",
    "no gain": "nothing would be gained",
}


def outcome_lines(case: Case, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """A line for each interaction, and what else there is to say of it."""
    first = [each for each in case.gestures if not each.continues]
    for gesture, outcome in zip(first, outcomes, strict=True):
        hit = "" if outcome.hit_m is None else f"{outcome.hit_m * 1000:.3f} mm off, "
        yield (
            f"{_name(gesture)}: {hit}pins slipped {outcome.pin_drift_m * 1000:.3f} mm, "
            f"keys {outcome.keys_before} to {outcome.keys_after}, {outcome.ms_p50:.1f} ms an update"
        )
        yield from (f"  {note}" for note in outcome.notes)
        yield from _used_lines(case, outcome.used)


def _name(gesture: FileGesture) -> str:
    match gesture:
        case FileDrag():
            return f"{gesture.name} at frame {gesture.frame:g}"
        case FileSetting():
            return "options " + ", ".join(gesture.options)
    return f"{type(gesture.samples).__name__.lower()} of {len(gesture.samples)} samples"


def solved_lines(case: Case, applied: Solved) -> Iterator[str]:
    """What was done without a gesture, and what still does not hold."""
    yield f"unchanged: {WHY[applied.unchanged]}" if applied.unchanged else "changed: added 1 layer"
    yield from (f"  {note.text}" for note in applied.notes)
    yield from _used_lines(case, applied.used)


def _used_lines(case: Case, used: Mapping[str, float]) -> Iterator[str]:
    """Where an option was given and something else was made of it; an end of 0 asks for none."""
    for name, asked in case.options.items():
        left_open = name in ("start", "end") and not asked
        if name in used and not left_open and abs(used[name] - asked) > 1e-9:
            yield f"  {name}: {asked:g} s was requested, {used[name]:g} s is used"
