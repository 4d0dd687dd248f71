"""What `arcwright batch` runs on each file; these functions work with `map_files` as well."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from arcwright.convert import convert_file
from arcwright.cycle_file import cycle_scene, write_loop
from arcwright.files.atomic import write_bytes
from arcwright.kinematics.detection import detect as detect_in
from arcwright.open import read, write
from arcwright.replay import read_case, replay_on, scene_of
from arcwright.summary import summary


def convert(
    path: Path,
    out: Path,
    *,
    take: str | None = None,
    fit: float | None = None,
    per_channel: bool = False,
    fps: float | None = None,
    unit: float | None = None,
    up: str | None = None,
) -> dict[str, Any]:
    """Convert each file, as `arcwright convert` does."""
    notes, warnings = convert_file(
        path, out, take=take, fit=fit, rate=fps, per_channel=per_channel, unit=unit, up=up
    )
    return {"notes": notes, "warnings": warnings}


def fit(
    path: Path,
    out: Path,
    *,
    tolerance: float = 0.005,
    per_channel: bool = False,
    take: str | None = None,
    unit: float | None = None,
    up: str | None = None,
) -> dict[str, Any]:
    """Reduce the takes of each file to few key poses."""
    return convert(path, out, take=take, fit=tolerance, per_channel=per_channel, unit=unit, up=up)


def inspect(path: Path, out: Path, *, unit: float | None = None, up: str | None = None) -> None:
    """Describe the contents of each file as JSON, as `arcwright inspect --json` does."""
    _write_json(out, {"file": str(path), **summary(read(path, unit=unit, up=up))})


def detect(
    path: Path, out: Path, *, take: str = "", unit: float | None = None, up: str | None = None
) -> None:
    """List footplants, handholds and pairs of each file, as `arcwright detect --json` does."""
    detected = detect_in(read(path, unit=unit, up=up), take)
    _write_json(out, {"file": str(path), **detected.as_json()})


def cycle(
    path: Path,
    out: Path,
    *,
    unit: float | None = None,
    up: str | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Find the cycle of each file: as JSON, or as a loop; then one that does not repeat fails."""
    scene = read(path, unit=unit, up=up)
    if out.suffix != ".json":
        return write_loop(scene, out, **options)
    found = cycle_scene(scene, **options)
    _write_json(out, {"file": str(path), **found})
    return {"period": found["period"]}


def replay(path: Path, out: Path, *, scene: str | None = None) -> dict[str, Any]:
    """Replay each gesture file and write the edited scene, as `arcwright replay` does."""
    case = read_case(path)
    edited, result, _ = replay_on(case, read(scene) if scene else scene_of(case, path))
    warnings = write(edited, out)
    return {**result, "warnings": list(warnings)}


def _write_json(out: Path, value: dict[str, Any]) -> None:
    write_bytes(out, json.dumps(value, indent=1).encode(), b"\n")
