"""The line before the desk: moves replace moves, and pass nothing."""

import pytest

from arcwright.server import messages as m
from arcwright.server.document.client import Window
from arcwright.server.document.message_queue import MOST, Said, Waiting

A, B = Window(1, lambda: None), Window(2, lambda: None)
HIPS, HAND = m.PointRef("Hips"), m.PointRef("LeftHand")


def move(height, hand=1, point=HIPS, time=0.5):
    return m.UpdateInteraction(hand, point, time, (0.0, height, 0.0))


def line_of_strangers():
    A.turn = B.turn = 0
    return Waiting()


def served(*words):
    """What is served of words that all waited, of windows that were never heard before."""
    line = line_of_strangers()
    for word in words:
        window, said = word if isinstance(word, tuple) else (A, word)
        line.put(Said(said, window))
    return [line.take(0).word for _ in range(len(line))]


def test_a_waiting_move_is_replaced_by_the_next():
    assert served(move(1), move(2), move(3)) == [move(3)]


def test_moves_of_other_hands_points_times_and_windows_stay():
    others = [move(1), move(1, hand=2), move(1, point=HAND), move(1, time=0.6)]
    assert served(*others) == others
    assert served((A, move(1)), (B, move(2))) == [move(1), move(2)]


@pytest.mark.parametrize(
    "word",
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
def test_a_move_never_passes_what_ends_a_hand_or_changes_the_document(word):
    assert served(move(1), word, move(2)) == [move(1), word, move(2)]
    assert served(move(1), word, move(2), move(3)) == [move(1), word, move(3)]
    assert served((A, move(1)), (B, word), (A, move(2))) == [move(1), word, move(2)]


def test_a_move_replaces_one_that_waits_behind_questions():
    ask = m.RequestFrames("biped", "walk", 0, 9)
    assert served(move(1), ask, move(2)) == [ask, move(2)]


def test_tuning_and_moving_never_pile_up():
    words = [word for i in range(50) for word in (move(i), m.SetOptions(1, {"reach": i}))]
    assert served(*words) == [move(49), m.SetOptions(1, {"reach": 49})]


def test_the_desk_s_own_words_are_passed_by_nothing():
    line = Waiting()

    def own():
        pass

    line.put(Said(move(1), A))
    line.put(Said(own))
    line.put(Said(move(2), A))
    assert [line.take(0).word for _ in range(3)] == [move(1), own, move(2)]


def test_nobody_in_line_is_told_after_a_while():
    assert Waiting().take(0.001) is None


def test_a_window_cannot_fill_the_line_without_end():
    line = Waiting()
    answers = [line.put(Said(m.Undo(), A)) for _ in range(MOST + 5)]
    assert answers == [True] * MOST + [False] * 5
    assert line.put(Said(lambda: None))


def test_where_the_desk_cannot_keep_up_every_window_has_its_turn():
    """Each window moves again before it is heard: the last to move must not wait for ever."""
    line, windows = Waiting(), [Window(number, lambda: None) for number in range(5)]
    heard = []
    for step in range(20):
        for window in windows:
            line.put(Said(move(step, hand=window.number), window))
        heard.append(line.take(0).window)
    assert sorted(heard.count(window) for window in windows) == [4] * 5


def test_the_words_of_one_window_keep_their_order_among_those_of_others():
    ask = m.RequestKeys("biped", "walk")
    line = line_of_strangers()
    for window, word in ((A, ask), (A, move(1)), (A, m.SetOptions(1, {})), (B, move(2)), (B, ask)):
        line.put(Said(word, window))
    said = [line.take(0) for _ in range(len(line))]
    assert [each.word for each in said if each.window is A] == [ask, move(1), m.SetOptions(1, {})]
    assert [each.word for each in said if each.window is B] == [move(2), ask]
    assert said[1].window is not said[0].window


def test_taking_turns_passes_nothing_that_changes_the_document():
    line = line_of_strangers()
    for window, word in ((A, move(1)), (A, m.SetOptions(1, {})), (A, m.Undo()), (B, move(2))):
        line.put(Said(word, window))
    said = [line.take(0).word for _ in range(len(line))]
    assert said == [move(1), m.SetOptions(1, {}), m.Undo(), move(2)]
