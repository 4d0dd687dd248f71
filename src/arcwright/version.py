"""The version of Arcwright."""

__version__ = "0.1.0"
