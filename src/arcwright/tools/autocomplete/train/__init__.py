"""Training of completion models with PyTorch; nothing else in Arcwright imports it."""
