"""Endless random draws, for the loops that benchmarks compare the project with."""

from hypothesis import HealthCheck, Phase, Verbosity, given, settings


class TimeoutReached(BaseException):
    """The time limit is reached; not a failure of the text drawn last."""


def draw_endlessly(strategy, action):
    """Call ``action`` with each value that Hypothesis draws, until it raises."""

    @settings(
        max_examples=10**9,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    @given(strategy)
    def loop(value):
        action(value)

    while True:
        loop()
