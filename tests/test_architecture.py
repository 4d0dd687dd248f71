"""The import rule of ARCHITECTURE.md, read from the source."""

import ast
import sys
from pathlib import Path

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
IMPORTS = {path: list(imports_of(path)) for path in FILES}


def named(path):
    return str(path.relative_to(SOURCE))


def test_every_part_is_drawn_in_the_architecture():
    assert {part_of(path) for path in FILES} <= MAY_IMPORT.keys() | FACES


def test_imports_follow_the_rule():
    offenders = []
    for path, names in IMPORTS.items():
        part = part_of(path)
        for name in names if part not in FACES else ():
            top, *rest = name.split(".")
            if top == "arcwright" and rest and rest[0] not in {part, *MAY_IMPORT[part]}:
                offenders.append(f"{named(path)} imports {name}")
    assert not offenders, "\n".join(offenders)


def test_rooms_never_import_each_other():
    rooms = {each.name for each in (SOURCE / "tools").iterdir() if each.is_dir()}
    offenders = []
    for path, names in IMPORTS.items():
        steps = path.relative_to(SOURCE).parts
        if steps[0] != "tools" or len(steps) < 3:
            continue
        for name in names:
            words = name.split(".")
            if words[:2] == ["arcwright", "tools"] and words[2] in rooms - {steps[1]}:
                offenders.append(f"{named(path)} imports {name}")
    assert not offenders, "\n".join(offenders)


def test_the_core_needs_numpy_and_one_small_wheel_only():
    usual = {"arcwright", "numpy", "__future__", *sys.stdlib_module_names}
    offenders = []
    for path, names in IMPORTS.items():
        for top in {name.split(".")[0] for name in names} - usual:
            if OUTSIDE_CORE.get(top) != part_of(path):
                offenders.append(f"{named(path)} imports {top}")
    assert not offenders, "\n".join(offenders)


def test_no_file_grows_past_350_lines():
    lengths = {named(path): len(path.read_text().splitlines()) for path in FILES}
    offenders = [f"{name}: {length} lines" for name, length in lengths.items() if length > 350]
    assert not offenders, "\n".join(offenders)
