"""Events that are detected in plain walks, marches and runs, and the time that detection takes.

In a plain walk nothing happens to a hand but that the arms swing: events of hands from a
confidence of 0.5 on are false, but for those where a walk begins and ends.
"""

from __future__ import annotations

import time

import one_thread  # noqa: F401

# isort: split
import arcwright
from arcwright.activity_detection import detected_events
from arcwright.scene.take import Take
from stance_clips import DATA

WALKS = (
    "02_01_walk",
    "07_12_brisk_walk",
    "105_29_normal_walk_long",
    "138_01_march",
    "143_32_walk",
    "02_03_run",
    "35_22_run",
)
SURE = 0.5
HANDS = "LeftHand", "RightHand"


def main() -> None:
    """Print a row for each walk, and one for all."""
    sums = [0.0, 0.0, 0.0]
    print(f"{'walk':26} {'seconds':>8} {'events of hands':>16} {'ms per second':>14}")
    for name in WALKS:
        scene = arcwright.read(DATA / "bvh" / "cmu" / f"{name}.bvh")
        take: Take = scene.characters[0].takes[0]
        detected_events(scene, "", take)
        begin = time.perf_counter()
        found = detected_events(scene, "", take)
        spent = 1000 * (time.perf_counter() - begin)
        count = sum(each.confidence >= SURE and each.element in HANDS for each in found)
        print(f"{name:26} {take.duration:8.1f} {count:16} {spent / take.duration:14.1f}")
        sums = [a + b for a, b in zip(sums, (take.duration, count, spent), strict=True)]
    print(f"{'all':26} {sums[0]:8.1f} {sums[1]:16.0f} {sums[2] / sums[0]:14.1f}")


if __name__ == "__main__":
    main()
