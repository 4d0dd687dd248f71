"""Stick paths of every kind on a puppet: slides, lag, distance, speed, states, time of a tick.

    python benchmarks/puppet_paths.py [--character biped] [--variants 30] [--half 0|1] [--seed 1]
        [--kinds straight ...] [--published] [--recorded]

Kinds: straight, accelerating, circle, figure 8, zigzag, shake, flick, lift and hold, lower, and
rolling a ball, in a crouch, with the hands on it. Each
variant has its own sizes, speeds, directions and hand noise (tremor of a few millimetres), drawn
from its seed. Variants with even numbers were looked at while the tool was made (--half 0), those
with odd ones were not (--half 1). What is asked for at each moment is known from how the path was
ordered; moments within 0.2 s of a change are not counted; how long the puppet takes to a change is
stated apart. Rows of their own have paths recorded in the studio's page by a scripted mouse and an
emulated phone (`stick_recordings/`, made by `record_stick_paths.py`). `--published` measures the
published way to walk besides. CPU time of one thread.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.characters.snowman import snowball
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.open import read
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.scene.terrain import Terrain
from arcwright.tools.gesture import chunks
from arcwright.tools.puppet.measures import measures
from arcwright.tools.puppet.objects.hands_on import PALM
from arcwright.tools.puppet.objects.movable import movable_of, radius
from arcwright.tools.puppet.options import PuppetOptions
from arcwright.tools.puppet.session import PuppetSession
from puppet_published import published_session
from stick_paths import KINDS, RATE, StickPath, recorded, variants

NEAR_CHANGE = 0.2  # s around a change of what is asked for that are not counted
# What each state does for what can be asked for; others are always wrong.
DOES = {
    "locomotion": "walk",
    "landing": "walk",
    "crouch": "crouch",
    "anticipation": "jump",
    "jump": "jump",
    "held": "hang",
}


def counted(path: StickPath) -> np.ndarray:
    """(T,) moments that are not close to a change of what is asked for."""
    asked = np.array(path.asked)
    change = np.flatnonzero(asked[1:] != asked[:-1]) + 1
    at = np.arange(len(asked))
    return np.all([np.abs(at - each) > NEAR_CHANGE * RATE for each in change] or [at >= 0], axis=0)


def main() -> None:
    """Print a row for each kind of path, then which states were taken for which."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--character", default="biped")
    parser.add_argument("--variants", type=int, default=30)
    parser.add_argument("--half", type=int, choices=(0, 1), default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="*", choices=KINDS, default=list(KINDS))
    parser.add_argument("--recorded", action="store_true", help="recorded paths alone")
    parser.add_argument("--published", action="store_true", help="the published way besides")
    given = parser.parse_args()
    scene, confusion, spent = read(given.character), Counter[tuple[str, str]](), []
    prepared = PuppetSession(scene, Target(), PuppetOptions(rate=RATE))
    delays: dict[str, list[float]] = {}
    balls = []
    head = (
        "skate cm  max   unlocked  lag ms p50  max  distance m  max  speed %  max  deep mm  state %"
    )
    print(f"{given.variants} variants of each kind, half {given.half}\n{'':20}{head}")
    for kind in () if given.recorded else given.kinds:
        rows = []
        for path, acted in variants(kind, given.variants, given.half, given.seed):
            session = begun(scene, path, prepared)
            for part in chunks(acted, 1):
                start = time.thread_time()
                session.update(part)
                spent.append(time.thread_time() - start)
            rows.append(measured(session, path, confusion))
            for state, delay in reactions(session, path):
                delays.setdefault(state, []).append(delay)
            if path.ball:
                balls.append(rolled(session))
        print(f"{kind:20}{row(rows)}", flush=True)
        if given.published:
            print(f"{'  published':20}{row(published_rows(given, prepared, kind))}", flush=True)
    recorded_rows(scene, confusion)
    if spent:
        print_costs(spent, balls)
    print_states(confusion, delays)


def print_costs(spent: list[float], balls: list[tuple[float, float, float]]) -> None:
    """Time of a tick, and how exactly balls were rolled."""
    print(
        f"a tick: p50 {1e3 * np.median(spent):.2f} ms, p95 {1e3 * np.percentile(spent, 95):.2f} ms"
    )
    if not balls:
        return
    way, off, hands = np.array(balls).T
    print(
        f"balls were rolled by {way.min():.2f} to {way.max():.2f} m, "
        f"off from way by radius by at most {1e3 * off.max():.4f} mm, "
        f"hands at most {1e3 * hands.max():.0f} mm from them"
    )


def print_states(confusion: Counter[tuple[str, str]], delays: dict[str, list[float]]) -> None:
    """What was asked for and done, and how long that takes."""
    right = sum(count for (a, b), count in confusion.items() if a == b)
    print(f"does what is asked in {100 * right / sum(confusion.values()):.2f} % of the moments")
    for (wanted, found), count in sorted(confusion.items()):
        print(f"  {wanted:14} {found:14} {count}")
    for state, found in sorted(delays.items()):
        p95 = np.percentile(found, 95)
        late = 1e3 * np.median(found)
        print(f"{state} begins {late:.0f} ms after it is asked for, {1e3 * p95:.0f} at p95")


