"""`arcwright characters`."""

from __future__ import annotations

import argparse
import json

from arcwright import characters
from arcwright.cli.parser import Commands, add_command
from arcwright.summary import summary


def add(commands: Commands) -> None:
    """Add the command."""
    add_command(commands, "characters", run, reads=False)


def run(given: argparse.Namespace) -> None:
    """List the built-in characters and their takes."""
    scenes = {name: characters.built_in(name) for name in characters.names()}
    if given.json:
        print(json.dumps({name: summary(scene) for name, scene in scenes.items()}))
        return
    for name, scene in scenes.items():
        character = scene.characters[0]
        print(f"{name}: {len(character.rig.names)} joints, {len(character.rig.channels)} channels")
        for take in summary(scene)["characters"][0]["takes"]:
            print(f"  {name}:{take['name']}  {take['frames'] - 1} frames, {take['keys']} keys")
