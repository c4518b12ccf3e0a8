"""Decoders that join tokens: ByteLevel, ByteFallback and Fuse."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby

from tokharness_tokenizers.reference.byte_characters import bytes_of

__all__ = ["ByteFallback", "ByteLevel", "Fuse", "is_byte_token"]

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

    A run that is not UTF-8 becomes one U+FFFD a byte, also for those bytes that are valid. (Byte
    fallback of SentencePiece decodes what is valid.) ``<0x+A>`` is a byte, too: the library reads
    the two digits as Rust reads a number.
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
