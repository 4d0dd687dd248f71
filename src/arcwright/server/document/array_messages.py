"""Numbers for windows: poses of frames, keys of channels, motion curves, as messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.sample import values_at
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.take import Take
from arcwright.server import messages as m
from arcwright.server.document.display_model import Body
from arcwright.server.messages.encoding import encode
from arcwright.tools.curve import MotionCurve, Sampling

KEYS_AT_ONCE = 20_000  # keys of one message
LONG = 400  # samples of the live part of a curve
FINE = 6000  # frames; curves of longer takes have no samples between frames
MOST_FRAMES = 60_000  # of a curve
_BEYOND: tuple[m.ExtrapolationType, ...] = ("hold", "linear", "cycle", "cycle_offset", "mirror")
_XYZW = [1, 2, 3, 0]


def last_frame(take: Take) -> int:
    """The last whole frame of a take."""
    return int(np.floor(take.duration * take.rate + 1e-3))


def frames(
    body: Body,
    take: Take,
    character: str,
    first: int,
    last: int,
    live: int | None = None,
    *,
    bare: bool = False,
) -> bytes:
    """Poses of frames, first to last."""
    times = np.arange(first, last + 1) / take.rate
    poses = body.poses(take.rig, values_at(take, times))
    told = m.Frames(
        character=character, take=take.name, preview_of=live, first=first, without_layers=bare
    )
    return encode(told, poses=poses)


def keys(
    take: Take, character: str, channels: Iterable[int] | None = None, live: int | None = None
) -> list[bytes]:
    """Keys of channels (all that have any by default), a few messages if there are many."""
    curves = take.base.curves if isinstance(take.base, Clip) else ()
    if channels is None:
        channels = [channel for channel, curve in enumerate(curves) if curve is not None]
    told: list[bytes] = []
    batch: list[tuple[int, Curve | None]] = []
    count = 0
    for channel in channels:
        curve = curves[channel] if curves else None  # samples have none
        batch.append((channel, curve))
        count += 0 if curve is None else len(curve)
        if count > KEYS_AT_ONCE:
            told.append(_keys(take, character, batch, live))
            batch, count = [], 0
    return [*told, _keys(take, character, batch, live)] if batch or not told else told


def _keys(
    take: Take, character: str, batch: Sequence[tuple[int, Curve | None]], live: int | None
) -> bytes:
    told = m.Keys(
        character=character,
        take=take.name,
        preview_of=live,
        channels=[channel for channel, _ in batch],
        counts=[0 if curve is None else len(curve) for _, curve in batch],
        extrapolation=[
            ("hold", "hold") if curve is None else (_BEYOND[curve.before], _BEYOND[curve.after])
            for _, curve in batch
        ],
    )
    rows = [_rows(curve) for _, curve in batch if curve is not None]
    return encode(told, keys=np.concatenate([np.zeros((0, 9)), *rows]))


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
    still: MotionCurve | None,
    spot: m.PointRef,
    character: str,
    live: int | None = None,
    *,
    always: bool = False,
) -> bytes | None:
    """A motion curve, or the part that is not as in `still`; None where nothing is.

    With `always`, a message without a part says that it is as it was. Of long live parts only
    the positions are told: the hand must not wait for the rest.
    """
    count = grid_count(drawn)
    first, stop = 0, count
    keys: list[float] | None = drawn.key_time.tolist()
    if still is not None and grid_count(still) == count:
        changed = _changed_rows(drawn, still, count)
        if drawn.key_time is still.key_time or np.array_equal(drawn.key_time, still.key_time):
            keys = None
        if not len(changed) and keys is None and not always:
            return None
        first, stop = (int(changed[0]), int(changed[-1]) + 1) if len(changed) else (0, 0)
    told = m.Curve(
        character=character,
        take=drawn.take.name,
        preview_of=live,
        point=spot,
        first=first,
        total=count,
        per_frame=drawn.sampling.per_frame,
        keys=keys,
    )
    part = slice(first, stop)
    if live is not None and stop - first > LONG:
        return encode(told, positions=drawn.position[part])
    return encode(
        told,
        times=drawn.time[part],
        positions=drawn.position[part],
        orientations=drawn.orientation[part][:, _XYZW],
        speeds=drawn.speed[part],
    )


def sampling(take: Take) -> Sampling:
    """How a curve is drawn: finely, but very long ones at whole frames and not to the end."""
    frames = take.duration * take.rate
    return Sampling(4 if frames <= FINE else 1, end=MOST_FRAMES / take.rate)


def grid_count(drawn: MotionCurve) -> int:
    """Samples that lie on the grid; windows draw no part of a step at the end."""
    end = min(drawn.take.duration, drawn.sampling.end)
    return int(np.floor(end * drawn.take.rate * drawn.sampling.per_frame + 1e-6)) + 1


def _changed_rows(drawn: MotionCurve, still: MotionCurve, count: int) -> Ints:
    differ = (drawn.position[:count] != still.position[:count]).any(axis=1)
    differ |= (drawn.orientation[:count] != still.orientation[:count]).any(axis=1)
    differ |= drawn.speed[:count] != still.speed[:count]
    return np.flatnonzero(differ)
