"""Edits of the sound of a scene: add an audio file, move and mute it, remove it."""

from __future__ import annotations

from arcwright.errors import BadValue
from arcwright.scene.edit import Change, Edit
from arcwright.scene.scene import Scene
from arcwright.scene.sound import Sound, SoundFile


def add_sound(scene: Scene, name: str, data: bytes) -> Edit:
    """Put an audio file on the timeline; it takes the place of the one that is there."""
    made = Sound(SoundFile(name, data))
    verb = "Replace sound by" if scene.sound else "Add sound"
    return Edit(f"{verb} {name}", (Change(("sound",), scene.sound, made),))


def change_sound(scene: Scene, *, start: float | None = None, muted: bool | None = None) -> Edit:
    """Move the sound in time, or mute it; None leaves a value unchanged."""
    before = _sound(scene)
    if start is not None and start != before.start:
        moved = Sound(before.file, start, before.muted)  # checks the value
        label = f"Move sound to {moved.start:.2f} s"
        return Edit(label, (Change(("sound", "start"), before.start, moved.start),))
    if muted is not None and muted != before.muted:
        label = "Mute sound" if muted else "Unmute sound"
        return Edit(label, (Change(("sound", "muted"), before.muted, muted),))
    return Edit("Change sound")


def remove_sound(scene: Scene) -> Edit:
    """Take the sound off the timeline."""
    before = _sound(scene)
    return Edit(f"Remove sound {before.file.name}", (Change(("sound",), before, None),))


def _sound(scene: Scene) -> Sound:
    if scene.sound is None:
        raise BadValue("scene", "one with a sound", "none")
    return scene.sound
