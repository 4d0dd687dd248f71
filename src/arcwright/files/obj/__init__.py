"""OBJ files: a static prop for each object or group."""

from arcwright.files.obj.reader import read

__all__ = ["read"]
