"""From tokens to text: the decoder, tokens that are byte strings, and bytes inside a text."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.byte_characters import bytes_of
from tokharness_tokenizers.reference.decoders import is_byte_token

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tokharness_tokenizers.reference.components import Decoder

# Decode tokens that are byte strings: whole sequences, and one token after another.


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


# The bytes of tokens inside a text, if a decoder changes tokens depending on their place.
#
# A decoder may drop a space at the start of a text, or put a space between words. Therefore it
# decodes all tokens in one sequence, with a mark before and after each token: the text between two
# marks is the token inside a text, without the text that the decoder puts between adjacent marks.

MARK = "\U0010fffd"
"""A private-use character, which no decoder changes."""


def texts_inside(
    tokens: Sequence[str], decode: Callable[[list[str]], str], mark: str = MARK
) -> list[bytes]:
    """Return the UTF-8 of each token as ``decode`` shows it between two other tokens.

    ``mark`` is the form of the mark inside a word in this vocabulary. Raises ValueError if a token
    has the mark.
    """
    (gap,) = _parts(decode([mark, mark]), 1)
    between = _parts(
        decode([mark, *chain.from_iterable((one, mark) for one in tokens)]), len(tokens)
    )
    return [text.removesuffix(gap).encode("utf-8", "surrogatepass") for text in between]


def _parts(text: str, number: int) -> list[str]:
    """Return the ``number`` parts between the marks of a text."""
    _, *parts, _ = text.split(MARK)
    if len(parts) != number:
        raise ValueError(f"a token has the character U+{ord(MARK):04X}")
    return parts


@dataclass(frozen=True, slots=True)
class Decoding:
    """A decoder, and the form in which it gets the tokens of a word.

    Attributes:
        decoder: The decoder; None: tokens are joined with spaces.
        cleans_up: Whether the decoder changes tokens that look like punctuation or contractions.
        reads_bytes: Whether the decoder reads tokens such as ``<0xE2>`` as bytes.
        suffix: The suffix that the model adds to the last token of a word.
        joins_bytes: Whether the decoder reads each character of a token as a byte.
        bytes_of: The bytes of a token; None if the bytes of tokens do not join to a text's bytes.

    """

    decoder: Decoder | None = None
    suffix: str = ""
    cleans_up: bool = False
    reads_bytes: bool = False
    joins_bytes: bool = False
    bytes_of: Callable[[str], bytes] | None = field(default=None, repr=False)

    def text(self, tokens: list[str]) -> str:
        """Return the decoded text of tokens."""
        if self.decoder is None:
            return " ".join(tokens)
        return "".join(self.decoder.decode(tokens))

    def bytes_inside(self, tokens: Sequence[str]) -> list[bytes]:
        """Return the bytes of each token inside a text; raises ValueError as ``texts_inside``."""
        if self.bytes_of is not None:
            return list(map(self.bytes_of, tokens))
        own = {one: bytes([int(one[3:5], 16)]) for one in tokens if self._is_byte(one)}
        if self.joins_bytes:  # a part of a character cannot be seen in decoded text
            own.update((one, self._bytes_of_word(one)) for one in tokens)
        others = [one for one in tokens if one not in own]
        own.update(zip(others, texts_inside(others, self.text), strict=True))
        return [own[one] for one in tokens]

    def _bytes_of_word(self, token: str) -> bytes:
        """Return the bytes that a token represents, with a space for the end of a word."""
        stem = token.removesuffix(self.suffix) if self.suffix else token
        return bytes_of(stem) + b" " * (stem != token)

    def _is_byte(self, token: str) -> bool:
        return self.reads_bytes and is_byte_token(token)
