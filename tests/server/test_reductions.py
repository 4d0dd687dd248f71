"""How many key poses a take needs, requested while a client chooses a tolerance."""

import re
import threading

import pytest

from arcwright import read
from arcwright.kinematics.reduction import Reduction
from arcwright.scene.history import History
from arcwright.server import messages as m
from arcwright.server.document.document import Document
from arcwright.server.jobs import reductions
from arcwright.server.storage.folder import Folder
from arcwright.server.worker import DocumentWorker
from local_clients import LONG, LocalClient, kinds

AT = "biped", "walk"


@pytest.fixture
def client(tmp_path):
    worker = DocumentWorker(Document(History(read("biped:walk"))), Folder(tmp_path), tmp_path)
    worker.start()
    yield LocalClient(worker)
    worker.stop()


def whole(info):
    return info.share == 1


def count(client, tolerance, **options):
    client.send(m.RequestReduction(*AT, tolerance, **options))
    return client.wait(m.ReductionInfo, whole)[-1][0]


def test_the_count_and_the_error_are_those_of_the_fit_that_follows(client):
    info = count(client, 0.02)
    assert 1 < info.key_poses < 49
    assert 0 < info.error <= 0.02
    client.send(m.ApplyChange(m.FitTake(*AT, 0.02)))
    document = client.wait(m.Document)[-1][0]
    error = f"{1000 * info.error:.1f} mm"
    assert document.done == [f"Fit walk: {info.key_poses} key poses, at most {error} off"]
    client.send(m.Undo())
    assert client.wait(m.Document)[-1][0].done == []


def test_a_looser_tolerance_needs_no_more_key_poses(client):
    counts = [count(client, tolerance).key_poses for tolerance in (0.005, 0.02, 0.05)]
    assert counts == sorted(counts, reverse=True)


def test_keys_per_channel_stay_within_the_reported_count_and_error(client):
    info = count(client, 0.02, poses="per-channel")
    keys = []
    for poses in ("aligned", "per-channel"):
        client.send(m.ApplyChange(m.FitTake(*AT, 0.02, poses)))
        document = client.wait(m.Document)[-1][0]
        keys.append(document.takes["biped"][0].keys)
        reported = re.fullmatch(
            r"Fit walk: (\d+) key poses, at most ([\d.]+) mm off", document.done[-1]
        )
        assert int(reported[1]) <= info.key_poses
        assert float(reported[2]) <= 1000 * info.error
        client.send(m.Undo())
        client.wait(m.Document)
    assert keys[1] < keys[0]


def test_a_take_is_prepared_once_for_all_tolerances(client, monkeypatch):
    made = []

    def prepare(*args, **options):
        made.append(args)
        return Reduction(*args, **options)

    monkeypatch.setattr(reductions, "Reduction", prepare)
    for tolerance in (0.03, 0.02, 0.03):
        count(client, tolerance)
    client.send(m.ApplyChange(m.FitTake(*AT, 0.02)))
    client.wait(m.Document)
    assert len(made) == 1


def test_only_the_last_question_is_answered(client, monkeypatch):
    begun, goes_on = threading.Event(), threading.Event()

    def prepare(*args, **options):
        begun.set()
        assert goes_on.wait(LONG)
        return Reduction(*args, **options)

    monkeypatch.setattr(reductions, "Reduction", prepare)
    client.send(m.RequestReduction(*AT, 0.01))
    assert begun.wait(LONG)
    client.send(m.RequestReduction(*AT, 0.03), m.RequestReduction(*AT, 0.02))
    client.sync()
    goes_on.set()
    received = client.wait(m.ReductionInfo, whole)
    answers = [
        message
        for message, _ in received
        if isinstance(message, m.ReductionInfo) and whole(message)
    ]
    assert [answer.tolerance for answer in answers] == [0.02]


def test_a_question_that_is_cancelled_stops_the_work_and_is_not_answered(client, monkeypatch):
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
    client.send(m.RequestReduction(*AT, 0.01))
    assert begun.wait(LONG)
    client.send(m.CancelReduction())
    client.sync()
    goes_on.set()
    assert stopped.wait(LONG)
    assert "ReductionInfo" not in kinds(client.sync())


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (m.RequestReduction("biped", "swim", 0.01), "swim"),
        (m.RequestReduction(*AT, -1.0), "metres above 0"),
        (m.RequestReduction(*AT, float("nan")), "metres above 0"),
    ],
)
def test_a_question_that_cannot_be_answered_is_refused_in_a_line(client, message, text):
    client.send(message)
    assert text in client.wait(m.Failure)[-1][0].text
