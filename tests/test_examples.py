"""Every example is a test: it runs, says what it shows, and stays short."""

import ast
import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_example_runs(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [str(path), "160"])  # the demo in small
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out.strip(), "an example shows something"


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_example_is_short_and_explained(path):
    text = path.read_text()
    assert len(text.splitlines()) < 80
    assert ast.get_docstring(ast.parse(text))


def test_the_examples_are_numbered_in_reading_order():
    numbers = [path.name[:2] for path in EXAMPLES if path.name != "demo.py"]
    assert numbers == [f"{index + 1:02}" for index in range(len(numbers))]
