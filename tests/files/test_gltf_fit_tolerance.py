"""A written .glb plays as the scene does: within a millionth of the height, or 0.01 mm."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright.curves.keys import keyed
from arcwright.files.gltf import read, write
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Handle, Interpolation
from arcwright.scene.layer import Layer
from arcwright.scene.rig import QUATERNION, ChannelTable, Kind, Rig
from arcwright.scene.scene import Character, Scene
from arcwright.scene.take import Take

JOINTS, RATE, FRAMES = 12, 24.0, 30
QUATERNIONS = [Kind.QUATERNION_W, Kind.QUATERNION_X, Kind.QUATERNION_Y, Kind.QUATERNION_Z]


def chain(height, armature=1.0):
    """Quaternion joints one above the other on a translated root, below a scaled armature."""
    moves = [Kind.TRANSLATE_X, Kind.TRANSLATE_Y, Kind.TRANSLATE_Z]
    joint = [1] * 3 + [j for j in range(1, JOINTS) for _ in QUATERNIONS]
    kind = moves + QUATERNIONS * (JOINTS - 1)
    offset = np.zeros((JOINTS, 3))
    offset[2:, 1] = height / (JOINTS - 2) / armature
    scale = np.ones((JOINTS, 3))
    scale[0] = armature
    return Rig(
        names=tuple(f"joint{j}" for j in range(JOINTS)),
        parents=np.arange(-1, JOINTS - 1),
        offset=offset,
        rest=np.tile([1.0, 0, 0, 0], (JOINTS, 1)),
        scale=scale,
        modes=(QUATERNION,) * JOINTS,
        channels=ChannelTable.of(joint, kind),
    )


def baked(rig, armature, change=lambda value: value, bent=(), share=1 / 3):
    """A key on every frame, as exporters write them; segments `bent` are Bezier ones.

    Their handles take up a share of the gap: with 1/3 glTF can hold them, near 1 they are steep.
    """
    time = np.float32(np.arange(FRAMES) / RATE).astype(float)
    phase = np.arange(JOINTS)[:, None]
    angle = 0.25 * np.sin(2 * np.pi * time / time[-1] + phase)
    curves = []
    for channel, kind in enumerate(rig.channels.kind.tolist()):
        joint = rig.channels.joint[channel]
        if kind <= Kind.TRANSLATE_Z:
            value = np.sin(time + kind) / armature
        else:
            part = {Kind.QUATERNION_W: np.cos, Kind.QUATERNION_X: np.sin}.get(Kind(kind))
            value = part(angle[joint] / 2) if part else np.zeros(FRAMES)
            value = change(value)
        plain = Interpolation.LINEAR if kind <= Kind.TRANSLATE_Z else Interpolation.SLERP
        modes = np.full(FRAMES, plain)
        modes[list(bent)] = Interpolation.BEZIER
        curve = keyed(time, value, interpolation=modes)
        tangent = np.array(curve.tangent)
        for key in bent:
            tangent[key, 1] *= 3 * share
            tangent[key + 1, 0] = share / RATE, 0.0
        handles = np.full((FRAMES, 2), Handle.FREE)
        curves.append(replace(curve, tangent=tangent, handles=handles))
    return Clip("baked", tuple(curves), float(time[-1]), RATE)


def farthest(rig, base, folder, layers=()):
    """m, how far any joint is off after writing and reading, on frames and between them."""
    take = Take(rig, base, layers)
    write(Scene(characters=(Character("one", rig, (take,)),)), folder / "written.glb")
    back = read(folder / "written.glb", unit=1.0).characters[0].takes[0]
    times = np.linspace(0, take.duration, 16 * FRAMES + 1)
    frames = np.arange(take.frame_count) / RATE
    times = np.concatenate([times, frames[frames <= take.duration]])
    was, now = (forward(t.rig, values_at(t, times))[:, :, :3, 3] for t in (take, back))
    return float(np.linalg.norm(was - now, axis=2).max())


@pytest.mark.parametrize("armature", [1.0, 100.0, 0.01])
@pytest.mark.parametrize("share", [1 / 3, 0.6, 0.95])
@pytest.mark.parametrize("height", [0.5, 14.0])
def test_bent_segments_in_baked_clips(tmp_path, height, share, armature):
    rig = chain(height, armature)
    clip = baked(rig, armature, bent=(7, 8, 20), share=share)
    apart = farthest(rig, clip, tmp_path)
    assert apart <= max(1e-5, 1e-6 * height)


def test_keys_that_an_edit_left_off_unit_length(tmp_path):
    """Slerp between such keys is not the slerp between the same ones made unit."""

    def stretched(value):
        return value * np.where(np.arange(FRAMES) % 7 == 3, 0.9, 1.0)

    rig = chain(14.0)
    assert farthest(rig, baked(rig, 1.0, stretched), tmp_path) <= 1.4e-5


@pytest.mark.parametrize("frames", [24, 25, 41, 47])
def test_a_layer_to_the_end_reaches_the_last_frame(tmp_path, frames):
    """In 32 bits 41 frames at 24 a second are longer than in 64."""
    rig = chain(1.0)
    layer = Layer(
        name="bend",
        start=0.0,
        end=frames / RATE,
        joints=np.array([3]),
        turn=np.full((5, 1, 3), 0.1),
        channels=np.zeros(0, int),
        add=np.zeros((5, 0)),
    )
    still = Clip("still", (None,) * len(rig.channels), frames / RATE, RATE)
    assert farthest(rig, still, tmp_path, (layer,)) <= 1e-5
