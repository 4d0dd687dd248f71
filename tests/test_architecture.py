"""The import rule of ARCHITECTURE.md, read from the source."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "arcwright"

MAY_IMPORT = {
    "errors": set(),
    "version": set(),
    "arrays": {"errors"},
    "scene": {"errors", "arrays"},
    "curves": {"errors", "arrays", "scene"},
    "compiled": {"errors", "arrays"},
    "kinematics": {"errors", "arrays", "compiled", "scene", "curves"},
    "characters": {"errors", "arrays", "scene", "curves", "kinematics"},
    "picture": {"errors", "arrays", "scene", "curves", "kinematics"},
    "files": {"errors", "version", "arrays", "scene", "curves", "kinematics"},
    "solve": {"errors", "arrays", "compiled"},
    "tools": {"errors", "arrays", "compiled", "scene", "curves", "kinematics", "solve"},
    "edits": {"errors", "arrays", "scene", "curves", "kinematics"},
    "summary": {"scene", "kinematics"},
    "convert": {"errors", "scene", "kinematics"},
    "open": {"errors", "scene", "files", "characters"},
}
FACES = {"cli", "server", "__init__", "__main__"}
STUDIO = ("msgspec", "starlette", "uvicorn", "h11", "cryptography", "segno")  # h11: of uvicorn
OUTSIDE_CORE = {"DracoPy": "files", "threadpoolctl": "solve"} | dict.fromkeys(STUDIO, "server")


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


FILES = sorted(SOURCE.rglob("*.py"))


def test_every_part_is_drawn_in_the_architecture():
    assert {part_of(path) for path in FILES} <= MAY_IMPORT.keys() | FACES


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_follow_the_rule(path):
    part = part_of(path)
    for name in imports_of(path):
        steps = name.split(".")
        if steps[0] == "arcwright" and len(steps) > 1 and part not in FACES:
            other = steps[1]
            assert other == part or other in MAY_IMPORT[part], f"{part} imports {name}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_rooms_never_import_each_other(path):
    steps = path.relative_to(SOURCE).parts
    if steps[0] == "tools" and len(steps) > 2:
        for name in imports_of(path):
            others = {room.name for room in (SOURCE / "tools").iterdir() if room.is_dir()}
            words = name.split(".")
            if words[:2] == ["arcwright", "tools"] and words[2] in others:
                assert words[2] == steps[1], f"{steps[1]} imports {name}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_the_core_needs_numpy_and_one_small_wheel_only(path):
    import sys

    for name in imports_of(path):
        top = name.split(".")[0]
        allowed = top in ("arcwright", "numpy", "__future__") or top in sys.stdlib_module_names
        assert allowed or OUTSIDE_CORE.get(top) == part_of(path), f"{path.name} imports {top}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_file_grows_past_350_lines(path):
    assert len(path.read_text().splitlines()) <= 350
