"""The queue before the worker: moves replace moves, and pass nothing."""

import pytest

from arcwright.server import messages as m
from arcwright.server.document.subscriptions import Client
from arcwright.server.worker import MAX_QUEUED, MessageQueue, QueuedMessage

A, B = Client(1, lambda: None), Client(2, lambda: None)
HIPS, HAND = m.PointRef("Hips"), m.PointRef("LeftHand")


def move(height, interaction=1, point=HIPS, time=0.5):
    return m.UpdateInteraction(interaction, point, time, (0.0, height, 0.0))


def new_queue():
    A.last_served = B.last_served = 0
    return MessageQueue()


def served(*messages):
    """What is taken of queued messages, of clients that were never served before."""
    queue = new_queue()
    for message in messages:
        client, message = message if isinstance(message, tuple) else (A, message)
        queue.put(QueuedMessage(message, client))
    return [queue.take(0).message for _ in range(len(queue))]


def test_a_queued_update_is_replaced_by_the_next():
    assert served(move(1), move(2), move(3)) == [move(3)]


def test_updates_of_other_interactions_points_times_and_clients_stay():
    others = [move(1), move(1, interaction=2), move(1, point=HAND), move(1, time=0.6)]
    assert served(*others) == others
    assert served((A, move(1)), (B, move(2))) == [move(1), move(2)]


@pytest.mark.parametrize(
    "message",
    [
        m.CommitInteraction(1),
        m.CancelInteraction(1),
        m.AcceptOffer(1),
        m.BeginInteraction(1, "tangent", "", "", {}),
        m.Undo(),
        m.Redo(),
        m.GoToStep(0),
        m.ApplyChange(m.RemoveTake("biped", "walk")),
        m.Open("builtin", "biped"),
        m.Save(),
    ],
)
def test_an_update_never_overtakes_a_commit_or_a_change(message):
    assert served(move(1), message, move(2)) == [move(1), message, move(2)]
    assert served(move(1), message, move(2), move(3)) == [move(1), message, move(3)]
    assert served((A, move(1)), (B, message), (A, move(2))) == [move(1), message, move(2)]


def test_a_move_replaces_one_that_waits_behind_questions():
    ask = m.RequestFrames("biped", "walk", 0, 9)
    assert served(move(1), ask, move(2)) == [ask, move(2)]


def test_tuning_and_moving_never_pile_up():
    messages = [
        message for i in range(50) for message in (move(i), m.SetOptions(1, {"time_reach": i}))
    ]
    assert served(*messages) == [move(49), m.SetOptions(1, {"time_reach": 49})]


def test_nothing_overtakes_actions_of_the_server():
    queue = MessageQueue()

    def own():
        pass

    queue.put(QueuedMessage(move(1), A))
    queue.put(QueuedMessage(own))
    queue.put(QueuedMessage(move(2), A))
    assert [queue.take(0).message for _ in range(3)] == [move(1), own, move(2)]


def test_an_empty_queue_times_out():
    assert MessageQueue().take(0.001) is None


def test_a_client_cannot_fill_the_queue_without_end():
    queue = MessageQueue()
    answers = [queue.put(QueuedMessage(m.Undo(), A)) for _ in range(MAX_QUEUED + 5)]
    assert answers == [True] * MAX_QUEUED + [False] * 5
    assert queue.put(QueuedMessage(lambda: None))


def test_under_load_clients_take_turns():
    """Each client sends an update before it is served: the last one must not wait for ever."""
    queue, clients = MessageQueue(), [Client(number, lambda: None) for number in range(5)]
    received = []
    for step in range(20):
        for client in clients:
            queue.put(QueuedMessage(move(step, interaction=client.number), client))
        received.append(queue.take(0).client)
    assert sorted(received.count(client) for client in clients) == [4] * 5


def test_messages_of_one_client_keep_their_order_among_those_of_others():
    ask = m.RequestKeys("biped", "walk")
    queue = new_queue()
    for client, message in (
        (A, ask),
        (A, move(1)),
        (A, m.SetOptions(1, {})),
        (B, move(2)),
        (B, ask),
    ):
        queue.put(QueuedMessage(message, client))
    message = [queue.take(0) for _ in range(len(queue))]
    assert [each.message for each in message if each.client is A] == [
        ask,
        move(1),
        m.SetOptions(1, {}),
    ]
    assert [each.message for each in message if each.client is B] == [move(2), ask]
    assert message[1].client is not message[0].client


def test_taking_turns_passes_nothing_that_changes_the_document():
    queue = new_queue()
    for client, message in ((A, move(1)), (A, m.SetOptions(1, {})), (A, m.Undo()), (B, move(2))):
        queue.put(QueuedMessage(message, client))
    message = [queue.take(0).message for _ in range(len(queue))]
    assert message == [move(1), m.SetOptions(1, {}), m.Undo(), move(2)]