def recorded_rows(scene: Scene, confusion: Counter[tuple[str, str]]) -> None:
    """Rows of paths that were recorded in the studio's page."""
    for name, path, samples, grip in recorded():
        session = PuppetSession(scene, Target(), PuppetOptions(rate=RATE), grip=grip)
        session.update(samples)
        print(f"{name:20}{row([measured(session, path, confusion)])}", flush=True)


def begun(scene: Scene, path: StickPath, prepared: PuppetSession) -> PuppetSession:
    """A session for a path: where there is no prop, the prepared one from its start."""
    if not path.ball:
        return prepared.fork()
    return PuppetSession(staged(scene, path), Target(), PuppetOptions(rate=RATE))


def published_rows(
    given: argparse.Namespace, prepared: PuppetSession, kind: str
) -> list[dict[str, float | None]]:
    rows = []
    for path, acted in variants(kind, given.variants, given.half, given.seed):
        session = published_session(prepared)
        session.update(acted)
        rows.append(measured(session, path, Counter()))
    return rows


def reactions(session: PuppetSession, path: StickPath) -> Iterator[tuple[str, float]]:
    """For each change of what is asked for: what, and seconds until the puppet does it."""
    does = done(session)
    for at in range(1, len(path.asked)):
        wanted = path.asked[at]
        if wanted != path.asked[at - 1]:
            near = range(max(at - RATE // 4, 1), min(at + RATE, len(does)))
            begins = [i for i in near if does[i] == wanted and does[i - 1] != wanted]
            if begins:
                yield wanted, (begins[0] - at) / RATE


def done(session: PuppetSession) -> list[str]:
    """(T,) what the puppet does, in the words of what can be asked for."""
    return [DOES.get(tick.state.value, tick.state.value) for tick in session.ticks]


def staged(scene: Scene, path: StickPath) -> Scene:
    """The scene with the ball that a path is about."""
    if not path.ball:
        return scene
    return replace(scene, props=(snowball("Ball", path.ball, 0.0, 0.75 + path.ball),))


def rolled(session: PuppetSession) -> tuple[float, float, float]:
    """Way of the ball, m, what its rotation is off from that, and the hands from its surface."""
    place = np.array([tick.objects[0].position for tick in session.ticks])
    turn = np.array([tick.objects[0].rotation for tick in session.ticks])
    steps = np.linalg.norm(np.diff(place, axis=0), axis=1)
    sine = np.linalg.norm(np.diff(turn, axis=0), axis=1) / 2  # exact for small angles
    size = radius(movable_of(session.scene.props[0]), session.ticks[-1].objects[0])
    off = abs(float(steps.sum() - size * 4 * np.arcsin(sine).sum()))
    arms, away = session.character.arms, [0.0]
    for tick, step in zip(session.ticks[1:], steps, strict=True):
        if arms is not None and step > 0.5 * steps.max():
            palms = point_jacobian(arms.rig, tick.values[None], arms.palms, []).position[0]
            far = np.linalg.norm(palms - tick.objects[0].position, axis=1) - size - PALM
            away.append(float(np.abs(far).max()))
    return float(steps.sum()), off, max(away)


def measured(
    session: PuppetSession, path: StickPath, confusion: Counter[tuple[str, str]]
) -> dict[str, float | None]:
    found = measures(session.character, session.ticks, RATE, Terrain())
    use = counted(path)
    pairs = [(a, b) for a, b, c in zip(path.asked, done(session), use, strict=False) if c]
    confusion.update(pairs)
    found["right"] = sum(a == b for a, b in pairs) / max(len(pairs), 1)
    roots = np.array([session.character.gaits.writer.read(t.values)[:3] for t in session.ticks])
    step = RATE
    errors = []
    for at in np.flatnonzero(path.steady[: len(roots)]):
        if at >= step and path.steady[at - step : at].all():
            went = np.linalg.norm((roots[at] - roots[at - step])[[0, 2]])
            wanted = np.linalg.norm((path.position[at] - path.position[at - step])[[0, 2]])
            errors.append(abs(went - wanted) / wanted)
    found["speed"] = 100 * float(np.mean(errors)) if errors else None
    return found


def row(rows: list[dict[str, float | None]]) -> str:
    def of(name: str) -> np.ndarray:
        return np.array([each[name] for each in rows if each[name] is not None], float)

    def text(values: np.ndarray, how: Callable[[np.ndarray], float], form: str) -> str:
        return format(how(values), form) if len(values) else "-"

    columns = [
        (8, text(of("skate_cm_per_frame"), np.mean, ".4f")),
        (7, text(of("skate_max_cm"), np.max, ".3f")),
        (9, text(of("unlocked_share"), np.mean, ".2f")),
        (12, text(of("lag_ms"), np.median, ".0f")),
        (5, text(of("lag_ms"), np.max, ".0f")),
        (11, text(of("distance_rms_m"), np.mean, ".3f")),
        (7, text(of("distance_rms_m"), np.max, ".3f")),
        (8, text(of("speed"), np.mean, ".2f")),
        (6, text(of("speed"), np.max, ".2f")),
        (8, text(of("penetration_mm"), np.max, ".1f")),
        (8, text(100 * of("right"), np.mean, ".1f")),
    ]
    return "".join(value.rjust(width) for width, value in columns)


if __name__ == "__main__":
    main()
