"""What every built-in character must keep to, for the tests of each of them."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.characters import asset_path, built_in
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import sample
from arcwright.scene.clip import Clip
from arcwright.scene.point import Point
from arcwright.scene.scene import Actor, Character
from arcwright.scene.take import Take

ASSET_LIMIT = 300 * 1024  # bytes


def character(name: str) -> Character:
    return built_in(name).characters[0]


def clip_of(take: Take) -> Clip:
    assert isinstance(take.base, Clip)
    return take.base


def key_times(take: Take) -> list[float]:
    """All times, s, at which any channel has a key."""
    curves = [curve for curve in clip_of(take).curves if curve is not None]
    return sorted({float(round(time, 9)) for curve in curves for time in curve.time})


def dense(take: Take) -> Floats:
    """Channel values at quarter frames."""
    times = np.arange(int(take.duration * take.rate * 4) + 1) / (take.rate * 4)
    return sample(take, times).values


def path(take: Take, point: Point, times: Floats) -> Floats:
    """Where a point is, (T, 3) m."""
    world = forward(take.rig, sample(take, times).values, [take.rig.joint(point.joint)])[:, 0]
    return np.asarray(world[:, :3, :3] @ point.offset + world[:, :3, 3])


def check_limits(take: Take) -> None:
    table = take.rig.channels
    for channel, curve in enumerate(clip_of(take).curves):
        if curve is not None:
            name = take.rig.channel_names[channel]
            assert (curve.value >= table.low[channel] - 1e-9).all(), name
            assert (curve.value <= table.high[channel] + 1e-9).all(), name
    values = dense(take)
    assert np.isfinite(values).all()
    out = (values < table.low - 1e-9) | (values > table.high + 1e-9)
    assert not out.any(), [take.rig.channel_names[at] for at in np.flatnonzero(out.any(axis=0))]


def check_mesh(actor: Actor) -> None:
    """Weights sum to 1, numbers are numbers, normals are unit, triangles face outward."""
    volume = 0.0
    for shape in actor.shapes:
        for part in shape.parts:
            at = part.attributes
            for array in at.values():
                assert np.isfinite(array).all()
            assert np.allclose(at["WEIGHTS_0"].sum(axis=1), 1, atol=1e-5)
            assert (at["WEIGHTS_0"] >= 0).all()
            assert np.allclose(np.linalg.norm(at["NORMAL"], axis=1), 1, atol=1e-3)
            a, b, c = at["POSITION"][part.triangles].transpose(1, 0, 2).astype(float)
            volume += float(np.einsum("ij,ij->", a, np.cross(b, c))) / 6
    assert volume > 0


def check_stiffness(actor: Character) -> None:
    stiffness = actor.rig.channels.stiffness
    assert (stiffness > 0).all()
    assert len(set(stiffness.tolist())) > 1


def check_asset(name: str) -> None:
    assert asset_path(name).stat().st_size < ASSET_LIMIT
