"""How many key poses a take would need, as a window asks while it chooses a tolerance."""

import re
import threading

import pytest

from arcwright import read
from arcwright.kinematics.reduction import Reduction
from arcwright.scene.history import History
from arcwright.server import messages as m
from arcwright.server.document.document import Story
from arcwright.server.jobs import reductions
from arcwright.server.jobs.file_commands import Errands
from arcwright.server.storage.folder import Folder
from arcwright.server.worker import Desk
from seats import LONG, Seat, kinds

AT = "biped", "walk"


@pytest.fixture
def seat(tmp_path):
    desk = Desk(Story(History(read("biped:walk"))))
    errands = Errands(desk, Folder(tmp_path), tmp_path)
    desk.errand = errands
    desk.start()
    yield Seat(desk)
    desk.stop()
    errands.close()


def whole(info):
    return info.share == 1


def count(seat, tolerance, **options):
    seat.say(m.RequestReduction(*AT, tolerance, **options))
    return seat.wait(m.ReductionInfo, whole)[-1][0]


def test_the_count_and_the_error_are_those_of_the_fit_that_follows(seat):
    info = count(seat, 0.02)
    assert 1 < info.key_poses < 49
    assert 0 < info.error <= 0.02
    seat.say(m.ApplyChange(m.FitTake(*AT, 0.02)))
    document = seat.wait(m.Document)[-1][0]
    error = f"{1000 * info.error:.1f} mm"
    assert document.done == [f"Fit walk: {info.key_poses} key poses, at most {error} off"]
    seat.say(m.Undo())
    assert seat.wait(m.Document)[-1][0].done == []


def test_a_looser_tolerance_needs_no_more_key_poses(seat):
    counts = [count(seat, tolerance).key_poses for tolerance in (0.005, 0.02, 0.05)]
    assert counts == sorted(counts, reverse=True)


def test_keys_of_single_channels_are_fewer_within_the_count_and_error_that_were_told(seat):
    info = count(seat, 0.02, poses="per-channel")
    keys = []
    for poses in ("aligned", "per-channel"):
        seat.say(m.ApplyChange(m.FitTake(*AT, 0.02, poses)))
        document = seat.wait(m.Document)[-1][0]
        keys.append(document.takes["biped"][0].keys)
        said = re.fullmatch(
            r"Fit walk: (\d+) key poses, at most ([\d.]+) mm off", document.done[-1]
        )
        assert int(said[1]) <= info.key_poses
        assert float(said[2]) <= 1000 * info.error
        seat.say(m.Undo())
        seat.wait(m.Document)
    assert keys[1] < keys[0]


def test_a_take_is_prepared_once_for_all_tolerances(seat, monkeypatch):
    made = []

    def prepare(*args, **options):
        made.append(args)
        return Reduction(*args, **options)

    monkeypatch.setattr(reductions, "Reduction", prepare)
    for tolerance in (0.03, 0.02, 0.03):
        count(seat, tolerance)
    seat.say(m.ApplyChange(m.FitTake(*AT, 0.02)))
    seat.wait(m.Document)
    assert len(made) == 1


def test_only_the_last_question_is_answered(seat, monkeypatch):
    begun, goes_on = threading.Event(), threading.Event()

    def prepare(*args, **options):
        begun.set()
        assert goes_on.wait(LONG)
        return Reduction(*args, **options)

    monkeypatch.setattr(reductions, "Reduction", prepare)
    seat.say(m.RequestReduction(*AT, 0.01))
    assert begun.wait(LONG)
    seat.say(m.RequestReduction(*AT, 0.03), m.RequestReduction(*AT, 0.02))
    seat.quiet()
    goes_on.set()
    heard = seat.wait(m.ReductionInfo, whole)
    answers = [word for word, _ in heard if isinstance(word, m.ReductionInfo) and whole(word)]
    assert [answer.tolerance for answer in answers] == [0.02]


def test_a_question_that_is_cancelled_stops_the_work_and_is_not_answered(seat, monkeypatch):
    begun, goes_on, stopped = threading.Event(), threading.Event(), threading.Event()

    def prepare(*args, progress, **options):
        begun.set()
        assert goes_on.wait(LONG)
        try:
            return Reduction(*args, progress=progress, **options)
        except BaseException:
            stopped.set()
            raise

    monkeypatch.setattr(reductions, "Reduction", prepare)
    seat.say(m.RequestReduction(*AT, 0.01))
    assert begun.wait(LONG)
    seat.say(m.CancelReduction())
    seat.quiet()
    goes_on.set()
    assert stopped.wait(LONG)
    assert "ReductionInfo" not in kinds(seat.quiet())


@pytest.mark.parametrize(
    ("word", "text"),
    [
        (m.RequestReduction("biped", "swim", 0.01), "swim"),
        (m.RequestReduction(*AT, -1.0), "metres above 0"),
        (m.RequestReduction(*AT, float("nan")), "metres above 0"),
    ],
)
def test_a_question_that_cannot_be_answered_is_refused_in_a_line(seat, word, text):
    seat.say(word)
    assert text in seat.wait(m.Failure)[-1][0].text
