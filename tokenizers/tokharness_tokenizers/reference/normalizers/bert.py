"""BertNormalizer: what BERT does before WordPiece (Devlin et al. 2019, ``tokenization.py``).

``tokenizers`` departs from BERT's own code:

- it removes private use characters (Co), too; BERT removes Cc and Cf,
- it makes U+2028 and U+2029 spaces; BERT leaves them,
- it puts no spaces around U+2B820 to U+2B91F, where its list of ideographs has a gap that BERT's
  has not,
- its categories are those of Unicode 8.0, and its normal form that of 9.0 (1.0: 17.0),
- it makes text lower case after it strips accents, BERT before.

Its comments say that it removes unassigned characters (Cn). It does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.normalizers.bert_stages import Ideographs, cleaning
from tokharness_tokenizers.reference.normalizers.categories import of_categories
from tokharness_tokenizers.reference.normalizers.forms import NormalForm
from tokharness_tokenizers.reference.normalizers.lowercase import Lowercase
from tokharness_tokenizers.reference.normalizers.mapping import Replacement
from tokharness_tokenizers.reference.normalizers.sequence import Sequence
from tokharness_tokenizers.reference.normalizers.table_versions import CURRENT, TableVersions

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.aligned import Aligned
    from tokharness_tokenizers.reference.components import Normalizer

__all__ = ["BertNormalizer"]


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
