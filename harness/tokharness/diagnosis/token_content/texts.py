"""The text of each token of a target, its normal form and skeleton, and one pass over all texts."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, chain
from typing import TYPE_CHECKING

import regex

from tokharness.diagnosis.ids.byte_changes import ALPHABET
from tokharness.errors import TargetDeath
from tokharness.outcome import Raised
from tokharness.unicode.confusables import skeleton
from tokharness.unicode.normalization import normalize

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

# One pass over the joined texts of all tokens, in place of a call for each of them.

BORDER = "\n"
"""What stands between two tokens; no pattern matches it."""

BORDERS = [*map(chr, range(0xFDD0, 0xFDF0))]
"""Noncharacters; one of them separates texts that are changed together."""


def changed_texts(change: Callable[[str], str], texts: Sequence[str]) -> list[str]:
    """Return ``change`` of each text; it must keep noncharacters, and not act across them."""
    together = "".join(texts)
    border = next((char for char in BORDERS if char not in together), None)
    if border is None or not texts:
        return list(map(change, texts))
    return change(border.join(texts)).split(border)


class JoinedTexts:
    """The texts of tokens, joined, so that a pattern is searched for once in all of them."""

    def __init__(self, texts: Mapping[int, str]) -> None:
        self.texts, self._ids = texts, list(texts)
        self._joined = BORDER.join(texts.values())
        self._starts = [0, *accumulate(len(text) + len(BORDER) for text in texts.values())]

    def matching(self, *patterns: str) -> dict[int, str]:
        """Return the tokens that match at least one pattern."""
        places = (
            match.start()
            for pattern in patterns
            for match in regex.finditer(pattern, self._joined, regex.V1)
        )
        numbers = dict.fromkeys(self._ids[bisect_right(self._starts, at) - 1] for at in places)
        return {number: self.texts[number] for number in numbers}


PARTIAL = "\ufffd"
"""The replacement for a part of a character."""

WORD_START = "\u2581"
MARKS = regex.compile(r"^##|@@$|</w>$")
"""Marks at the start or the end of a token that show where a word ends."""
BYTE_TOKEN = regex.compile(r"<0x[0-9A-F]{2}>")
"""The token of a byte in vocabularies with byte fallback (SentencePiece)."""

LETTERS_OF_BYTES = frozenset(map(chr, chain(range(0x21, 0x7F), range(0xA1, 0x100), ALPHABET)))
"""The letters of a vocabulary that writes each byte as a character, as GPT-2 does."""


def content_texts(subject: Subject) -> dict[int, str]:
    """Return the text of each token by id, without special and other added tokens.

    A part of a character is U+FFFD. A word start (U+2581) is a space, other marks of the format are
    left out, and so are the tokens of bytes.
    """

    def compute() -> dict[int, str]:
        target = subject.target
        added = {*target.special_tokens.values(), *target.added_tokens.values()}
        tokens = subject.vocabulary()
        if tokens or not target.can("token_text"):
            return {
                n: data.decode("utf-8", "replace")
                for n, data in tokens.items()
                if data and n not in added
            }
        ids = [number for number in range(target.n_vocab or 0) if number not in added]
        texts = plain_texts(written_texts(ids, target))
        return {number: text for number, text in texts.items() if text}

    return subject.cache.get_or_compute("texts of all tokens", compute)


def written_texts(ids: Sequence[int], target: Target) -> dict[int, str]:
    """Return the text of each id as it stands in the vocabulary."""
    texts = target.call_each("token_text", ids)
    for text in texts:
        if isinstance(text, Raised) and isinstance(text.error, TargetDeath):
            raise text.error  # which does not mean that the id has no token
    rows = zip(ids, texts, strict=True)
    return {number: text for number, text in rows if isinstance(text, str)}


def plain_texts(written: Mapping[int, str], *, is_marked: bool = True) -> dict[int, str]:
    """Return written texts without the marks of their format.

    Without marks of words (``is_marked``), ``##`` at the start is a part of the text.
    """
    texts = {
        number: MARKS.sub("", text) if is_marked else text
        for number, text in written.items()
        if BYTE_TOKEN.fullmatch(text) is None
    }
    if {*map(chr, ALPHABET)} <= set(texts.values()) and all(
        map(LETTERS_OF_BYTES.issuperset, texts.values())
    ):
        return {
            number: text.translate(ALPHABET).encode("latin-1").decode("utf-8", "replace")
            for number, text in texts.items()
        }
    return {number: text.replace(WORD_START, " ") for number, text in texts.items()}


def changed_by_nfc(subject: Subject) -> dict[int, str]:
    """Return the NFC of each token that is not in NFC, by its id."""

    def compute() -> dict[int, str]:
        forms = {
            number: normalize("NFC", text)
            for number, text in content_texts(subject).items()
            if not text.isascii()
        }
        texts = content_texts(subject)
        return {number: form for number, form in forms.items() if form != texts[number]}

    return subject.cache.get_or_compute("tokens that are not NFC", compute)


def skeletons(subject: Subject) -> Mapping[int, str]:
    """Return the skeleton (UTS #39) of each token, by its id."""

    def compute() -> dict[int, str]:
        texts = content_texts(subject)
        return dict(zip(texts, changed_texts(skeleton, [*texts.values()]), strict=True))

    return subject.cache.get_or_compute("skeletons of all tokens", compute)
