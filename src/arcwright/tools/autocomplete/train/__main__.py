"""`python -m arcwright.tools.autocomplete.train NAME …`: see `command.py`; `--help` lists plans."""

import sys
from importlib import import_module
from importlib.util import find_spec

from arcwright.errors import MissingExtra

if __name__ == "__main__":
    if find_spec("torch") is None:
        sys.exit(str(MissingExtra("training", "learn")))
    sys.exit(import_module("arcwright.tools.autocomplete.train.command").main(sys.argv[1:]))
