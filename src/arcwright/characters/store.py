"""Store: clips as plain arrays beside the mesh in a character's asset file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from arcwright.arrays import AnyArray
from arcwright.errors import ArcwrightError, BadFile
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve

KEYS = {"time": np.float64, "value": np.float64, "tangent": np.float64}
KINDS = {"handles": np.uint8, "interpolation": np.uint8}


def packed_clips(clips: Sequence[Clip]) -> dict[str, AnyArray]:
    """The curves of all clips end to end; `clip_curve` says whose each is and how many keys."""
    rows, keys = [], []
    for at, clip in enumerate(clips):
        for channel, curve in enumerate(clip.curves):
            if curve is not None:
                rows.append([at, channel, len(curve), int(curve.before), int(curve.after)])
                keys.append(curve)
    arrays = {
        f"clip_{name}": np.concatenate([getattr(curve, name) for curve in keys]).astype(kind)
        for name, kind in (KEYS | KINDS).items()
    }
    return arrays | {
        "clip_curve": np.array(rows, np.int32),
        "clip_name": np.array([clip.name for clip in clips]),
        "clip_play": np.array([[clip.duration, clip.rate, clip.loops] for clip in clips]),
    }


def stored_names(stored: Mapping[str, AnyArray]) -> tuple[str, ...]:
    """The names of the stored clips; none of a store without clips."""
    return tuple(str(name) for name in stored.get("clip_name", ()))


def unpacked_clips(stored: Mapping[str, AnyArray], channels: int, path: Path) -> tuple[Clip, ...]:
    """The clips back from `packed_clips`, bit for bit; a damaged store is refused by name."""
    return tuple(unpacked_clip(stored, name, channels, path) for name in stored_names(stored))


def unpacked_clip(stored: Mapping[str, AnyArray], name: str, channels: int, path: Path) -> Clip:
    """One of the clips back from `packed_clips`."""
    try:
        at = stored_names(stored).index(name)
        rows = stored["clip_curve"]
        if rows[:, 0].max() >= len(stored["clip_name"]):
            raise ValueError("a curve of no clip")
        first = np.cumsum(rows[:, 2]) - rows[:, 2]
        own = rows[:, 0] == at
        curves: list[Curve | None] = [None] * channels
        for start, (_, channel, count, before, after) in zip(
            first[own].tolist(), rows[own].tolist(), strict=True
        ):
            keys = {key: stored[f"clip_{key}"][start : start + count] for key in KEYS | KINDS}
            curves[channel] = Curve(**keys, before=before, after=after)
        duration, rate, loops = stored["clip_play"][at].tolist()
        return Clip(name, tuple(curves), duration, rate, bool(loops))
    except (KeyError, ValueError, TypeError, IndexError, ArcwrightError) as error:
        raise BadFile(path, f"not a stored character: {error}", "run `make characters`") from error
