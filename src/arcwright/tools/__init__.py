"""Rooms of the same shape, one per tool: begin, update, finish."""
