"""Locomotion: gaits blended by speed and height, with feet that stay where they stand."""
