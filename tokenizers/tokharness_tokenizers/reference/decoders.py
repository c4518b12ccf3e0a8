"""Decoders, which turn the texts of tokens into text: of single tokens, or joining them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.byte_characters import bytes_of
from tokharness_tokenizers.reference.components import refuse_growth
from tokharness_tokenizers.reference.word_ids import Cache

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness_tokenizers.reference.components import Decoder


# Decoders that join tokens: ByteLevel, ByteFallback and Fuse.

_byte = re.compile(r"<0x(?:[0-9A-Fa-f]{2}|\+[0-9A-Fa-f])>").fullmatch


def is_byte_token(token: str) -> bool:
    """Whether a token such as ``<0xE2>`` stands for a byte."""
    return _byte(token) is not None


@dataclass(frozen=True, slots=True)
class ByteLevel:
    """Join the bytes that tokens are written for, and decode them as UTF-8.

    A maximal invalid part of a sequence becomes one U+FFFD (Unicode, section 3.9, as WHATWG's
    decoder and Python's ``errors="replace"``).
    """

    def decode(self, tokens: list[str]) -> list[str]:
        """Return the one text of all tokens."""
        return [b"".join(map(bytes_of, tokens)).decode("utf-8", "replace")]


@dataclass(frozen=True, slots=True)
class ByteFallback:
    """Turn runs of tokens such as ``<0xE2>`` into text.

    A run that is not UTF-8 becomes a U+FFFD for each byte, even for valid bytes. (Byte fallback of
    SentencePiece decodes the valid bytes.) ``<0x+A>`` is a byte, too: the library reads the two
    digits as Rust reads a number.
    """

    def decode(self, tokens: list[str]) -> list[str]:
        """Return the texts of tokens."""
        texts: list[str] = []
        for is_byte, run in groupby(tokens, key=is_byte_token):
            part = list(run)
            texts += _decoded(part) if is_byte else part
        return texts


def _decoded(run: list[str]) -> list[str]:
    try:
        return [bytes(int(token[3:5], 16) for token in run).decode()]
    except UnicodeDecodeError:
        return ["\ufffd"] * len(run)


@dataclass(frozen=True, slots=True)
class Fuse:
    """Join all tokens into one."""

    def decode(self, tokens: list[str]) -> list[str]:
        """Return the one text of all tokens."""
        return ["".join(tokens)]


# Decoders one after the other.


@dataclass(frozen=True, slots=True)
class Sequence:
    """Give the texts of each decoder to the next decoder.

    If ``bounded``, a text that becomes too long raises LargeError.
    """

    components: tuple[Decoder, ...]
    bounded: bool = False

    def decode(self, tokens: list[str]) -> list[str]:
        """Return the texts of the last decoder."""
        before = sum(map(len, tokens)) if self.bounded else 0
        for component in self.components:
            tokens = component.decode(tokens)
            if self.bounded:
                refuse_growth(before, sum(map(len, tokens)))
        return tokens


_CLEAN_UP = (
    (" .", "."),
    (" ?", "?"),
    (" !", "!"),
    (" ,", ","),
    (" ' ", "'"),
    (" n't", "n't"),
    (" 'm", "'m"),
    (" do not", " don't"),
    (" 's", "'s"),
    (" 've", "'ve"),
    (" 're", "'re"),
)
"""The replacements of the option ``cleanup``, in this order."""

_may_change = re.compile(" [.?!,'nd]").search
"""Whether a text has the first two characters of a replacement; few tokens have them."""


def clean_up(text: str) -> str:
    """Remove spaces that tokenization put before English punctuation and contractions.

    It also turns " do not" into " don't", and thus changes text that no tokenization changed.
    """
    if _may_change(text):
        for old, new in _CLEAN_UP:
            text = text.replace(old, new)
    return text


@dataclass(frozen=True)
class WordPiece:
    """Put a space before each token, except the first; tokens with the prefix only lose it."""

    prefix: str = "##"
    cleanup: bool = True

    def decode(self, tokens: list[str]) -> list[str]:
        """Return the texts of tokens."""
        first = list(map(clean_up, tokens[:1])) if self.cleanup else tokens[:1]
        return first + list(map(self._later.__getitem__, tokens[1:]))

    @cached_property
    def _later(self) -> Cache[str]:
        """The text of a token that is not the first: most texts have the same few hundred."""

        def text_of(token: str) -> str:
            text = token.removeprefix(self.prefix) if token.startswith(self.prefix) else f" {token}"
            return clean_up(text) if self.cleanup else text

        return Cache(text_of)


@dataclass(frozen=True, slots=True)
class Metaspace:
    """Turn the replacement back into spaces.

    Unless the prepend scheme is ``never``, the first token loses all its replacements, not only the
    prepended replacement.
    """

    replacement: str = "\u2581"
    prepends: bool = True

    def decode(self, tokens: list[str]) -> list[str]:
        """Return the texts of tokens."""
        first = "" if self.prepends else " "
        return [
            token.replace(self.replacement, " " if at else first) for at, token in enumerate(tokens)
        ]


@dataclass(frozen=True, slots=True)
class BPEDecoder:
    """Turn the end of a word into a space, and into nothing in the last token."""

    suffix: str = "</w>"

    def decode(self, tokens: list[str]) -> list[str]:
        """Return the texts of tokens."""
        spaced = [token.replace(self.suffix, " ") for token in tokens[:-1]]
        return spaced + [token.replace(self.suffix, "") for token in tokens[-1:]]


@dataclass(frozen=True, slots=True)
class CTC:
    """Join the repetitions of a connectionist temporal classification (Graves et al. 2006)."""

    pad: str = "<pad>"
    delimiter: str = "|"
    cleanup: bool = True

    def decode(self, tokens: list[str]) -> list[str]:
        """Return the texts of tokens without padding, and only one of equal neighbours.

        The delimiter of words becomes a space only with ``cleanup``, as in Hugging Face's library.
        """
        texts = [token.replace(self.pad, "") for token, _ in groupby(tokens)]
        if self.cleanup:
            texts = [clean_up(text).replace(self.delimiter, " ") for text in texts]
        return list(filter(None, texts))


@dataclass(frozen=True, slots=True)
class Replace:
    """Replace each match of a pattern in each token."""

    substitute: Callable[[str], str]

    def decode(self, tokens: list[str]) -> list[str]:
        """Return the texts of tokens."""
        return list(map(self.substitute, tokens))


@dataclass(frozen=True, slots=True)
class Strip:
    """Remove up to ``start`` and ``stop`` of a character from the two ends of each token.

    The library panics if a token only consists of this character and has fewer than ``stop`` of it,
    or if both ends would lose the same character; here "" remains.
    """

    content: str
    start: int
    stop: int

    def decode(self, tokens: list[str]) -> list[str]:
        """Return the texts of tokens."""
        return list(map(self._strip, tokens))

    def _strip(self, token: str) -> str:
        left = min(len(token) - len(token.lstrip(self.content)), self.start)
        right = min(len(token) - len(token.rstrip(self.content)), self.stop)
        return token[left : max(left, len(token) - right)]
