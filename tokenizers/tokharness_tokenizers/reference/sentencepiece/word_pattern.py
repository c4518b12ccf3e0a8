"""Words of a normalized text: its parts, of which no piece crosses the end."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.normalizers.mapping import character_class
from tokharness_tokenizers.reference.sentencepiece.vocabulary import MARK

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["word_pattern"]


def word_pattern(pieces: Iterable[str], known: frozenset[str]) -> re.Pattern[str] | None:
    """Return a pattern for the words of a text; None if pieces have U+2581 on both sides of others.

    Two characters are in one word only if a piece has another character behind the first of them,
    and a piece has another one before the second. Several U+2581 are like one if a piece has two.
    A run of characters that are not ``known`` is a word, if there are known ones.
    """
    longer = [piece for piece in pieces if len(piece) > 1]
    leads = {char for piece in longer for char in piece[:-1]} - {MARK}
    follows = {char for piece in longer for char in piece[1:]} - {MARK}
    joined = "\n".join(longer)
    is_head = re.search(f"{MARK}[^{MARK}\n]", joined)
    is_tail = re.search(f"[^{MARK}\n]{MARK}", joined)
    if is_head and is_tail:
        return None
    mark = f"{MARK}+" if MARK * 2 in joined else MARK
    head, tail = _class(leads - follows), _class(follows - leads)
    if is_tail:
        tail = f"(?:{mark}|{tail})"
    else:
        head = f"(?:{mark}|{head})"
    inner = _class(leads & follows)
    others = f"[^{_class(known)[1:]}+|" if known else ""
    return re.compile(f"{head}{inner}*{tail}?|{inner}+{tail}?|{tail}|{others}.", re.DOTALL)


def _class(characters: Iterable[str]) -> str:
    return character_class(map(ord, characters))
