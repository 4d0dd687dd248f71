"""How values move in time."""
