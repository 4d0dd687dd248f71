"""Holding: all hands on the document, from taking hold to letting go."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic
from typing import Any

from arcwright.errors import ArcwrightError, BadValue
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.server import messages as m
from arcwright.server.document import info as told
from arcwright.server.document.client import Window
from arcwright.server.document.display_model import Model
from arcwright.server.document.document import Story
from arcwright.server.document.subscriptions import Audience
from arcwright.server.interactions.idle_solver import Mull
from arcwright.server.interactions.interaction import Hand, SlideHand, ToolHand, thoughts
from arcwright.server.interactions.preview_stream import (
    tell_behind,
    tell_live,
    tell_owed,
    tell_preview,
)
from arcwright.tools.tool import Preview

log = logging.getLogger("arcwright.studio")

REST = 0.15  # s without a move, after which a hand is told what is in its way


class Holding:
    """Lives on the desk's thread; `do` makes a step there, `soon` comes back to it."""

    def __init__(
        self,
        audience: Audience,
        story: Callable[[], Story],
        do: Callable[[Edit], None],
        soon: Callable[[Callable[[], None]], None],
    ) -> None:
        self.mull = Mull(self._thought)
        self._audience = audience
        self._story = story
        self._do = do
        self._soon = soon
        self._hands: dict[int, Hand] = {}
        self._ended: set[tuple[Window, int]] = set()  # under a window that still has to hear of it

    def grab(self, window: Window, grab: m.BeginInteraction) -> None:
        """A hand takes hold with a tool."""
        if grab.interaction in self._hands:
            raise BadValue(
                "interaction", "a number that no other interaction has", grab.interaction
            )
        self._ended.discard((window, grab.interaction))
        try:
            self._hands[grab.interaction] = ToolHand(window, self._story().scene, grab)
        except ArcwrightError:
            window.say(m.InteractionEnded(interaction=grab.interaction, committed=False, label=""))
            raise

    def hear(self, window: Window, word: Any) -> None:
        """Words of a hand; those of a hand that is gone were on their way and mean nothing."""
        hand = self._hands.get(word.interaction)
        if (window, word.interaction) in self._ended:
            if isinstance(word, m.CommitInteraction | m.CancelInteraction | m.AcceptOffer):
                self._ended.remove((window, word.interaction))
            return
        if isinstance(word, m.PreviewChange) and hand is None:
            hand = self._hands[word.interaction] = SlideHand(window, self._story().scene, word)
        if hand is None or hand.window is not window:
            log.info("no hand %d of window %d", word.interaction, window.number)
            return
        try:
            self._answer(hand, word)
        except Exception:
            if hand.number in self._hands:
                self._end(hand, kept=False)
            raise

    def _answer(self, hand: Hand, word: Any) -> None:
        match word:
            case m.UpdateInteraction() if isinstance(hand, ToolHand):
                self._preview(hand, hand.move(word))
            case m.SetOptions(_, options) if isinstance(hand, ToolHand):
                hand.tune(options)
                if hand.preview is not None:
                    self._preview(hand, hand.preview)
            case m.PreviewChange(_, change) if isinstance(hand, SlideHand):
                hand.change = change
                after = hand.finish().apply(hand.scene)
                model, hands = self._story().model, len(self._hands)
                tell_live(self._audience, hand, after, model, hands=hands)
            case m.CommitInteraction():
                if isinstance(hand, ToolHand) and hand.ending is None:
                    hand.ending = self.mull.ending(hand)
                self._keep(hand, hand.finish())
            case m.AcceptOffer() if isinstance(hand, ToolHand):
                offer = hand.offer or thoughts(hand.session)[1]
                self._keep(hand, hand.finish() if offer is None else offer.edit)
            case m.CancelInteraction():
                self._end(hand, kept=False)

    def _preview(self, hand: ToolHand, preview: Preview) -> None:
        model = self._story().model
        spent = tell_preview(hand, preview, model)
        after = preview.edit.apply(hand.scene)
        tell_live(self._audience, hand, after, model, spent, len(self._hands))

    def _keep(self, hand: Hand, edit: Edit) -> None:
        """The hand is done: one step, then its end."""
        self._hands.pop(hand.number)
        before = self._story().history
        try:
            self._do(edit)
        finally:
            kept = self._story().history is not before
            self._end(hand, kept=kept, label=edit.label if kept else "")

    def _end(self, hand: Hand, *, kept: bool, label: str = "") -> None:
        self._hands.pop(hand.number, None)
        self._audience.tell(
            m.InteractionEnded(interaction=hand.number, committed=kept, label=label)
        )

    def forget(self, window: Window | None = None) -> None:
        """The hands of a window, or all, forget what they did."""
        for hand in list(self._hands.values()):
            if window is None or hand.window is window:
                self._end(hand, kept=False)
                self._ended.add((hand.window, hand.number))

    def leave(self, window: Window) -> None:
        """A window is gone, and its hands with it."""
        self.forget(window)
        self._ended = {each for each in self._ended if each[0] is not window}

    def follow(self) -> None:
        """The document changed under hands that hold it: they take hold of it anew."""
        for hand in list(self._hands.values()):
            if isinstance(hand, ToolHand):
                try:
                    hand.begin(self._story().scene)
                except ArcwrightError as error:
                    hand.window.say(m.Failure(text=str(error)))
                    self._end(hand, kept=False)

    def _resting(self) -> list[ToolHand]:
        hands = [hand for hand in self._hands.values() if isinstance(hand, ToolHand)]
        return [hand for hand in hands if not hand.noted]

    def patience(self) -> float | None:
        """Seconds until a hand has rested long enough, or is told of; None if none waits."""
        times = [hand.moved + REST for hand in self._resting()]
        times += [hand.live.due for hand in self._hands.values() if hand.live.owed]
        times += [hand.live.late for hand in self._hands.values() if hand.live.behind]
        return max(0.0, min(times) - monotonic()) if times else None

    def rest(self) -> None:
        """Hands that rest are thought about, and what they are behind with is told."""
        for hand in self._resting():
            if monotonic() - hand.moved >= REST:
                hand.noted = True
                self.mull.over(hand)
        for each in self._hands.values():
            if each.live.behind and monotonic() >= each.live.late:
                self._late(each, tell_behind)
            if each.live.owed and monotonic() >= each.live.due:
                self._late(each, tell_owed)

    def asked(self) -> None:
        """A window wants something else than before: it is also told what hands make of that."""
        for hand in self._hands.values():
            if hand.live.frames and not hand.live.behind:
                hand.live.behind, hand.live.late = True, monotonic()

    def _late(self, hand: Hand, tell: Callable[[Audience, Hand, Scene, Model], None]) -> None:
        try:
            tell(self._audience, hand, self._tried(hand), self._story().model)
        except Exception:
            hand.live.owed = hand.live.behind = False  # the next move tells it, or what is wrong
            log.exception("poses of a hand")

    def _tried(self, hand: Hand) -> Scene:
        """The scene as a hand would have it now."""
        if isinstance(hand, ToolHand):
            edit = Edit("") if hand.preview is None else hand.preview.edit
        else:
            edit = hand.finish()
        return edit.apply(hand.scene)

    def _thought(self, hand: ToolHand, moved: float, found: Any) -> None:
        """Something was found about a hand; told and shown if it is still where it was."""

        def tell() -> None:
            if self._hands.get(hand.number) is hand and hand.moved == moved:
                notes, hand.offer, ending = found
                self._audience.tell(told.notes(hand.number, notes, hand.offer))
                self._preview(hand, hand.rested(ending))

        self._soon(tell)
