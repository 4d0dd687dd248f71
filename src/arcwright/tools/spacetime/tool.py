"""The spacetime tool: name, options, begin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from arcwright.edits.footplants import accept_all
from arcwright.scene.constraint import Constraint
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.options import Options, option
from arcwright.tools.shared.attached import assembled_scene, begin_assembled
from arcwright.tools.shared.body_options import body_option
from arcwright.tools.spacetime.session import SpacetimeSession
from arcwright.tools.spacetime.solve_constraints import solve_constraints
from arcwright.tools.tool import Progress, Session, Solved


@dataclass(frozen=True)
class SpacetimeOptions(Options):
    """How far an edit reaches and what it keeps."""

    knot_spacing: float = option(
        0.07,
        "Knot spacing",
        "time between two knots of the displacement: long for broad changes, short for exact ones;"
        " at least two frames and at most a fifth of the range, down to a quarter of the value"
        " where footplants could not stay",
        unit="s",
        low=0.02,
        high=2.0,
    )
    start: float = option(0.0, "Start", "where the edit begins", unit="s", low=0.0, high=1e6)
    end: float = option(
        0.0,
        "End",
        "where the edit ends; 0 for the end of the take, or 3 s from the drag where the take is"
        " longer than 6 s",
        unit="s",
        low=0.0,
        high=1e6,
    )
    smoothness: float = option(
        0.2,
        "Smoothness",
        "how broad the change is: 0.2 changes part of a second, 0.9 a whole walk; the weight of "
        "quick bends doubles with every 1/15",
        low=0.0,
        high=1.0,
    )
    contact_ease: float = option(
        0.15,
        "Contact ease",
        "time in which footplants ease in and out",
        unit="s",
        low=0.0,
        high=1.0,
    )
    body_follows: float = body_option()
    whole_body: bool = option(
        False, "Whole body", "all limbs take part, not only those that are dragged or planted"
    )
    floating_footplants: bool = option(
        False,
        "Floating footplants",
        "footplants may move to other places, without sliding; a drag at an end of the range makes "
        "all steps longer or shorter",
    )
    plant_soles: bool = option(
        True,
        "Plant soles",
        "heels stay where they stand as toes do, and no part of a sole goes below the ground that"
        " the foot stood on, or lower than in the original",
    )
    adapt_timing: str = option(
        "automatic",
        "Adapt timing",
        "higher jumps stay in the air longer and longer steps take longer; automatic: jumps that a "
        "drag makes higher or lower, and steps whose foot would become too quick",
        choices=("off", "automatic", "on"),
    )
    keep_length: bool = option(
        False,
        "Keep length",
        "where timing adapts, the rest of the range makes up for it; otherwise later frames shift,"
        " except for steps that adapt automatically",
    )
    floor_limit: bool = option(False, "Floor limit", "feet never go lower than in the original")
    fix_foot_skate: bool = option(
        False,
        "Fix foot skate",
        "all footplants in the range that slide in the original come to a stop, not only a dragged "
        "one; Solve constraints does the same without a drag",
    )
    drag_moves_footplant: bool = option(
        True, "Drag foot moves footplant", "dragging a planted foot moves its footplant"
    )
    detect_footplants: bool = option(
        True,
        "Auto-detect footplants",
        "detect footplants where the take has no contacts; contacts of the scene are always kept",
    )
    include_heels: bool = option(
        False,
        "Include heels",
        "detect footplants of heels as well as toes, also beside contacts of toes",
    )
    solve_time: float = option(
        1.0,
        "Solve time",
        "CPU time that a release may take; a note says where more would help, and Solve further "
        "takes as long as it needs",
        unit="seconds",
        low=0.05,
        high=600.0,
    )
    guess_limits: bool = option(
        True,
        "Guess joint limits",
        "knees and elbows without limits of their own bend one way only, and no further back than"
        " in the original",
    )
    lock_ends: bool = option(
        False, "Lock ends", "the first and last pose of the take stay as they are"
    )


class SpacetimeTool:
    """Drag any point at any frame, a footplant, or a held prop; the whole motion adapts."""

    name = "spacetime"
    label = "Spacetime edit"
    gestures = (Drag,)
    Options = SpacetimeOptions
    one_frame = False

    def begin(
        self,
        scene: Scene,
        target: Target,
        options: SpacetimeOptions,
        more: Sequence[Constraint] = (),
    ) -> Session:
        """Prepare an edit of a take of keys or samples, with or without layers."""

        def begin(assembled: Scene) -> SpacetimeSession:
            # joints that follow others by keys of their own could not follow in time
            timed = options if assembled is scene else replace(options, adapt_timing="off")
            return SpacetimeSession(assembled, target, timed, more)

        return begin_assembled(scene, target, begin)

    def solve(
        self,
        scene: Scene,
        target: Target,
        options: SpacetimeOptions,
        constraints: Sequence[Constraint] = (),
        progress: Progress = lambda _: None,
    ) -> Solved:
        """Meet the constraints of the scene and the given ones."""
        assembled = assembled_scene(scene, target)
        if assembled is None:
            return solve_constraints(scene, target, options, constraints, progress)
        options = replace(options, adapt_timing="off")
        solved = solve_constraints(assembled.scene, target, options, constraints, progress)
        return replace(solved, edit=assembled.back(solved.edit))

    def detect(self, scene: Scene, target: Target, options: SpacetimeOptions) -> Edit:
        """Make contacts of the footplants that an edit keeps."""
        if not options.detect_footplants:
            return Edit("")
        return accept_all(scene, target.character, target.take, heels=options.include_heels)
