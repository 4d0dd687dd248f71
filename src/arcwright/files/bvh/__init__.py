"""BVH motion capture: one character per ROOT, its motion as samples."""

from arcwright.files.bvh.reader import read

__all__ = ["read"]
