import io
import logging

import pytest

from arcwright.server.transport import logs
from arcwright.server.transport.logs import RateLimitedHandler, rate_limited_logs

log = logging.getLogger("arcwright.studio")


@pytest.fixture
def written(monkeypatch):
    """What is written to standard error."""
    text = io.StringIO()
    monkeypatch.setattr("sys.stderr", text)
    with rate_limited_logs():
        yield text


def test_of_many_equal_messages_the_first_are_written_and_the_others_counted(written):
    for number in range(1239):
        log.warning("refused: %d", number)
    log.warning("something else")
    lines = written.getvalue().splitlines()
    assert lines == [f"WARNING: refused: {number}" for number in range(5)] + [
        "WARNING: something else"
    ]


def test_the_number_of_suppressed_messages_is_logged_at_the_end(monkeypatch):
    text = io.StringIO()
    monkeypatch.setattr("sys.stderr", text)
    with rate_limited_logs():
        for _ in range(1239):
            log.warning("refused")
    assert text.getvalue().splitlines()[-1] == (
        "WARNING: and 1,234 more in the last minute like: refused"
    )


def test_and_after_every_period(monkeypatch):
    monkeypatch.setattr(logs, "PERIOD", 0.01)
    text = io.StringIO()
    handler = RateLimitedHandler()
    handler.setStream(text)
    record = logging.LogRecord("a", logging.WARNING, "", 0, "refused", None, None)
    for _ in range(7):
        handler.handle(record)
    timer = handler._timer
    if timer is not None:
        timer.join()
    assert "and 2 more" in text.getvalue()
    handler.handle(record)
    assert text.getvalue().endswith("WARNING: refused\n")
    handler.summarise()


@pytest.mark.parametrize("error", [OSError("gone"), UnicodeDecodeError("utf-8", b"", 0, 1, "bad")])
def test_what_a_client_can_cause_has_no_traceback(written, error):
    try:
        raise error
    except Exception:
        log.exception("it failed")
    assert written.getvalue() == "ERROR: it failed\n"


def test_mistakes_of_our_own_have_one(written):
    try:
        raise KeyError("ours")
    except KeyError:
        log.exception("it failed")
    assert "Traceback" in written.getvalue()


def test_messages_of_any_number_of_kinds_are_bounded(written):
    for number in range(1000):
        log.warning(f"refused {number}")
    assert len(written.getvalue().splitlines()) == logs._MOST_KINDS + logs.FIRST
