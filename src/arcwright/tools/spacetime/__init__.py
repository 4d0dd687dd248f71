"""Spacetime editing: drag a point at any frame, and the whole motion adapts."""
