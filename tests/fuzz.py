"""The one law for damaged files: a scene, or an error of ours, in time."""

from __future__ import annotations

import signal
import time
import warnings
from pathlib import Path

from arcwright.errors import ArcwrightError
from arcwright.files import read

SECONDS = 5.0  # of work, however busy the machine is


class _TooSlow(BaseException):
    """The reader took too long; no reader catches this."""


def outcome(path: Path) -> str:
    """ "loaded" or "refused", or what went wrong; warnings of NumPy count as wrong."""

    def too_slow(*_: object) -> None:
        raise _TooSlow

    before = signal.signal(signal.SIGPROF, too_slow)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    start = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            read(path)
        return "loaded"
    except ArcwrightError as error:
        told = str(error)
        return "refused" if "\n" not in told and path.name in told else f"unclear: {told!r}"
    except _TooSlow:
        return f"slow: {time.process_time() - start:.1f} s"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
