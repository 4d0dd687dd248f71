"""Results of tests depend on no clock: examples stay the same, and solves are not cut short.

A budget counts CPU time, of which a slow or busy machine needs more for the same steps.
"""

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("all", settings.get_profile("steady"), max_examples=200)
settings.load_profile("steady")


@pytest.fixture(autouse=True)
def releases_take_the_time_they_need(monkeypatch):
    monkeypatch.setattr("arcwright.tools.spacetime.session.thread_time", lambda: 0.0)
