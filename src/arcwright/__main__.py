"""`python -m arcwright` is the command line."""

from arcwright.cli import main

raise SystemExit(main())
