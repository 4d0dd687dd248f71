"""Every example is a test: it runs, says what it shows, and stays short."""

import ast
import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))
DEMO = EXAMPLES[0].with_name("demo.py")
LONG = {"demo.py", "14_puppet.py", "15_snowman.py", "16_activity.py", "18_complete.py"}


@pytest.mark.parametrize(
    "path",
    [pytest.param(each, marks=[pytest.mark.slow] * (each.name in LONG)) for each in EXAMPLES],
    ids=lambda path: path.name,
)
def test_the_example_runs(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [str(path), "160"])  # the demo in small
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out.strip(), "an example shows something"


def test_the_demo_draws_characters(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    demo = runpy.run_path(str(DEMO))
    for name in [*demo["CAST"]][:-1]:
        del demo["CAST"][name]
    demo["main"](80)
    assert (tmp_path / "out" / "demo.png").exists()
    assert "wrote" in capsys.readouterr().out


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_example_is_short_and_explained(path):
    text = path.read_text()
    assert len(text.splitlines()) < 80
    assert ast.get_docstring(ast.parse(text))


def test_the_examples_are_numbered_in_reading_order():
    numbers = [path.name[:2] for path in EXAMPLES if path.name != "demo.py"]
    assert numbers == [f"{index + 1:02}" for index in range(len(numbers))]
