"""Keys and handles: make a curve, let its handles be worked out, add a key that changes nothing."""

import numpy as np

from arcwright import Extrapolation, Handle
from arcwright.curves.evaluate import evaluate_curve
from arcwright.curves.keys import insert_key, keyed, move_key


def main() -> None:
    bounce = keyed([0, 0.5, 1], [0, 1, 0], Handle.AUTO_CLAMPED, after=Extrapolation.CYCLE)
    times = np.linspace(0, 2, 9)
    print("bounce   ", np.round(evaluate_curve(bounce, times), 3))

    finer = insert_key(bounce, 0.25)
    change = np.abs(evaluate_curve(finer, times) - evaluate_curve(bounce, times)).max()
    print(f"one key more moves the curve by {change:.1e}")

    higher = move_key(finer, 2, value=1.5)
    print("higher   ", np.round(evaluate_curve(higher, times), 3))


if __name__ == "__main__":
    main()
