r"""What an error message says whatever the text: its template, without what comes from the text.

A library may quote the text in its message, or only a part of it, so one fault has as many messages
as texts. A word that is in the text may still be one of the message's own, such as *index*: it is,
if it is also in the message for a text without it.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["message_template"]

DETAIL = regex.compile(
    r"""'[^']*'|"[^"]*"|\b0[xX][0-9a-fA-F]+\b|[uU]\+[0-9a-fA-F]{4,6}"""
    r"""|\b(?=[a-fA-F]*[0-9])[0-9a-fA-F]{8,}\b"""
    r"""|\\[uxU]\{?[0-9a-fA-F]+\}?|\\[nrt0]|[0-9]+|[^\x20-\x7e]+"""
)
"""Parts that differ from text to text: quotations, numbers, digests, escapes, other characters."""

CODEC = regex.compile(r"'[^']+' codec can't (?:de|en)code\b")
"""An error of Python's codecs; the bytes, and what is wrong with them, differ between texts."""

LEFT_OUT = "\0"
WORD = regex.compile(r"[^\W_]+|[^\s\0]")
SEVERAL_LEFT_OUT = regex.compile(r"\0(?:[\s,\0]*\0)+")
SHOWN = "..."
START = END = ""
LONGEST, MAX_KNOWN = 100, 20_000


def message_template(message: str, text: str, own: Counter[tuple[str, ...]]) -> str:
    """Return a message without the parts that differ from text to text.

    ``own`` counts the words, and the pairs of words, of messages for texts that do not have them;
    those of this message are added.
    """
    if codec := CODEC.match(message):
        return str(codec.group())
    plain = DETAIL.sub(LEFT_OUT, message.replace(LEFT_OUT, " "))
    matches = list(WORD.finditer(plain))
    words = [match.group() for match in matches]
    if len(own) < MAX_KNOWN:
        own |= _own_words(words, text.casefold())
    template = list(plain)
    for place in _places_of_text(words, own):
        start, end = matches[place].span()
        template[start:end] = LEFT_OUT * (end - start)
    left_out = SEVERAL_LEFT_OUT.sub(LEFT_OUT, "".join(template))
    return str(left_out.replace(LEFT_OUT, SHOWN)[:LONGEST])


def _own_words(words: Sequence[str], text: str) -> Counter[tuple[str, ...]]:
    """Count the words, and the pairs of words, that are not in the text."""
    pairs = pairwise([START, *words, END])
    keys: Iterator[tuple[str, ...]] = chain(zip(words, strict=True), pairs)
    return Counter(key for key in keys if not any(word.casefold() in text for word in key if word))


def _places_of_text(words: Sequence[str], own: Counter[tuple[str, ...]]) -> Iterator[int]:
    """Yield the places of the words that come from the text.

    If a word is there more often than in other messages, those come from the text whose neighbours
    are others than there.
    """
    pairs = list(pairwise([START, *words, END]))
    usual = [sum(pair in own for pair in pairs[place : place + 2]) for place in range(len(words))]
    left = own.copy()
    for place in sorted(range(len(words)), key=lambda place: -usual[place]):
        if left[words[place],] > 0:
            left[words[place],] -= 1
        else:
            yield place
