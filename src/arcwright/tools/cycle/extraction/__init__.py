"""Extraction: one clean loop of a movement that repeats."""
