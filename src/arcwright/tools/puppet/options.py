"""Options of the puppet tool."""

from __future__ import annotations

from dataclasses import dataclass

from arcwright.tools.options import Options, option
from arcwright.tools.puppet.roles import ROLES

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
    idle: str = option("", "Idle", _HELP)
    walk: str = option("", "Walk", _HELP)
    run: str = option("", "Run", _HELP)
    crouch: str = option("", "Crouch", _HELP)
    crouch_walk: str = option("", "Crouch walk", _HELP)
    mid_jump: str = option("", "Mid jump", _HELP)
    get_up_back: str = option("", "Get up back", _HELP)
    get_up_front: str = option("", "Get up front", _HELP)

    @property
    def roles(self) -> dict[str, str]:
        """The takes that were chosen for roles."""
        return {role: take for role in ROLES if (take := getattr(self, role))}
