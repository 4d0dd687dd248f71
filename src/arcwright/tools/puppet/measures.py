"""Measures of a performance: do feet slide, does the puppet lag, how far is it from its stick."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.places import Places
from arcwright.scene.terrain import Terrain
from arcwright.tools.puppet.locomotion.leg_ik import foot_points
from arcwright.tools.puppet.puppet_character import PuppetCharacter
from arcwright.tools.puppet.state_machine import ON_FEET, State
from arcwright.tools.puppet.tick import Tick

FRAME = 1 / 30  # s, of which slides are stated
TOUCHES = 0.005  # of a leg's length above the ground: what is as low touches it
LONGEST_LAG = 0.5  # s that are tried
LEAST_WAY = 0.3  # m, of a stick whose lag can be measured


def measures(
    character: PuppetCharacter, ticks: Sequence[Tick], rate: float, terrain: Terrain
) -> dict[str, float | None]:
    """Figures of a performance, while the puppet is on its feet.

    `skate_cm_per_frame` is how far a foot that touches the ground moves over it in 1/30 s, on
    average, whether the puppet takes it to stand or not, while it stands, walks or crouches;
    `skate_max_cm` the most, of feet that it takes to stand. `unlocked_share` is the part of the
    time in which no foot is taken to stand.
    """
    values = np.array([tick.values for tick in ticks])
    world = forward(character.own.own, values)[:, character.own.joints]
    on_feet = np.array([tick.state in ON_FEET for tick in ticks])
    locked = np.array([tick.locked for tick in ticks])
    under = under_feet(character, values)[:, : locked.shape[1]]  # wheels are no feet
    high = _heights(character, under, terrain)
    step = max(round(FRAME * rate), 1)
    walks: Bools = np.array([tick.state in (State.LOCOMOTION, State.CROUCH) for tick in ticks])
    touches = np.asarray(walks[:, None, None] & (high < TOUCHES * character.leg))
    slides = _slides(under, touches, step)
    standing = _slides(under, np.asarray(walks[:, None, None] & locked[..., None]), step)
    grips = _grips(character, world)
    ends = np.array([np.full(3, np.nan) if tick.end is None else tick.end for tick in ticks])
    held = walks & np.isfinite(ends[:, 0])
    away = np.linalg.norm((grips - ends)[held], axis=1)
    stands = np.asarray(locked.any(axis=1))
    return {
        "skate_cm_per_frame": 100 * float(slides.mean()) if len(slides) else None,
        "skate_max_cm": 100 * float(standing.max()) if len(standing) else None,
        "unlocked_share": 1.0 - float(stands[on_feet].mean()) if on_feet.any() else None,
        "lag_ms": _lag(grips, ends, held, rate),
        "distance_rms_m": float(np.sqrt((away**2).mean())) if len(away) else None,
        "penetration_mm": 1e3 * float(-high[on_feet].min(initial=0.0)),
    }


def under_feet(character: PuppetCharacter, values: Floats) -> Floats:
    """(T, F, P, 3) m, toes and the points under feet in poses (T, C) of the character's own rig."""
    legs, own = character.gaits.legs, character.own
    points, count = foot_points(legs), len(legs.toes)
    feet = Places(own.joints[points.joints], points.offsets)
    there = point_jacobian(own.own, values, feet, [])
    turned = there.orientation
    away = character.gaits.soles.places(turned[:, count : 2 * count], turned[:, :count])
    toes = there.position[:, :count, None]
    return np.concatenate([toes, toes + away], axis=2)


def _heights(character: PuppetCharacter, under: Floats, terrain: Terrain) -> Floats:
    """(T, F, P) m, points above the ground, from where the lowest of a standing foot is.

    The ground is that under a point, or under the toes where that is lower: what stands out over
    an edge, or before a step, is not below it.
    """
    ground = terrain.heights(under[..., 0], under[..., 2])
    lower = np.minimum(ground, ground[..., :1])
    return np.asarray(under[..., 1] - lower - character.gaits.soles.level[: under.shape[1], None])


def _slides(under: Floats, touches: Bools, step: int) -> Floats:
    """(N,) m over the ground, of feet with a point that touches it all through a frame.

    Of the points that do, the one that moves least: a foot may roll over the others.
    """
    if len(touches) <= step or not under.shape[1]:
        return np.zeros(0)
    touches = np.broadcast_to(touches, under.shape[:-1])
    stays = touches[step:].copy()
    for back in range(1, step + 1):
        stays &= touches[step - back : len(touches) - back]
    moved = under[step:] - under[:-step]
    over = np.where(stays, np.hypot(moved[..., 0], moved[..., 2]), np.inf).min(axis=-1)
    return np.asarray(over[np.isfinite(over)])


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
