"""Pre-tokenizers that split by classes: punctuation, digits, words and scripts.

Unicode versions of the classes in ``tokenizers``, measured on all scalar values: punctuation 8.0,
numbers 15.1 in 0.20.3 and 17.0 in 0.23.3. In 1.0.0rc3 both are 17.0, but Punctuation with a
behavior that merges (also Contiguous) still has 8.0.

UnicodeScripts splits a text where the script changes (UAX #24). ``tokenizers`` has the scripts of
Unicode 9.0, from the table of SentencePiece, in all its versions. For the characters of that
version, these are the current scripts, except for ``_CHANGES``.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Final

from tokharness.unicode.properties import script
from tokharness.unicode.versions import VERSIONS, canonical, category_in
from tokharness_tokenizers.reference.normalizers.mapping import of_categories
from tokharness_tokenizers.reference.pre_tokenizers.sequence import Cutter
from tokharness_tokenizers.reference.white_space import WHITE_SPACE, rust_word

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness_tokenizers.reference.aligned import Span
    from tokharness_tokenizers.reference.pre_tokenizers.sequence import Behavior


# Patterns over classes of characters, which are fast although the classes are large.
#
# ``re`` finds a character up to U+FFFF in a table, but tries the ranges above it one by one.
# Therefore a pattern is compiled three times: for ASCII text, for text in which all characters of
# the classes are up to U+FFFF, and for all text.

BEHAVIOR_PATTERNS: Final[dict[Behavior, str]] = {
    "Removed": "[^<C>]+",
    "Isolated": "[<C>]|[^<C>]+",
    "MergedWithPrevious": "[^<C>]+[<C>]?|[<C>]",
    "MergedWithNext": "[<C>]?[^<C>]+|[<C>]",
    "Contiguous": "[<C>]+|[^<C>]+",
}
"""Patterns of the pieces, by behavior, if each character of the class C splits a text."""

_others = re.compile("[\U00010000-\U0010ffff]").findall


@dataclass(frozen=True)
class CharacterPattern:
    """A pattern of ``re``, in which ``<N>`` stands for the items of the class with the name N."""

    pattern: str
    classes: Mapping[str, frozenset[str]]

    def words(self, text: str) -> list[str]:
        """Return all matches."""
        found: list[str] = self._for(text).findall(text)
        return found

    def spans(self, text: str) -> list[Span]:
        """Return the place of each match."""
        return [match.span() for match in self._for(text).finditer(text)]

    def _for(self, text: str) -> re.Pattern[str]:
        if text.isascii():
            return self._ascii
        others = set(_others(text))
        return self._basic if others.isdisjoint(self._high) else self._full

    @cached_property
    def _high(self) -> frozenset[str]:
        """The characters of the classes above U+FFFF."""
        every = frozenset[str]().union(*self.classes.values())
        return frozenset(char for char in every if char >= "\U00010000")

    @cached_property
    def _ascii(self) -> re.Pattern[str]:
        return self._compile(0x80)

    @cached_property
    def _basic(self) -> re.Pattern[str]:
        return self._compile(0x10000)

    @cached_property
    def _full(self) -> re.Pattern[str]:
        return self._compile(0x110000)

    def _compile(self, end: int) -> re.Pattern[str]:
        pattern = self.pattern
        for name, chars in self.classes.items():
            points = [point for point in map(ord, chars) if point < end]
            pattern = pattern.replace(f"<{name}>", _items(points))
        return re.compile(pattern)


class ClassCutter(Cutter):
    """A pre-tokenizer whose pre-tokens are the matches of a pattern over classes of characters."""

    __slots__ = ()

    @property
    @abstractmethod
    def pattern(self) -> CharacterPattern:
        """The pattern."""

    def words(self, text: str) -> list[str]:
        """Return the pre-tokens of a text."""
        return self.pattern.words(text)

    def spans(self, text: str) -> list[Span]:
        """Return the place of each of these pre-tokens."""
        return self.pattern.spans(text)


def _items(points: list[int]) -> str:
    """Return the items of a class of code points between brackets."""
    runs = groupby(enumerate(sorted(points)), key=lambda item: item[1] - item[0])
    spans = [[point for _, point in run] for _, run in runs]
    return "".join(f"\\U{span[0]:08x}-\\U{span[-1]:08x}" for span in spans)


# Pre-tokenizers that split at white space: Whitespace and WhitespaceSplit.
#
# The word characters of Whitespace come from Unicode 16.0 in ``tokenizers`` 0.20.3 and 0.23.3, and
# from 17.0 in 1.0.0rc3.

_word = re.compile(f"[^{WHITE_SPACE}]+")


@dataclass(frozen=True, slots=True)
class Whitespace(ClassCutter):
    r"""Split a text into words and runs of other characters but white space: ``\w+|[^\w\s]+``.

    Word characters are defined by UTS #18, annex C: Alphabetic, M, Nd, Pc and Join_Control.
    Therefore the numbers U+00B2 and U+00BD are not word characters, but U+2167 and U+24B6 are.
    """

    version: str | None = None

    @property
    def pattern(self) -> CharacterPattern:
        """The pattern of the pre-tokens."""
        return _pattern(self.version)


@dataclass(frozen=True, slots=True)
class WhitespaceSplit(Cutter):
    """Split a text at characters with White_Space, and remove these characters."""

    def words(self, text: str) -> list[str]:
        """Return the pre-tokens of a text."""
        # These four are white space for ``str.split``, which is the same in all other respects.
        if "\x1c" in text or "\x1d" in text or "\x1e" in text or "\x1f" in text:
            return _word.findall(text)
        return text.split()

    def spans(self, text: str) -> list[Span]:
        """Return the place of each of these pre-tokens."""
        return [match.span() for match in _word.finditer(text)]


@cache
def _pattern(version: str | None) -> CharacterPattern:
    classes = {"W": rust_word(version), "S": frozenset(WHITE_SPACE)}
    return CharacterPattern("[<W>]+|[^<W><S>]+", classes)


_ASCII_PUNCTUATION: Final = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
"""The characters of category P, and nine symbols."""


@dataclass(frozen=True, slots=True)
class Punctuation(ClassCutter):
    """Split at punctuation: category P and the symbols of ASCII. Each character is a match."""

    behavior: Behavior = "Isolated"
    version: str | None = None

    @property
    def pattern(self) -> CharacterPattern:
        """The pattern of the pre-tokens."""
        return _punctuation_pattern(self.behavior, self.version)


@dataclass(frozen=True, slots=True)
class Digits(ClassCutter):
    """Split at numbers, one by one or as runs.

    Numbers are all of category N, so also fractions (U+00BD), Roman numerals (U+2167) and circled
    numbers (U+2460), though the library's documentation speaks of digits.
    """

    individual_digits: bool = False
    version: str | None = None

    @property
    def pattern(self) -> CharacterPattern:
        """The pattern of the pre-tokens."""
        return _number_pattern("Isolated" if self.individual_digits else "Contiguous", self.version)


@dataclass(frozen=True, slots=True)
class Bert(ClassCutter):
    """Split at white space, and at each punctuation character (Devlin et al., ``tokenization.py``).

    Punctuation is defined as in BERT's own code, which takes the categories from the Unicode
    version of Python.
    """

    version: str | None = None

    @property
    def pattern(self) -> CharacterPattern:
        """The pattern of the pre-tokens."""
        return _bert_pattern(self.version)


@cache
def _punctuation(version: str | None) -> frozenset[str]:
    return of_categories(version, "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps").union(
        _ASCII_PUNCTUATION
    )


@cache
def _punctuation_pattern(behavior: Behavior, version: str | None) -> CharacterPattern:
    return CharacterPattern(BEHAVIOR_PATTERNS[behavior], {"C": _punctuation(version)})


@cache
def _number_pattern(behavior: Behavior, version: str | None) -> CharacterPattern:
    numbers = of_categories(version, "Nd", "Nl", "No")
    return CharacterPattern(BEHAVIOR_PATTERNS[behavior], {"C": numbers})


@cache
def _bert_pattern(version: str | None) -> CharacterPattern:
    classes = {"P": _punctuation(version), "S": frozenset(WHITE_SPACE)}
    return CharacterPattern("[<P>]|[^<P><S>]+", classes)


_CHANGES: Final = (
    ("\u061c", "Zyyy", "10.0"),
    ("\u0953", "Deva", "12.0"),
    ("\u0954", "Deva", "12.0"),
    ("\u0589", "Zyyy", "13.0"),
    ("\U00016fe2", "Zyyy", "14.0"),
    ("\U00016fe3", "Zyyy", "14.0"),
)
"""A character, its old script, and the version that gave it the current script.

