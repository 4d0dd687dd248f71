"""The tests themselves: none leans on another one, or on a benchmark."""

import ast
from pathlib import Path

TESTS = Path(__file__).parent
BENCHMARKS = TESTS.parent / "benchmarks"


def test_no_test_imports_a_test_or_a_benchmark():
    theirs = {path.stem for path in [*TESTS.rglob("test_*.py"), *BENCHMARKS.iterdir()]}
    offenders = []
    for path in sorted(TESTS.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            found = theirs & {name.split(".")[0] for name in names}
            offenders += [f"{path.relative_to(TESTS)} imports {name}" for name in found]
    assert not offenders, "\n".join(offenders)
