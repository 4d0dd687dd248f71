"""Print how long 240 Bezier curves take at 240 frames: all, one frame, and a few channels."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from arcwright.curves.derivative import derivative
from arcwright.curves.evaluate import evaluate
from arcwright.curves.pack import pack_curves
from arcwright.scene.curve import Curve

COUNT, KEYS, FRAMES = 240, 20, np.arange(240) / 24


def curves(shared_times: bool, one_third: bool) -> list[Curve]:
    rng = np.random.default_rng(0)
    made: list[Curve] = []
    for _ in range(COUNT):
        keys = np.sort(rng.choice(241, KEYS, replace=False)) / 24
        if shared_times and made:
            keys = made[0].time
        gap = np.diff(keys)
        tangent = np.zeros((KEYS, 2, 2))
        tangent[1:, 0, 0] = gap * (1 / 3 if one_third else rng.uniform(0.1, 0.9, KEYS - 1))
        tangent[:-1, 1, 0] = gap * (1 / 3 if one_third else rng.uniform(0.1, 0.9, KEYS - 1))
        tangent[:, :, 1] = rng.normal(0, 0.2, (KEYS, 2))
        value = rng.normal(size=KEYS)
        made.append(Curve(keys, value, tangent, np.zeros((KEYS, 2)), np.zeros(KEYS)))
    return made


def milliseconds(work: Callable[[], object], times: int = 21) -> float:
    took = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        took.append(time.perf_counter() - start)
    return float(np.median(took)) * 1e3


def main() -> None:
    print(f"{COUNT} curves of {KEYS} keys, median ms")
    print(f"{'':34}{'pack':>8}{'240 fr':>8}{'1 fr':>8}{'20x20':>8}{'deriv':>8}")
    some = np.arange(20)
    for shared in (False, True):
        for third in (False, True):
            made = curves(shared, third)
            packed = pack_curves(made, np.zeros(COUNT))
            row = (
                milliseconds(lambda made=made: pack_curves(made, np.zeros(COUNT))),
                milliseconds(lambda packed=packed: evaluate(packed, FRAMES)),
                milliseconds(lambda packed=packed: evaluate(packed, FRAMES[:1])),
                milliseconds(lambda packed=packed: evaluate(packed, FRAMES[:20], some)),
                milliseconds(lambda packed=packed: derivative(packed, FRAMES[:20], some)),
            )
            what = f"{'shared' if shared else 'own'} key times, "
            what += "one-third handles" if third else "free handles"
            print(f"{what:34}" + "".join(f"{ms:8.2f}" for ms in row))


if __name__ == "__main__":
    main()
