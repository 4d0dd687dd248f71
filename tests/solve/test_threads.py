import threading

from arcwright.solve import threads
from arcwright.solve.threads import on_one_thread


class Pool:
    """In place of BLAS: how many threads it may use."""

    allowed = 2

    def limit(self, *, limits):
        Pool.allowed = limits
        return self

    def restore_original_limits(self):
        Pool.allowed = 2


def test_callers_that_overlap_are_all_alone_and_leave_all_as_it_was(monkeypatch):
    monkeypatch.setattr(threads, "ThreadpoolController", Pool)
    monkeypatch.setattr(threads, "_limit", threads._Limit())
    seen, entered, leave = [], threading.Barrier(2), [threading.Event(), threading.Event()]

    @on_one_thread
    def work(which):
        entered.wait(60)
        leave[which].wait(60)
        seen.append(Pool.allowed)

    both = [threading.Thread(target=work, args=(which,)) for which in (0, 1)]
    for each in both:
        each.start()
    for event, each in zip(leave, both, strict=True):
        event.set()
        each.join()
    assert seen == [1, 1]
    assert Pool.allowed == 2
