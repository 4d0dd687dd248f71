"""Fit: turn recorded samples into a clip with few key poses and a stated error."""

from dataclasses import replace

import numpy as np

import arcwright


def main() -> None:
    take = arcwright.read("biped:walk").characters[0].takes[0]
    recorded = arcwright.sample(take, np.arange(0, take.duration + 1e-9, 1 / 120))
    samples = replace(take, base=replace(recorded, rate=120.0))
    print(f"recorded: {recorded.values.size} numbers")

    fitted = arcwright.fit(samples, 0.005)
    print(f"fitted: {fitted.key_poses} key poses, {1000 * fitted.deviation:.1f} mm off at most")


if __name__ == "__main__":
    main()
