"""`arcwright complete` without a gesture: complete the motion between keys."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from arcwright.cli.parser import Parser, read_file

TOOL = "autocomplete"


def add_flags(_: Parser) -> None:
    """Options of the tool are all it needs."""


def run(given: argparse.Namespace, options: Mapping[str, Any]) -> None:
    """Complete between the keys of a take, or the given ones."""
    from arcwright.cli.tools import report
    from arcwright.scripting import begin
    from arcwright.tools.gesture import Setting

    scene = read_file(given)
    target = {"character": given.character, "take": given.take}
    interaction = begin(TOOL, scene, pins=given.pins, **target, **options)
    interaction.update(Setting(interaction.options))
    edit, notes = interaction.finish(), interaction.notes()
    used = getattr(interaction.session, "used", {})
    report(scene, edit, notes, {"used": dict(used)}, given)
