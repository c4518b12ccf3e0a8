"""Random texts of a family's strategy, reproducible from a seed."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness.plugins.calls import PluginFunction, wrong_type

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from tokharness.model import TargetFacts
    from tokharness.plugins import Family

__all__ = ["draw", "draw_from_family"]

TEXTS_PER_EXAMPLE = 20


def draw_from_family(family: Family, facts: TargetFacts, count: int, seed: int) -> list[str]:
    """Draw texts from the strategy of a family, as :func:`draw` does.

    Raises:
        PluginError: the strategy raises, or draws something else than texts.

    """
    call = PluginFunction("family", family.module, "strategy", "facts")
    with call:
        texts = draw(family.strategy(facts), count, seed)
    if wrong := wrong_type(texts, str):
        raise call.error(f"draws {wrong} as a text, not a str")
    return texts


def draw(strategy: SearchStrategy[str], count: int, seed: int) -> list[str]:
    """Draw at most ``count`` different texts, in the order in which Hypothesis draws them.

    An example is a list of twenty texts, since an example per text costs far more than the
    tokenizer. No database is needed: the seed determines the texts.
    """
    if not count:
        return []
    # Hypothesis caches tables in its storage directory, by default .hypothesis in the working
    # directory, where a check must not write.
    os.environ.setdefault(
        "HYPOTHESIS_STORAGE_DIRECTORY", str(Path(tempfile.gettempdir()) / "tokharness-hypothesis")
    )
    import hypothesis
    from hypothesis import strategies as st

    texts: dict[str, None] = {}

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=-(-count // TEXTS_PER_EXAMPLE) + 1,  # the first is the simplest text only
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
        verbosity=hypothesis.Verbosity.quiet,
        backend=_backend(),
    )
    @hypothesis.given(st.lists(strategy, min_size=TEXTS_PER_EXAMPLE, max_size=TEXTS_PER_EXAMPLE))
    def collect(drawn: list[str]) -> None:
        texts.update(dict.fromkeys(drawn))

    collect()
    return list(texts)[:count]


def _backend() -> str:
    """Register Hypothesis's provider without its constants, and return its name.

    Hypothesis sometimes draws a constant from the user's modules, so that its texts depend on
    which modules are loaded. Here they depend on the seed only.
    """
    from hypothesis.internal.conjecture import providers

    class SeededProvider(providers.HypothesisProvider):
        def _maybe_draw_constant(self, *_: Any, **__: Any) -> None:
            return None

    name = "tokharness"
    providers.AVAILABLE_PROVIDERS.setdefault(name, SeededProvider)
    return name
