"""Unicode normal forms (UAX #15) as normalizers, the versions of their tables, and BertNormalizer.

``tokenizers`` 0.20 to 0.23 apply Unicode 9.0, 1.0 applies 17.0. Characters that the version does
not know are unchanged, and nothing is composed or reordered across them.

BertNormalizer is what BERT does before WordPiece (Devlin et al. 2019, ``tokenization.py``).
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
from functools import cache, cached_property, lru_cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Final

from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import combining
from tokharness.unicode.versions import assigned_after
from tokharness_tokenizers.reference.aligned import Aligned, Edit, Span, edited
from tokharness_tokenizers.reference.normalizers.mapping import (
    Lowercase,
    Replacement,
    character_class,
    of_categories,
    quick_class,
    run_of,
)
from tokharness_tokenizers.reference.normalizers.replacing import Sequence
from tokharness_tokenizers.reference.white_space import WHITE_SPACE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness_tokenizers.reference.components import Normalizer


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
