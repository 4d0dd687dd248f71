"""Read every real and damaged file and print what came of it: loaded, refused, or worse.

    python benchmarks/outcomes.py [--data FOLDER] [--only WORD]

Ends with 1 when a file ends in a traceback, takes over 5 s of work or over 500 MB, is refused
without one clear line, or is refused although it is not among the damaged ones.
"""

from __future__ import annotations

import argparse
import json
import resource
import select
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
FOLDERS = ("bvh", "gltf", "scenes", "malformed")
SUFFIXES = {".bvh", ".gltf", ".glb", ".obj", ".vrm", ".arc"}
SECONDS, MEGABYTES = 5.0, 500.0


def work() -> None:
    """Read the files named on standard input, one answer in JSON for each."""
    from arcwright.errors import ArcwrightError
    from arcwright.files import read

    for line in sys.stdin:
        path = json.loads(line)
        forget_peak()
        start = time.process_time()
        answer: dict[str, Any] = {}
        try:
            scene = read(path)
            answer["warnings"] = list(scene.source.warnings) if scene.source else []
        except ArcwrightError as error:
            answer["refused"] = str(error)
        except BaseException as error:
            answer["traceback"] = f"{type(error).__name__}: {error}"
        answer |= {"ms": (time.process_time() - start) * 1e3, "mb": peak_megabytes()}
        print(json.dumps(answer), flush=True)


def forget_peak() -> None:
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return


def peak_megabytes() -> float:
    try:
        status = Path("/proc/self/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) / 1024
    except (OSError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


class Worker:
    """A process that reads files; one that hangs is stopped and replaced."""

    def __init__(self) -> None:
        self.process = self._started()

    def _started(self) -> subprocess.Popen[str]:
        command = [sys.executable, __file__, "--work"]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1)

    def read(self, path: Path) -> dict[str, Any]:
        """What came of one file."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(str(path)), file=self.process.stdin, flush=True)
        ready, _, _ = select.select([self.process.stdout], [], [], 12 * SECONDS)
        line = self.process.stdout.readline() if ready else ""
        if line:
            report: dict[str, Any] = json.loads(line)
            return report
        self.process.kill()
        self.process.wait()
        died = bool(ready)
        self.process = self._started()
        return {"traceback": "the process died"} if died else {"hang": True}

    def close(self) -> None:
        """Let the process end."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def outcome(answer: dict[str, Any]) -> str:
    if "hang" in answer or answer.get("ms", 0) > SECONDS * 1e3:
        return "HANG"
    if "traceback" in answer:
        return f"TRACEBACK {answer['traceback']}"
    if "refused" in answer:
        return f"refused: {answer['refused']}"
    count = len(answer["warnings"])
    return f"loaded with {count} warnings" if count else "loaded"


def fault(name: str, answer: dict[str, Any]) -> str:
    """Why this outcome is not allowed, or nothing."""
    result = outcome(answer)
    if result.startswith(("HANG", "TRACEBACK")):
        return result.split(maxsplit=1)[0]
    if answer["mb"] > MEGABYTES:
        return "too much memory"
    if result.startswith("refused") and not name.startswith("malformed"):
        return "a good file refused"
    if "\n" in result or (result.startswith("refused") and Path(name).name not in result):
        return "not one line that names the file"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--only", default="", help="read only files with this word in their path")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work()
        return 0
    paths = [
        path
        for folder in FOLDERS
        for path in sorted((options.data / folder).rglob("*"))
        if path.suffix.lower() in SUFFIXES and options.only in str(path)
    ]
    if not paths:
        print(f"no files under {options.data}")
        return 2
    return report(options.data, paths)


def report(data: Path, paths: list[Path]) -> int:
    worker, totals, faults = Worker(), Counter[str](), []
    slowest = largest = 0.0
    for path in paths:
        name = str(path.relative_to(data))
        answer = worker.read(path)
        result = outcome(answer).replace(f"{data}/", "")
        slowest = max(slowest, answer.get("ms", 0.0))
        largest = max(largest, answer.get("mb", 0.0))
        numbers = f"{answer.get('ms', 0):7.1f} ms {answer.get('mb', 0):5.0f} MB"
        print(f"{name:72} {numbers}  {result}")
        for warning in answer.get("warnings", ()):
            if "guessed" not in warning and "not known" not in warning:
                print(f"{'':94} {warning}")
        totals[result.split(":")[0].split(" with")[0].split()[0]] += 1
        if wrong := fault(name, answer):
            faults.append(f"{name}: {wrong}")
    worker.close()
    print(f"{len(paths)} files: {', '.join(f'{n} {what}' for what, n in totals.most_common())}")
    print(f"slowest {slowest:.0f} ms, largest {largest:.0f} MB, {len(faults)} not allowed")
    for each in faults:
        print(f"NOT ALLOWED {each}")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
