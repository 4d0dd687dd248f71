"""Docs that cannot go stale: paths, commands, make targets and code in them are checked."""

import re
import shlex
from pathlib import Path

import pytest

import arcwright
from arcwright.cli import build_parser

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("src/**/*.md")])
SUFFIXES = (".py", ".md", ".toml", ".mjs")


def named(page):
    return str(page.relative_to(ROOT))


def code_blocks(page, language):
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(), re.DOTALL)


def words_in_code(page):
    return re.findall(r"`([^`\n]+)`", page.read_text())


def is_path(word):
    if any(sign in word for sign in " <>*{}()=…") or word.startswith(("../", ".")):
        return False
    return word.endswith("/") or ("/" in word and word.endswith(SUFFIXES))


def commands_in(page):
    blocks = [line for block in code_blocks(page, "(?:sh|bash|)") for line in block.splitlines()]
    return [*words_in_code(page), *(line.partition("#")[0].strip() for line in blocks)]


def test_every_path_that_a_page_names_is_there():
    source = ROOT / "src" / "arcwright"
    missing = [
        f"{named(page)} names {word}"
        for page in PAGES
        for word in filter(is_path, words_in_code(page))
        for homes in [(ROOT, source, source / "tools", page.parent)]
        if not any((home / word).exists() for home in homes)
    ]
    assert not missing, "\n".join(missing)


def test_every_link_to_a_file_leads_somewhere():
    dead = [
        f"{named(page)} links to {link}"
        for page in PAGES
        for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text())
        if "://" not in link and not (page.parent / link).exists()
    ]
    assert not dead, "\n".join(dead)


def test_every_make_target_that_a_page_names_is_there():
    targets = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    unknown = [
        f"{named(page)} names make {target}"
        for page in PAGES
        for target in re.findall(r"\bmake ([a-z][a-z0-9-]+)", " ".join(commands_in(page)))
        if target not in targets
    ]
    assert not unknown, "\n".join(unknown)


def test_every_command_that_a_page_shows_is_understood(capsys):
    refused = []
    for page in PAGES:
        for command in commands_in(page):
            words = shlex.split(command) if command.startswith("arcwright ") else []
            if len(words) < 3 or re.search(r"[\[\]|<>…]|FILE|IN OUT|NAME|COMMAND", command):
                continue
            if {"--help", "--version"} & set(words):
                continue
            try:
                build_parser().parse_args(words[1:])
            except SystemExit:
                refused.append(f"{named(page)} shows {command}: {capsys.readouterr().err}")
    assert not refused, "\n".join(refused)


WITH_PYTHON = [ROOT / "README.md", ROOT / "docs" / "python.md", *ROOT.glob("src/**/README.md")]


@pytest.mark.parametrize(
    "page", [page for page in WITH_PYTHON if code_blocks(page, "python")], ids=named
)
def test_the_python_in_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in code_blocks(page, "python"):
        exec(compile(block, page.name, "exec"), names)


def test_every_public_name_can_be_imported_and_says_what_it_is():
    assert len(arcwright.__all__) == len(set(arcwright.__all__))
    for name in arcwright.__all__:
        assert getattr(arcwright, name).__doc__ or name == "__version__", name


def test_public_names_are_few_and_all_on_the_python_page():
    assert 25 <= len(arcwright.__all__) <= 72
    page = (ROOT / "docs" / "python.md").read_text()
    listed = re.findall(r"^\| `(\w+)", page, re.MULTILINE)
    assert sorted(listed) == sorted(set(arcwright.__all__) - {"__version__"})


def test_the_changelog_has_a_place_for_what_comes():
    assert "## [Unreleased]" in (ROOT / "CHANGELOG.md").read_text()


def test_every_decision_has_its_four_headings_and_fits_a_page():
    for page in (ROOT / "docs" / "decisions").glob("0*.md"):
        text = page.read_text()
        for words in ("We needed", "We chose", "Because", "We gave up"):
            assert words in text, f"{page.name} lacks {words}"
        assert len(text.splitlines()) <= 80, page.name
