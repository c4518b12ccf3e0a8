"""The strategy of texts of several families."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.strategies._families import (
    SURROGATE_FAMILIES,
    deferred,
    facts_of,
    families_named,
    family_strategy,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis.strategies import SearchStrategy

    from tokharness.plugins import Family

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
