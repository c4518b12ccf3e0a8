"""The Unicode versions of the tables that normalizers use, as measured for ``tokenizers``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["CURRENT", "TOKENIZERS_0_20", "TOKENIZERS_0_23", "TOKENIZERS_1_0", "TableVersions"]


@dataclass(frozen=True, slots=True)
class TableVersions:
    """The Unicode version of each table; None is the current one.

    Attributes:
        forms: Of the normal forms, also in BertNormalizer.
        marks: Of the marks that StripAccents removes.
        categories: Of the controls and nonspacing marks that BertNormalizer removes.
        case: Of the lowercase mappings, also in BertNormalizer.
        clusters: Of the grapheme clusters that Precompiled looks at.

    """

    forms: str | None = None
    marks: str | None = None
    categories: str | None = None
    case: str | None = None
    clusters: str | None = None


CURRENT: Final = TableVersions()
TOKENIZERS_0_20: Final = TableVersions("9.0", "9.0", "8.0", "15.1", "16.0")
TOKENIZERS_0_23: Final = TableVersions("9.0", "9.0", "8.0", "17.0", "17.0")
TOKENIZERS_1_0: Final = TableVersions("17.0", "9.0", "8.0", "17.0", "17.0")
