"""One stick path on many characters: do their feet slide, and what does a tick cost.

    python benchmarks/puppet_characters.py [NAME or FILE ...]

By default the built-in characters and all glTF files of ../shared/data/gltf that have feet. The
stick stands, leads ahead at the character's walking speed, once around a circle, ahead at nine
tenths of its fastest gait, stops, and is lowered. Speeds and lengths are those of the character.
*Slide* is over the ground in 1/30 s, of feet that stand; *stands* is the part of the steady walk
ahead in which a foot is locked, *clip* that in which the walk has it carry; *stick* is the distance
from the stick in lengths of a leg. CPU time of one thread.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.characters import names
from arcwright.open import read
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.scene.terrain import Terrain
from arcwright.tools.gesture import Performance, chunks
from arcwright.tools.puppet.driving.wheels import chassis_of
from arcwright.tools.puppet.measures import measures
from arcwright.tools.puppet.options import PuppetOptions
from arcwright.tools.puppet.session import PuppetSession

RATE = 60
DATA = Path(__file__).parents[2] / "shared" / "data" / "gltf"


def ramp(t: np.ndarray, start: float, seconds: float) -> np.ndarray:
    share = np.clip((t - start) / seconds, 0.0, 1.0)
    return share * share * (3 - 2 * share)


def stick_path(session: PuppetSession) -> Performance:
    """The path for one character."""
    character = session.character
    clips = [clip for clip in character.gaits.space.clips if clip.moves]
    speeds = sorted(clip.speed for clip in clips if "crouch" not in clip.name) or [character.leg]
    slow, fast = 0.9 * speeds[0], 0.9 * speeds[-1]
    t = np.arange(16 * RATE) / RATE
    speed = slow * (ramp(t, 0.5, 0.6) - ramp(t, 8.5, 1.0)) + fast * (
        ramp(t, 8.5, 1.0) - ramp(t, 12.0, 0.8)
    )
    angle = 2 * np.pi * ramp(t, 3.0, 5.0)
    low = 0.6 * (character.height - character.lowest) * (ramp(t, 13.5, 0.5) - ramp(t, 15.0, 0.5))
    moved = np.cumsum(speed[:, None] * np.stack([np.sin(angle), np.cos(angle)], 1), axis=0) / RATE
    poses = np.zeros((len(t), 1, 7))
    poses[:, 0, :4] = [0.0, 1.2 * character.size, -character.size, 1.0]
    poses[:, 0, 0] += moved[:, 0]
    poses[:, 0, 1] -= low
    poses[:, 0, 2] += moved[:, 1]
    return Performance(t, poses)


def row(name: str, scene: Scene) -> str:
    session = PuppetSession(scene, Target(), PuppetOptions(rate=RATE))
    character, spent = session.character, []
    if not len(character.gaits.legs.toes) or chassis_of(character) is not None:
        return ""  # nothing that stands
    for part in chunks(stick_path(session), 1):
        start = time.thread_time()
        session.update(part)
        spent.append(time.thread_time() - start)
    found = measures(character, session.ticks, RATE, Terrain())
    gaits = [each for each in character.gaits.space.clips if each.moves]
    upright = [each for each in gaits if "crouch" not in each.name]
    clip = min(upright, key=lambda each: each.speed).planted.mean() if upright else np.nan
    steady = session.ticks[round(1.5 * RATE) : 3 * RATE]
    stands = np.mean([tick.locked for tick in steady])
    columns = [
        f"{name:18}{character.size:6.2f}{len(character.gaits.legs.toes):5}{len(gaits):6}",
        f"{found['skate_cm_per_frame']:10.4f}{found['skate_max_cm']:9.3f}",
        f"{stands:8.2f}{clip:6.2f}{found['distance_rms_m'] / character.leg:8.2f}",
        f"{found['penetration_mm']:9.1f}{1e3 * np.median(spent):8.2f}",
    ]
    return "".join(columns)


def main() -> None:
    """Print a row for each character."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("characters", nargs="*")
    given = parser.parse_args()
    files = sorted(str(path) for path in DATA.rglob("*.gl*"))
    chosen = given.characters or [*names(), *files]
    print(f"{'':18}size m feet gaits  slide cm  at most  stands  clip   stick below mm tick ms")
    for name in chosen:
        scene = read(name)
        if scene.characters and (found := row(Path(name).stem, scene)):
            print(found, flush=True)


if __name__ == "__main__":
    main()
