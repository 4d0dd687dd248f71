"""The studio with a sampler: prints at the end where its threads have spent their time.

python benchmarks/profiled_studio.py studio --no-browser FILE
"""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from pathlib import Path
from types import FrameType

from arcwright.cli import main

EVERY = 0.002  # s between samples
DEPTH = 40  # lines per thread
WAITING = ("wait", "select", "get", "take", "poll")  # functions in which a thread does nothing


def sample(ended: threading.Event, own: Counter[tuple[str, str]], whole: Counter) -> None:
    """Count which functions are at the top, and which anywhere on the stack."""
    me = threading.get_ident()
    while not ended.wait(EVERY):
        names = {each.ident: each.name for each in threading.enumerate()}
        for thread, frame in sys._current_frames().items():
            if thread == me:
                continue
            name = names.get(thread, "?")
            if frame.f_code.co_name in WAITING:
                continue
            own[name, place(frame)] += 1
            seen = set()
            walk: FrameType | None = frame
            while walk is not None:
                seen.add(place(walk))
                walk = walk.f_back
            whole.update((name, each) for each in seen)


def place(frame: FrameType) -> str:
    code = frame.f_code
    return f"{Path(code.co_filename).stem}.{code.co_qualname}"


def report(own: Counter[tuple[str, str]], whole: Counter) -> None:
    names = sorted({name for name, _ in own})
    for name in names:
        mine = {where: number for (who, where), number in own.items() if who == name}
        total = sum(mine.values())
        if total < 100:
            continue
        print(f"\nthread {name}: {total} samples at work")
        print("   own  whole")
        ranked = sorted(
            ((number, where) for (who, where), number in whole.items() if who == name),
            reverse=True,
        )
        for number, where in ranked[:DEPTH]:
            print(
                f" {100 * mine.get(where, 0) / total:5.1f}% {100 * number / total:5.1f}%  {where}"
            )


def cpu_of_threads() -> str:
    """CPU seconds of each thread, where the system says so."""
    lines = []
    for thread in threading.enumerate():
        stat = Path(f"/proc/self/task/{thread.native_id}/stat")
        if stat.exists():
            fields = stat.read_text().rsplit(")", 1)[1].split()
            lines.append(f"{thread.name} {(int(fields[11]) + int(fields[12])) / 100:.1f} s")
    return ", ".join(lines)


if __name__ == "__main__":
    ended = threading.Event()
    own: Counter[tuple[str, str]] = Counter()
    whole: Counter[tuple[str, str]] = Counter()
    threading.Thread(target=sample, args=(ended, own, whole), daemon=True).start()

    import arcwright.server.worker as workers

    stop = workers.DocumentWorker.stop

    def stopped(self: workers.DocumentWorker) -> None:
        print("CPU by thread:", cpu_of_threads(), flush=True)
        stop(self)

    workers.DocumentWorker.stop = stopped  # type: ignore[method-assign]
    try:
        main(sys.argv[1:])
    finally:
        ended.set()
        report(own, whole)
        sys.stdout.flush()
        time.sleep(0)
