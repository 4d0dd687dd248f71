"""Property tests use the same examples in every run, so that a run can be trusted and repeated."""

from hypothesis import settings

settings.register_profile("steady", derandomize=True)
settings.load_profile("steady")
