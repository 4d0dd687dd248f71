"""Types of the scene: frozen values, no maths."""
