"""Open hostile files with the command line and print what each of them costs.

    python benchmarks/attacks_files.py [--only WORD]

Each attack is a small file, or a few, and one or more commands on it. A command runs in a process
of its own with a cap on memory and time. Ends with 1 when a private byte is found in any output,
or a command takes over 512 MB or 5 s of work (a minute for fitting keys), does not end, or ends in
anything but a result or one line.
"""

from __future__ import annotations

import argparse

# Each of these adds its attacks to the list.
import attacks_gestures  # noqa: F401
import attacks_large  # noqa: F401
import attacks_references  # noqa: F401
from attack import run_all
from file_attacks import ATTACKS


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="only attacks with this word in their name")
    return run_all([each for each in ATTACKS if parser.parse_args().only in each.__name__])


if __name__ == "__main__":
    raise SystemExit(main())
