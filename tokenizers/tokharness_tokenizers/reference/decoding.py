"""From tokens to text: the decoder, and the bytes of a token where each has some."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

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
        bytes_of: The bytes of a token; None if the bytes of tokens do not make up those of a text.

    """

    decoder: Decoder | None = None
    suffix: str = ""
    cleans_up: bool = False
    reads_bytes: bool = False
    bytes_of: Callable[[str], bytes] | None = field(default=None, repr=False)

    def text(self, tokens: list[str]) -> str:
        """Return the decoded text of tokens."""
        if self.decoder is None:
            return " ".join(tokens)
        return "".join(self.decoder.decode(tokens))
