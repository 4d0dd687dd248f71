"""OBJ scenery: a prop for each object or group, without life."""

from arcwright.files.obj.reader import read

__all__ = ["read"]
