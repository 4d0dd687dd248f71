"""Options of the puppet tool."""

from __future__ import annotations

from dataclasses import dataclass

from arcwright.scene.scene import Actor, Character, Scene
from arcwright.scene.terrain import Terrain
from arcwright.tools.options import Options, option
from arcwright.tools.puppet.roles import ROLES
from arcwright.tools.puppet.terrain import terrain_of

_HELP = "the take of this role; without one it is found by name, or made from others"


@dataclass(frozen=True)
class PuppetOptions(Options):
    """How a puppet follows its stick."""

    gain: float = option(
        1.0, "Gain", "movement of the stick for that of the device", low=0.01, high=100.0
    )
    rate: int = option(
        60, "Rate", "poses a second of the recorded take", unit="fps", low=24, high=120
    )
    hold: str = option(
        "button",
        "Hold",
        "the stick holds the puppet while a button is pressed, or always",
        choices=("button", "always"),
    )
    look_at: str = option(
        "props",
        "Look at",
        "what the head turns to: props within reach, the device, or nothing",
        choices=("props", "device", "ahead"),
    )
    gestures: bool = option(
        True, "Gestures", "quick thrusts, swings and arcs of the stick punch, kick and throw"
    )
    punch_in: bool = option(
        True,
        "Punch in",
        "a performed take goes on from the playhead, what is before stays; "
        "else every performance is a take of its own",
    )
    punch_out: bool = option(
        False,
        "Punch out",
        "after the release the take goes on with what it had, moved to where the puppet is",
    )
    show_blend: bool = option(
        False, "Show blend", "draw which clips the puppet blends, on a board beside it"
    )
    blocks: str = option(
        "", "Blocks", "boxes on the ground: x, z, width and height of each, m; semicolons between"
    )
    idle: str = option("", "Idle", _HELP)
    walk: str = option("", "Walk", _HELP)
    run: str = option("", "Run", _HELP)
    crouch: str = option("", "Crouch", _HELP)
    crouch_walk: str = option("", "Crouch walk", _HELP)
    mid_jump: str = option("", "Mid jump", _HELP)
    get_up_back: str = option("", "Get up back", _HELP)
    get_up_front: str = option("", "Get up front", _HELP)
    punch: str = option("", "Punch", _HELP)
    kick: str = option("", "Kick", _HELP)
    throw: str = option("", "Throw", _HELP)

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.terrain  # refuses what is no block

    @property
    def terrain(self) -> Terrain:
        """Level ground with the blocks on it."""
        return terrain_of(self.blocks)

    def ground_of(self, scene: Scene) -> Terrain:
        """What a puppet of a scene stands on: the blocks, or else the scene's ground."""
        return self.terrain if self.blocks else scene.ground

    def roles_of(self, actor: Actor) -> dict[str, str]:
        """The takes that were chosen for roles, here or else in the scene."""
        kept = actor.roles if isinstance(actor, Character) else {}
        return {role: take for role, take in kept.items() if role in ROLES} | self.roles

    @property
    def roles(self) -> dict[str, str]:
        """The takes that were chosen for roles."""
        return {role: take for role in ROLES if (take := getattr(self, role))}
