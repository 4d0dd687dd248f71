"""`arcwright pose`, `tangent`, `spacetime` ...: a command for each tool, made from the catalogue.

Flags of options are made from the tool's `Options`, which also check their values.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Container, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arcwright.cli import activity, complete, cycle
from arcwright.cli.parser import FILE_HELP, Commands, Parser, add_command, check_out, read_file
from arcwright.cli.replay import replay_case
from arcwright.errors import BadValue
from arcwright.open import write
from arcwright.replay import read_case

if TYPE_CHECKING:
    from arcwright.scene.edit import Edit
    from arcwright.scene.scene import Scene
    from arcwright.tools.options import Option
    from arcwright.tools.tool import Note, Tool

_TARGETS = ("by", "to", "turn", "time_scale")
_WITHOUT_GESTURE = {"cycle": cycle, "autocomplete": complete}  # commands of their own then
_WORDS = {"autocomplete": "complete"}  # that name a command, besides the tool's own name
_ACTIONS = {"activity": activity}  # commands that do more if a word before the file says so
_DRAG = ("point", "prop", "frame", "time", "axes", *_TARGETS)  # what a drag is made of


def add(commands: Commands, without: Container[str] = ()) -> None:
    """Add the commands of all tools but those that have one of their own."""
    from arcwright.tools.catalogue import tools
    from arcwright.tools.gesture import Drag
    from arcwright.tools.options import described

    for tool in tools():
        if tool.name in without:
            continue
        about = (type(tool).__doc__ or tool.label).splitlines()[0]
        run = partial(_run, tool)
        word = _WORDS.get(tool.name, tool.name)
        other = {tool.name} - {word}
        command = add_command(
            commands, word, run, about=about, abbreviations=False, aliases=tuple(other)
        )
        if tool.name in _ACTIONS:
            _ACTIONS[tool.name].add_action(command)
        command.add_argument("file", metavar="FILE", help=FILE_HELP)
        command.add_argument("--out", metavar="OUT", help="write the edited scene")
        command.add_argument("--take", metavar="NAME", default="", help="the first by default")
        command.add_argument("--character", metavar="NAME", default="", help="the first by default")
        _add_gestures(command, drags=Drag in tool.gestures)
        add_options(command, described(tool.Options))
        if tool.name in _WITHOUT_GESTURE:
            _WITHOUT_GESTURE[tool.name].add_flags(command)
        if tool.name in _ACTIONS:
            _ACTIONS[tool.name].add_flags(command)


def _add_gestures(command: Parser, *, drags: bool) -> None:
    group = command.add_argument_group("gesture")
    group.add_argument(
        "--gesture", metavar="FILE", help="gestures of a gesture file, instead of one drag"
    )
    group.add_argument(
        "--pin",
        metavar="JOINT",
        dest="pins",
        action="append",
        default=[],
        help="a joint that keeps its path; may be repeated",
    )
    command.set_defaults(**dict.fromkeys(_DRAG))
    if not drags:
        return
    number: dict[str, Any] = {"type": float, "metavar": "N"}
    vector: dict[str, Any] = {"type": float, "nargs": 3, "metavar": ("X", "Y", "Z")}
    group.add_argument("--point", metavar="JOINT", help="the joint that is dragged")
    group.add_argument("--prop", metavar="NAME", help="the prop that --point is on")
    group.add_argument("--frame", **number, help="the frame at which it is dragged")
    group.add_argument("--time", type=float, metavar="S", help="the same in seconds")
    group.add_argument("--by", **vector, help="how far, m")
    group.add_argument("--to", **vector, help="to this position in the world, m")
    group.add_argument("--turn", **vector, help="by this rotation vector in the world, rad")
    group.add_argument(
        "--time-scale",
        **number,
        help="above 0 spreads the frames there, below 0 brings them closer",
    )
    group.add_argument(
        "--axis",
        **vector,
        dest="axes",
        action="append",
        help="a direction in which the position counts; may be repeated; all without",
    )


def add_options(command: Parser, options: Sequence[Option]) -> None:
    """Add a flag for each option."""
    group = command.add_argument_group("options of the tool")
    command.set_defaults(options=[each.name for each in options])
    for each in options:
        flag = "--" + each.name.replace("_", "-")
        given: dict[str, Any] = {"dest": f"option {each.name}", "default": argparse.SUPPRESS}
        given["help"] = _help(each).replace("%", "%%")
        if each.kind == "bool":
            group.add_argument(flag, action=argparse.BooleanOptionalAction, **given)
        elif each.kind in ("choice", "take", "text"):
            group.add_argument(flag, metavar=each.kind.upper().replace("CHOICE", "NAME"), **given)
        else:
            group.add_argument(flag, metavar="N", type=_number, **given)


def _help(option: Option) -> str:
    """Help with choices or limits, unit and default."""
    parts = [", ".join(option.choices)] if option.choices else []
    if option.low is not None and option.high is not None and option.high < 1e6:
        parts.append(f"{option.low:g} to {option.high:g} {option.unit}".strip())
    elif option.unit:
        parts.append(option.unit)
    default = "none" if option.default in (None, "") else str(option.default)
    if option.kind == "bool":
        default = "on" if option.default else "off"
    return f"{option.help} ({'; '.join([*parts, f'default {default}'])})"


def _number(text: str) -> object:
    """A number, or none; other text is left for the tool's options to refuse."""
    if text == "none":
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def options_of(given: argparse.Namespace) -> dict[str, Any]:
    """The options of a tool that were given."""
    return {
        name: getattr(given, f"option {name}")
        for name in given.options
        if hasattr(given, f"option {name}")
    }


