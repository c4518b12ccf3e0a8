"""The normalizer Lowercase: the full lowercase mapping of each character (Unicode, section 3.13).

``tokenizers`` maps each character alone (Rust's ``char::to_lowercase``), so U+03A3 becomes U+03C3
at the end of a word, too, where the standard and ``str.lower`` have U+03C2. The tables have the
version of Rust: Unicode 17.0 in ``tokenizers`` 0.23 and 1.0, 14.0 to 15.1 (which have the same
mappings) in 0.20.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from tokharness.unicode.case_mapping import cased_characters, lowercase_of
from tokharness_tokenizers.reference.normalizers.mapping import CharacterMap, character_class

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness_tokenizers.reference.aligned import Aligned

__all__ = ["Lowercase"]

_SIGMA = "\u03a3"


@dataclass(frozen=True, slots=True)
class Lowercase:
    """Make each character lower case, as a Unicode version has it (None: the current one)."""

    version: str | None = None

    def normalize(self, text: str) -> str:
        """Return the text in lower case."""
        if text.isascii() or _is_pythons(self.version)(text) is None:
            return text.lower()
        return text.translate(_map(self.version).table)

    def apply(self, text: Aligned) -> Aligned:
        """Make an aligned text lower case."""
        return _map(self.version).apply(text)


@cache
def _map(version: str | None) -> CharacterMap:
    return CharacterMap(lambda char: lowercase_of(char, version), cased_characters("lower"))


@cache
def _is_pythons(version: str | None) -> Callable[[str], object]:
    """Return a search for what ``str.lower`` may map to something else."""
    others = {
        p for p in cased_characters("lower") if chr(p).lower() != lowercase_of(chr(p), version)
    }
    return re.compile(character_class({ord(_SIGMA), *others})).search
