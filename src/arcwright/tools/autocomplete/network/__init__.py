"""The network that completes motions: its file format and its forward pass in NumPy."""
