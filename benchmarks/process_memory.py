"""Memory of processes, and which ones a process has started; reads the files of Linux."""

from __future__ import annotations

from pathlib import Path


def resident(pid: int) -> float:
    """Memory of a process, MB; what it shares with others counts in part."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1e3


def processes_below(pid: int) -> list[int]:
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found, look = [], [pid]
    while look:
        here = look.pop()
        below = [child for child, parent in parents.items() if parent == here]
        found += below
        look += below
    return found
