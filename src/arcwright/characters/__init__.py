"""Built-in characters and clips, made by code."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path

from arcwright.characters.mesh import look, read_store, shape, unpacked
from arcwright.characters.recipe import Recipe, Stage
from arcwright.characters.skeleton import skeleton
from arcwright.characters.store import unpacked_clips
from arcwright.errors import UnknownName
from arcwright.scene.scene import Character, Scene
from arcwright.scene.take import Take

_CAST = ("biped", "dinosaur", "dragon", "spider", "robot", "lamp")


def names() -> tuple[str, ...]:
    """The built-in characters."""
    return tuple(name for name in _CAST if asset_path(name).exists())


def built_in(name: str) -> Scene:
    """The scene of `"biped"` (all clips, the props of the first) or of `"biped:walk"`.

    Constraints belong to their clips; those relative to missing props are left out.
    """
    who, _, clip = name.partition(":")
    character = _character(who)
    if clip:
        character = replace(character, takes=(character.take(clip),))
    stages = [_stage(who, take.name) for take in character.takes]
    props = stages[0].props if stages else ()
    present = {"", character.name, *(prop.name for prop in props)}
    return Scene(
        name,
        (character,),
        props,
        tuple(
            each
            for stage in stages
            for each in stage.constraints
            if all(point.character in present for point in each.points.values())
        ),
    )


def clip_names(who: str) -> tuple[str, ...]:
    """The clips of a built-in character."""
    return tuple(take.name for take in _character(who).takes)


def recipe(name: str) -> Recipe:
    """How a character is made."""
    if name not in _CAST:
        raise UnknownName("character", name, names())
    made: Recipe = import_module(f"arcwright.characters.{name}").RECIPE
    return made


def asset_path(name: str) -> Path:
    """Where a character's mesh and clips are stored."""
    return Path(__file__).parent / "assets" / f"{name}.npz"


@cache
def _character(name: str) -> Character:
    made = recipe(name)
    rig = skeleton(made.joints)
    path = asset_path(name)
    stored = read_store(path)
    mesh = unpacked(stored, path)
    clips = unpacked_clips(stored, len(rig.channels), path)
    return Character(
        name,
        rig,
        tuple(Take(rig, clip) for clip in clips),
        (shape(name, mesh, rig),),
        look(made.palette, mesh.materials),
    )


@cache
def _stage(who: str, clip: str) -> Stage:
    make = recipe(who).stages.get(clip)
    stage = make() if make else Stage()
    return replace(
        stage,
        constraints=tuple(replace(each, take=clip) for each in stage.constraints),
    )
