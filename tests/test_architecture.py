"""The rules of ARCHITECTURE.md: imports, read from the source, and files that calls enter."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from arcwright.compiled import library as compiled

SOURCE = Path(__file__).parents[1] / "src" / "arcwright"

MAY_IMPORT = {
    "errors": set(),
    "version": set(),
    "arrays": {"errors"},
    "scene": {"errors", "arrays"},
    "curves": {"errors", "arrays", "compiled", "scene"},
    "compiled": {"errors", "arrays"},
    "kinematics": {"errors", "arrays", "compiled", "scene", "curves"},
    "characters": {"errors", "arrays", "scene", "curves", "kinematics"},
    "picture": {"errors", "arrays", "scene", "curves", "kinematics"},
    "files": {"errors", "version", "arrays", "scene", "curves", "kinematics"},
    "solve": {"errors", "arrays", "compiled"},
    "objectives": {"errors", "arrays", "compiled", "scene", "curves", "kinematics", "solve"},
    "tools": {
        *("errors", "arrays", "compiled", "scene", "curves", "kinematics", "solve", "objectives"),
        "edits",
    },
    "edits": {"errors", "arrays", "scene", "curves", "kinematics"},
    "summary": {"scene", "kinematics"},
    "convert": {"errors", "scene", "kinematics", "open"},
    "activity_file": {
        *("errors", "arrays", "scene", "kinematics", "files", "edits", "tools", "open", "replay"),
    },
    "activity_detection": {"errors", "arrays", "scene", "kinematics", "edits"},
    "cycle_file": {"errors", "scene", "objectives", "open", "scripting"},
    "flow_file": {"errors", "arrays", "scene", "files", "tools"},
    "puppet_file": {"errors", "scene", "files", "open", "tools"},
    "replay": {"errors", "scene", "files", "characters", "open", "tools"},
    "scripting": {"errors", "arrays", "scene", "kinematics", "objectives", "tools"},
    "open": {"errors", "scene", "files", "characters"},
    "batch": {
        *("errors", "version", "files", "kinematics", "open", "convert", "summary", "replay"),
        "cycle_file",
    },
    "hop_search": {"errors", "arrays", "batch", "tools"},
    "learning": {"errors", "open", "tools"},
}
FACES = {"cli", "server", "__init__", "__main__"}
STUDIO = ("msgspec", "starlette", "uvicorn", "h11", "cryptography", "segno")  # h11: of uvicorn
OUTSIDE_CORE = {
    "DracoPy": "files",
    "threadpoolctl": "solve",
    "dask": "batch",
    "distributed": "batch",
    "torch": "tools",
} | dict.fromkeys(STUDIO, "server")


def part_of(path):
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imports_of(path):
    """Every module named in an import statement, at any depth of the file."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            for alias in node.names:
                yield f"{node.module}.{alias.name}"


NOT_ROOMS = {"shared", "replay", "__pycache__"}
ROOMS = {
    each.name
    for each in (SOURCE / "tools").iterdir()
    if each.is_dir() and each.name not in NOT_ROOMS
}
FILES = sorted(SOURCE.rglob("*.py"))


@cache
def all_imports():
    """The imports of every file, read when a test asks for them first."""
    return {path: list(imports_of(path)) for path in FILES}


def named(path):
    return str(path.relative_to(SOURCE))


def test_every_part_is_drawn_in_the_architecture():
    assert {part_of(path) for path in FILES} <= MAY_IMPORT.keys() | FACES


def test_imports_follow_the_rule():
    offenders = []
    for path, names in all_imports().items():
        part = part_of(path)
        for name in names if part not in FACES else ():
            top, *rest = name.split(".")
            if top == "arcwright" and rest and rest[0] not in {part, *MAY_IMPORT[part]}:
                offenders.append(f"{named(path)} imports {name}")
    assert not offenders, "\n".join(offenders)


def test_rooms_never_import_each_other():
    offenders = []
    for path, names in all_imports().items():
        steps = path.relative_to(SOURCE).parts
        if steps[0] != "tools" or len(steps) < 3:
            continue
        for name in names:
            words = name.split(".")
            if words[:2] == ["arcwright", "tools"] and words[2] in ROOMS - {steps[1]}:
                offenders.append(f"{named(path)} imports {name}")
    assert not offenders, "\n".join(offenders)


