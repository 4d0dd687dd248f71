"""The command line: `arcwright studio | inspect | convert | picture | replay | ...`, see --help.

Exit codes: 0 done, 2 bad input (one line on standard error), 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from arcwright import characters
from arcwright.errors import ArcwrightError, BadFile, BadValue, MissingExtra, json_fault
from arcwright.open import is_built_in, read, write
from arcwright.summary import format_summary, summary
from arcwright.version import __version__

if TYPE_CHECKING:
    from arcwright.scene.scene import Scene
    from arcwright.tools.replay.gesture_file import Case

GESTURE_BYTES = 16_000_000  # the longest gesture file that is read


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    parsed = _parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], int | None] = parsed.command
    try:
        return command(parsed) or 0
    except ArcwrightError as error:
        return _fail(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _fail(f"{error.filename or 'file'}: {error.strerror or error}")
    except KeyboardInterrupt:
        return 130


def studio(given: argparse.Namespace) -> int:
    """Open the studio in a browser."""
    try:
        from arcwright.server.transport.start import studio as start
    except ModuleNotFoundError as error:
        raise MissingExtra("the studio", "studio") from error
    file, share = given.file, given.share
    if share not in (None, "edit", "view"):
        if file is not None:
            raise BadValue("--share", "edit or view", share)
        file, share = share, "edit"  # `--share FILE`
    return start(
        file, port=given.port, browser=not given.no_browser, folder=given.folder, share=share
    )


def inspect(given: argparse.Namespace) -> None:
    """Describe the contents of a file."""
    scene = read(given.file, unit=given.unit, up=given.up)
    if given.json:
        print(json.dumps({"file": given.file, **summary(scene)}))
    else:
        print(format_summary(scene, joints=given.joints))


def convert(given: argparse.Namespace) -> None:
    """Convert a file: all takes or one, unchanged or reduced to few key poses."""
    from arcwright.convert import convert as convert_scene

    if Path(given.out).exists() and Path(given.out).resolve() == Path(given.file).resolve():
        raise BadValue("OUT", "another file than IN", given.out)
    scene = read(given.file, unit=given.unit, up=given.up)
    plain = given.out.endswith((".glb", ".gltf")) and not given.out.endswith(".arc.glb")
    scene, notes = convert_scene(
        scene,
        take=given.take,
        fit=given.fit,
        rate=given.fps,
        quaternions=plain,
        per_channel=given.per_channel,
    )
    dropped = write(scene, given.out)
    warnings = [*(scene.source.warnings if scene.source else ()), *dropped]
    if given.json:
        print(json.dumps({"out": given.out, "notes": notes, "warnings": warnings}))
    else:
        print("\n".join([f"wrote {given.out}", *notes]))
        for warning in warnings:
            print(f"warning: {warning}", file=sys.stderr)


def picture(given: argparse.Namespace) -> None:
    """Draw poses over time with the motion trails of chosen joints."""
    from arcwright.picture.strobe import strobe

    scene = read(given.file, unit=given.unit, up=given.up)
    strobe(
        scene,
        given.out,
        take=given.take,
        points=tuple(name for name in given.points.split(",") if name),
        every=given.every,
        size=given.size,
        dark=not given.light,
    )
    print(json.dumps({"out": given.out}) if given.json else f"wrote {given.out}")


def list_characters(given: argparse.Namespace) -> None:
    """List the built-in characters and their takes."""
    scenes = {name: characters.built_in(name) for name in characters.names()}
    if given.json:
        print(json.dumps({name: summary(scene) for name, scene in scenes.items()}))
        return
    for name, scene in scenes.items():
        character = scene.characters[0]
        print(f"{name}: {len(character.rig.names)} joints, {len(character.rig.channels)} channels")
        for take in summary(scene)["characters"][0]["takes"]:
            print(f"  {name}:{take['name']}  {take['frames'] - 1} frames, {take['keys']} keys")


def replay(given: argparse.Namespace) -> None:
    """Replay a gesture file: run its drags, or solve its constraints, and report the result."""
    from arcwright.tools.replay.replay import apply, can_apply
    from arcwright.tools.replay.replay import replay as replay_case
    from arcwright.tools.replay.report import outcome_lines, solved_lines

    path = Path(given.file)
    case = _case(path)
    scene = read(given.scene) if given.scene else _scene_of(case, path)
    result: dict[str, object]
    if can_apply(case):
        scene, applied = apply(case, scene)
        result, lines = {"applied": applied.as_json()}, solved_lines(case, applied)
    else:
        scene, outcomes = replay_case(case, scene)
        result = {"interactions": [outcome.as_json() for outcome in outcomes]}
        lines = outcome_lines(case, outcomes)
    if given.out:
        write(scene, given.out)
    for line in (json.dumps(result),) if given.json else lines:
        print(line)


def _case(path: Path) -> Case:
    """Parse a gesture file."""
    from arcwright.files.array_file import read_arrays
    from arcwright.files.regular import read_regular
    from arcwright.tools.replay.gesture_file import parse_gesture_file

    try:
        given = json.loads(read_regular(path, GESTURE_BYTES))
        return parse_gesture_file(given, partial(read_arrays, path.parent))
    except RecursionError as error:
        raise BadFile(path, "has JSON nested too deeply") from error
    except ValueError as error:
        raise BadFile(path, json_fault(error)) from error


def _scene_of(case: Case, path: Path) -> Scene:
    """Read the scene of a gesture file: a built-in, or a file in the folder of the gesture file."""
    from arcwright.files.referenced_files import SCENES, UnreadableReference, resolve_reference

    if is_built_in(case.scene):
        return characters.built_in(case.scene)
    try:
        resolve_reference(path, case.scene, SCENES)
    except UnreadableReference as error:
        advice = "choose the scene yourself with --scene FILE"
        raise BadFile(path, f"its scene {error}", advice) from error
    return read(path.parent / case.scene.replace("\\", "/"))


def detect(given: argparse.Namespace) -> None:
    """List the detected footplants, handholds and left-right pairs of a take."""
    from arcwright.kinematics.detection import detect as detect_in

    scene = read(given.file, unit=given.unit, up=given.up)
    detected = detect_in(scene, given.take)
    if given.json:
        print(json.dumps({"file": given.file, **detected.as_json()}))
        return
    for each in detected.footplants:
        print(f"{each.joint}: frames {each.first:g} to {each.last:g}, slides {each.slide:.3f} m")
    for hold in detected.handholds:
        span = f"frames {hold.first:g} to {hold.last:g}"
        print(f"{hold.joint} on {hold.prop}: {span}, slides {hold.slide:.3f} m")
    for pair in detected.pairs:
        print(f"{pair.left}, {pair.right}: {pair.shortest:.3f} to {pair.longest:.3f} m apart")


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One line, as for every other bad input."""
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def _parser() -> _Parser:
    parser = _Parser(prog="arcwright", description="Animate with movement itself.")
    parser.add_argument("--version", action="version", version=f"arcwright {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    command = _verb(commands, "studio", studio, reads=False, json_output=False)
    command.add_argument("file", metavar="FILE", nargs="?", help="a file, or a built-in")
    command.add_argument(
        "--port", metavar="N", type=_port, help="port to use, the first free one by default"
    )
    command.add_argument(
        "--share",
        nargs="?",
        const="edit",
        metavar="edit|view",
        help="share by a link with others on this network: edit (default) or view",
    )
    command.add_argument(
        "--folder", metavar="DIR", help="folder to open files from and save them to"
    )
    command.add_argument(
        "--no-browser", action="store_true", help="print the address instead of opening a browser"
    )

    command = _verb(commands, "inspect", inspect)
    command.add_argument("file", metavar="FILE", help="a file, or a built-in such as biped:walk")
    command.add_argument(
        "--joints",
        action="store_true",
        help="list each joint: role, whether edits may change its length, and why",
    )

    command = _verb(commands, "convert", convert)
    command.add_argument("file", metavar="IN", help="a file, or a built-in such as biped:walk")
    command.add_argument("out", metavar="OUT", help=".arc.glb, .glb, .gltf or .bvh")
    command.add_argument("--take", metavar="NAME", help="keep this take only")
    command.add_argument(
        "--fit",
        metavar="TOLERANCE",
        type=_above_zero,
        help="reduce to few key poses; no joint may move further than this, in metres",
    )
    command.add_argument(
        "--per-channel",
        action="store_true",
        help="with --fit: keys only for the channels that need them, not whole key poses",
    )
    command.add_argument("--fps", metavar="N", type=_above_zero, help="frames per second of OUT")

    command = _verb(commands, "picture", picture)
    command.add_argument("file", metavar="FILE", help="a file, or a built-in such as biped:walk")
    command.add_argument("out", metavar="OUT.png")
    command.add_argument("--take", metavar="NAME", help="which take, the first by default")
    command.add_argument(
        "--points", metavar="A,B", default="", help="joints whose motion trails are drawn"
    )
    command.add_argument("--every", metavar="N", type=_whole, help="frames between two poses")
    command.add_argument("--size", metavar="WxH", type=_size, default=(1600, 900), help="in pixels")
    command.add_argument("--light", action="store_true", help="use a light background")

    _verb(commands, "characters", list_characters, reads=False)

    command = _verb(commands, "replay", replay, reads=False)
    command.add_argument("file", metavar="GESTURES.json")
    command.add_argument(
        "--scene", metavar="FILE", help="use this scene instead of the one in the file"
    )
    command.add_argument("--out", metavar="FILE", help="write the edited scene")

    description = "Spacetime editing of whole motions."
    spacetime = commands.add_parser("spacetime", help=description, description=description)
    spacetime_commands = spacetime.add_subparsers(
        title="commands", required=True, metavar="COMMAND"
    )
    command = _verb(spacetime_commands, "detect", detect)
    command.add_argument("file", metavar="FILE", help="a file, or a built-in such as biped:walk")
    command.add_argument(
        "--take", metavar="NAME", default="", help="which take, the first by default"
    )
    return parser


def _verb(
    commands: argparse._SubParsersAction[_Parser],
    name: str,
    command: Callable[[argparse.Namespace], int | None],
    *,
    reads: bool = True,
    json_output: bool = True,
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=command.__doc__, description=command.__doc__)
    parser.set_defaults(command=command)
    if json_output:
        parser.add_argument("--json", action="store_true", help="print JSON")
    if reads:
        parser.add_argument(
            "--up", choices=("Y", "Z"), help="up axis of the file, instead of a guess"
        )
        parser.add_argument(
            "--unit",
            metavar="M",
            type=_above_zero,
            help="metres per unit of the file, instead of a guess",
        )
    return parser


def _above_zero(text: str) -> float:
    number = float(text)
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a number above 0")
    return number


def _whole(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number above 0")
    return number


def _port(text: str) -> int:
    if not (text.isdigit() and 1 <= int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"{text} is not a port, 1 to 65535")
    return int(text)


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdigit() and height.isdigit() and 16 <= int(width) <= 8192):
        raise argparse.ArgumentTypeError(f"{text} is not WIDTHxHEIGHT, 16 to 8192 pixels")
    if not 16 <= int(height) <= 8192:
        raise argparse.ArgumentTypeError(f"{text} is not WIDTHxHEIGHT, 16 to 8192 pixels")
    return int(width), int(height)


def _fail(line: str) -> int:
    print("arcwright: " + " ".join(line.split()), file=sys.stderr)
    return 2