def _run(tool: Tool, given: argparse.Namespace) -> None:
    from arcwright.tools.options import options_from

    options = options_of(given)
    options_from(tool.Options, options)  # refuses bad ones before anything is read
    if tool.name in _ACTIONS and given.action:
        _ACTIONS[tool.name].run(given, options)
        return
    if given.out:
        check_out(given)
    drags = [name for name in _DRAG if getattr(given, name) is not None]
    if given.gesture is not None:
        _run_gestures(tool, given, options, drags)
    elif drags:
        _run_drag(tool, given, options)
    elif tool.name in _WITHOUT_GESTURE:
        _WITHOUT_GESTURE[tool.name].run(given, options)
    else:
        _run_solve(tool, given, options)


def _run_gestures(
    tool: Tool, given: argparse.Namespace, options: dict[str, Any], drags: Sequence[str]
) -> None:
    """Replay a gesture file on the scene, with this tool and these options."""
    own = {"pin": given.pins, "take": given.take, "character": given.character}
    extra = [*drags, *(name for name, value in own.items() if value)]
    if extra:
        raise BadValue("--gesture", "no drag, pin, take or character beside it", f"--{extra[0]}")
    case = read_case(Path(given.gesture))
    case = replace(case, tool=tool.name, options={**case.options, **options})
    replay_case(case, read_file(given), given)


def _run_drag(tool: Tool, given: argparse.Namespace, options: dict[str, Any]) -> None:
    from arcwright.scene.point import Point
    from arcwright.scripting import begin, make_drag

    if given.point is None:
        raise BadValue("--point", "the joint that is dragged", "none")
    scene, point = read_file(given), Point(given.point, character=given.prop or "")
    target = {"character": given.character, "take": given.take}
    wanted = {name: getattr(given, name) for name in ("frame", "time", "axes", *_TARGETS)}
    interaction = begin(tool.name, scene, pins=given.pins, **target, **options)
    interaction.update(make_drag(scene, point, **wanted, **target))
    edit, notes = interaction.finish(), interaction.notes()
    status = interaction.preview_result(edit).drag
    remaining = {} if status is None else {"remaining_m": status.remaining}
    used = getattr(interaction.session, "used", {})
    report(scene, edit, notes, {**remaining, "used": dict(used)}, given)


def _run_solve(tool: Tool, given: argparse.Namespace, options: dict[str, Any]) -> None:
    from arcwright.scripting import solve_constraints
    from arcwright.tools.gesture import Drag
    from arcwright.tools.tool import Solves

    if not isinstance(tool, Solves):
        drag = "--point and --by, --to or --turn, or " if Drag in tool.gestures else ""
        raise BadValue(tool.name, f"{drag}--gesture", "none")
    scene = read_file(given)
    solved = solve_constraints(
        scene,
        tool=tool.name,
        character=given.character,
        take=given.take,
        pins=given.pins,
        **options,
    )
    result = {"used": dict(solved.used), "unchanged": solved.unchanged}
    report(scene, solved.edit, solved.notes, result, given)


def report(
    scene: Scene,
    edit: Edit,
    notes: Sequence[Note],
    result: dict[str, Any],
    given: argparse.Namespace,
) -> None:
    """Write the edited scene and say what was done; notes and warnings go to standard error."""
    dropped = write(edit.apply(scene), given.out) if given.out else ()
    if given.json:
        listed = [{"text": each.text, "amount": each.amount} for each in notes]
        whole = {"label": edit.label, "changed": not edit.empty, "notes": listed, **result}
        print(json.dumps({**whole, "out": given.out, "warnings": list(dropped)}))
        return
    print("\n".join([edit.summary(scene), *([f"wrote {given.out}"] if given.out else [])]))
    for note in notes:
        print(f"note: {note.text}", file=sys.stderr)
    for warning in dropped:
        print(f"warning: {warning}", file=sys.stderr)
