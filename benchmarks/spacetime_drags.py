"""Random drags of whole motions, with random options and constraints: what breaks, and how often?

Built-in characters, or the rigged files (gltf) and captured motion (bvh) of ../shared/data; targets
up to 0.3 m away, or 2 m with `--far`. Each case has a number and is the same whenever it is run;
`--only 76` runs that one. A number for each check, its bound, and the cases over it:

short mm    from drag target to held point after release; `unreported mm` beyond what a note says
slip mm     footplants and pins, beyond what a note says; where they slide in the original, they may
limit rad   further over a joint limit than before, at frames; `between rad` at quarters of these
bone mm     a bone that keeps its length is longer or shorter than it was
outside     values outside the range of the edit that change
last mm     the last frame, from where the take ends
ends, seam  place and speed of the displacement at kept ends, and where a loop begins again
undo, back, still, again   undo and a drag that returns give the scene, a still one nothing, and
            the same moves the same, where both ended in time
big, way    against one move, and a drag that strays first: held points, bodies, and costs
jump mm     of any joint, from the last update to the release; where drag and constraints agree or
            differ
unsaid cm   moved beyond what is meant without any note of it; `overstated cm` notes of more than is
            so
flat mm     flattened, beyond what the label says
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import FrameType

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.errors import BadValue
from spacetime_drag_cases import DATA, KINDS, random_case
from spacetime_drag_checks import tried

SHOWN = 4  # cases over a bound
NEAR, FAR = 0.3, 2.0  # m, how far drags go
BOUNDS = {
    "short mm": np.inf, "unreported mm": 0.5, "slip mm": 2.0, "limit rad": 0.005,
    "between rad": np.inf, "bone mm": 1e-3, "outside": 0.0, "ends": 1e-9, "seam": 1e-9,
    "last mm": 1.0,
    "undo": 0.0, "back": 0.0, "still": 0.0, "again": 0.0,
    "big mm": 5.0, "big body agree mm": np.inf, "big body differ mm": np.inf, "big cost": np.inf,
    "way mm": 5.0, "way body agree mm": np.inf, "way body differ mm": np.inf, "way cost": np.inf,
    "jump agree mm": np.inf, "jump differ mm": np.inf,
    "unsaid cm": 0.0, "overstated cm": 0.0, "moved notes": np.inf,
    "flat mm": 0.0, "begin ms": np.inf, "move ms": np.inf, "end ms": 1500.0,
}  # fmt: skip


class TooLong(BaseException):
    """A case used up its time; nothing on the way may take it for an error of its own."""


@dataclass(frozen=True)
class Outcome:
    """What came of one case: numbers, and if it did not go through, in which stage and why."""

    number: int
    description: str
    found: Mapping[str, float] = field(default_factory=dict)
    seconds: float = 0.0
    stage: str = ""
    refused: str = ""
    broke: str = ""
    late: bool = False


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TooLong after so much CPU time."""

    def ring(_: int, __: FrameType | None) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def work(given: argparse.Namespace, number: int) -> Outcome:
    """One case of its own seed."""
    random = np.random.default_rng([given.seed, number])
    case = random_case(random, given.kind, FAR if given.far else NEAR)
    found: dict[str, float] = {}
    stage, refused, broke, late = "begin", "", "", False
    began = time.process_time()
    try:
        with at_most(given.seconds):
            for stage in tried(random, case, found):  # noqa: B007
                pass
    except TooLong:
        late = True
    except BadValue as refusal:
        refused = str(refusal)
    except Exception as error:
        broke = f"{type(error).__name__} {error}"
    spent = time.process_time() - began
    description = f"#{number} {case.description()}"
    return Outcome(number, description, found, spent, stage, refused, broke, late)


def watched(outcomes: Iterable[Outcome], count: int, out: Path | None) -> Iterator[Outcome]:
    """As they come, with a line that says how far it is."""
    total, late = 0.0, 0
    for done, each in enumerate(outcomes, 1):
        total, late = total + each.seconds, late + each.late
        line = f"{done} of {count}, {total:.0f} s of CPU, {late} too long; #{each.number}"
        print(f"\r{line} {each.seconds:.1f} s ", end="", file=sys.stderr, flush=True)
        if out is not None:
            with out.open("a") as file:
                file.write(json.dumps(asdict(each)) + "\n")
        yield each
    print(file=sys.stderr)


def report(outcomes: Sequence[Outcome]) -> int:
    """Print what was found; 0 if nothing is over its bound."""
    for text, description in {
        each.refused: each.description for each in outcomes if each.refused
    }.items():
        print(f"refused: {text}\n    {description}")
    broke = [each for each in outcomes if each.broke]
    for each in broke:
        print(f"BROKE: {each.broke}, {each.stage}\n    {each.description}")
    late = [each for each in outcomes if each.late]
    for each in late:
        print(f"too long: {each.stage}\n    {each.description}")
    refused = sum(bool(each.refused) for each in outcomes)
    print(f"{len(outcomes)} drags, {refused} refused, {len(broke)} broke, {len(late)} too long")
    return 1 if len(broke) + sum(row(outcomes, *each) for each in BOUNDS.items()) else 0


def row(outcomes: Sequence[Outcome], name: str, bound: float) -> int:
    """A line of the table; how many cases are over the bound."""
    pairs = [(each.found[name], each.description) for each in outcomes if name in each.found]
    pairs = sorted((pair for pair in pairs if np.isfinite(pair[0])), reverse=True)
    if not pairs:
        return 0
    sizes = np.array([size for size, _ in pairs])
    over = [pair for pair in pairs if pair[0] > bound]
    middle, high = np.percentile(sizes, [50, 95])
    print(
        f"{name:12} p50 {middle:9.3g}  p95 {high:9.3g}  max {sizes[0]:9.3g}"
        f"  over {bound:g}: {len(over)} of {len(sizes)}"
    )
    for size, description in over[:SHOWN]:
        print(f"    {size:.3g}: {description}")
    return len(over)


def main() -> int:
    """Print the table; 0 if nothing is over its bound."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--only", type=int, help="number of the one case to run")
    parser.add_argument("--far", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=20, help="CPU time that a case may take")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--out", type=Path, help="a file to which each outcome adds a line of JSON")
    given = parser.parse_args()
    if given.kind != "built-in" and not DATA.is_dir():
        print("no real files: ../shared/data is not there")
        return 0
    numbers: Sequence[int] = range(given.first, given.first + given.cases)
    if given.only is not None:
        numbers = [given.only]
    if given.jobs == 1:
        found = (work(given, number) for number in numbers)
        return report(list(watched(found, len(numbers), given.out)))
    with ProcessPoolExecutor(given.jobs) as pool:
        shared = pool.map(work, [given] * len(numbers), numbers)
        return report(list(watched(shared, len(numbers), given.out)))


if __name__ == "__main__":
    sys.exit(main())
