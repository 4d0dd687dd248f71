"""BVH motion capture: one character for each ROOT, its motion as samples."""

from arcwright.files.bvh.reader import read
from arcwright.files.bvh.writer import write

__all__ = ["read", "write"]
