"""Small least-squares problems in a box: numbers only, knows nothing of animation."""
