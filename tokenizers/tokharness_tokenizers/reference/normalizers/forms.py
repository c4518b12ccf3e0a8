"""Unicode normal forms (UAX #15) as normalizers, and the versions of their tables.

``tokenizers`` 0.20 to 0.23 apply Unicode 9.0, 1.0 applies 17.0. Characters that the version does
not know are unchanged, and nothing is composed or reordered across them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Final

from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import combining
from tokharness.unicode.versions import assigned_after
from tokharness_tokenizers.reference.aligned import Aligned, Edit, Span, edited
from tokharness_tokenizers.reference.normalizers.mapping import quick_class, run_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# The Unicode versions of the tables that normalizers use, as measured for ``tokenizers``.


@dataclass(frozen=True, slots=True)
class TableVersions:
    """The Unicode version of each table; None is the current one.

    Attributes:
        forms: Of the normal forms, also in BertNormalizer.
        marks: Of the marks that StripAccents removes.
        categories: Of the controls and nonspacing marks that BertNormalizer removes.
        case: Of the lowercase mappings, also in BertNormalizer.
        clusters: Of the grapheme clusters that Precompiled examines.

    """

    forms: str | None = None
    marks: str | None = None
    categories: str | None = None
    case: str | None = None
    clusters: str | None = None


CURRENT: Final = TableVersions()
TOKENIZERS_0_23: Final = TableVersions("9.0", "9.0", "8.0", "17.0", "17.0")


@dataclass(frozen=True, slots=True)
class NormalForm:
    """The normal form NFC, NFD, NFKC or NFKD, of a Unicode version (None: the current version)."""

    form: str
    version: str | None = None

    def normalize(self, text: str) -> str:
        """Return the normal form of a text."""
        if text.isascii():
            return text
        if self.form == "NFKC":  # often there is no more than some punctuation to map
            return edited(text, self._compatible_edits(text))
        return _normal(self.form, self.version, text)

    def apply(self, text: Aligned) -> Aligned:
        """Normalize an aligned text.

        A mapped character has the span of its source. If characters are composed or change places,
        each character has the span of the whole run between two boundaries of normalization.
        (``tokenizers`` gives a composed character only the span of the first character, and a moved
        character the span of another character.)
        """
        new = self.normalize(text.text)
        if text.spans is None or new == text.text:
            return Aligned(new, text.spans)
        spans = (self._spans(text, start, end) for start, end in _runs(text.text))
        return Aligned(new, tuple(chain.from_iterable(spans)))

    def _compatible_edits(self, text: str) -> Iterator[Edit]:
        for run in _find_compatible()(text):
            start, end = run.span()
            if start > 0 and not is_boundary(text[start]):
                start -= 1
            yield start, end, _normal_run(self.form, self.version, text[start:end])

    def _spans(self, text: Aligned, start: int, end: int) -> list[Span]:
        parts = [self.normalize(char) for char in text.text[start:end]]
        new = self.normalize(text.text[start:end])
        if "".join(parts) != new:
            return [text.span(start, end)] * len(new)
        spans = (text.span(at, at + 1) for at in range(start, end))
        return [span for span, part in zip(spans, parts, strict=True) for _ in part]


def _normal(form: str, version: str | None, text: str) -> str:
    new = normalize(form, text)
    # A text in the current form is in the form of each version, since all its parts are.
    if version is None or new == text or _later(version)(text) is None:
        return new
    return normalize(form, text, version=version)


_normal_run = lru_cache(maxsize=4096)(_normal)


@cache
def _later(version: str) -> Callable[[str], object]:
    """Return a search for characters that a version does not know."""
    return re.compile(quick_class(chain.from_iterable(assigned_after(version)))).search


@cache
def _find_compatible() -> Callable[[str], Iterator[re.Match[str]]]:
    """Return a search for text that NFKC may change, without the character before it."""
    characters = map(chr, chain(range(0x80, 0xD800), range(0xE000, 0x30000)))
    changed = quick_class(
        ord(char) for char in characters if not is_boundary(char) or normalize("NFKC", char) != char
    )
    return re.compile(run_of(changed)).finditer


def _runs(text: str) -> list[Span]:
    starts = [at for at, char in enumerate(text) if at == 0 or is_boundary(char)]
    return list(pairwise([*starts, len(text)]))


@cache
def is_boundary(char: str) -> bool:
    """Whether no normal form of a text has anything that crosses the place before a character.

    This holds if its decomposition begins with a character of class 0 that is not the second
    character of a composition (UAX #15, section 9.1). It also holds in earlier versions.
    """
    first = normalize("NFKD", char)[0]
    return combining(first) == 0 and first not in _seconds()


@cache
def _seconds() -> frozenset[str]:
    """Return the characters that a composition may join to the previous character."""
    decomposed = (normalize("NFD", chr(point)) for point in range(0xA0, 0x30000))
    return frozenset(chain.from_iterable(text[1:] for text in decomposed))
