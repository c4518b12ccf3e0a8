"""Strategies of texts of one or several case families, and the arguments that all strategies share.

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


READABLE = (
    *("plain-words", "digits", "contractions", "property-names", "leading-space", "white-space"),
    *("zero-width", "code", "normal-forms", "controls"),
)
"""Families that come first in a mixture: shrinking prefers the first family that still fails."""

LONG = ("combining-stacks", "invisible-bits", "long-inputs", "very-long-inputs")
"""Families that come last, since even their smallest texts are long."""


def hostile_text(
    *,
    families: Sequence[str] | None = None,
    special_tokens: Sequence[str] = (),
    surrogates: bool = False,
) -> SearchStrategy[str]:
    r"""Texts of all case families, or of ``families``.

    ``families`` has names that ``tokharness list families`` shows, or modules of your own families,
    ``package.module``. ``special_tokens`` are your tokenizer's: their disguises are drawn in
    addition to disguises of well-known tokens. ``surrogates`` adds texts with lone surrogates,
    which have no UTF-8; families that consist of such texts need it.

    Example: ``"the\u200b"``, ``"1\u0660"``, ``"<|endoftext|\uff1e"``.

    Source: the pages of the families; ``tokharness list families``.

    Raises:
        hypothesis.errors.InvalidArgument: a family is unknown (the nearest name is suggested) or
            has texts of a project only; ``families`` is empty; an argument is not a sequence of
            strings; or a family needs ``surrogates=True``.

    """
    facts = facts_of(special_tokens)
    named = None if families is None else families_named(families, surrogates=surrogates)

    def mixture() -> SearchStrategy[str]:
        from hypothesis import strategies as st

        chosen = mixed_families(surrogates=surrogates) if named is None else named
        texts = st.one_of([family_strategy(family, facts) for family in chosen])
        return texts.filter(bool if surrogates else _has_scalars_only)

    return deferred(mixture)


def mixed_families(*, surrogates: bool) -> list[Family]:
    """Return the families of a mixture, readable families first, families with surrogates last."""
    from tokharness import plugins

    families = {name: family for name, family in plugins.families().items() if not family.replayed}
    last = (*LONG, *(SURROGATE_FAMILIES if surrogates else ()))
    middle = [name for name in families if name not in (*READABLE, *LONG, *SURROGATE_FAMILIES)]
    return [families[name] for name in (*READABLE, *middle, *last)]


def _has_scalars_only(text: str) -> bool:
    return bool(text) and not any("\ud800" <= char <= "\udfff" for char in text)
