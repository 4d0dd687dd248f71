"""Edits without a solver: each function takes a scene and returns an `Edit`."""
