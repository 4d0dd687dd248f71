"""Avatar: a character that takes its first pose and its colours from a photo of the player."""
