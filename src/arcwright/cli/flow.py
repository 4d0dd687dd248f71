"""`arcwright flow`: bend a scene along strokes, or list its curves."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from arcwright.cli.parser import FILE_HELP, Commands, add_command, check_out, read_file
from arcwright.cli.tools import add_options, options_of
from arcwright.errors import BadValue
from arcwright.open import write


def add(commands: Commands) -> None:
    """Add the command."""
    from arcwright.tools.flow.options import FlowOptions
    from arcwright.tools.options import described

    command = add_command(commands, "flow", run, abbreviations=False)
    command.add_argument("file", metavar="FILE", help=FILE_HELP)
    command.add_argument(
        "--strokes", metavar="FILE", help="camera, strokes, centre point and curves, as JSON"
    )
    command.add_argument(
        "--list-curves", action="store_true", help="only list objects and their curves"
    )
    command.add_argument("--out", metavar="OUT", help="write the bent scene")
    command.add_argument(
        "--result",
        choices=("morph", "mesh"),
        default="morph",
        help="bent as one morph target (default), or as new meshes",
    )
    command.add_argument("--still", metavar="PNG", help="draw the shot as it is then")
    add_options(command, described(FlowOptions))


def run(given: argparse.Namespace) -> None:
    """Bend the objects of a scene along strokes, or lead them to a centre point."""
    from arcwright.flow_file import FlowFile, compose, list_curves, read_flow_file, with_new_meshes
    from arcwright.picture.still import still
    from arcwright.tools.flow.options import FlowOptions
    from arcwright.tools.options import options_from

    options = options_from(FlowOptions, options_of(given))
    if not (given.strokes or given.list_curves):
        raise BadValue("flow", "--strokes FILE or --list-curves", "neither")
    for name in set(options_of(given)) & {"use", "layer", "remove", "place"}:
        raise BadValue(f"--{name}", "gestures, as `arcwright replay` has them", "a file")
    if given.out:
        check_out(given)
    file = read_flow_file(Path(given.strokes)) if given.strokes else FlowFile()
    scene = read_file(given)
    if given.list_curves:
        _print_curves(given, list_curves(scene, file, options))
        return
    edit, report = compose(scene, file, options)
    after = edit.apply(scene)
    if given.still:
        assert after.flow is not None
        still(after, given.still, camera=after.flow.shot.camera, time=after.flow.shot.time)
    warnings: tuple[str, ...] = ()
    if given.out:
        warnings = write(with_new_meshes(after) if given.result == "mesh" else after, given.out)
    if given.json:
        print(json.dumps({"file": given.file, "out": given.out, **report, "warnings": warnings}))
        return
    for each in report["pieces"]:
        angle = f"{each['angle_before_deg']:5.1f} to {each['angle_after_deg']:4.1f} deg"
        away = f"{each['distance_before_px']:6.1f} to {each['distance_after_px']:5.2f} px"
        print(f"{each['layer']}: {each['curve']}  score {each['score']:.0f}  {angle}  {away}")
    print(f"contact drift {report['contact_drift_px']:.3f} px, {report['flips']} flips")
    for text in report["notes"]:
        print(f"note: {text}")


def _print_curves(given: argparse.Namespace, found: dict[str, Any]) -> None:
    if given.json:
        print(json.dumps({"file": given.file, **found}))
        return
    for each in found["curves"]:
        shown = "second" if each["second"] else each["kind"]
        print(f"{each['name']}  {shown}  {', '.join(each['objects'])}")
