import threading

from threadpoolctl import threadpool_info

from arcwright.solve import threads
from arcwright.solve.threads import on_one_thread


def blas():
    return [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]


def test_callers_that_overlap_are_all_alone_and_leave_all_as_it_was(monkeypatch):
    monkeypatch.setattr(threads, "_limit", threads._Limit())  # knows every BLAS loaded by now
    before = blas()
    seen, entered, leave = [], threading.Barrier(2), [threading.Event(), threading.Event()]

    @on_one_thread
    def work(which):
        entered.wait(10)
        leave[which].wait(10)
        seen.append(blas())

    both = [threading.Thread(target=work, args=(which,)) for which in (0, 1)]
    for each in both:
        each.start()
    for event, each in zip(leave, both, strict=True):
        event.set()
        each.join()
    assert all(count == 1 for counts in seen for count in counts)
    assert blas() == before
