"""Arcwright: animate with movement itself."""

__version__ = "0.1.0"
