"""Reach of tokens that are byte strings: the proofs that byte-level BPE and longest match share."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, product
from typing import TYPE_CHECKING

from tokharness_tokenizers.reach.neighbours import (
    Neighbours,
    continuations,
    pending_after,
)
from tokharness_tokenizers.reach.words import (
    ANY_WORDS,
    MERGED_WITH_NEIGHBOURS,
    NO_MERGES,
    NO_WORD,
    NORMALIZED,
    NOT_UTF8,
    TAKEN_BEFORE,
    Words,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence


BEFORE = ("", "a", "!", "\n", "1", " ", "\u4e2d", "'", "A", "\t")
AFTER = (*BEFORE, "/", "'s", "\r", "z", "\u0301", ")")
CONTEXTS = sorted(product(BEFORE, AFTER), key=lambda pair: len("".join(pair)))
"""Texts that are tried before and after the text of a token, no text first."""

MOST_TRIED = 40
"""Neighbours with which a token is tried in all contexts."""

MOST_WAYS = 4000
"""Number of ways to complete the characters of a token that are tried."""


def leaves_any(_: str) -> bool:
    """Return True: without a normalizer, each text stays as it is."""
    return True


def takes_none(_: str) -> bool:
    """Return False: without added tokens, no text is taken."""
    return False


@dataclass(frozen=True)
class ByteLevelReach:
    """The functions and data that decide about a token.

    Attributes:
        tokens: The bytes of each ordinary token, by id.
        segment: Returns the ids of the bytes of a pre-token, by the model alone.
        encode: Returns the ids of a text.
        words: The texts that a pre-token may have.
        takes_words: Whether a pre-token that is a token has its id, even if no merges lead to it.
        leaves: Whether a normalized text may have a text as a part.
        is_taken: Whether added tokens take a part of each text that contains a text.

    """

    tokens: Mapping[int, bytes] = field(repr=False)
    segment: Callable[[bytes], Sequence[int]] = field(repr=False)
    encode: Callable[[str], Sequence[int]] = field(repr=False)
    words: Words = ANY_WORDS
    takes_words: bool = False
    leaves: Callable[[str], bool] = leaves_any
    is_taken: Callable[[str], bool] = takes_none

    def merge_orphans(self, numbers: Iterable[int]) -> list[int]:
        """Return the ids, among these, to which no merges lead, but which whole pre-tokens get."""
        if not self.takes_words:
            return []
        found = self.tokens
        return [n for n in numbers if n in found and not self._is_merged(n, found[n])]

    def _is_merged(self, number: int, data: bytes) -> bool:
        try:
            return list(self.segment(data)) == [number]
        except KeyError:  # a byte has no token
            return False

    def _gives(self, number: int, text: str) -> bool:
        try:
            return number in self.encode(text)
        except KeyError:
            return False

    def reach(self, number: int) -> tuple[str, str]:
        """Return a text that holds a token, or why there is none; both are "" if none is known."""
        data = self.tokens.get(number)
        if not data:
            return "", ""
        text, whole = _text(data), data.decode("utf-8", "ignore")
        if not self.leaves(whole):
            return "", NORMALIZED
        if self.is_taken(whole):
            return "", TAKEN_BEFORE
        if not self._is_merged(number, data):
            if not self.takes_words or text is None or not self.words.is_match(text):
                return "", NO_MERGES
        elif text is None:
            return self._reach_of_part(number, data)
        elif not self.words.holds(text):
            return "", NO_WORD
        for before, after in CONTEXTS:
            if self._gives(number, before + text + after):
                return before + text + after, ""
        return self._reach_next_to_others(number, text)

    def _reach_next_to_others(self, number: int, text: str) -> tuple[str, str]:
        """Search for neighbours of a token that is only produced next to another token."""
        if not self._is_merged(number, self.tokens[number]):
            return "", ""
        befores, afters = [""], [""]
        if not self.words.begins(text):
            befores = list(islice(self._befores(number, text), MOST_TRIED))
        if not self.words.ends_with(text):
            afters = list(islice(self._afters(number, text), MOST_TRIED))
        for before, after in islice(product(befores, afters), MOST_TRIED):
            if self._gives(number, before + text + after):
                return before + text + after, ""
        return "", "" if befores and afters else MERGED_WITH_NEIGHBOURS

    def _befores(self, number: int, text: str) -> Iterator[str]:
        """Yield the texts of the tokens that may stand before a token, "" for bytes."""
        for end, others in self._by_last.items():
            if self._is_before(end, text):
                near = (one for one in others if self._neighbours.may_be_adjacent(one, number))
                yield from (_text(self.tokens[one]) or "" for one in near)

    def _afters(self, number: int, text: str) -> Iterator[str]:
        """Yield the texts of the tokens that may stand after a token, "" for bytes."""
        for end, others in self._by_first.items():
            if self._is_after(text, end):
                near = (one for one in others if self._neighbours.may_be_adjacent(number, one))
                yield from (_text(self.tokens[one]) or "" for one in near)

    def _is_before(self, end: str | bytes, text: str) -> bool:
        """Whether a character, or a character that ends with bytes, may be before a text."""
        if isinstance(end, str):
            return self.words.holds(end + text)
        return self.words.comes_before(end, text)

    def _is_after(self, text: str, end: str | bytes) -> bool:
        """Whether a character, or a character that begins with bytes, may be after a text."""
        if isinstance(end, str):
            return self.words.holds(text + end)
        return self.words.goes_on(text, end)

    def _reach_of_part(self, number: int, data: bytes) -> tuple[str, str]:
        """Return the reach of a token that begins or ends inside a character."""
        if not self._is_in_utf8(data):
            return "", NOT_UTF8
        if self.words.are_ascii():  # else each way to complete a character would be tried
            return "", NO_WORD
        ways, tried = self._ways(number, data), 0
        changed = 0
        for tried, text in enumerate(islice(ways, MOST_WAYS), 1):
            if not self.leaves(text):
                changed += 1
                continue
            for start, end in CONTEXTS if tried <= MOST_TRIED else CONTEXTS[:1]:
                if self._gives(number, start + text + end):
                    return start + text + end, ""
        if tried and changed < tried:
            return "", ""
        if tried == MOST_WAYS:
            return "", ""
        return "", NORMALIZED if changed else MERGED_WITH_NEIGHBOURS

    def _ways(self, number: int, data: bytes) -> Iterator[str]:
        """Yield texts of a token and of tokens that complete the characters at its ends."""
        befores: Iterator[tuple[bytes, bytes]] = iter([(b"", b"")])
        if pending_after(data) is None:  # the token begins inside a character
            befores = self._neighbours.before(number)
        for before, started in befores:
            pending = pending_after(started + data)
            joined = before + data
            if pending is not None and self.words.holds(joined.decode("utf-8", "ignore")):
                for after in self._neighbours.after(number, joined, pending):
                    yield (joined + after).decode()

    @cached_property
    def _neighbours(self) -> Neighbours:
        words = self.words
        return Neighbours(self.tokens, self.segment, words.holds, words.state, words.goes_on)

    def _is_in_utf8(self, data: bytes) -> bool:
        """Whether some bytes around these make them UTF-8."""
        leads = (b"", b"\xc2", b"\xe0", b"\xe1", b"\xe1\x80", b"\xf1", b"\xf1\x80", b"\xf1\x80\x80")
        others = (b"\xed", b"\xf0", b"\xf4", b"\xe0\xa0", b"\xed\x80", b"\xf0\x90", b"\xf4\x80")
        return any(pending_after(lead + data) is not None for lead in (*leads, *others))

    @cached_property
    def _by_first(self) -> dict[str | bytes, list[int]]:
        """The tokens that begin with a character, by the character or by their bytes of it."""
        found: dict[str | bytes, list[int]] = {}
        for number, data in self.tokens.items():
            if data and data[0] < 0x80:
                found.setdefault(data[:1].decode(), []).append(number)
            elif data and data[0] & 0xC0 != 0x80:
                first = data[: 1 + continuations(data[1:])]
                found.setdefault(_text(first) or first, []).append(number)
        return found

    @cached_property
    def _by_last(self) -> dict[str | bytes, list[int]]:
        """The tokens that end with a character, by the character or by their bytes of it."""
        found: dict[str | bytes, list[int]] = {}
        for number, data in self.tokens.items():
            if data and data.isascii():
                found.setdefault(data[-1:].decode(), []).append(number)
                continue
            inside = data[: continuations(data)]
            rest = _text(data[len(inside) :])
            if data and rest is not None:
                found.setdefault(rest[-1] if rest else inside, []).append(number)
        return found


def _text(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


# Reach of the tokens of the longest match on bytes.
#
# Two tokens next to each other are the segmentation of their joined bytes here, too: a longer token
# that begins in these bytes and ends in them is also taken in the whole text.
