"""What tests and benchmarks may import, and whether benchmarks still fit together."""

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


def test_benchmarks_call_one_another_with_arguments_that_exist():
    trees = {path.stem: ast.parse(path.read_text()) for path in sorted(BENCHMARKS.glob("*.py"))}
    offenders = []
    for name, tree in trees.items():
        known = imported_functions(tree, trees)
        for call in ast.walk(tree):
            function = known.get(getattr(getattr(call, "func", None), "id", ""))
            if function is not None and not accepts(function.args, call):
                offenders.append(f"{name}.py:{call.lineno} {function.name}")
    assert not offenders, "\n".join(offenders)


def imported_functions(tree, trees):
    """The functions that one benchmark imports from others, by name."""
    return {
        function.name: function
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in trees
        for function in trees[node.module].body
        if isinstance(function, ast.FunctionDef)
        and function.name in {each.name for each in node.names}
    }


def accepts(wanted, call):
    """Whether a call gives every argument without a default, and none that is unknown."""
    given = {each.arg for each in call.keywords}
    if None in given or any(isinstance(each, ast.Starred) for each in call.args):
        return True  # only known when it runs
    places = [each.arg for each in (*wanted.posonlyargs, *wanted.args)]
    needed = set(places[: len(places) - len(wanted.defaults)]) - set(places[: len(call.args)])
    needed |= {
        each.arg
        for each, default in zip(wanted.kwonlyargs, wanted.kw_defaults, strict=True)
        if default is None
    }
    known = {*places[len(call.args) :], *(each.arg for each in wanted.kwonlyargs)}
    few_enough = len(call.args) <= len(places) or wanted.vararg is not None
    return needed <= given and few_enough and (given <= known or wanted.kwarg is not None)
