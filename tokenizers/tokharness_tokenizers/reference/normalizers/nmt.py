"""The normalizer Nmt: remove some control characters and make others spaces.

The rules are those that SentencePiece's ``nmt_nfkc`` has before NFKC (``builder.cc``). They remove
U+008F and U+009F, but none of the other controls above U+007F, and keep U+0000.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.normalizers.mapping import Replacement

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.aligned import Aligned

__all__ = ["Nmt"]

_REMOVED: Final = Replacement(
    map(chr, (*range(0x01, 0x09), 0x0B, *range(0x0E, 0x20), 0x7F, 0x8F, 0x9F)), ""
)
_SPACES: Final = Replacement(
    "\t\n\f\r\u1680\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u2581\ufeff\ufffd", " "
)


@dataclass(frozen=True, slots=True)
class Nmt:
    """Remove control characters, and make spaces of others, U+2581 among them."""

    def normalize(self, text: str) -> str:
        """Return the normalized text."""
        return _SPACES.normalize(_REMOVED.normalize(text))

    def apply(self, text: Aligned) -> Aligned:
        """Normalize an aligned text."""
        return _SPACES.apply(_REMOVED.apply(text))
