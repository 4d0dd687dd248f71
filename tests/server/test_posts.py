"""Clients without a WebSocket: posts and polls over real sockets."""

import struct
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

import httpx
import pytest

from arcwright.server import messages as m
from arcwright.server.messages import encoding
from arcwright.server.transport import posts as module
from arcwright.server.transport.posts import Refused, packed, unpacked
from local_clients import kinds

MOVE = m.UpdateInteraction(1, m.PointRef("Hips"), 0.4, (0.0, 0.93, 0.4))
BEGIN = m.BeginInteraction(1, "tangent", "biped", "walk", {})
STEP = m.ApplyChange(m.MoveKeys("biped", "walk", [(0, 0)], value=0.01))


class Poster:
    """Posts and polls as a page does; `post` and `poll` can be repeated."""

    def __init__(self, address, query=""):
        self.http = httpx.Client(base_url=f"http://{address}", timeout=60)
        self.query = query
        self.key = self.http.post(f"/posts{query}").json()["key"]
        self.sent = self.received = 0

    def __enter__(self):
        self.wait(m.Document)
        return self

    def __exit__(self, *_):
        self.http.post(f"/posts/{self.key}/end{self.query}")
        self.http.close()

    def post(self, body):
        return self.http.post(f"/posts/{self.key}{self.query}", content=body)

    def body(self, *messages):
        return packed(self.sent + 1, [encoding.encode_client(each) for each in messages])

    def send(self, *messages):
        answer = self.post(self.body(*messages))
        self.sent += len(messages)
        assert answer.json() == {"received": self.sent}

    def poll(self):
        """Messages after those received, which still are not confirmed."""
        query = f"{self.query}&" if self.query else "?"
        answer = self.http.get(f"/posts/{self.key}{query}after={self.received}")
        assert answer.status_code == 200, answer.text
        first = struct.unpack_from("<I", answer.content)[0]
        assert first == self.received + 1
        found = unpacked(answer.content)[1] if len(answer.content) > 4 else []
        return [encoding.decode(each) for each in found]

    def wait(self, kind):
        received = []
        while not received or not any(isinstance(each, kind) for each, _ in received):
            new = self.poll()
            self.received += len(new)
            received += new
        return received


def steps(received):
    return [len(each.done) for each, _ in received if isinstance(each, m.Document)]


def test_a_drag_by_posts_reaches_every_client(address):
    with Poster(address) as one, Poster(address) as two:
        one.send(BEGIN, MOVE)
        assert "Preview" in kinds(one.wait(m.Preview))
        two.wait(m.Preview)
        one.send(m.CommitInteraction(1))
        assert steps(one.wait(m.InteractionEnded)) == [1]
        assert steps(two.wait(m.Document)) == [1]


def test_a_post_that_is_repeated_is_taken_once(address):
    with Poster(address) as line:
        body = line.body(STEP)
        assert line.post(body).json() == line.post(body).json() == {"received": 1}
        line.sent = 1
        line.send(m.RequestKeys("biped", "walk"))
        assert steps(line.wait(m.Keys))[-1] == 1


def test_a_post_that_overlaps_what_has_come_adds_what_is_new(address):
    with Poster(address) as line:
        line.post(line.body(STEP, STEP))
        assert line.post(line.body(STEP, STEP, STEP)).json() == {"received": 3}
        line.sent = 3
        line.send(m.RequestKeys("biped", "walk"))
        assert steps(line.wait(m.Keys))[-1] == 3


def test_the_same_post_many_times_at_once_is_taken_once(address):
    with Poster(address) as line, ThreadPoolExecutor(6) as pool:
        body = line.body(*[STEP] * 5)
        answers = list(pool.map(lambda _: line.post(body).json(), range(6)))
        assert answers == [{"received": 5}] * 6
        line.sent = 5
        line.send(m.RequestKeys("biped", "walk"))
        assert steps(line.wait(m.Keys))[-1] == 5


def test_a_post_with_a_gap_before_it_is_refused(address):
    with Poster(address) as line:
        line.sent = 2
        answer = line.post(line.body(STEP))
        assert answer.status_code == 409
        assert "Message 1 was expected" in answer.text


def test_a_poll_is_repeated_until_it_is_confirmed(address):
    with Poster(address) as line:
        line.send(m.RequestKeys("biped", "walk"))
        first = line.poll()
        assert first
        assert kinds(line.poll()) == kinds(first)
        line.received += len(first)
        line.send(m.RequestFrames("biped", "walk", 0, 2))
        assert "Frames" in kinds(line.wait(m.Frames))
        answer = line.http.get(f"/posts/{line.key}?after={line.received + 9}")
        assert answer.status_code == 409


