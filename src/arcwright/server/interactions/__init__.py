"""Interactions: drags and sliders from begin to commit, and the previews they send."""
