"""Still and moving pictures of scenes, drawn with NumPy alone."""

from arcwright.picture.strip import strip
from arcwright.picture.strobe import strobe

__all__ = ["strip", "strobe"]