def test_a_newer_poll_ends_an_older_one(address):
    with Poster(address) as line, ThreadPoolExecutor(2) as pool:
        ended, going_on = wait(
            [pool.submit(line.poll) for _ in range(2)], return_when=FIRST_COMPLETED
        )
        line.send(m.RequestKeys("biped", "walk"))
        assert [each.result() for each in ended] == [[]]
        assert [bool(each.result()) for each in going_on] == [True]


def test_a_poll_without_messages_ends_empty(address, monkeypatch):
    monkeypatch.setattr(module, "HOLD", 0.05)
    with Poster(address) as line:
        assert line.poll() == []


@pytest.mark.parametrize("says_so", [False, True])
def test_interactions_of_a_client_that_has_gone_are_cancelled(address, monkeypatch, says_so):
    monkeypatch.setattr(module, "HOLD", 0.1)
    monkeypatch.setattr(module, "PATIENCE", 30.0 if says_so else 0.5)
    with Poster(address) as stays:
        goes = Poster(address)
        goes.send(BEGIN, MOVE)
        if says_so:
            goes.http.post(f"/posts/{goes.key}/end")
        ends = stays.wait(m.InteractionEnded)
        assert not any(each.committed for each, _ in ends if isinstance(each, m.InteractionEnded))
        assert goes.http.get(f"/posts/{goes.key}?after=0").status_code == 410
        goes.http.close()


def test_an_ended_connection_answers_nothing(address):
    with Poster(address) as line:
        pass
    with Poster(address) as other:
        assert other.http.get(f"/posts/{line.key}?after=0").status_code == 410
        assert other.http.post(f"/posts/{line.key}", content=b"x").status_code == 410
        assert other.http.post(f"/posts/{line.key}/end").status_code == 410


def test_a_key_is_worth_nothing_with_another_role(address):
    with Poster(address) as line:
        taken = line.http.post(f"/posts/{line.key}?view", content=line.body(STEP))
        assert taken.status_code == 410
        assert line.http.get(f"/posts/{line.key}?view&after=0").status_code == 410
        line.send(m.RequestKeys("biped", "walk"))
        assert 1 not in steps(line.wait(m.Keys))


def test_a_guest_who_may_look_can_poll_but_not_edit(address):
    with Poster(address, "?view") as guest:
        guest.send(STEP)
        assert guest.wait(m.Failure)[-1][0].text.startswith("View only")


def test_a_message_that_is_not_understood_is_answered_and_survived(address):
    bad = [b"", b"hello", b"{}", b'{"type":"sing"}', b"\x00\xff\xfe", b"[" * 50_000]
    with Poster(address) as line:
        for count, message in enumerate(bad, 1):
            assert line.post(packed(count, [message])).json() == {"received": count}
            assert "not understood" in line.wait(m.Failure)[-1][0].text
        line.sent = len(bad)
        line.send(BEGIN, MOVE)
        line.wait(m.Preview)


NO_MESSAGES = [
    *(b"", b"\1", b"\1\0\0\0", packed(0, [b"{}"]), packed(1, [b"{}"])[:-1]),
    *(packed(1, [b""] * 4001), b"\1\0\0\0\xff\xff\xff\xff{}", packed(1, [b"{}"]) + b"\0"),
]


def test_bodies_that_are_no_messages_are_refused_and_nothing_of_them_is_taken(address):
    with Poster(address) as line:
        assert [line.post(body).status_code for body in NO_MESSAGES] == [400] * len(NO_MESSAGES)
        line.send(STEP)
        assert steps(line.wait(m.Document))[-1] == 1


def test_a_body_that_is_too_large_is_refused(address):
    with Poster(address) as line:
        assert line.post(packed(1, [b"x" * (2 << 20)])).status_code == 413
        line.send(STEP)


def test_polls_that_name_no_message_are_refused(address):
    with Poster(address) as line:
        for after in ("", "-1", "1.5", "x", "\u0663", "9" * 30, "0&after=9"):
            answer = line.http.get(f"/posts/{line.key}", params=f"after={after}")
            assert answer.status_code in (400, 409), after


def test_the_number_of_connections_is_limited(address, monkeypatch):
    monkeypatch.setattr(module, "MAX_CONNECTIONS", 1)
    with Poster(address) as line:
        assert line.http.post("/posts").status_code == 503
    with Poster(address):
        pass


def test_messages_are_packed_and_unpacked_alike():
    assert unpacked(packed(7, [b"a", b"", b"bcd"])) == (7, [b"a", b"", b"bcd"])
    with pytest.raises(Refused):
        unpacked(b"abc")
