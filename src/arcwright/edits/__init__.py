"""Changes that need no solver: each function takes a scene and gives an edit."""
