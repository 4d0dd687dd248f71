"""Motion cycles: one clean loop from a movement that was acted several times."""
