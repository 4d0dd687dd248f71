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


def unpacked_clips(stored: Mapping[str, AnyArray], channels: int, path: Path) -> tuple[Clip, ...]:
    """The clips back from `packed_clips`, bit for bit; a damaged store is refused by name."""
    try:
        names = [str(name) for name in stored["clip_name"]]
        curves: list[list[Curve | None]] = [[None] * channels for _ in names]
        first = 0
        for clip, channel, count, before, after in stored["clip_curve"].tolist():
            keys = {name: stored[f"clip_{name}"][first : first + count] for name in KEYS | KINDS}
            curves[clip][channel] = Curve(**keys, before=before, after=after)
            first += count
        return tuple(
            Clip(name, tuple(own), duration, rate, bool(loops))
            for name, own, (duration, rate, loops) in zip(
                names, curves, stored["clip_play"].tolist(), strict=True
            )
        )
    except (KeyError, ValueError, TypeError, IndexError, ArcwrightError) as error:
        raise BadFile(path, f"not a stored character: {error}", "run `make characters`") from error
