"""Shaping: a loop changed directly, by drags of its curves, arrows, ticks and channels."""
