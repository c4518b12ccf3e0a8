"""Texts, bytes and boundaries of the tokens of a text."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from tokharness.boundary.exceptions import type_name
from tokharness.diagnosis.entry_points.affixes import affix_ids, without_affixes
from tokharness.diagnosis.probes.calls import decode_all, encode_all
from tokharness.diagnosis.probes.id_sequences import is_utf8
from tokharness.diagnosis.special.special_ids import unknown_ids
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

# Bytes of the target's tokens, read once each, and which ids stand for a part of the text.

NO_BYTES = b"\xff"
"""Placeholder if the target gives no bytes: no text has this byte, so nothing equals it."""


class TokenBytes(dict[int, bytes]):
    """Bytes by id, read on first use; ``faults`` says why an id has none.

    A special token stands for no text, so its bytes are empty here, even if the target gives some.
    """

    def __init__(self, target: Target, special: Iterable[int]) -> None:
        super().__init__(dict.fromkeys(special, b""))
        self.faults: dict[int, str] = {}
        self._target = target

    def __missing__(self, number: int) -> bytes:
        return self._store(number, self._target.call("decode_single_token_bytes", number))

    def prefetch(self, numbers: Iterable[int]) -> None:
        """Read the bytes of these ids in one request, if the target has a process of its own."""
        if self._target.has_own_process:
            new = sorted(set(numbers) - self.keys())
            column = self._target.call_each("decode_single_token_bytes", new)
            for number, data in zip(new, column, strict=True):
                self._store(number, data)

    def _store(self, number: int, data: Any) -> bytes:
        if not isinstance(data, bytes):
            self.faults[number] = (
                f"raises {type(data.error).__name__}"
                if isinstance(data, Raised)
                else f"not bytes: {type_name(data)}"
            )
            data = NO_BYTES
        self[number] = data
        return self[number]


def token_bytes(subject: Subject) -> TokenBytes:
    """Bytes of the target's tokens, cached for the run."""
    return subject.cache.get_or_compute(
        "token bytes", lambda: TokenBytes(subject.target, subject.special_tokens.values())
    )


def is_outside_text(ids: list[int], subject: Subject) -> list[bool]:
    """Whether each id stands for no part of the text: it is special, or added to every text.

    The unknown token is special, and stands for the text that is not in the vocabulary.
    """
    special: frozenset[int] = subject.cache.get_or_compute(
        "special ids left out",
        lambda: frozenset(subject.special_tokens.values()) - unknown_ids(subject),
    )
    prefix, suffix = affix_ids(subject)
    start = len(prefix) if ids[: len(prefix)] == prefix else 0
    end = len(ids) - (len(suffix) if suffix and ids[-len(suffix) :] == suffix else 0)
    return [not start <= place < end or number in special for place, number in enumerate(ids)]


def text_ids(ids: list[int], subject: Subject) -> list[int]:
    """Ids that stand for a part of the text."""
    outside = is_outside_text(ids, subject)
    return [number for number, is_outside in zip(ids, outside, strict=True) if not is_outside]


FIRST_WORD = "x"
"""Word that is put before the space and the word, since a tokenizer may add a space to a text."""

Rows = dict[str, list[str]]
"""The texts of the tokens of each text."""


def token_texts(texts: Sequence[str], subject: Subject) -> dict[str, list[str]]:
    """Texts of the tokens of each text, if they join to the text.

    Texts with a token that ends inside a character, and texts on which the target raises, are left
    out, and so are the tokens that are added to every text. If a token decodes alone to a text with
    a mark, such as ``##ing``, its text is what it adds to the decoded text of the tokens before it.
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
    """Return the text that each id adds to the decoded text of the ids before it."""
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
    """Return the length of a prefix of a text; -1 if the text does not begin with it."""
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
    """Ends of the tokens inside each text, in characters, if :func:`token_texts` has the text."""
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
