"""Spacetime model: the cost of a displacement d(t) of a motion, and its Gauss-Newton system.

min over x   1/2 sum over rows w (target - measured(m0 + d))^2  +  1/2 (x - a)' S (x - a)

x  control values of d (N, D), and free offsets (V,)
a  reference: 0, or on release the solution of the drag
S  stiffness: how far joints move with d (eq. 4), and second differences of x

A step solves the primal twin of eq. 9 of Gleicher (1997), `(S + J' W J) step = J' W r - S (x - a)`,
which is block banded in the order of time.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.curves.spline import band
from arcwright.kinematics.hinges import Hinge
from arcwright.kinematics.layering import displaced
from arcwright.scene.layer import Layer
from arcwright.scene.rig import Rig
from arcwright.solve.blocks import Moments, System, times
from arcwright.tools.spacetime.compiled_kinematics import CompiledPoints, compile_kinematics
from arcwright.tools.spacetime.displacement import (
    EditRange,
    Unknowns,
    close_loop,
    open_loop,
)
from arcwright.tools.spacetime.hinge_limits import HingeLimits, joined
from arcwright.tools.spacetime.jacobians import (
    JointLimits,
    LimitViolations,
    PointJacobian,
    PointKinematics,
)
from arcwright.tools.spacetime.rows import (
    PositionBatch,
    RowPoints,
    Rows,
    batch_positions,
    linearise,
    row_points,
)
from arcwright.tools.spacetime.stiffness import Stiffness
from arcwright.tools.spacetime.tension import point_forces, tension
from arcwright.tools.spacetime.terms import ORIENTATION_SCALE, Term

LIMIT_SCALE = ORIENTATION_SCALE**2  # m^2 per rad^2: what a violated limit counts
MAX_ROTATION = 1.0  # rad, of a control value in one step: limbs would be wound around


@dataclass(frozen=True, eq=False)
class State:
    """The motion at given control values: rows, violated limits and cost."""

    x: Floats  # (N, D)
    offsets: Floats  # (V,) m, free offsets
    unknowns: Floats  # (T, D) the unknowns at the samples
    poses: CompiledPoints | PointJacobian
    rows: Rows
    violations: LimitViolations
    stiffness_force: Floats  # (N, D) S (x - a)
    stiffness_cost: float  # 1/2 (x - a)' S (x - a)
    cost: float
    damping: float = 0.0  # of the step that led here

    def point_pose(self, sample: int, point: int) -> tuple[Floats, Floats]:
        """Position (3,) of a point and orientation (3, 3) of its joint."""
        return self.poses.position[sample, point], self.poses.orientation[sample, point]


class SpacetimeModel:
    """What stays the same during a drag, and the terms for its current position."""

    def __init__(
        self,
        rig: Rig,
        span: EditRange,
        start: Floats,
        points: PointKinematics,
        stiffness: Stiffness,
        limit_weight: float,
        hinges: Sequence[Hinge] = (),
    ) -> None:
        self.rig, self.range, self.start, self.points = rig, span, start, points
        self.unknowns: Unknowns = points.unknowns
        spline = band(span.start, span.end, span.count, span.times)
        self.basis = Moments(spline.first, spline.weight, span.count)
        self.stiffness = stiffness
        self.limit_weight = limit_weight  # per m^2
        self.limits = JointLimits(rig, self.unknowns, start)
        self.hinges = HingeLimits(rig, self.unknowns, span.times, start, hinges)
        self._compiled = compile_kinematics(points, start, self.basis, self.limits.joints)
        self.reference: Floats | float = 0.0  # (N, D)
        self.terms: list[Term] = []
        self.offset_count = 0
        self._batches: list[Term | PositionBatch] = []
        self._row_points: RowPoints = row_points([])

    def with_terms(
        self,
        terms: list[Term],
        offset_count: int,
        limit_factor: float = 1.0,
        reference: Floats | float | None = None,
    ) -> SpacetimeModel:
        """A copy with other terms, limits so many times as heavy, and another reference (N, D)."""
        other = copy.copy(self)
        other.limit_weight = self.limit_weight * limit_factor
        other.terms, other.offset_count = terms, offset_count
        other._batches, other._row_points = batch_positions(terms), row_points(terms)
        other.reference = self.reference if reference is None else reference
        return other

    def zero(self) -> tuple[Floats, Floats]:
        """Control values and free offsets of no displacement."""
        return np.zeros((self.range.count, self.unknowns.count)), np.zeros(self.offset_count)

    def layer(self, x: Floats, name: str = "displacement") -> Layer:
        """The displacement as a layer of the take."""
        rotations, additions = self.unknowns.split(x)
        joints, channels = self.unknowns.joints, self.unknowns.channels
        start, end = self.range.start, self.range.end
        return Layer(name, start, end, joints, rotations, channels, additions)

    def values(self, unknowns: Floats, samples: slice | Ints = slice(None)) -> Floats:
        """(T, C) the channels, displaced by unknowns (T, D), at some of the samples."""
        rotations, additions = self.unknowns.split(unknowns[samples])
        by_joint, by_channel = (
            (self.unknowns.joints, rotations),
            (self.unknowns.channels, additions),
        )
        return displaced(self.rig, by_joint, by_channel, self.start[samples])

    def evaluate(self, x: Floats, offsets: Floats) -> State:
        """Rows and cost at control values x."""
        unknowns = self.basis.at(x)
        poses: CompiledPoints | PointJacobian
        if self._compiled is not None:
            poses = self._compiled.evaluate(unknowns)
            angles = poses.angles
        else:
            values = self.values(unknowns)
            poses = self.points.evaluate(values, unknowns)
            angles = values[:, self.limits.channels]
        rows = linearise(self.terms, self._batches, self._row_points, poses, offsets)
        violations = joined(
            self.limits.violations(angles, unknowns), self.hinges.violations(unknowns)
        )
        away = x - self.reference
        force = times(self.stiffness.blocks, away)
        stiffness_cost = 0.5 * float((away * force).sum())
        cost = rows.cost + stiffness_cost
        square = float(violations.residual @ violations.residual)
        cost += 0.5 * self.limit_weight * LIMIT_SCALE * square
        return State(x, offsets, unknowns, poses, rows, violations, force, stiffness_cost, cost)

    def normal_equations(self, state: State, forces: Floats | None = None) -> System:
        """`S + J' W J`, with the tension of forces (T, P, 3), and minus the gradient."""
        weight = self.limit_weight * LIMIT_SCALE
        found = System.bare(self.stiffness.blocks.copy(), -state.stiffness_force, self.offset_count)
        if self._compiled is not None and isinstance(state.poses, CompiledPoints):
            given = state.poses, state.rows, state.violations, weight
            self._compiled.add_normal_equations(found, *given, forces)
        else:
            assert isinstance(state.poses, PointJacobian)
            self._add_normal_equations(found, state.poses, state.rows, state.violations, weight)
            if forces is not None:
                found.blocks[:] += self.basis.squares(tension(self.points, state.poses, forces))
        return found

    def _add_normal_equations(
        self,
        found: System,
        points: PointJacobian,
        rows: Rows,
        violations: LimitViolations,
        weight: float,
    ) -> None:
        """The same as the compiled library does."""
        jacobian, size = rows.jacobian(points), self.unknowns.count
        pull = rows.weight * rows.residual
        force = np.zeros((len(jacobian), size + 1))
        force[:, :-1] = (pull[:, None] @ jacobian)[:, 0]
        squares = np.zeros((len(jacobian), size + 1, size + 1))
        scaled = jacobian * np.sqrt(rows.weight)[..., None]
        squares[:, :-1, :-1] = scaled.swapaxes(1, 2) @ scaled
        sample, columns, slope = violations.sample, violations.columns, violations.slope
        limit_force = weight * slope * violations.residual[:, None]
        np.add.at(force, (sample[:, None], columns), limit_force)
        outer = slope[:, :, None] * slope[:, None] * weight
        np.add.at(squares, (sample[:, None, None], columns[:, :, None], columns[:, None]), outer)
        found.blocks[:] += self.basis.squares(np.ascontiguousarray(squares[:, :-1, :-1]))
        found.slope[:] += self.basis.back(force[:, :-1])
        for offset in range(self.offset_count):
            column = rows.offset_column(offset)
            found.further_slope[offset] = -(column * pull).sum()
            own = column * rows.weight
            found.border[..., offset] = -self.basis.back((own[:, None] @ jacobian)[:, 0])
            for other in range(self.offset_count):
                found.corner[offset, other] = (own * rows.offset_column(other)).sum()

    def damped_step(self, state: State, damping: float) -> tuple[State, float]:
        """The state after a Gauss-Newton step, and the predicted decrease of the cost.

        Damped steps take tension into account; most steps go well without it.
        """
        points = state.poses.position.shape[1]
        forces = point_forces(state.rows, points) if damping > 0 else None
        system = self.normal_equations(state, forces)
        step, offsets = self.solve_step(system, damping)
        damped = damping * float((self.stiffness.diagonal * step * step).sum())
        slope = float((system.slope * step).sum() + system.further_slope @ offsets)
        rotation = np.abs(step[:, : self.unknowns.rotation_count]).max(initial=0.0)
        share = min(1.0, MAX_ROTATION / max(rotation, MAX_ROTATION))
        after = self.evaluate(state.x + share * step, state.offsets + share * offsets)
        return after, share * slope - 0.5 * share**2 * (slope - damped)

    def solve_step(self, system: System, damping: float = 0.0) -> tuple[Floats, Floats]:
        """The step (N, D) and (V,), damped by a multiple of the stiffness; uses up the blocks."""
        blocks = system.blocks
        np.einsum("nii->ni", blocks[:, :, 0])[:] += damping * self.stiffness.diagonal
        if self.range.loops:
            return open_loop(*close_loop(system).solved(), system.slope.shape)
        free = self.range.free
        part = System(blocks[free], system.slope[free], system.border[free], *system[3:])
        step = np.zeros(system.slope.shape)
        step[free], offsets = part.solved()
        return step, offsets
