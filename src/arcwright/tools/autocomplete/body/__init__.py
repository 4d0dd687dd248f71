"""Models of whole bodies: joints' rotations, completed alike wherever and whichever way they go."""
