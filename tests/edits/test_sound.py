"""The sound of a scene: added, moved, muted, removed, and kept by project files."""

import pytest

import arcwright
from arcwright.arrays import same
from arcwright.edits.sound import add_sound, change_sound, remove_sound
from arcwright.errors import BadValue
from arcwright.scene.sound import LARGEST_SOUND, Sound, SoundFile
from random_scenes import assert_exact
from wav import wav

WALK = arcwright.read("biped:walk")


def test_a_sound_is_added_moved_muted_replaced_and_removed():
    scene = assert_exact(WALK, add_sound(WALK, "steps.wav", wav()))
    assert (scene.sound.start, scene.sound.muted) == (0.0, False)
    for change, label in (
        ({"start": -0.25}, "Move sound to -0.25 s"),
        ({"muted": True}, "Mute sound"),
        ({"muted": False}, "Unmute sound"),
    ):
        edit = change_sound(scene, **change)
        assert edit.label == label
        scene = assert_exact(scene, edit)
    assert scene.sound.start == -0.25
    assert change_sound(scene, start=-0.25).empty
    other = add_sound(scene, "other.wav", wav(0.1))
    assert other.label == "Replace sound by other.wav"
    scene = assert_exact(scene, other)
    scene = assert_exact(scene, remove_sound(scene))
    assert scene.sound is None
    for edit_of in (remove_sound, lambda scene: change_sound(scene, muted=True)):
        with pytest.raises(BadValue, match="a sound"):
            edit_of(scene)


@pytest.mark.parametrize(
    ("start", "mime"),
    [
        (wav(0.01), "audio/wav"),
        (b"OggS\0\2", "audio/ogg"),
        (b"ID3\4\0\0", "audio/mpeg"),
        (b"\xff\xfb\x90\0", "audio/mpeg"),
        (b"fLaC\0\0", "audio/flac"),
        (b"\0\0\0 ftypM4A ", "audio/mp4"),
    ],
)
def test_kinds_of_sounds_are_known_by_their_first_bytes(start, mime):
    assert SoundFile("any", start).mime == mime


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("text.wav", b"no sound at all", "WAV, OGG, MP3"),
        ("", wav(0.01), "a name"),
        ("long.wav", wav(0.01) + bytes(LARGEST_SOUND), "at most 32 MB"),
    ],
)
def test_what_is_no_sound_or_too_large_is_refused(name, data, why):
    with pytest.raises(BadValue, match=why):
        SoundFile(name, data)
    with pytest.raises(BadValue, match="start"):
        Sound(SoundFile("a.wav", wav(0.01)), float("nan"))


def test_project_files_keep_the_sound(tmp_path):
    scene = add_sound(WALK, "steps.wav", wav()).apply(WALK)
    scene = change_sound(scene, start=0.5).apply(scene)
    arcwright.write(scene, tmp_path / "walk.arc.glb")
    again = arcwright.read(tmp_path / "walk.arc.glb")
    assert same(again.sound, scene.sound)
    assert again.sound.file.data == wav()
