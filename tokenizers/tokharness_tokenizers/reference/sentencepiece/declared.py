"""What a SentencePiece model declares to change in a text, in a few words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.normalizers.longest_rules import LongestRules
from tokharness_tokenizers.reference.sentencepiece.vocabulary import MARK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness_tokenizers.reference.sentencepiece.normalizing import Normalizing

__all__ = ["declared_name"]


def declared_name(normalizing: Normalizing) -> str:
    """Return the name of the rules of a model, and what is lost with them and its other settings.

    Characters that only have rules together with others are not counted.
    """
    name = f"SentencePiece {normalizing.spec.name}".strip()
    return f"{name} ({', '.join(_losses(normalizing))})"


def _losses(normalizing: Normalizing) -> Iterator[str]:
    spec, rules = normalizing.spec, normalizing.rules
    if spec.remove_extra_whitespaces:
        yield "spaces at both ends and extra ones are lost"
    elif not spec.add_dummy_prefix:
        yield "spaces are kept"
    if spec.add_dummy_prefix and normalizing.space_is_suffix:
        yield "a space comes back behind each text"
    yield "U+2581 becomes a space"
    if isinstance(rules, LongestRules) and rules.charsmap is not None:
        news = rules.charsmap.singles
        spaces = [char for char, new in news.items() if new == " "]
        dropped = [char for char, new in news.items() if not new]
        if dropped:
            yield f"{len(dropped):,} characters are dropped"
        if spaces:
            yield f"{len(spaces):,} become a space"
        yield f"{len(news) - len(spaces) - len(dropped):,} characters are replaced"
    if not spec.escape_whitespaces and MARK not in rules.verbatim:
        yield "spaces are not marked"
