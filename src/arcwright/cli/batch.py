"""`arcwright batch VERB`: a verb over many files."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from arcwright.cli import convert, cycle, detect, replay
from arcwright.cli.parser import Commands, Parser, above_zero, add_command, whole
from arcwright.errors import BadValue
from arcwright.files import FORMATS

if TYPE_CHECKING:
    from arcwright.batch import Progress, Report

_READ = tuple(suffix for each in FORMATS for suffix in each.suffixes)
_WRITTEN = tuple(suffix for each in FORMATS if each.writes for suffix in each.suffixes)
_JSON = (".json",)
BAR = 20  # characters of a whole progress bar
_OWN = {  # flags of the command; the others are options of the verb
    *("command", "files", "list", "out", "template"),
    *("workers", "cluster", "timeout", "memory", "overwrite", "json"),
}


@dataclass(frozen=True)
class Verb:
    """A row of the table: a function of `arcwright.batch.verbs`, its files and its flags."""

    name: str
    about: str
    reads: tuple[str, ...]  # suffixes of files that are taken from folders and patterns
    writes: tuple[str, ...]  # suffixes that it can write; the first by default
    add_options: Callable[[Parser], None] = lambda _: None


def _add_fit_options(command: Parser) -> None:
    command.add_argument("--take", metavar="NAME", help="keep this take only")
    command.add_argument(
        "--tolerance",
        metavar="M",
        type=above_zero,
        default=0.005,
        help="how far a joint may move, in metres (default 0.005)",
    )
    command.add_argument(
        "--per-channel",
        action="store_true",
        help="keys only for the channels that need them, not whole key poses",
    )


_ARC = (".arc.glb", *(each for each in _WRITTEN if each != ".arc.glb"))
VERBS = (
    Verb("convert", "Convert files.", _READ, _ARC, convert.add_options),
    Verb("inspect", "Describe the contents of files as JSON.", _READ, _JSON),
    Verb("fit", "Reduce takes to few key poses.", _READ, _ARC, _add_fit_options),
    Verb("detect", "Detect footplants and handholds.", _READ, _JSON, detect.add_options),
    Verb("cycle", "Find cycles, or write them as loops.", _READ, _JSON + _ARC, cycle.add_options),
    Verb("replay", "Replay gesture files.", _JSON, _ARC, replay.add_options),
)


def add(commands: Commands) -> None:
    """Add the command."""
    about = "Run a command over many files; run it again to go on where it ended."
    parser = commands.add_parser("batch", help=about, description=about)
    verbs = parser.add_subparsers(title="verbs", required=True, metavar="VERB")
    for verb in VERBS:
        _add_verb(verbs, verb)


def _add_verb(verbs: Commands, verb: Verb) -> None:
    scenes = verb.reads == _READ
    command = add_command(verbs, verb.name, partial(run, verb), about=verb.about, reads=scenes)
    command.add_argument(
        "files", metavar="FILES", nargs="*", help="files, folders, patterns such as 'a/**/*.bvh'"
    )
    command.add_argument("--list", metavar="FILE", help="a file that names one file on each line")
    command.add_argument("--out", metavar="DIR", required=True, help="the output folder")
    command.add_argument(
        "--template",
        default="{folder}/{stem}" + verb.writes[0],
        help="output names, of {folder}, {name}, {stem} and {suffix} (default %(default)s)",
    )
    command.add_argument("--workers", metavar="N", type=whole, help="one for each core by default")
    command.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="run on the workers of this Dask scheduler; 'local' starts a cluster here",
    )
    command.add_argument("--timeout", metavar="S", type=above_zero, help="seconds for one file")
    command.add_argument("--memory", metavar="MB", type=above_zero, help="megabytes for one file")
    command.add_argument(
        "--overwrite", action="store_true", help="replace files that batch has not written"
    )
    verb.add_options(command)


def run(verb: Verb, given: argparse.Namespace) -> int:
    """Run a verb over files; 0 all done, 1 some failed."""
    from arcwright.batch import find_files, map_files, verbs

    kept = ("{name}", "{suffix}") if set(verb.reads) & set(verb.writes) else ()
    if not given.template.endswith((*verb.writes, *kept)):
        expected = f"a name that ends in {', '.join((*verb.writes, *kept))}"
        raise BadValue("--template", expected, given.template)
    files = find_files(given.files, verb.reads, list_file=given.list, exclude=given.out)
    if not len(files):
        raise BadValue("FILES", "at least one file", "none")
    shown = ProgressLine()
    try:
        report = map_files(
            getattr(verbs, verb.name),
            files,
            out=given.out,
            template=given.template,
            options={name: value for name, value in vars(given).items() if name not in _OWN},
            workers=given.workers,
            cluster=given.cluster,
            timeout=given.timeout,
            memory=given.memory,
            overwrite=given.overwrite,
            progress=shown,
        )
    except KeyboardInterrupt:
        shown.end()
        print(f"stopped after {shown.last}; run it again to go on", file=sys.stderr)
        return 130
    shown.end()
    _print_report(report, given.json)
    return 1 if report.failed or report.stopped else 0


class ProgressLine:
    """Progress on standard error: a bar that changes on a terminal, else a line at times."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._every = 0.2 if self._terminal else 10.0  # s
        self.next = time.monotonic() + self._every
        self._width = 0
        self.last: Progress | str = "nothing"

    def __call__(self, progress: Progress) -> None:
        """Show progress, where it is time to."""
        self.last = progress
        if time.monotonic() < self.next:
            return
        self.next = time.monotonic() + self._every
        text = str(progress)
        if self._terminal:
            text = f"{_bar(progress)}{text}"[: get_terminal_size().columns - 1]
            print("\r" + text.ljust(self._width), end="", file=sys.stderr, flush=True)
            self._width = len(text)
        else:
            print(text, file=sys.stderr, flush=True)

    def end(self) -> None:
        """Clear the line of a terminal."""
        if self._width:
            print("\r" + " " * self._width + "\r", end="", file=sys.stderr, flush=True)


def _bar(progress: Progress) -> str:
    """How much is done, where the number of files is known."""
    if not progress.total:
        return ""
    counted = progress.done + progress.skipped + progress.failed
    return f"[{'=' * (BAR * counted // progress.total):{BAR}}] "


def _print_report(report: Report, as_json: bool) -> None:
    if as_json:
        counts = asdict(report)
        del counts["values"]
        print(json.dumps({**counts, "manifest": str(report.manifest)}))
        return
    for failure in report.failures:
        named = failure.error.startswith(failure.file)
        print(f"failed: {failure.error}" if named else f"failed: {failure.file}: {failure.error}")
    parts = [f"{report.done} done", f"{report.skipped} done before", f"{report.failed} failed"]
    if report.retried:
        parts.append(f"{report.retried} run again because a worker died")
    print(", ".join(parts) + f" in {report.seconds:.1f} s")
    if report.stopped:
        print(f"stopped: {report.stopped}", file=sys.stderr)
