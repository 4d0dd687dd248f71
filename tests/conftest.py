"""Property tests use the same examples in every run and mind no clock: they can be trusted."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("all", settings.get_profile("steady"), max_examples=200)
settings.load_profile("steady")
