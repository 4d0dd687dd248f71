"""Compiles the kernel of kinematics and builds the studio's page when a wheel is made.

Without a C compiler, or where compiling fails, the install goes on: NumPy does the same work.
An editable install leaves the page to `make page`.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any
from zlib import crc32

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = "src/arcwright/compiled"
LIBRARY = "libarcwright" + {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
# no fused or reordered arithmetic, so results are the same on every machine; nobody looks at
# the flags that floating-point traps would set, and without them loops with a choice vectorise
ARITHMETIC = ("-std=c99", "-O3", "-ffp-contract=off", "-fno-trapping-math")
FLAGS = (*ARITHMETIC, "-fvisibility=hidden", "-shared", "-fPIC")


class KernelHook(BuildHookInterface[Any]):
    """Adds the library to the wheel, which then belongs to one platform."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile and build before files are gathered."""
        if version != "editable":
            self._build_page(build_data)
        if self.target_name != "sdist":
            self._compile(build_data)

    def _build_page(self, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, self.root)
        import page_build

        trouble = page_build.build_page(Path(self.root))
        if trouble:
            self.app.display_warning(trouble)
        build_data["artifacts"].append(f"{page_build.PAGES}/**")

    def _compile(self, build_data: dict[str, Any]) -> None:
        trouble = compile_kernel(Path(self.root) / FOLDER)
        if trouble:
            self.app.display_warning(f"nothing compiled ({trouble}): NumPy does its work")
            return
        build_data["artifacts"].append(f"{FOLDER}/{LIBRARY}")
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


def compile_kernel(folder: Path) -> str:
    """Put the library beside its sources; what stood in the way, or nothing."""
    compiler = find_compiler()
    if compiler is None:
        return "no C compiler found"
    sources = sorted(folder.glob("*.c"))
    everything = b"".join(path.read_bytes() for path in [*sorted(folder.glob("*.h")), *sources])
    fresh = folder / f"{os.getpid()}.{LIBRARY}"
    total = f"-DSOURCE_SUM={crc32(everything)}u"
    command = [*compiler, *FLAGS, *shlex.split(os.environ.get("CFLAGS", "")), total]
    try:
        done = subprocess.run(
            [*command, *map(str, sources), "-o", str(fresh), "-lm"], capture_output=True, text=True
        )
        if done.returncode:
            return f"{compiler[0]}: {' '.join(done.stderr.split())[:200]}"
        fresh.replace(folder / LIBRARY)  # at once: another process may have the old one loaded
    except OSError as error:
        return str(error)
    finally:
        fresh.unlink(missing_ok=True)
    return ""


def find_compiler() -> list[str] | None:
    """The compiler named in CC, else cc, else the one that Python was built with."""
    named = (os.environ.get("CC"), "cc", sysconfig.get_config_var("CC"))
    commands = [shlex.split(each) for each in named if each]
    return next((each for each in commands if each and shutil.which(each[0])), None)
