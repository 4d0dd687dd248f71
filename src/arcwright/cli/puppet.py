"""`arcwright puppet`: replay a recorded device path on a puppet."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from arcwright.cli.parser import Commands, add_command, not_negative
from arcwright.cli.tools import add_options, options_of
from arcwright.open import read


def add(commands: Commands) -> None:
    """Add the command."""
    from arcwright.tools.options import described
    from arcwright.tools.puppet.options import PuppetOptions

    command = add_command(commands, "puppet", run, reads=False, abbreviations=False)
    command.add_argument("file", metavar="PATH.json", help="samples of a device that holds a stick")
    command.add_argument(
        "--character", metavar="FILE", default="biped", help="a file or built-in (default biped)"
    )
    command.add_argument(
        "--terrain", metavar="FILE", help="blocks and ramps on the ground, as JSON"
    )
    command.add_argument("--take", metavar="NAME", default="", help="begin as this take is")
    command.add_argument(
        "--time",
        metavar="S",
        type=not_negative,
        default=0.0,
        help="seconds of the take to begin at",
    )
    command.add_argument("--out", metavar="OUT", help="write the scene with the performed take")
    add_options(command, described(PuppetOptions))


def run(given: argparse.Namespace) -> None:
    """Replay a recorded device path: a puppet at the end of a stick walks, jumps and falls."""
    from arcwright.puppet_file import read_terrain_file, replay_path
    from arcwright.tools.options import options_from
    from arcwright.tools.puppet.options import PuppetOptions

    scene = read(given.character)
    options = options_from(PuppetOptions, options_of(given))
    for take in options.roles.values():
        scene.actor("").take(take)
    terrain = None if given.terrain is None else read_terrain_file(Path(given.terrain))
    result = replay_path(
        Path(given.file),
        scene,
        given.out,
        take=given.take,
        time=given.time,
        terrain=terrain,
        options=options,
    )
    if given.json:
        print(json.dumps({"file": given.file, **result}))
        return
    for time, state in result["states"]:
        print(f"{time:8.2f} s  {state}")
    for name in ("skate_cm_per_frame", "lag_ms", "distance_rms_m"):
        value = result[name]
        print(f"{name}: {'none' if value is None else f'{value:.3g}'}")
    for note in result["notes"]:
        print(f"note: {note}")
