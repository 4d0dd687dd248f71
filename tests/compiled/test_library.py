"""Which library is loaded, and which is not."""

import os
import shutil
import subprocess
import sys

import pytest

from arcwright.compiled import library as compiled

built = pytest.mark.skipif(compiled.library is None, reason="nothing was compiled at install")


def test_the_environment_can_ask_for_numpy_alone():
    code = "from arcwright.compiled.library import library; print(library)"
    environment = {**os.environ, "ARCWRIGHT_PLAIN": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "None"


@built
@pytest.mark.parametrize("changed", ["", "chain.c", "box.c", "arcwright.h"])
def test_a_library_of_other_sources_is_not_used(tmp_path, changed):
    for path in compiled.FOLDER.iterdir():
        if path.suffix in (".c", ".h") or path.name == compiled.NAME:
            shutil.copy(path, tmp_path)
    if changed:
        source = tmp_path / changed
        source.write_bytes(source.read_bytes() + b"/* changed */")
    assert (compiled.load(tmp_path) is None) == bool(changed)


@built
@pytest.mark.parametrize("content", [b"", b"not a library"])
def test_a_damaged_library_is_not_used(tmp_path, content):
    (tmp_path / compiled.NAME).write_bytes(content)
    assert compiled.load(tmp_path) is None


def test_a_folder_without_a_library_has_none(tmp_path):
    assert compiled.load(tmp_path) is None
