"""Contact by one stroke: a line in the view becomes ground, and what touches it does not slide.

The session collects the stroke. Its plane, the frames in contact and their new places follow from
the whole of it, so chunks make no difference; the body is solved when the edit is asked for.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.errors import BadValue
from arcwright.kinematics.rotation import cross
from arcwright.objectives.edited_clip import find_clip
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.cycle.contact.contact_loop import ContactLoop, GroundedLoop
from arcwright.tools.cycle.contact.contact_plane import (
    ContactPlane,
    StrokeLine,
    contact_plane,
    heights,
    items_meant,
    on_plane,
    raised,
)
from arcwright.tools.cycle.contact.contact_surface import Profile, curve, has_room, steps
from arcwright.tools.cycle.contact.existing_constraints import NOTED, as_planted
from arcwright.tools.cycle.contact.ground_contact import GroundContact, ground_contact, runs
from arcwright.tools.cycle.contact.swing_sections import without_swings
from arcwright.tools.cycle.options import CycleOptions
from arcwright.tools.gesture import Gesture, Stroke, joined
from arcwright.tools.overlay import CurveOverlay, Overlay, StrokeOverlay
from arcwright.tools.tool import Note, Preview

LABEL = "Contact"
SHORTEST = 2  # frames of a contact
SHORT = 1e-4  # m from the ground: contacts farther off get a note


@dataclass(frozen=True, eq=False)
class _Plan:
    """The ground of a stroke, and what shall touch it."""

    line: StrokeLine
    plane: ContactPlane
    items: Ints  # (P,) among the points of the loop
    touches: Bools  # (M, P)
    lift: Floats  # (P,) m above the ground, of items that keep their own height
    kept: Ints  # items that take part only as they were planted before


@dataclass(frozen=True, eq=False)
class Touch:
    """The ground of a stroke and what of the loop touches it."""

    plan: _Plan
    found: GroundContact
    surface: Profile | None
    refused: str = ""  # why the ground is a plane all the same

    @property
    def plane(self) -> ContactPlane:
        """The ground."""
        return self.plan.plane

    @property
    def items(self) -> Ints:
        """(P,) among the points of the loop."""
        return self.plan.items

    @property
    def touches(self) -> Bools:
        """(M, P) samples in contact."""
        return self.plan.touches


class ContactStroke:
    """Keeps the scene it began with; every result is computed from it and the whole stroke."""

    def __init__(self, scene: Scene, target: Target, options: CycleOptions) -> None:
        self.scene, self.options = scene, options
        self.edited = find_clip(scene, target)
        self.loop = ContactLoop(scene, self.edited, target.point)
        self._strokes: list[Stroke] = []
        self._state: _State | None = None

    def update(self, gesture: Gesture) -> Preview:
        """The edit as it would be with the stroke as long as it is now."""
        if not isinstance(gesture, Stroke):
            raise BadValue("gesture", "a Stroke", type(gesture).__name__)
        if len(gesture):
            self._strokes, self._state = [*self._strokes, gesture], None
        return self._preview()

    def set_options(self, options: CycleOptions) -> Preview:
        """The same stroke with other options."""
        self.options, self._state = options, None
        return self._preview()

    def finish(self) -> Edit:
        """One undo step."""
        return self._now.edit

    def notes(self) -> tuple[Note, ...]:
        """What touches the ground, and what does not."""
        return self._now.notes

    def fork(self) -> ContactStroke:
        """A session that stands where this one does."""
        return copy.copy(self)

    @property
    def _now(self) -> _State:
        if self._state is None:
            stroke = joined(self._strokes) if self._strokes else None
            self._state = _State(self.loop, self.options, stroke)
        return self._state

    def _preview(self) -> Preview:
        state = self._now
        duration = self.loop.duration
        return Preview(
            lambda: state.edit,
            lambda: state.notes,
            lambda: None if state.touch is None else (0.0, duration),
            overlays=state.overlays,
        )


class _State:
    """What follows from a stroke, computed on demand."""

    def __init__(self, loop: ContactLoop, options: CycleOptions, stroke: Stroke | None) -> None:
        self.loop, self.options, self.stroke = loop, options, stroke
        self.reason = ""  # why nothing touches

    @cached_property
    def touch(self) -> Touch | None:
        """The ground and what touches it; None where nothing does, with the reason."""
        try:
            return self._find()
        except BadValue as refused:
            self.reason = f"No contact: {refused}."
            return None

    def _find(self) -> Touch | None:
        stroke, loop = self.stroke, self.loop
        if stroke is None:
            return None
        chord = self.options.surface == "curve"
        line = StrokeLine.of(stroke.camera, stroke.points, chord=chord)
        if line is None:
            self.reason = "No contact: the stroke is too short to be a line."
            return None
        if loop.gap > loop.closed:
            away = f"its end is {100 * loop.gap:.0f} cm from its start"
            self.reason = f"No contact: the take is no loop, {away}. Make a loop first."
            return None
        items = self._meant(line, bent=chord)
        if not len(items):
            self.reason = f"No contact: the stroke passes near none of {loop.names}."
            return None
        curves = loop.curves.of(items)
        plane = contact_plane(line, _lowest(curves.seen))
        if plane is None:
            self.reason = "No contact: the stroke is seen edge-on."
            return None
        least = SHORTEST * loop.fine
        touches = on_plane(line, plane, curves, least, bent=chord)
        if not touches.any() and plane.level and not chord:
            plane = raised(
                line, plane, curves, loop.planted[:, items]
            )  # drawn under the soles, not through the joints
            touches = on_plane(line, plane, curves, least, bent=chord)
        touches = without_swings(line, plane, curves, touches, least, bent=chord)
        some = touches.any(axis=0)
        if not some.any():
            self.reason = f"No contact: {loop.names} stay above the stroke."
            return None
        meant, touches = as_planted(loop.planted, items[some], touches[:, some])
        if not len(meant):
            self.reason = self._between_contacts(items[some])
            return None
        return self._grounded(self._with_planted(line, plane, meant, touches))

    def _meant(self, line: StrokeLine, *, bent: bool) -> Ints:
        """The items that the stroke is drawn for; the one that was chosen always is."""
        curves = self.loop.curves
        plane = contact_plane(line, _lowest(curves.seen))
        if self.loop.chosen or plane is None:
            return np.arange(len(self.loop.points))
        return items_meant(line, plane, curves, self.loop.size, bent=bent)

    def _between_contacts(self, items: Ints) -> str:
        """Why a stroke under the swings of items (P,) that have contacts changes nothing."""
        swinging = [self.loop.points[item].joint for item in items.tolist()]
        said = " ".join(self.loop.describe(items, self.loop.planted[:, items]))
        names = " and ".join(swinging)
        return f"No contact: the stroke is under the swing of {names}. {said} Draw it there."

    def _with_planted(
        self, line: StrokeLine, plane: ContactPlane, items: Ints, touches: Bools
    ) -> _Plan:
        """Contacts that the loop has already, beside those of the stroke.

        Items that were not meant keep theirs, on level ground at their own height.
        """
        planted = self.loop.planted
        others = np.setdiff1d(np.flatnonzero(planted.any(axis=0)), items)
        above = heights(line, plane, self.loop.curves, bent=False)
        level = plane.level and self.options.surface == "plane"
        own = [float(above[planted[:, item], item].mean()) if level else 0.0 for item in others]
        lift = np.where(np.abs(own) > NOTED, own, 0.0)
        both = np.concatenate([touches, planted[:, others]], axis=1)
        every = np.concatenate([items, others])
        return _Plan(line, plane, every, both, np.concatenate([np.zeros(len(items)), lift]), others)

    def _grounded(self, plan: _Plan) -> Touch:
        line, plane, touches = plan.line, plan.plane, plan.touches
        lift = plan.lift[:, None] * plane.normal
        curves = self.loop.curves.place[:, plan.items] - lift
        found = ground_contact(curves, touches, plane.point, plane.normal)
        kind, surface, refused = self.options.surface, None, ""
        if kind != "plane":
            if not has_room(found, self.loop.size):
                refused = "The ground is a plane, as the loop does not travel."
            elif kind == "steps" and plane.level:
                refused = "The ground is level: draw a slope for steps."
            else:
                surface = steps(found, touches) if kind == "steps" else curve(found, line, plane)
                found = ground_contact(
                    curves, touches, plane.point, plane.normal, stride=found.stride, surface=surface
                )
        found = replace(found, positions=found.positions + lift)
        return Touch(plan, found, surface, refused)

    @cached_property
    def solved(self) -> GroundedLoop | None:
        """The body on the ground."""
        touch = self.touch
        if touch is None:
            return None
        return self.loop.grounded(touch.items, touch.touches, touch.found, self.options)

    @cached_property
    def edit(self) -> Edit:
        """The edit."""
        solved = self.solved
        return Edit(LABEL) if solved is None else self.loop.edit(solved, self.options, LABEL)

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """What was found, and what was not."""
        touch = self.touch
        if touch is None:
            return (Note(self.reason, "info"),) if self.reason else ()
        found = [Note(text, "info") for text in self.loop.describe(touch.items, touch.touches)]
        found += [Note(text, "info") for text in self._kept(touch.plan)]
        found += [Note(text, "info") for text in self._above(touch.plan)]
        flight = int((~touch.touches[:: self.loop.fine].any(axis=1)).sum())
        if flight:
            found.append(Note(f"Nothing touches the ground in {flight} frames.", "info"))
        found += [Note(text, "info") for text in (*self._travel(touch), touch.refused) if text]
        solved = self.solved
        if solved is not None:
            found += [
                Note(f"{name} stays {1e3 * far:.1f} mm from the ground.", "residual", far)
                for name, far in solved.short
                if far > SHORT
            ]
        return (*found, *self.loop.constraint_notes(self.edit))

    def _kept(self, plan: _Plan) -> Iterator[str]:
        """Which items keep contacts that they had, at which height."""
        for item, lift in zip(plan.items.tolist(), plan.lift.tolist(), strict=True):
            if item in plan.kept:
                side = "above" if lift > 0 else "below"
                off = f", {1e3 * abs(lift):.0f} mm {side} the stroke" if lift else ""
                yield f"{self.loop.points[item].joint} keeps its contact{off}."

    def _above(self, plan: _Plan) -> Iterator[str]:
        """Which items the stroke passes near but below, so that they may slide."""
        bent = self.options.surface == "curve"
        left = np.setdiff1d(self._meant(plan.line, bent=bent), plan.items)
        low = heights(plan.line, plan.plane, self.loop.curves, bent=bent).min(axis=0)
        for item in left[low[left] > NOTED].tolist():
            away = f"{100 * low[item]:.2g} cm above the stroke"
            yield f"{self.loop.points[item].joint} stays {away}: draw it higher to plant it."

    def _travel(self, touch: Touch) -> list[str]:
        stride = float(np.linalg.norm(touch.found.stride))
        if stride < 1e-6:
            return ["The root stays where it is: what touches the ground does not move on it."]
        way = "travels" if self.options.travels else "stays, and the ground travels"
        said = [f"The root {way} {stride:.3g} m in a loop."]
        if touch.surface is not None and touch.surface.steps:
            rise = abs(float(touch.found.stride[1])) / touch.surface.steps
            said.append(f"{touch.surface.steps} steps of {100 * rise:.1f} cm in a loop.")
        if self.options.travels and not self.loop.can_travel:
            said.append("The root cannot be moved: the loop stays in place.")
        return said

    @cached_property
    def overlays(self) -> tuple[Overlay, ...]:
        """The stroke, its plane, and the sections in contact."""
        if self.stroke is None or len(self.stroke) < 2:
            return ()
        drawn: list[Overlay] = [StrokeOverlay(self.stroke.points, "guide")]
        touch = self.touch
        if touch is None:
            return tuple(drawn)
        for item in range(len(touch.items)):
            path = touch.found.positions[:, item]
            drawn.append(CurveOverlay(path, "reference", closed=True))
            drawn += [CurveOverlay(path[run], "edit") for run in runs(touch.touches[:, item])]
        drawn.append(CurveOverlay(_outline(touch), "guide", closed=True))
        return tuple(drawn)


def _lowest(curves: Floats) -> Floats:
    """(3,) the mean of the lowest places of curves (M, P, 3): so far away is the ground."""
    low = np.argmin(curves[..., 1], axis=0)
    return np.asarray(curves[low, np.arange(curves.shape[1])].mean(axis=0))


def _outline(touch: Touch) -> Floats:
    """(4, 3) m, a part of the plane around the stroke."""
    plane = touch.plane
    along = plane.ends[1] - plane.ends[0]
    deep = cross(along, plane.normal)
    deep *= 0.5 * np.linalg.norm(along) / np.linalg.norm(deep)
    start, end = plane.ends
    return np.array([start - deep, end - deep, end + deep, start + deep])
