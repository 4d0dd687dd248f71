"""Measures of a performance: do feet slide, does the puppet lag, how far is it from its stick."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.forward import forward
from arcwright.tools.puppet.puppet_character import PuppetCharacter
from arcwright.tools.puppet.state_machine import ON_FEET, State
from arcwright.tools.puppet.terrain import Terrain
from arcwright.tools.puppet.tick import Tick

FRAME = 1 / 30  # s, of which slides are stated
LONGEST_LAG = 0.5  # s that are tried
LEAST_WAY = 0.3  # m, of a stick whose lag can be measured


def measures(
    character: PuppetCharacter, ticks: Sequence[Tick], rate: float, terrain: Terrain
) -> dict[str, float | None]:
    """Figures of a performance, while the puppet is on its feet.

    `skate_cm_per_frame` is how far a foot that stands moves over the ground in 1/30 s, on average;
    `skate_max_cm` the most. `unlocked_share` is the part of the time in which no foot stands.
    """
    values = np.array([tick.values for tick in ticks])
    world = forward(character.own.own, values)[:, character.own.joints]
    on_feet = np.array([tick.state in ON_FEET for tick in ticks])
    slides = _slides(character, world, ticks, max(round(FRAME * rate), 1))
    grips = _grips(character, world)
    ends = np.array([np.full(3, np.nan) if tick.end is None else tick.end for tick in ticks])
    walks = np.array([tick.state in (State.LOCOMOTION, State.CROUCH) for tick in ticks])
    held = walks & np.isfinite(ends[:, 0])
    away = np.linalg.norm((grips - ends)[held], axis=1)
    locked = np.array([tick.locked.any() for tick in ticks])
    return {
        "skate_cm_per_frame": 100 * float(slides.mean()) if len(slides) else None,
        "skate_max_cm": 100 * float(slides.max()) if len(slides) else None,
        "unlocked_share": float((~locked)[on_feet].mean()) if on_feet.any() else None,
        "lag_ms": _lag(grips, ends, held, rate),
        "distance_rms_m": float(np.sqrt((away**2).mean())) if len(away) else None,
        "penetration_mm": 1e3 * _penetration(character, world, on_feet, terrain),
    }


def _slides(character: PuppetCharacter, world: Floats, ticks: Sequence[Tick], step: int) -> Floats:
    """(N,) m over the ground, of feet that stand at the start and end of a frame and between."""
    toes = character.gaits.legs.toes
    own = world[:, toes.joints]
    places = own[..., :3, 3] + _turned(own[..., :3, :3], toes.offsets)
    locked = np.array([tick.locked for tick in ticks])
    if len(ticks) <= step or not locked.shape[1]:
        return np.zeros(0)
    stands = locked[step:].copy()
    for back in range(1, step + 1):
        stands &= locked[step - back : len(locked) - back]
    moved = places[step:] - places[:-step]
    return np.asarray(np.hypot(moved[..., 0], moved[..., 2])[stands])


def _turned(matrices: Floats, offsets: Floats) -> Floats:
    return np.asarray(np.einsum("tfij,fj->tfi", matrices, offsets))


def _grips(character: PuppetCharacter, world: Floats) -> Floats:
    """(T, 3) m, where the grip is."""
    joint = character.rig.joint(character.grip.joint)
    return np.asarray(world[:, joint, :3, 3] + world[:, joint, :3, :3] @ character.grip.offset)


def _lag(grips: Floats, ends: Floats, held: Bools, rate: float) -> float | None:
    """How much later than the stick, ms, the puppet is where the stick was; None where it stands.

    By the shift of time at which both are nearest to each other over the ground.
    """
    most = round(LONGEST_LAG * rate)
    stretches = np.split(np.arange(len(held)), np.flatnonzero(np.diff(held)) + 1)
    ways = [np.ptp(ends[each][:, [0, 2]], axis=0).max() for each in stretches if held[each[0]]]
    if held.sum() < 2 * most or max(ways) < LEAST_WAY:
        return None  # what moves while the puppet hangs says nothing
    errors = []
    for shift in range(most + 1):
        both = held[shift:] & held[: len(held) - shift]
        away = (grips[shift:] - ends[: len(ends) - shift])[both][:, [0, 2]]
        errors.append(float((away**2).sum(axis=1).mean()))
    best = int(np.argmin(errors))
    if 0 < best < most:
        before, here, after = errors[best - 1 : best + 2]
        bend = before - 2 * here + after
        best_shift = best + (0.5 * (before - after) / bend if bend > 0 else 0.0)
    else:
        best_shift = float(best)
    return 1e3 * best_shift / rate


def _penetration(
    character: PuppetCharacter, world: Floats, on_feet: Bools, terrain: Terrain
) -> float:
    """How far below where they stand toes go, m."""
    toes, sole = character.gaits.legs.toes, character.gaits.sole
    own = world[on_feet][:, toes.joints]
    deepest = 0.0
    for place in own[..., :3, 3] + _turned(own[..., :3, :3], toes.offsets):
        for (x, y, z), high in zip(place.tolist(), sole.tolist(), strict=True):
            deepest = max(deepest, terrain(x, z) + high - y)
    return deepest
