"""What things are: frozen values, no maths."""
