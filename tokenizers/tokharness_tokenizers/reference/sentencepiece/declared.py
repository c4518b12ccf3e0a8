"""What a SentencePiece model declares to change in a text, in a few words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.normalizers.longest_rules import LongestRules

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
        yield "extra spaces lost"
    if spec.add_dummy_prefix and normalizing.space_is_suffix:
        yield "a space added behind"
    yield "U+2581 is a space"
    if isinstance(rules, LongestRules) and rules.charsmap is not None:
        news = rules.charsmap.singles.values()
        dropped = sum(not new for new in news)
        if dropped:
            yield f"{dropped:,} characters dropped"
        yield f"{len(news) - dropped:,} {'' if dropped else 'characters '}replaced"
