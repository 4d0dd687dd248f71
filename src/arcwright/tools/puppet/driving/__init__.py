"""Puppets on wheels."""
