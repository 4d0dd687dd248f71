"""`arcwright cycle` without a gesture: find the cycle of a take."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from typing import Any

from arcwright.cli.parser import Parser, above_zero, check_out, read_file, whole
from arcwright.errors import BadValue

SHOWN = 5  # alternatives
# Options of the tool that serve a search in a take
_USED = "method", "shape", "period", "start", "tolerance", "travels"


def add_flags(command: Parser) -> None:
    """Add to the command of the tool what it does without a gesture."""
    command.add_argument(
        "--recording",
        metavar="N",
        type=int,
        help="make the layer of a kept recording again (`arcwright inspect` lists them, from 0)",
    )
    _add_loop_flags(command)


def _add_loop_flags(command: Parser) -> None:
    """Add what only a search in a take needs."""
    command.add_argument(
        "--joints", metavar="JOINT", nargs="+", default=(), help="joints whose movement must repeat"
    )
    command.add_argument(
        "--mirror",
        action="store_true",
        help="make the second half of the loop of the first one, mirrored to the other side",
    )
    command.add_argument(
        "--repeat",
        metavar="N",
        type=whole,
        help="write a longer take: the loop N times, with blends in and out",
    )
    command.add_argument(
        "--blend",
        metavar="S",
        type=float,
        default=0.3,
        help="seconds of each of these blends (default 0.3)",
    )
    command.add_argument(
        "--around",
        choices=("source", "rest"),
        default="source",
        help="blend from and to the take itself, or the rest pose",
    )


def add_options(command: Parser) -> None:
    """Add the flags of `arcwright batch cycle`; those of `arcwright cycle` are the tool's."""
    command.add_argument("--take", metavar="NAME", default="", help="the first by default")
    command.add_argument(
        "--method", choices=("auto", "paper"), default="auto", help="auto, or the published method"
    )
    command.add_argument(
        "--shape",
        choices=("average", "best", "latest"),
        default="average",
        help="the mean of the cycles, the best one, or a mean in which later ones count more",
    )
    command.add_argument(
        "--period", metavar="S", type=above_zero, help="take the alternative nearest to this period"
    )
    command.add_argument(
        "--start",
        metavar="S",
        type=float,
        help="the moment of the take, in seconds, with which the loop starts",
    )
    command.add_argument(
        "--tolerance",
        metavar="M",
        type=above_zero,
        default=0.005,
        help="how far a joint of the written loop may be off, in metres (default 0.005)",
    )
    command.add_argument(
        "--travels", action="store_true", help="the root travels as in the take, not in place"
    )
    _add_loop_flags(command)


def run(given: argparse.Namespace, options: Mapping[str, Any]) -> None:
    """Find the cycle of a movement that repeats, and write it as a loop with few keys."""
    from arcwright.cycle_file import cycle_scene

    if given.recording is not None:
        _run_recording(given, options)
        return
    for name in options:
        if name not in _USED:
            flag = "--" + name.replace("_", "-")
            raise BadValue(flag, "a gesture: --gesture FILE or --point JOINT", "none")
    if given.pins:
        raise BadValue("--pin", "a gesture: --gesture FILE or --point JOINT", "none")
    if given.out is not None:
        check_out(given)
    result = cycle_scene(
        read_file(given),
        given.out,
        take=given.take,
        character=given.character,
        joints=given.joints,
        mirror=given.mirror,
        repeat=given.repeat,
        blend=given.blend,
        around=given.around,
        **options,
    )
    if given.json:
        print(json.dumps({"file": given.file, **result}))
        return
    print("\n".join(_lines(result)))
    for warning in result.get("warnings", ()):
        print(f"warning: {warning}", file=sys.stderr)


def _run_recording(given: argparse.Namespace, options: Mapping[str, Any]) -> None:
    """Make the layer of a kept recording again."""
    from arcwright.cli.tools import report
    from arcwright.scene.recording import recording_at
    from arcwright.scripting import begin

    scene = read_file(given)
    recording = recording_at(scene.recordings, given.recording)
    interaction = begin(recording.tool, scene, recording=recording, **options)
    edit = interaction.finish()
    report(scene, edit, interaction.notes(), {"recording": given.recording}, given)


def _lines(result: dict[str, Any]) -> list[str]:
    others = result["alternatives"][0 if result["period"] is None else 1 :][:SHOWN]
    alternatives = ", ".join(f"{each['period']:.3f} s" for each in others)
    if result["period"] is None:
        said = [f"{result['take']} does not repeat: {result['reason']}"]
        return [*said, f"nearest to a period: {alternatives}"] if alternatives else said
    used = sum(result["used"])
    lines = [
        f"period {result['period']:.3f} s, confidence {result['confidence']:.2f}",
        f"{used} of {len(result['cycles'])} cycles used: "
        + ", ".join(f"{start:.2f}-{end:.2f}" for start, end in result["cycles"]),
    ]
    if used > 1 and result["error"] is not None:
        lines.append(
            f"cycles differ from their mean by {100 * result['error']:.1f} % of its movement"
        )
    if result["caution"]:
        lines.append(f"caution: {result['caution']}")
    if alternatives:
        lines.append(f"alternatives: {alternatives}")
    if "out" in result and "key_poses" not in result:
        lines.append(f"wrote {result['out']}: {result['frames']} frames")
    elif "out" in result:
        off = f"within {1000 * result['fit_error']:.1f} mm"
        lines.append(f"wrote {result['out']}: {result['key_poses']} key poses, {off}")
    return lines
