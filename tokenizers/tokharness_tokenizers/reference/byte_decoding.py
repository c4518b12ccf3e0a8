"""Decode tokens that are byte strings: whole sequences, and one token after another."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["bytes_of_token", "joined_bytes", "streamed_texts"]


def bytes_of_token(table: Mapping[int, bytes], token: int) -> bytes:
    """Return the bytes of a token; raises KeyError for an unknown id."""
    try:
        return table[token]
    except KeyError:
        raise KeyError(f"no token has the id {token!r}") from None


def joined_bytes(table: Mapping[int, bytes], ids: Iterable[int]) -> bytes:
    """Join the bytes of tokens; raises KeyError for an unknown id."""
    try:
        return b"".join(map(table.__getitem__, ids))
    except KeyError as error:
        raise KeyError(f"no token has the id {error.args[0]!r}") from None


def streamed_texts(table: Mapping[int, bytes], ids: Iterable[int]) -> Iterator[str]:
    """Decode tokens one by one; yield a character as soon as all its bytes are known.

    No text is empty. Raises KeyError for an unknown id.
    """
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    for token in ids:
        if text := decoder.decode(bytes_of_token(table, token)):
            yield text
    if text := decoder.decode(b"", final=True):
        yield text
