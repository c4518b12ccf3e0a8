"""Normalizers that change each character independently of the other characters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Final

from tokharness.unicode.case_mapping import cased_characters, lowercase_of
from tokharness.unicode.properties import members
from tokharness.unicode.versions import REGEX_VERSION, VERSIONS, category_in, changed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tokharness_tokenizers.reference.aligned import Aligned

# The characters of general categories, in any Unicode version.


@cache
def of_categories(version: str | None, *categories: str) -> frozenset[str]:
    """Return all characters of general categories in a version (None: the current version)."""
    version = version or VERSIONS[-1]
    other = frozenset(map(chr, changed(version, REGEX_VERSION)))
    joined = {char for char in other if category_in(char, version) in categories}
    return _known_of_categories(categories) - other | joined


@cache
def _known_of_categories(categories: tuple[str, ...]) -> frozenset[str]:
    """Return the characters in the version of our patterns; all versions share their strings."""
    classes = "".join(rf"\p{{{category}}}" for category in categories)
    return frozenset(map(chr, members(f"[{classes}]")))


_ABOVE: Final = range(0x10000, 0x110000)


class CharacterMap:
    """A mapping of single characters.

    ``changed`` has at least the characters that change. Only runs of these characters are examined.
    """

    __slots__ = ("_changed", "table")

    def __init__(self, change: Callable[[str], str], changed: Iterable[int]) -> None:
        self.table: Final = _Table(change)
        self._changed = re.compile(run_of(quick_class(changed)))

    def normalize(self, text: str) -> str:
        """Return the text with each character changed."""
        return self._changed.sub(lambda run: run.group().translate(self.table), text)

    def apply(self, text: Aligned) -> Aligned:
        """Change each character of an aligned text; its replacement has its span."""
        table = self.table
        runs = (run.span() for run in self._changed.finditer(text.text))
        places = (at for span in runs for at in range(*span))
        changes = ((at, text.text[at]) for at in places)
        news = ((at, char, table[ord(char)]) for at, char in changes)
        return text.edit([(at, at + 1, new) for at, char, new in news if new != char])


class Replacement(CharacterMap):
    """Replace each of some characters by the same text."""

    __slots__ = ("_found", "_replaced", "_text")

    def __init__(self, characters: Iterable[str], text: str) -> None:
        replaced = frozenset(characters)
        points = set(map(ord, replaced))
        super().__init__(lambda char: text if char in replaced else char, points)
        low = character_class(point for point in points if point not in _ABOVE)
        self._text = text
        self._replaced = re.compile(low if text else run_of(low)).sub
        self._found = re.compile(quick_class(points)).search

    def normalize(self, text: str) -> str:
        """Return the text with the characters replaced."""
        if (found := self._found(text)) is None:
            return text
        if found.group() >= "\U00010000":
            return text.translate(self.table)
        text = self._replaced(self._text, text)
        return text if self._found(text) is None else text.translate(self.table)


class _Table(dict[int, str]):
    """A table for ``str.translate``, whose entries are computed when they are first used."""

    __slots__ = ("_change",)

    def __init__(self, change: Callable[[str], str]) -> None:
        super().__init__()
        self._change = change

    def __missing__(self, point: int) -> str:
        new = self[point] = self._change(chr(point))
        return new


def character_class(points: Iterable[int]) -> str:
    """Return a class for ``re`` with these code points; a pattern that never matches if none."""
    runs = groupby(enumerate(sorted(set(points))), key=lambda item: item[1] - item[0])
    spans = [[point for _, point in run] for _, run in runs]
    escapes = "".join(f"\\U{span[0]:08x}-\\U{span[-1]:08x}" for span in spans)
    return f"[{escapes}]" if escapes else r"[^\s\S]"


def quick_class(points: Iterable[int]) -> str:
    """Return a class of the characters; if any is above U+FFFF, with all characters above U+FFFF.

    ``re`` finds characters up to U+FFFF in a table, and tries the ranges above it one by one.
    """
    known = set(points)
    low = {point for point in known if point not in _ABOVE}
    if low == known:
        return character_class(known)
    first = character_class(low).removesuffix("]") if low else "["
    return first + r"\U00010000-\U0010ffff]"


def run_of(one: str) -> str:
    """Return a pattern for a run of characters; ``re`` finds it faster than with ``+``."""
    return f"{one}{one}*"


# The normalizer StripAccents: remove combining marks (general category M).
#
# It decomposes nothing, so it only works after NFD or NFKD. ``tokenizers`` has the marks of Unicode
# 9.0 in all its versions (1.0 keeps them on purpose, though its normal forms are newer).


@dataclass(frozen=True, slots=True)
class StripAccents:
    """Remove all marks (Mn, Mc, Me), as a Unicode version has them (None: the current version)."""

    version: str | None = None

    def normalize(self, text: str) -> str:
        """Return the text without marks."""
        return text if text.isascii() else _marks(self.version).normalize(text)

    def apply(self, text: Aligned) -> Aligned:
        """Remove the marks of an aligned text."""
        return _marks(self.version).apply(text)


@cache
def _marks(version: str | None) -> Replacement:
    return Replacement(of_categories(version, "Mn", "Mc", "Me"), "")


# The normalizer Nmt: remove some control characters and make others spaces.
#
# The rules are SentencePiece's ``nmt_nfkc`` rules before NFKC (``builder.cc``). They remove U+008F
# and U+009F, but no other controls above U+007F, and keep U+0000.

_REMOVED: Final = Replacement(
    map(chr, (*range(0x01, 0x09), 0x0B, *range(0x0E, 0x20), 0x7F, 0x8F, 0x9F)), ""
)
_SPACES: Final = Replacement(
    "\t\n\f\r\u1680\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u2581\ufeff\ufffd", " "
)


@dataclass(frozen=True, slots=True)
class Nmt:
    """Remove control characters, and make some characters spaces, such as U+2581."""

    def normalize(self, text: str) -> str:
        """Return the normalized text."""
        return _SPACES.normalize(_REMOVED.normalize(text))

    def apply(self, text: Aligned) -> Aligned:
        """Normalize an aligned text."""
        return _SPACES.apply(_REMOVED.apply(text))


# The normalizer Lowercase: the full lowercase mapping of each character (Unicode, section 3.13).
#
# ``tokenizers`` maps each character alone (Rust's ``char::to_lowercase``), so U+03A3 becomes U+03C3
# at the end of a word, too, where the standard and ``str.lower`` have U+03C2. The tables have the
# version of Rust: Unicode 17.0 in ``tokenizers`` 0.23 and 1.0, 14.0 to 15.1 (which have the same
# mappings) in 0.20.

_SIGMA = "\u03a3"


@dataclass(frozen=True, slots=True)
class Lowercase:
    """Make each character lower case, as a Unicode version has it (None: the current version)."""

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
    """Return a search for characters that ``str.lower`` may map differently."""
    others = {
        p for p in cased_characters("lower") if chr(p).lower() != lowercase_of(chr(p), version)
    }
    return re.compile(character_class({ord(_SIGMA), *others})).search
