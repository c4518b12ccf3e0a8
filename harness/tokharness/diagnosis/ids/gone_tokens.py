"""What tokens have in common that a target never makes: their length, how they begin, their ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.ids.stages import PARTS_OF_WORDS
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Collection

    from tokharness.model import Target

__all__ = ["name_of_gone"]

FEW = 3
"""Tokens that are named one by one; more of them are counted."""

LONGEST_START = 3
"""Most characters with which tokens begin that have this in common."""


def name_of_gone(gone: Collection[Any], made: Collection[Any], model: Target) -> str:
    """Return in a few words which tokens of a model are never made, and others are."""
    texts = {number: _text(number, model) for number in {*gone, *made}}
    shown = [f"{texts[number]!a}" for number in sorted(gone)]
    if len(gone) <= FEW:
        return f"no token {' or '.join(shown)} is made"
    kept = [texts[number] for number in made if texts[number]]
    rule = _rule([texts[number] for number in sorted(gone)], kept)
    if rule:
        return f"no token {rule} is made"
    number = f"{len(gone):,} tokens are not made, such as {shown[0]}"
    return f"the last {number}" if made and min(gone) > max(made) else number


def _rule(gone: list[str], made: list[str]) -> str:
    """Return what the texts of all gone tokens are, and those of no other."""
    longest = max(map(_length, made), default=0)
    if min(map(_length, gone)) > longest > 0:
        return f"of more than {longest} characters"
    for length in range(1, LONGEST_START + 1):
        for side, name in ((slice(length), "begins"), (slice(-length, None), "ends")):
            ends = {text[side] for text in gone}
            if len(ends) == 1 and not any(text[side] in ends for text in made):
                return f"that {name} with {ends.pop()!a}"
    return ""


def _length(text: str) -> int:
    """Return the characters of a token without what says that it continues or ends a word."""
    return len(PARTS_OF_WORDS.sub("", text))


def _text(number: Any, model: Target) -> str:
    if model.can("token_text"):
        text = model.call("token_text", number)
    else:
        text = model.call("decode_single_token_bytes", number)
        text = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return "" if isinstance(text, Raised) else str(text)
