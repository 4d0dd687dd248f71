"""Print how few keys ten CMU clips need with every joint within 0.5 cm of its place.

Run `python benchmarks/fit_cmu.py [tolerance in cm]`; needs the real files in ../shared/data.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from arcwright.files import bvh
from arcwright.kinematics.reduce import fit
from arcwright.scene.motion import Motion
from arcwright.scene.take import Take

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "bvh" / "cmu"
UNIT = 0.056444  # m; CMU's lengths are inches divided by 0.45
CLIPS = (
    "02_01_walk",
    "02_03_run",
    "02_05_punches",
    "07_12_brisk_walk",
    "120_08_sneaky_walk",
    "143_05_jump_distances",
    "143_18_sit_getup",
    "16_05_forward_jump",
    "22_16_jumping_jacks",
    "14_24_traffic_wave_point",
)


def mocap(name: str) -> Take:
    """A CMU clip without the T-pose that was put before it."""
    take = bvh.read(DATA / f"{name}.bvh", unit=UNIT).characters[0].takes[0]
    base = take.base
    assert isinstance(base, Motion)
    return Take(take.rig, Motion(base.name, base.time[:-1], base.values[1:], base.rate))


def main() -> None:
    tolerance = float(sys.argv[1]) if len(sys.argv) > 1 else 0.5
    print(f"joints within {tolerance} cm")
    print(f"{'clip':26}{'frames':>7}{'keys before':>12}{'after':>8}{'ratio':>7}{'cm':>7}{'s':>6}")
    before = after = 0
    for name in CLIPS:
        take = mocap(name)
        start = time.perf_counter()
        made = fit(take, tolerance / 100)
        took = time.perf_counter() - start
        before, after = before + made.keys_before, after + made.keys_after
        assert made.position_error is not None
        print(
            f"{name:26}{len(take.base.time):7}{made.keys_before:12}{made.keys_after:8}"
            f"{made.keys_before / made.keys_after:7.1f}{made.position_error * 100:7.3f}{took:6.1f}"
        )
    print(f"{'all':26}{'':7}{before:12}{after:8}{before / after:7.1f}")


if __name__ == "__main__":
    main()
