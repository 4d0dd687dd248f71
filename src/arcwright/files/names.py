"""Names that must differ: files may use one twice, a rig or a scene may not."""

from __future__ import annotations

from collections.abc import Iterable


def unique(names: Iterable[str]) -> list[str]:
    """The names, each one that came before with the next free number behind it."""
    given = list(names)
    taken = set(given)
    used: set[str] = set()
    result = []
    for name in given:
        result.append(name if name not in used else free(name, taken))
        used.add(result[-1])
    return result


def free(name: str, taken: set[str]) -> str:
    """`name`, or `name_2`, `name_3`, ... if it is taken; the answer is taken from then on."""
    answer, number = name, 1
    while answer in taken:
        number += 1
        answer = f"{name}_{number}"
    taken.add(answer)
    return answer
