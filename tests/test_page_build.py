"""The script that builds and checks the studio's page."""

import importlib.util
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "page_build.py"


@pytest.fixture
def page_build(monkeypatch):
    """The script, with calls of npm listed instead of made."""
    spec = importlib.util.spec_from_file_location("page_build", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.calls = []
    monkeypatch.setattr(module, "_ready", lambda root: root)
    monkeypatch.setattr(module, "npm", lambda *given: module.calls.append(given[2:]))
    return module


@pytest.fixture
def root(tmp_path):
    (tmp_path / "studio" / "node_modules").mkdir(parents=True)
    (tmp_path / "studio" / "main.ts").write_text("1")
    return tmp_path


def test_sources_that_passed_are_checked_again_only_once_they_changed(page_build, root):
    both = [("run", "check"), ("test",)]
    assert page_build.check_page(root) == ""
    assert page_build.calls == both
    page_build.check_page(root)
    assert page_build.calls == both
    (root / "studio" / "main.ts").write_text("2")
    page_build.check_page(root)
    assert page_build.calls == both * 2


def test_sources_that_failed_are_checked_again(page_build, root, monkeypatch):
    def fail(*_):
        raise subprocess.CalledProcessError(1, "npm", "an error", "")

    with monkeypatch.context() as patch:
        patch.setattr(page_build, "npm", fail)
        assert page_build.check_page(root) == "an error"
    assert page_build.check_page(root) == ""
    assert page_build.calls
