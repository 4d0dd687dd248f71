"""Format of the project file: name of the extension, version, and the digest of its content."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from arcwright.files.gltf.read import PROJECT

EXTENSION = PROJECT
VERSION = 11
"""Since 2 a scene has constraints, since 3 a rig has its file's names, lengths and a root, since 4
pins and contacts are among the constraints, since 5 a scene has recordings, since 6 takes have
sections and recordings buttons, since 7 a scene has activities, since 8 takes know
which keys a completion made, since 9 a scene has cameras and a flow, since 10 takes have markers
and a scene a pose library, since 11 characters have roles, a scene its ground and a sound, a flow
keys, and its layers a brush."""


def digest(gltf: dict[str, Any], data: bytes) -> str:
    """A digest over the JSON, buffers and digest left out, and over the bytes of the buffer."""
    rest = {key: value for key, value in gltf.items() if key != "buffers"}
    held = dict(rest["extensions"])
    held[EXTENSION] = {k: v for k, v in held[EXTENSION].items() if k != "digest"}
    rest["extensions"] = held
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode() + sha256(data).digest()).hexdigest()
