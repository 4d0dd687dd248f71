"""Built-in characters and clips, made by code."""
