"""The tables of docs/report/activity.md: what commands print, put in between marks.

    python benchmarks/activity_report.py [NAME ...] [--rows FILE ...] [--output NAME=FILE ...]

Runs the command of each table, or of those named, and replaces what stands between
`<!-- table NAME -->` and `<!-- end -->`. Random targets take hours: their table is made of rows
that `activity_targets.py --rows FILE` collected. `--output` takes what a command printed before.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPORT = HERE.parent / "docs" / "report" / "activity.md"
COMMANDS = {
    "targets": ["activity_targets.py", "--table"],
    "reach": ["activity_reach.py"],
    "times": ["activity_times.py"],
    "swaps": ["activity_swaps.py"],
    "retargets": ["activity_retargets.py"],
}


def main() -> None:
    """Make the tables anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*COMMANDS, []], default=[])
    parser.add_argument("--rows", nargs="*", type=Path, default=[])
    parser.add_argument("--output", nargs="*", default=[], metavar="NAME=FILE")
    given = parser.parse_args()
    saved = dict(each.split("=", 1) for each in given.output)
    text = REPORT.read_text()
    for name in given.names or COMMANDS:
        printed = Path(saved[name]).read_text() if name in saved else _printed(name, given.rows)
        text = with_table(text, name, printed)
        REPORT.write_text(text)


def _printed(name: str, rows: list[Path]) -> str:
    """What the command of a table prints."""
    script, *flags = COMMANDS[name]
    if name == "targets" and not rows:
        raise SystemExit("random targets need --rows FILE")
    paths = [str(each) for each in rows] if name == "targets" else []
    command = [sys.executable, str(HERE / script), *flags, *paths]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def with_table(text: str, name: str, printed: str) -> str:
    """The report with what a command printed in the place of its table."""
    block = f"<!-- table {name} -->\n\n```text\n{printed.strip()}\n```\n\n<!-- end -->"
    found, count = re.subn(
        rf"<!-- table {name} -->.*?<!-- end -->", lambda _: block, text, flags=re.DOTALL
    )
    if count != 1:
        raise SystemExit(f"{REPORT.name} has {count} places for the table {name}")
    return found


if __name__ == "__main__":
    main()
