"""Texts and boundaries of the tokens of a text, in characters."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.probes.calls import decode_all, encode_all
from tokharness.diagnosis.probes.id_sequences import is_utf8
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.targets.subject import Subject

__all__ = ["FIRST_WORD", "inner_boundaries", "token_texts", "tokens_after_space"]

FIRST_WORD = "x"
"""What stands before the space before a word, since a tokenizer may add a space to a text."""

Rows = dict[str, list[str]]
"""The texts of the tokens of each text."""


def token_texts(texts: Sequence[str], subject: Subject) -> dict[str, list[str]]:
    """Texts of the tokens of each text, if they join to the text.

    Left out are texts with a token that ends inside a character, texts on which the target raises,
    and the tokens that are added to every text at its start or end. A token whose text has a mark
    when it is decoded alone, such as ``##ing``, is what it adds to the text of those before it.
    """
    rows = {}
    marked = {}
    for text, ids in zip(texts, encode_all(texts, subject), strict=True):
        if isinstance(ids, Raised):
            continue
        own = without_affixes(ids, subject)
        tokens = [_text(number, subject) for number in own]
        if None in tokens:
            continue
        rows[text] = [token or "" for token in tokens]
        if "".join(rows[text]) != text:
            del rows[text]
            marked[text] = own
    if marked and not subject.target.can("decode_single_token_bytes"):
        rows |= _by_prefixes(marked, subject)
    return {text: rows[text] for text in texts if text in rows}


def _by_prefixes(ids_of_texts: Mapping[str, Sequence[int]], subject: Subject) -> Rows:
    """Return what each id adds to the decoded text of those before it."""
    decoded = decode_all(list(ids_of_texts.values()), subject)
    kept = {
        text: ids
        for (text, ids), whole in zip(ids_of_texts.items(), decoded, strict=True)
        if whole == text
    }
    prefixes = [ids[:end] for ids in kept.values() for end in range(1, len(ids) + 1)]
    starts = iter(decode_all(prefixes, subject))
    rows = {}
    for text, ids in kept.items():
        ends = [_end(next(starts), text) for _ in ids]
        if ends == sorted(ends) and ends[:1] != [-1]:
            rows[text] = [text[a:b] for a, b in pairwise([0, *ends])]
    return rows


def _end(prefix: object, text: str) -> int:
    """Return the length of a prefix of a text; -1 if it is none."""
    return len(prefix) if isinstance(prefix, str) and text.startswith(prefix) else -1


def tokens_after_space(words: Sequence[str], subject: Subject) -> dict[str, list[str]]:
    """Texts of the tokens of each word after another word and a space, with that space."""
    rows = token_texts([f"{FIRST_WORD} {word}" for word in words], subject)
    found = {}
    for text, tokens in rows.items():
        ends = list(accumulate(map(len, tokens)))
        if len(FIRST_WORD) in ends:
            word = text.removeprefix(f"{FIRST_WORD} ")
            found[word] = tokens[ends.index(len(FIRST_WORD)) + 1 :]
    return found


def inner_boundaries(texts: Sequence[str], subject: Subject) -> dict[str, frozenset[int]]:
    """Ends of the tokens inside each text, in characters, for what :func:`token_texts` gives."""
    return {
        text: frozenset(accumulate(map(len, tokens))) - {0, len(text)}
        for text, tokens in token_texts(texts, subject).items()
    }


def _text(number: int, subject: Subject) -> str | None:
    """Text of one token, read once; None if it is not whole characters."""
    known: dict[int, str | None] = subject.cache.get_or_compute("texts of tokens", dict)
    if number not in known:
        known[number] = _read_text(number, subject)
    return known[number]


def _read_text(number: int, subject: Subject) -> str | None:
    pieces = subject.token_bytes([number])
    if pieces is None:
        return subject.decode([number])
    return pieces[0].decode() if is_utf8(pieces[0]) else None
