"""Pin-and-drag posing: drag any point of a character at one frame."""
