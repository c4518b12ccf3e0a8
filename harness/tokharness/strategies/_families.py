"""Strategies from case families, and the arguments that all strategies share.

Hypothesis, the plugins and the families are imported on use, so that importing
``tokharness.strategies`` stays cheap.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypothesis.strategies import SearchStrategy

    from tokharness.model import TargetFacts
    from tokharness.plugins import Family

T = TypeVar("T")

SURROGATE_FAMILIES = ("surrogates", "invalid-utf8")
"""Families whose texts have lone surrogates."""


def texts_of(name: str, facts: TargetFacts | None = None) -> SearchStrategy[str]:
    """Return the strategy of a family, without empty texts."""

    def texts() -> SearchStrategy[str]:
        from tokharness import plugins

        # Truncated pieces may be empty, and an empty text belongs to no kind.
        return family_strategy(plugins.family(name), facts or facts_of(())).filter(bool)

    return deferred(texts)


@lru_cache(maxsize=256)
def family_strategy(family: Family, facts: TargetFacts) -> SearchStrategy[str]:
    """Return the strategy of a family; cached, since some families scan all of Unicode for it."""
    return family.strategy(facts)


def deferred(define: Callable[[], SearchStrategy[T]]) -> SearchStrategy[T]:
    """Return a strategy that is defined when it is first drawn from."""
    from hypothesis import strategies as st

    return st.deferred(define)


def facts_of(special_tokens: Sequence[str]) -> TargetFacts:
    """Return the facts of a target with these special tokens.

    Raises:
        hypothesis.errors.InvalidArgument: ``special_tokens`` is not a sequence of strings.

    """
    from tokharness.model import TargetFacts

    tokens = _strings("special_tokens", special_tokens)
    return TargetFacts(tokens, profile="quick")


def families_named(names: Sequence[str], *, surrogates: bool) -> list[Family]:
    """Return the families of these names.

    Raises:
        hypothesis.errors.InvalidArgument: a family is unknown, has texts of a project only, or has
            lone surrogates without ``surrogates``; or there is no name.

    """
    from hypothesis.errors import InvalidArgument

    from tokharness import plugins
    from tokharness.errors import UsageError

    words = dict.fromkeys(_strings("families", names))
    if not words:
        raise InvalidArgument("families is empty: name some, or omit it for all families")
    if not surrogates and (refused := [word for word in words if word in SURROGATE_FAMILIES]):
        raise InvalidArgument(
            f"all texts of the family {refused[0]!a} have lone surrogates: add surrogates=True"
        )
    try:
        families = [plugins.family(word) for word in words]
    except UsageError as error:
        raise InvalidArgument(str(error)) from error
    if project := [family.name for family in families if family.replayed]:
        raise InvalidArgument(f"the family {project[0]!a} has texts of a project and no strategy")
    return families


def _strings(name: str, value: Sequence[str]) -> tuple[str, ...]:
    from hypothesis.errors import InvalidArgument

    if isinstance(value, str):
        raise InvalidArgument(f"{name} must be a sequence of strings: [{value!a}], not {value!a}")
    strings = tuple(value)
    if wrong := [item for item in strings if not isinstance(item, str)]:
        raise InvalidArgument(f"{name} must be a sequence of strings: {wrong[0]!a} is not a string")
    return strings
