"""Recording: performances of devices become layers of a loop."""