These are all changes since 9.0. Sources: the table in ``tokenizers`` (9.0) and ``Scripts.txt`` of
10.0, 11.0, 12.1, 13.0, 14.0, 15.0 in ``fontTools`` 3.20, 3.28, 4.0, 4.8, 4.28, 4.38, compared with
18.0. Changes before 9.0 are not known here.
"""

_NONE: Final = " "
_JOINED: Final = frozenset({"Hira", "Kana", "Hani"})
_run = re.compile("([^ ])(?:\\1| )*")
_ascii_run = re.compile("[A-Za-z][A-Za-z ]*|[^A-Za-z ][^A-Za-z]*")


@dataclass(frozen=True, slots=True)
class UnicodeScripts(Cutter):
    """Split a text into runs of one script, in which Han, Hiragana and Katakana are one.

    Spaces (U+0020) and characters of no known script belong to the run before them; at the start
    of a text they are removed, which the library does not document. Common and Inherited are
    scripts like the others, so a combining mark is cut from its base.
    """

    version: str | None = None

    def words(self, text: str) -> list[str]:
        """Return the pre-tokens of a text."""
        if text.isascii():
            return _ascii_run.findall(text)
        return [text[start:end] for start, end in self.spans(text)]

    def spans(self, text: str) -> list[Span]:
        """Return the place of each of these pre-tokens."""
        marked = text.translate(_marks(self.version))
        return [match.span() for match in _run.finditer(marked)]


def script_in(char: str, version: str) -> str:
    """Return the script of a character in a Unicode version since 9.0; Zzzz if it has none."""
    name = canonical(version)
    if category_in(char, name) == "Cn":
        return "Zzzz"
    for changed, old, new_version in _CHANGES:
        if char == changed and VERSIONS.index(name) < VERSIONS.index(new_version):
            return old
    return script(char)


class _Marks(dict[int, str]):
    """A character for each script, by which texts are cut, by code point."""

    __slots__ = ("known", "version")

    def __init__(self, version: str) -> None:
        super().__init__()
        self.version = version
        self.known: dict[str, str] = {}

    def __missing__(self, point: int) -> str:
        mark = self[point] = self._mark(chr(point))
        return mark

    def _mark(self, char: str) -> str:
        code = script_in(char, self.version)
        if char == " " or code == "Zzzz":
            return _NONE
        # U+30FC is Common; it makes the vowel before it long.
        code = "Hani" if code in _JOINED or char == "\u30fc" else code
        return self.known.setdefault(code, chr(0x3400 + len(self.known)))


@cache
def _marks(version: str | None) -> _Marks:
    return _Marks(version or VERSIONS[-1])
