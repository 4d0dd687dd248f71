"""The published method of tangent-space optimisation, step by step, as a peer to measure against.

Its equations are numbered as in "Tangent-Space Optimization for Interactive Animation Control".
What it leaves open is chosen in its favour: curves are differenced all at once, pins keep the
path they had when the drag began, and lengths are centimetres, angles radians, times frames.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import clarabel
import numpy as np
import piqp
from scipy import sparse

from arcwright.curves.bezier_parameter import bezier_parameter
from arcwright.kinematics.columns import channels_moving
from arcwright.kinematics.jacobian import PointJacobian, point_jacobian
from arcwright.kinematics.places import places
from arcwright.kinematics.rotation import vector_from_matrix
from arcwright.kinematics.sample import values_at
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.curve import Handle
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take

CM = 100.0
W_MOVE, W_CHANGE, W_BREAK = 100.0, 1.0, 1.0  # w_m, w_d, w_b of eq. 10
BAND = 1e-4  # epsilon of eq. 11, cm and rad
REGULAR = 1e-6  # added to the diagonal of Q
CLOSE = 1e-4  # m, kappa
MOST_QPS = 5
NUDGE = 1e-5  # of finite differences, frames and rad or m

Solver = Callable[..., "np.ndarray | None"]


class PaperTangents:
    """One drag: `update` with each new place of the hand; `take` gives the motion."""

    def __init__(
        self, scene: Scene, point: Point, time: float, solver: Solver, close: float = CLOSE
    ) -> None:
        actor = scene.characters[0]
        self.start = take = actor.takes[0]
        clip = take.base
        assert isinstance(clip, Clip)
        self.solver = solver
        self.close = close
        self.rate = clip.rate
        constraints = self._reduced(take, point, (*scene.pins, *scene.contacts))
        curves = [clip.curves[channel] for channel in self.channels]
        self.key = int(np.searchsorted(curves[0].time, time, "right")) - 1
        self.edge = curves[0].time[[self.key, self.key + 1]]
        self.length = (self.edge[1] - self.edge[0]) * self.rate  # frames
        self.ends = np.array([curve.value[self.key : self.key + 2] for curve in curves])
        self.places = places(take.rig, [point, *(constraint.point for constraint in constraints)])
        self._sample(take, time, constraints)
        self.theta = self._handles(curves, self.key, 1, self.key + 1, 0)  # (C, 4) X0 Y0 X1 Y1
        self.beside = self._handles(curves, self.key, 0, self.key + 1, 1)
        self._bound(take)
        self.qps = 0

    def _reduced(
        self, take: Take, point: Point, constraints: tuple[Pin | Contact, ...]
    ) -> list[Pin | Contact]:
        """The set C of channels and the constraints that stay, by the three cases of 3.3."""
        chain = set(channels_moving(take.rig, [point]).tolist())
        play, kept = set(chain), []
        for constraint in constraints:
            moving = set(channels_moving(take.rig, [constraint.point]).tolist())
            if not moving & play:
                continue
            if moving <= chain:
                play -= moving
                continue
            kept.append(constraint)
            play |= moving
        self.channels = np.array(sorted(play))
        return kept

    def _sample(self, take: Take, time: float, constraints: list[Pin | Contact]) -> None:
        """Constraints at every frame between the keys, or at as many as their chain has freedom."""
        first, last = np.round(self.edge * self.rate)
        frames = np.arange(first + 1, last) / self.rate
        self.times = np.concatenate([[time], frames])
        self.values = values_at(take, self.times)
        now = point_jacobian(take.rig, self.values, self.places, [])
        self.residuals = []  # sample indices, place, wanted positions, wanted orientations
        for place, constraint in enumerate(constraints, start=1):
            most = 4 * len(channels_moving(take.rig, [constraint.point]))
            count = min(len(frames), most)
            at = 1 + np.unique(np.round(np.linspace(0, len(frames) - 1, count)).astype(int))
            wanted, turned = now.position[at, place], now.orientation[at, place]
            if isinstance(constraint, Contact):
                ends = values_at(take, self.edge[:1])
                held = point_jacobian(take.rig, ends, self.places, [])
                wanted = np.repeat(held.position[:, place], len(at), axis=0)
                turned = np.repeat(held.orientation[:, place], len(at), axis=0)
            self.residuals.append(
                (
                    at,
                    place,
                    wanted if constraint.position else None,
                    turned if constraint.orientation else None,
                )
            )

    def _handles(self, curves, key: int, side: int, other: int, other_side: int) -> np.ndarray:
        both = np.array([[c.tangent[key, side], c.tangent[other, other_side]] for c in curves])
        both[..., 0] *= self.rate
        return both.reshape(len(curves), 4)

    def _bound(self, take: Take) -> None:
        """Eqs. 7 to 9."""
        table = take.rig.channels
        down = 4 / 3 * (table.low[self.channels] - self.ends.min(axis=1))
        up = 4 / 3 * (table.high[self.channels] - self.ends.max(axis=1))
        none, whole = np.zeros(len(up)), np.full(len(up), self.length)
        self.low = np.stack([none, down, none, -up], axis=1)
        self.high = np.stack([whole, up, whole, -down], axis=1)
        self.theta = np.clip(self.theta, self.low, self.high)

    def update(self, wanted: np.ndarray) -> float:
        """Follow the hand; the distance left, m."""
        at = self._state(self.theta)
        away = began = np.linalg.norm(wanted - at.position[0, 0])
        theta, best = self.theta, self.theta
        self.qps = 0
        while away > self.close and self.qps < MOST_QPS:
            step = self._step(theta, at, wanted)
            self.qps += 1
            if step is None:
                break
            theta = np.clip(theta + step.reshape(-1, 4), self.low, self.high)
            at = self._state(theta)
            away = np.linalg.norm(wanted - at.position[0, 0])
            if away < began:
                best, began = theta, away
        self.theta = best
        return float(began)

    def _step(self, theta: np.ndarray, at: PointJacobian, wanted: np.ndarray) -> np.ndarray | None:
        """Eq. 10 with the band of eq. 11, as 1/2 x Q x + b x; None if it has no solution."""
        by_handle = self._curve_derivatives(theta)
        column = np.searchsorted(self.channels, at.channels)
        grown = np.zeros((*at.linear.shape[:3], len(self.channels)))
        grown[..., column] = at.linear
        turned = np.zeros_like(grown)
        turned[..., column] = at.angular

        def rows(jacobian: np.ndarray, when: np.ndarray, place: int) -> np.ndarray:
            here = jacobian[when, place][..., None] * by_handle[when][:, None]
            return here.reshape(3 * len(when), -1)

        held = rows(grown, np.array([0]), 0) * CM
        miss = (wanted - at.position[0, 0]) * CM
        quadratic = W_MOVE * held.T @ held
        quadratic.flat[:: len(quadratic) + 1] += W_CHANGE + W_BREAK
        linear = -W_MOVE * held.T @ miss + W_BREAK * (theta - self.beside).ravel()
        quadratic = 2 * quadratic
        quadratic.flat[:: len(quadratic) + 1] += REGULAR
        matrix, away = [], []
        for when, place, spot, turn in self.residuals:
            if spot is not None:
                matrix.append(rows(grown, when, place) * CM)
                away.append((spot - at.position[when, place]).ravel() * CM)
            if turn is not None:
                matrix.append(rows(turned, when, place))
                now = at.orientation[when, place].swapaxes(-1, -2)
                away.append(vector_from_matrix(turn @ now).ravel())
        keep = np.concatenate(matrix) if matrix else np.zeros((0, theta.size))
        gap = np.concatenate(away) if away else np.zeros(0)
        room = (self.low - theta).ravel(), (self.high - theta).ravel()
        for band in (BAND, np.maximum(BAND, np.abs(gap))):
            # Linearisation that second-order error has put out of reach may at least get no worse.
            found = self.solver(quadratic, 2 * linear, keep, gap - band, gap + band, *room)
            if found is not None:
                return found
            self.qps += 1
        return None

    def _curves(self, theta: np.ndarray) -> np.ndarray:
        """Channel values (..., C, T) for handles (..., C, 4)."""
        x0, y0, x1, y1 = np.moveaxis(theta, -1, 0)[..., None]
        share = (self.times - self.edge[0]) / (self.edge[1] - self.edge[0])
        runs = np.broadcast_arrays(x0 / self.length, x1 / self.length, share)
        runs = [np.clip(run, 0.0, 1.0).ravel() for run in runs]
        at = bezier_parameter(*runs).reshape(*theta.shape[:-1], len(share))
        rest = 1 - at
        p, q = 3 * at * rest * rest, 3 * at * at * rest
        first, second = self.ends[:, 0, None], self.ends[:, 1, None]
        return first + (at**3 + q) * (second - first) + p * y0 - q * y1

    def _curve_derivatives(self, theta: np.ndarray) -> np.ndarray:
        """(T, C, 4) the second factor of eq. 2, by finite differences inside the bounds."""
        nudge = np.where(theta + NUDGE > self.high, -NUDGE, NUDGE)
        five = np.repeat(theta[None], 5, axis=0)
        for component in range(4):
            five[component, :, component] += nudge[:, component]
        values = self._curves(five)
        change = values[:4] - values[4]
        return (change / nudge.T[..., None]).transpose(2, 1, 0)

    def _state(self, theta: np.ndarray) -> PointJacobian:
        values = self.values.copy()
        values[:, self.channels] = self._curves(theta).T
        return point_jacobian(self.start.rig, values, self.places, self.channels.tolist())

    @property
    def take(self) -> Take:
        """The motion as it now is."""
        clip = self.start.base
        assert isinstance(clip, Clip)
        curves = list(clip.curves)
        for channel, (x0, y0, x1, y1) in zip(self.channels, self.theta, strict=True):
            tangent = np.array(curves[channel].tangent)
            tangent[self.key, 1] = x0 / self.rate, y0
            tangent[self.key + 1, 0] = x1 / self.rate, y1
            handles = np.full((len(tangent), 2), Handle.FREE)
            curves[channel] = replace(curves[channel], tangent=tangent, handles=handles)
        return replace(self.start, base=replace(clip, curves=tuple(curves)))


def with_piqp() -> Solver:
    """PIQP's dense interior-point method; its workspace is kept from one problem to the next."""
    solver = piqp.DenseSolver()
    ready = False

    def solve(quadratic, linear, matrix, low, high, floor, top) -> np.ndarray | None:
        nonlocal ready
        given = {"P": np.asfortranarray(quadratic), "c": linear, "x_l": floor, "x_u": top}
        if len(matrix):
            given |= {"G": np.asfortranarray(matrix), "h_l": low, "h_u": high}
        (solver.update if ready else solver.setup)(**given)
        ready = True
        return solver.result.x if solver.solve() == piqp.PIQP_SOLVED else None

    return solve


def with_clarabel() -> Solver:
    """Clarabel's homogeneous embedding, as near to the solver of the paper as is free."""
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = 1

    def solve(quadratic, linear, matrix, low, high, floor, top) -> np.ndarray | None:
        eye = np.eye(len(linear))
        rows = sparse.csc_matrix(np.vstack([matrix, -matrix, eye, -eye]))
        bound = np.concatenate([high, -low, top, -floor])
        upper = sparse.csc_matrix(np.triu(quadratic))
        cones = [clarabel.NonnegativeConeT(len(bound))]
        found = clarabel.DefaultSolver(upper, linear, rows, bound, cones, settings).solve()
        solved = found.status in (clarabel.SolverStatus.Solved, clarabel.SolverStatus.AlmostSolved)
        return np.array(found.x) if solved else None

    return solve
