"""Still pictures of scenes, drawn in NumPy."""
