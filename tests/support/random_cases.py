"""How many random cases a property is tried with."""

from hypothesis import settings


def examples(few: int, many: int) -> settings:
    """`few` in `make test`, `many` in `make test-all`, which chooses the profile of that name."""
    return settings(max_examples=many if settings.default == settings.get_profile("all") else few)
