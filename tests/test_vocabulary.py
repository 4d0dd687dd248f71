"""Retired words stay out of identifiers and prose; docs/glossary.md has the words to use."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
RETIRED = (
    *("wish", "mull", "told", "errand", "audience", "grasp"),
    *("blame", "retold", "redrawn", "relaid", "letgo"),
)
PARTS = ("src/arcwright", "studio/src", "docs", "tests", "benchmarks", "examples")
HISTORY = "docs/decisions"  # records keep the words of their time
TEXT = (".py", ".ts", ".css", ".html", ".c", ".h", ".md")

# A word with its endings: wished, wishes, told; as a word or as a segment of an identifier.
_FORMS = "|".join(f"{word}(?:s|es|ed|d|ing)?" for word in RETIRED)
_LETTERS = re.compile(r"[A-Za-z]+")
_SEGMENT = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_RETIRED = re.compile(rf"(?:{_FORMS})", re.IGNORECASE)


def segments(text):
    """The words of a text; identifiers in snake_case and camelCase are split."""
    for run in _LETTERS.finditer(text):
        for segment in _SEGMENT.finditer(run.group()):
            yield run.start() + segment.start(), segment.group()


def retired_words(text):
    """(line, word) of each retired word; `letGo` and `let_go` count as one word."""
    joined = re.sub(r"\b(let)_?(go)\b", "letgo", text, flags=re.IGNORECASE)
    for place, segment in segments(joined):
        if _RETIRED.fullmatch(segment):
            yield joined.count("\n", 0, place) + 1, segment


def files():
    for part in PARTS:
        for path in sorted((ROOT / part).rglob("*")):
            history = path.is_relative_to(ROOT / HISTORY)
            built = "pages" in path.parts
            own = path == Path(__file__)
            if path.suffix in TEXT and path.is_file() and not (history or built or own):
                yield path


def test_retired_words_are_found_in_every_spelling():
    text = "model.wishes(x); toldText; letGo(); let_go; A wish. WISH_LIST; multiply; stolen; scold"
    assert [word for _, word in retired_words(text)] == [
        "wishes",
        "told",
        "letgo",
        "letgo",
        "wish",
        "WISH",
    ]


def test_retired_words_stay_out_of_code_and_docs():
    found = [
        f"{path.relative_to(ROOT)}:{line}: {word}"
        for path in files()
        for line, word in retired_words(path.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)


def test_file_names_have_no_retired_words():
    found = [str(path.relative_to(ROOT)) for path in files() if [*retired_words(path.stem)]]
    assert not found, "\n".join(found)
