"""BertNormalizer: what BERT does before WordPiece (Devlin et al. 2019, ``tokenization.py``).

``tokenizers`` departs from BERT's own code:

- it removes private use characters (Co), too; BERT removes Cc and Cf,
- it makes U+2028 and U+2029 spaces; BERT leaves them,
- it puts no spaces around U+2B820 to U+2B91F, where its list of ideographs has a gap that BERT's
  does not have,
- its categories come from Unicode 8.0, and its normal form from 9.0 (1.0: 17.0),
- it makes text lower case after it strips accents, BERT before.

Its comments say that it removes unassigned characters (Cn). It does not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.normalizers.forms import CURRENT, NormalForm, TableVersions
from tokharness_tokenizers.reference.normalizers.mapping import (
    Lowercase,
    Replacement,
    character_class,
    of_categories,
    run_of,
)
from tokharness_tokenizers.reference.normalizers.replacing import Sequence
from tokharness_tokenizers.reference.white_space import WHITE_SPACE

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.aligned import Aligned
    from tokharness_tokenizers.reference.components import Normalizer

# The parts of BertNormalizer that are not components: cleaning, and spaces around ideographs.

_IDEOGRAPHS: Final = (
    range(0x3400, 0x4DC0),
    range(0x4E00, 0xA000),
    range(0xF900, 0xFB00),
    range(0x20000, 0x2A6E0),
    range(0x2A700, 0x2B820),
    range(0x2B920, 0x2CEB0),
    range(0x2F800, 0x2FA20),
)
_RUN: Final = re.compile(run_of(character_class(chain.from_iterable(_IDEOGRAPHS))))


@dataclass(frozen=True, slots=True)
class Ideographs:
    """Put a space before and after each ideograph; both have its span."""

    def normalize(self, text: str) -> str:
        """Return the text with spaces."""
        return _RUN.sub(lambda run: f" {'  '.join(run.group())} ", text)

    def apply(self, text: Aligned) -> Aligned:
        """Put spaces into an aligned text."""
        places = (at for run in _RUN.finditer(text.text) for at in range(*run.span()))
        return text.edit([(at, at + 1, f" {text.text[at]} ") for at in places])


@cache
def cleaning(version: str | None) -> Sequence:
    """Return the function that removes controls and U+FFFD, and makes white space a space.

    U+000B, U+000C, U+001C to U+001F and U+0085 are white space, but removed as controls.
    """
    removed = (of_categories(version, "Cc", "Cf", "Co") | {"\ufffd"}) - set("\t\n\r")
    return Sequence((Replacement(removed, ""), Replacement(set(WHITE_SPACE) - {" "}, " ")))


@dataclass(frozen=True)
class BertNormalizer:
    """Clean a text, put spaces around ideographs, strip accents and make it lower case.

    ``strip_accents`` None means the same as ``lowercase``. A space around an ideograph has the span
    of the ideograph.
    """

    clean_text: bool = True
    handle_chinese_chars: bool = True
    strip_accents: bool | None = None
    lowercase: bool = True
    versions: TableVersions = CURRENT

    def normalize(self, text: str) -> str:
        """Return the normalized text."""
        if text.isascii():
            return text.translate(self._ascii)
        return self._stages.normalize(text)

    def apply(self, text: Aligned) -> Aligned:
        """Normalize an aligned text."""
        return self._stages.apply(text)

    @cached_property
    def _stages(self) -> Sequence:
        stages: list[Normalizer] = []
        if self.clean_text:
            stages.append(cleaning(self.versions.categories))
        if self.handle_chinese_chars:
            stages.append(Ideographs())
        if self.lowercase if self.strip_accents is None else self.strip_accents:
            stages.append(NormalForm("NFD", self.versions.forms))
            stages.append(_accents(self.versions.categories))
        if self.lowercase:
            stages.append(Lowercase(self.versions.case))
        return Sequence(tuple(stages))

    @cached_property
    def _ascii(self) -> dict[int, str]:
        return {point: self._stages.normalize(chr(point)) for point in range(0x80)}


@cache
def _accents(version: str | None) -> Replacement:
    return Replacement(of_categories(version, "Mn"), "")
