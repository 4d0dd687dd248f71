"""The interaction that was committed last, which may be solved further."""

from __future__ import annotations

from typing import NamedTuple

from arcwright.scene.history import History
from arcwright.server import messages as m
from arcwright.server.document.document import Document
from arcwright.tools.interaction import Interaction
from arcwright.tools.tool import SolvesFurther


class CommittedInteraction(NamedTuple):
    """An interaction with a tool, and the document right after its step."""

    number: int
    interaction: Interaction
    document: Document
    history: History


def is_unfinished(interaction: Interaction) -> bool:
    """Whether finishing ran out of time."""
    return isinstance(interaction.session, SolvesFurther) and any(
        note.kind == "unfinished" for note in interaction.notes()
    )


def retimed_info(interaction: object) -> m.RetimedInfo | None:
    """How the result of an interaction with a tool moves frames in time; None where they stay."""
    if not isinstance(interaction, Interaction) or (warp := interaction.warp) is None:
        return None
    target = interaction.target
    before, after = warp.time.tolist(), warp.warped.tolist()
    return m.RetimedInfo(character=target.character, take=target.take, before=before, after=after)
