"""Units of work: the texts of a family, enumerated and random, cut into numbered parts.

The division depends only on the number of texts, so that a unit is the same for any number of
workers and in a resumed run.
"""

from __future__ import annotations

import gc
import os
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from tokharness.plugins.calls import PluginFunction, wrong_type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis.strategies import SearchStrategy

    from tokharness.config import Profile
    from tokharness.model import TargetFacts
    from tokharness.plugins import Family

# Random texts of a family's strategy, reproducible from a seed.

TEXTS_PER_EXAMPLE = 20


def draw_from_family(family: Family, facts: TargetFacts, count: int, seed: int) -> list[str]:
    """Draw texts from the strategy of a family, as :func:`draw` does.

    Raises:
        PluginError: the strategy raises, or draws values that are not texts.

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
    # directory, where a check must not write. Others may write to the temporary folder.
    from tokharness.home import user_cache

    # Without a home directory, the tables are made again.
    storage = str(cache / "hypothesis") if (cache := user_cache()) else os.devnull
    os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", storage)
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


Item = TypeVar("Item")

UNITS_PER_FAMILY = 32
MIN_SIZE, MAX_SIZE = 256, 32_768
"""Texts of a unit."""

PACKED_RECHECK = 16
"""Factor by which a check calls the target again for fewer packed texts, which are long."""


def sample_evenly(items: Sequence[Item], size: int) -> Sequence[Item]:
    """Return at most ``size`` of the items, at even distances."""
    if len(items) <= size:
        return items
    return [items[index * len(items) // size] for index in range(size)]


class FamilyTexts:
    """The texts of a family in a profile, made when the first unit is requested.

    ``has_used_tokens`` says whether the texts depend on the tokens of the target.
    """

    def __init__(
        self, family: Family, facts: TargetFacts, profile: Profile, examples: int, seed: int
    ) -> None:
        self.family, self._profile = family, profile
        self._facts = replace(facts, tokens=self._tokens)
        self._tokens_of_facts = facts.tokens
        self.has_used_tokens = False
        self._examples, self._seed = examples, seed
        # A lazy sequence makes its texts on access.
        self._texts_call = PluginFunction("family", family.module, "texts")

    def _tokens(self) -> Sequence[str]:
        self.has_used_tokens = True
        return self._tokens_of_facts()

    @cached_property
    def _enumerated(self) -> Sequence[str]:
        first, every = self._profile.first, self._profile.every
        gc.disable()  # hundreds of thousands of cases, none of which is garbage before the end
        try:
            texts = self.family.texts(self._facts)
        finally:
            gc.enable()
        if every == 1 or self.family.exhaustive or self.family.replayed:
            return texts
        with self._texts_call:
            return [*texts[:first], *texts[first::every]]

    @cached_property
    def _random(self) -> Sequence[str]:
        # A family without texts in this profile is left out; the strategy of a replayed family
        # only samples its texts.
        if not self._enumerated or self.family.replayed:
            return []
        return draw_from_family(self.family, self._facts, self._examples, self._seed)

    @property
    def _total(self) -> int:
        return len(self._enumerated) + len(self._random)

    @cached_property
    def _size(self) -> int:
        return min(max(-(-self._total // UNITS_PER_FAMILY), MIN_SIZE), MAX_SIZE)

    @property
    def recheck_every(self) -> int:
        """A check calls the target again for one of this many texts; 0 for no text."""
        if not self.family.compared:  # each of its texts is slow
            return 0
        if self.family.replayed:
            return 1
        if self.family.unpack is not None:
            return PACKED_RECHECK * self._profile.recheck_every_exhaustive
        if self.family.exhaustive:
            return self._profile.recheck_every_exhaustive
        return self._profile.recheck_every

    @property
    def estimate(self) -> int:
        """Number of texts; the random texts are not drawn for it."""
        return len(self._enumerated) + self._examples * bool(self._enumerated)

    @property
    def units(self) -> int:
        """Number of units, at least 1."""
        return max(-(-self._total // self._size), 1)

    def texts_of_unit(self, number: int) -> Sequence[str]:
        """Return the texts of a unit; units are numbered from 0."""
        start, end = number * self._size, (number + 1) * self._size
        enumerated = len(self._enumerated)
        with self._texts_call:
            part = self._enumerated[start:end]
        if end <= enumerated:
            return part
        return [*part, *self._random[max(start - enumerated, 0) : end - enumerated]]
