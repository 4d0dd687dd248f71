"""Messages with arrays: poses of frames, keys of channels, motion curves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.files.gltf.node_properties import NodeProperty
from arcwright.kinematics.forward import forward
from arcwright.kinematics.layout import layout
from arcwright.kinematics.motion_curve import MotionCurve, Sampling
from arcwright.kinematics.rotation import quaternion_from_matrix
from arcwright.kinematics.sample import values_at
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take
from arcwright.server import messages as m
from arcwright.server.messages.encoding import Single, encode

KEYS_PER_MESSAGE = 20_000
LONG = 400  # samples; longer parts of previews have positions only
FINE = 6000  # frames; curves of longer takes have samples at whole frames only
MAX_FRAMES = 60_000  # of a curve
_BEYOND: tuple[m.ExtrapolationType, ...] = (
    "hold",
    "linear",
    "cycle",
    "cycle_offset",
    "mirror",
)
_XYZW = [1, 2, 3, 0]


@dataclass(frozen=True, eq=False)
class PoseLayout:
    """How poses of an actor are laid out in messages: joints in the model file, morph weights."""

    actor: Actor  # as it was when the model was made
    nodes: list[int]  # (J,) of each joint
    morph_weights: list[NodeProperty]  # in the order of poses
    carriers: list[tuple[int, int, int]] = field(default_factory=list)  # node, first weight, count
    shapes: list[int] = field(default_factory=list)  # the node of each shape, -1 for none

    @property
    def stride(self) -> int:
        """Floats per joint: 12 where joints can stretch, else 7."""
        return 12 if len(layout(self.actor.rig).stretching) else 7

    @property
    def weights(self) -> list[int]:
        """Channels of morph weights; -1 where a target has none."""
        return [channel for each in self.morph_weights for channel in each.channels]

    @property
    def width(self) -> int:
        """Floats of one pose."""
        return len(self.nodes) * self.stride + len(self.weights)

    def poses(self, rig: Rig, values: Floats) -> Single:
        """(T, width) of channel values (T, C)."""
        world = forward(rig, values)
        count = len(values)
        if self.stride == 12:
            joints = world[:, :, :3].reshape(count, -1)
        else:
            rotation = quaternion_from_matrix(world[..., :3, :3])[..., _XYZW]
            joints = np.concatenate([world[..., :3, 3], rotation], axis=-1).reshape(count, -1)
        weights = [each.values(values) for each in self.morph_weights]
        return np.concatenate([joints, *weights], axis=1, dtype=np.float32, casting="same_kind")


Layouts = dict[str, PoseLayout]  # by the name of the actor


def actors(scene: Scene) -> tuple[Actor, ...]:
    """Characters, then props."""
    return (*scene.characters, *scene.props)


def frames(
    layout: PoseLayout,
    take: Take,
    character: str,
    first: int,
    last: int,
    preview_of: int | None = None,
    *,
    without_layers: bool = False,
) -> bytes:
    """Poses of whole frames, first to last."""
    times = np.arange(first, last + 1) / take.rate
    message = m.Frames(
        character=character,
        take=take.name,
        preview_of=preview_of,
        first=first,
        without_layers=without_layers,
    )
    return encode(message, poses=layout.poses(take.rig, values_at(take, times)))


def keys(
    take: Take, character: str, channels: Iterable[int] | None = None, preview_of: int | None = None
) -> list[bytes]:
    """Keys of channels (all that have any by default), a few messages if there are many."""
    curves = take.base.curves if isinstance(take.base, Clip) else ()
    if channels is None:
        channels = [channel for channel, curve in enumerate(curves) if curve is not None]
    messages: list[bytes] = []
    batch: list[tuple[int, Curve | None]] = []
    count = 0
    for channel in channels:
        curve = curves[channel] if curves else None  # samples have none
        batch.append((channel, curve))
        count += 0 if curve is None else len(curve)
        if count > KEYS_PER_MESSAGE:
            messages.append(_keys(take, character, batch, preview_of))
            batch, count = [], 0
    if batch or not messages:
        messages.append(_keys(take, character, batch, preview_of))
    return messages


def _keys(
    take: Take, character: str, batch: Sequence[tuple[int, Curve | None]], preview_of: int | None
) -> bytes:
    message = m.Keys(
        character=character,
        take=take.name,
        preview_of=preview_of,
        channels=[channel for channel, _ in batch],
        counts=[0 if curve is None else len(curve) for _, curve in batch],
        extrapolation=[
            ("hold", "hold") if curve is None else (_BEYOND[curve.before], _BEYOND[curve.after])
            for _, curve in batch
        ],
    )
    rows = [_rows(curve) for _, curve in batch if curve is not None]
    return encode(message, keys=np.concatenate([np.zeros((0, 9)), *rows]))


def _rows(curve: Curve) -> Floats:
    """(K, 9) as `Keys` has them."""
    return np.column_stack(
        [
            curve.time,
            curve.value,
            curve.tangent.reshape(-1, 4),
            curve.handles,
            curve.interpolation,
        ]
    )


def curve(
    drawn: MotionCurve,
    sent: MotionCurve | None,
    ref: m.PointRef,
    character: str,
    preview_of: int | None = None,
    *,
    always: bool = False,
) -> bytes | None:
    """A motion curve, or the part that differs from `sent`; None where nothing differs.

    With `always`, an empty part means that the curve is as it was sent. Long parts of previews
    have positions only, so that the drag does not wait for the rest.
    """
    count = grid_count(drawn)
    first, stop = 0, count
    keys: list[float] | None = drawn.key_time.tolist()
    if sent is not None and grid_count(sent) == count:
        changed = _changed_rows(drawn, sent, count)
        if drawn.key_time is sent.key_time or np.array_equal(drawn.key_time, sent.key_time):
            keys = None
        if not len(changed) and keys is None and not always:
            return None
        first, stop = (int(changed[0]), int(changed[-1]) + 1) if len(changed) else (0, 0)
    message = m.Curve(
        character=character,
        take=drawn.take.name,
        preview_of=preview_of,
        point=ref,
        first=first,
        total=count,
        per_frame=drawn.sampling.per_frame,
        keys=keys,
    )
    part = slice(first, stop)
    if preview_of is not None and stop - first > LONG:
        return encode(message, positions=drawn.position[part])
    return encode(
        message,
        times=drawn.time[part],
        positions=drawn.position[part],
        orientations=drawn.orientation[part][:, _XYZW],
        speeds=drawn.speed[part],
    )


def sampling(take: Take) -> Sampling:
    """How finely a curve is sampled: very long ones at whole frames and not to the end."""
    frames = take.duration * take.rate
    return Sampling(4 if frames <= FINE else 1, end=MAX_FRAMES / take.rate)


def grid_count(drawn: MotionCurve) -> int:
    """Samples that lie on the grid; clients draw no part of a step at the end."""
    end = min(drawn.take.duration, drawn.sampling.end)
    return int(np.floor(end * drawn.take.rate * drawn.sampling.per_frame + 1e-6)) + 1


def _changed_rows(drawn: MotionCurve, sent: MotionCurve, count: int) -> Ints:
    differ = (drawn.position[:count] != sent.position[:count]).any(axis=1)
    differ |= (drawn.orientation[:count] != sent.orientation[:count]).any(axis=1)
    differ |= drawn.speed[:count] != sent.speed[:count]
    return np.flatnonzero(differ)
