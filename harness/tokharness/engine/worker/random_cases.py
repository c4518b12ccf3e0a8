"""Random texts from a family's strategy, the same ones for the same seed."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = ["draw"]

TEXTS_AN_EXAMPLE = 20


def draw(strategy: SearchStrategy[str], count: int, seed: int) -> list[str]:
    """At most ``count`` texts, without repetition, in the order in which they were drawn.

    Twenty texts are drawn an example, since one example a text costs far more than the
    tokenizer's own work. Nothing is kept: a seed says all there is to say.
    """
    if not count:
        return []
    # Hypothesis caches tables in its storage directory, which is .hypothesis in the working
    # directory unless told otherwise; a check writes nothing there unasked.
    os.environ.setdefault(
        "HYPOTHESIS_STORAGE_DIRECTORY", str(Path(tempfile.gettempdir()) / "tokharness-hypothesis")
    )
    import hypothesis
    from hypothesis import strategies as st

    texts: dict[str, None] = {}

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=-(-count // TEXTS_AN_EXAMPLE) + 1,  # the first is all of the simplest text
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
        verbosity=hypothesis.Verbosity.quiet,
        backend=_backend(),
    )
    @hypothesis.given(st.lists(strategy, min_size=TEXTS_AN_EXAMPLE, max_size=TEXTS_AN_EXAMPLE))
    def collect(drawn: list[str]) -> None:
        texts.update(dict.fromkeys(drawn))

    collect()
    return list(texts)[:count]


def _backend() -> str:
    """Register Hypothesis's own way to draw, less one habit, and return its name.

    Hypothesis now and then draws a constant that it found in the modules of the user, so its
    texts depend on what is loaded; here the seed alone decides.
    """
    from hypothesis.internal.conjecture import providers

    class OfTheSeed(providers.HypothesisProvider):
        def _maybe_draw_constant(self, *_: Any, **__: Any) -> None:
            return None

    name = "tokharness"
    providers.AVAILABLE_PROVIDERS.setdefault(name, OfTheSeed)
    return name
