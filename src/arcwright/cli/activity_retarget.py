"""`arcwright activity retarget`: a take and what it is about, for another character."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from arcwright.cli.parser import check_out
from arcwright.errors import BadValue
from arcwright.open import read, write


def run(given: argparse.Namespace, options: dict[str, Any]) -> None:
    """Retarget the activity of a file, after its edits, to the first character of another file."""
    from arcwright.activity_file.carry_out import carry_out
    from arcwright.activity_file.read import read_activity
    from arcwright.tools.activity.options import ActivityOptions
    from arcwright.tools.activity.retargeted import BODY_FOLLOWS, retargeted_activity

    if not given.character:
        raise BadValue("--character", "the file of the new character, or a built-in", "none")
    if given.out:
        check_out(given)
    new = read(given.character).characters
    if not new:
        raise BadValue("--character", "a file with a character", given.character)
    path = Path(given.file)
    file = read_activity(path, read(given.scene) if given.scene else None, take=given.take)
    scene = file.scene
    if file.edits:
        scene = carry_out(file, path, file.edits, ActivityOptions(**options)).scene
    follows = options.get("body_follows", BODY_FOLLOWS)
    made = retargeted_activity(scene, file.activity.name, new[0], body_follows=follows)
    dropped = write(made.edit.apply(scene), given.out) if given.out else ()
    report = made.as_json()
    warnings = [*file.warnings, *dropped]
    if given.json:
        print(json.dumps({"file": given.file, **report, "out": given.out, "warnings": warnings}))
        return
    for each in report["residuals"]:
        away = f"{1000 * each['residual_m']:8.3f} mm"
        print(f"{away}  {each['event']}: {each['element']}")
    for text in (*report["notes"], *warnings):
        print(f"note: {text}")
