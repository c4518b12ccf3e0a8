"""From tokens to text: the decoder, and the bytes of a token where each has some."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.byte_characters import bytes_of
from tokharness_tokenizers.reference.bytes_inside import texts_inside
from tokharness_tokenizers.reference.decoders.joining import is_byte_token

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokharness_tokenizers.reference.components import Decoder

__all__ = ["Decoding"]


@dataclass(frozen=True, slots=True)
class Decoding:
    """A decoder, and what the tokens of a word look like to it.

    Attributes:
        decoder: The decoder; None: tokens are joined with spaces.
        cleans_up: Whether the decoder changes tokens that look like punctuation or contractions.
        reads_bytes: Whether the decoder reads tokens such as ``<0xE2>`` as bytes.
        suffix: What the model puts behind the last token of a word.
        joins_bytes: Whether the decoder reads each character of a token as a byte.
        bytes_of: The bytes of a token; None if the bytes of tokens do not make up those of a text.

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
        """Return the bytes that a token is written for, with a space for the end of a word."""
        stem = token.removesuffix(self.suffix) if self.suffix else token
        return bytes_of(stem) + b" " * (stem != token)

    def _is_byte(self, token: str) -> bool:
        return self.reads_bytes and is_byte_token(token)
