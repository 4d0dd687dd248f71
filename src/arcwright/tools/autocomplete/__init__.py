"""Autocompletion: a few keys become a motion in the style of examples."""
