"""The command line with the dummy tools in the catalogue: `python dummy_studio.py studio ...`."""

import sys

from arcwright.cli import main
from dummy_tools import dummies_in_catalogue

if __name__ == "__main__":
    with dummies_in_catalogue():
        sys.exit(main())
