"""The two sides of the wire speak the same language."""

from pathlib import Path

from arcwright.server.typescript import typescript

MADE = Path(__file__).parents[2] / "studio" / "src" / "wire" / "messages.ts"


def test_the_page_has_the_types_of_the_server():
    assert MADE.read_text() == typescript(), "run `make messages`"
