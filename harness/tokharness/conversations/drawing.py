"""A rendered conversation in parts: the template's words, special tokens and fields, with ids."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tokharness.conversations.shapes import fields_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.conversations.chat import Chat, Conversation
    from tokharness.conversations.token_ids import Ids

TEMPLATE, SPECIAL = "template", "special token"
MOST_PARTS = 60
MOST_CHARACTERS = 2_000
"""Characters of a rendering that is drawn."""

Span = tuple[int, int, str]
"""The first character of a part, the one after its last, and what the part is."""


def parts_of(chat: Chat, one: Conversation) -> list[dict[str, str]]:
    """Return the parts of a rendering in order: what each is, its text, and its ids.

    The ids of a token that spans the end of a part are those of the last part that it is in. No
    parts of a long rendering.
    """
    text = chat.text(one)
    if text is None or len(text) > MOST_CHARACTERS:
        return []
    spans = list(_spans(chat, text, _values(one)))[:MOST_PARTS]
    ids = _ids(chat, text, [end for _, end, _ in spans])
    return [
        {"part": what, "text": text[start:end], "ids": " ".join(map(str, numbers))}
        for (start, end, what), numbers in zip(spans, ids, strict=True)
    ]


def _values(one: Conversation) -> list[tuple[str, str]]:
    """Return the whole texts of the fields with a mark, and what each is."""
    rows = []
    for field in fields_of(one.messages, one.options):
        value: Any = one.messages if isinstance(field.path[0], int) else one.options
        for key in field.path:
            value = value[key]
        rows.append((value, field.what))
    return list(dict.fromkeys(rows))


def _spans(chat: Chat, text: str, values: Sequence[tuple[str, str]]) -> Iterator[Span]:
    """Yield the parts: fields in the order in which they stand, and what is between them."""
    fields: list[Span] = []
    for value, what in values:
        start = text.find(value)
        end = start + len(value)
        if value and start >= 0 and not any(a < end and start < b for a, b, _ in fields):
            fields.append((start, end, what))
    fields.sort()
    borders = [(0, 0, ""), *fields, (len(text), len(text), "")]
    words = _special_words(chat)
    for (_, end, _), (first, last, what) in pairwise(borders):
        yield from _divided(words, text, (end, first, TEMPLATE), SPECIAL)
        yield from _divided(words, text, (first, last, what), f"{SPECIAL} in {what}")


def _special_words(chat: Chat) -> re.Pattern[str] | None:
    tokens = chat.tokens
    words: Mapping[str, int] = {} if tokens is None else {**tokens.special, **tokens.added}
    longest = sorted(filter(None, words), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest))) if longest else None


def _divided(words: re.Pattern[str] | None, text: str, span: Span, special: str) -> Iterator[Span]:
    """Yield a part with its special tokens as parts of their own."""
    start, end, what = span
    for found in words.finditer(text, start, end) if words else ():
        if found.start() > start:
            yield start, found.start(), what
        yield found.start(), found.end(), special
        start = found.end()
    if end > start:
        yield start, end, what


def _ids(chat: Chat, text: str, ends: Sequence[int]) -> list[Ids]:
    """Return the ids of each part; none without a tokenizer that reads special tokens."""
    tokens = chat.tokens
    if tokens is None or not tokens.reads_special or not ends:
        return [[] for _ in ends]
    *before, whole = tokens.read_all([text[:end] for end in ends])
    rows: list[Ids] = []
    place = 0
    for ids in (*before, whole):
        is_beginning = whole is not None and ids is not None and whole[: len(ids)] == ids
        number = len(ids) if is_beginning and ids is not None else place
        rows.append((whole or [])[place:number])
        place = max(place, number)
    return rows