def server_package(words):
    """The package of `arcwright.server` to which a module belongs; `worker` is one on its own."""
    return words[2] if words[:2] == ["arcwright", "server"] and len(words) > 2 else None


def test_packages_of_the_server_depend_in_one_direction():
    """messages ◀ storage ◀ document ◀ interactions, jobs ◀ worker ◀ transport"""
    below = {
        "messages": set(),
        "storage": {"messages"},
        "document": {"messages"},
        "interactions": {"messages", "document"},
        "jobs": {"messages", "storage", "document"},
        "worker": {"messages", "storage", "document", "interactions", "jobs"},
        "transport": {"messages", "storage", "document", "worker"},
    }
    offenders = []
    for path, names in all_imports().items():
        steps = path.relative_to(SOURCE).with_suffix("").parts
        if steps[0] != "server" or steps[1] == "__init__":
            continue
        for name in names:
            package = server_package(name.split("."))
            if package is not None and package not in {steps[1], *below[steps[1]]}:
                offenders.append(f"{named(path)} imports {name}")
    assert not offenders, "\n".join(offenders)


def test_the_server_imports_no_room():
    offenders = [
        f"{named(path)} imports {name}"
        for path, names in all_imports().items()
        for name in names
        if part_of(path) == "server"
        and name.startswith("arcwright.tools.")
        and name.split(".")[2] in ROOMS
    ]
    assert not offenders, "\n".join(offenders)


def module_graph(part):
    """Modules of a part and those of it that each imports."""
    modules = {
        ".".join(("arcwright", *path.relative_to(SOURCE).with_suffix("").parts)): path
        for path in FILES
        if part_of(path) == part
    }
    modules = {name.removesuffix(".__init__"): path for name, path in modules.items()}
    return {
        name: {
            each if each in modules else each.rpartition(".")[0]
            for each in all_imports()[path]
            if each in modules or each.rpartition(".")[0] in modules
        }
        - {name}
        for name, path in modules.items()
    }


def test_no_modules_of_the_server_import_each_other_in_a_cycle():
    graph = module_graph("server")
    while leaves := {name for name, needs in graph.items() if not needs & graph.keys()}:
        graph = {name: needs for name, needs in graph.items() if name not in leaves}
    assert not graph, sorted(graph)


def test_the_core_needs_numpy_and_one_small_wheel_only():
    usual = {"arcwright", "numpy", "__future__", *sys.stdlib_module_names}
    offenders = []
    for path, names in all_imports().items():
        for top in {name.split(".")[0] for name in names} - usual:
            if OUTSIDE_CORE.get(top) != part_of(path):
                offenders.append(f"{named(path)} imports {top}")
    assert not offenders, "\n".join(offenders)


def test_only_the_training_of_completions_imports_torch():
    training = SOURCE / "tools" / "autocomplete" / "train"
    inside = {
        path.relative_to(SOURCE / "tools").is_relative_to("autocomplete/train")
        for path, names in all_imports().items()
        if any(name.split(".")[0] == "torch" for name in names)
    }
    assert inside == {True}
    trainers = [
        f"{named(path)} imports {name}"
        for path, names in all_imports().items()
        for name in names
        if name.startswith("arcwright.tools.autocomplete.train")
        and not path.is_relative_to(training)
    ]
    assert not trainers, "\n".join(trainers)


def test_no_file_grows_past_350_lines():
    lengths = {named(path): len(path.read_text().splitlines()) for path in FILES}
    offenders = [f"{name}: {length} lines" for name, length in lengths.items() if length > 350]
    assert not offenders, "\n".join(offenders)


@pytest.mark.skipif(compiled.library is None, reason="nothing was compiled at install")
def test_a_drag_and_a_picture_pass_through_few_files():
    """As many as `make trace` allows: of server, tools and all for a move, of all for a picture."""
    script = SOURCE.parents[1] / "benchmarks" / "trace_calls.py"
    traced = subprocess.run(
        [sys.executable, script, "--list"], capture_output=True, text=True, check=False
    )
    assert traced.returncode == 0, traced.stdout + traced.stderr
