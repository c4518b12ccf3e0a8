"""Random text for ever, for loops that are measured beside the project."""

from hypothesis import HealthCheck, Phase, Verbosity, given, settings


class OverError(BaseException):
    """The time is over: no failure of the text that was drawn last."""


def draw_on(strategy, look):
    """Call ``look`` with what Hypothesis draws, until it raises."""

    @settings(
        max_examples=10**9,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    @given(strategy)
    def loop(drawn):
        look(drawn)

    while True:
        loop()
