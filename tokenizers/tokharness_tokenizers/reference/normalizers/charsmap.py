"""The rules in a SentencePiece model's ``precompiled_charsmap``: which text replaces which.

The format (SentencePiece, ``normalizer.cc``): a little-endian 32-bit size, a trie of this size in
bytes, and all replacements, each with U+0000 after it. A value of the trie is the place of its
replacement among the replacements.

The trie is a double array of Darts-clone (``darts.h``) in 32-bit units: bits 0 to 7 are the byte
that leads to a node, bit 8 says that the node has a value, and bits 9 to 30 are an offset. The
place of the node XOR the offset is a base; the node after byte *b* is at base XOR *b*, and the
value at the base. Bit 31 marks values. Nodes may share subtries: the 44,288 units of
SentencePiece's ``nfkc`` have 224,654 keys, which is why keys are not listed here.

SentencePiece applies the rule of the longest match. :class:`LongestRules` is the part of its
``normalizer.cc`` that reads the charsmap and copies user-defined pieces. Its treatment of spaces is
in :mod:`..sentencepiece.normalizing`. No component of ``tokenizer.json`` does this (see
:mod:`~.precompiled`).
"""

from __future__ import annotations

import re
import struct
from collections import defaultdict, deque
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.normalizers.mapping import CharacterMap, quick_class
from tokharness_tokenizers.reference.splitting import LargeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness_tokenizers.reference.aligned import Aligned, Edit


_HAS_VALUE: Final = 1 << 8
_IS_VALUE: Final = 1 << 31
_LABEL: Final = _IS_VALUE | 0xFF


MOST_BYTES: Final = 1 << 12
"""Most bytes of a replacement; the longest of NFKC has 33."""
_long_text = re.compile(rb"[^\0]{%d}" % (MOST_BYTES + 1)).search


class Charsmap:
    """Rules, each with a text (the key) and its replacement.

    Attributes:
        singles: The replacement of each character that has a rule of its own.

    """

    __slots__ = ("_texts", "_units", "singles")

    def __init__(self, data: bytes) -> None:
        """Read a charsmap.

        Raises:
            ValueError: the data is not a charsmap, or has texts that are not UTF-8.

        """
        size = int.from_bytes(data[:4], "little")
        if _long_text(data, 4 + size):
            raise LargeError(f"a charsmap has a replacement of more than {MOST_BYTES:,} bytes")
        trie, self._texts = data[4 : 4 + size], data[4 + size :]
        if size % 4 or size != len(trie) or size == 0:
            raise ValueError(f"a charsmap with a trie of {size} bytes in {len(data)} bytes")
        self._units = struct.unpack(f"<{size // 4}I", trie)
        if (damaged := _find_damaged(self._units, len(self._texts))) is not None:
            raise ValueError(f"a charsmap whose trie is damaged (unit {damaged})")
        try:
            self.singles = {
                char: self._text_at(self._base(place))
                for char, place in self._firsts()
                if self._units[place] & _HAS_VALUE
            }
        except (IndexError, UnicodeDecodeError) as error:
            raise ValueError(f"a charsmap whose trie is damaged ({error})") from error

    def matches(self, text: str, start: int = 0) -> Iterator[Edit]:
        """Return each key at a place of a text, with its replacement, the shortest first."""
        units = self._units
        base, place = _offset(units[0]), 0
        for end in range(start, len(text)):
            for byte in text[end].encode():
                place = base ^ byte
                if not byte or place >= len(units) or units[place] & _LABEL != byte:
                    return
                base = place ^ _offset(units[place])
            if units[place] & _HAS_VALUE:
                yield start, end + 1, self._text_at(base)

    @property
    def characters(self) -> frozenset[str]:
        """The characters of all replacements."""
        return frozenset(self._texts.decode("utf-8", "replace")) - {"\0"}

    def pairs(self) -> frozenset[str]:
        """Return the first two characters of each key of several characters."""
        children = _children(self._units)
        firsts = ((first, self._base(place)) for first, place in self._firsts())
        return frozenset(
            first + second
            for first, base in firsts
            for second, _ in _next_characters(self._units, children, base)
        )

    def seconds(self) -> frozenset[str]:
        """Return the characters that are the second character of a key."""
        return frozenset(pair[1] for pair in self.pairs())

    def later_characters(self) -> frozenset[str]:
        """Return the characters that are in a key, but not its first."""
        children, found = _children(self._units), set[str]()
        pending = [self._base(place) for _, place in self._firsts()]
        seen = set(pending)
        while pending:
            for char, place in _next_characters(self._units, children, pending.pop()):
                found.add(char)
                if (base := self._base(place)) not in seen:
                    seen.add(base)
                    pending.append(base)
        return frozenset(found)

    def _firsts(self) -> Iterator[tuple[str, int]]:
        return _next_characters(self._units, _children(self._units), _offset(self._units[0]))

    def _base(self, place: int) -> int:
        return place ^ _offset(self._units[place])

    def _text_at(self, base: int) -> str:
        start = self._units[base] & ~_IS_VALUE
        end = self._texts.find(b"\0", start)
        return self._texts[start : end if end >= 0 else None].decode()


def _find_damaged(units: tuple[int, ...], size: int) -> int | None:
    """Return the first unit that leads out of the trie, or to no replacement; otherwise None."""
    for place, unit in enumerate(units):
        if unit & _IS_VALUE:
            is_sound = unit & ~_IS_VALUE < size
        else:
            base = place ^ _offset(unit)
            has_value = bool(unit & _HAS_VALUE)
            is_sound = base < len(units) and bool(units[base] & _IS_VALUE) >= has_value
        if not is_sound:
            return place
    return None


def _children(units: tuple[int, ...]) -> dict[int, list[int]]:
    """Return the places of the nodes that follow each base."""
    children: dict[int, list[int]] = defaultdict(list)
    for place, unit in enumerate(units[1:], 1):
        byte = unit & _LABEL
        if 0 < byte < 0x100:
            children[place ^ byte].append(place)
    return children


def _next_characters(
    units: tuple[int, ...], children: dict[int, list[int]], base: int
) -> Iterator[tuple[str, int]]:
    """Return the characters that lead on from a base, and the place of the node after each."""
    found = [(bytes([units[place] & 0xFF]), place) for place in children.get(base, ())]
    while found:
        key, place = found.pop()
        if len(key) == _utf8_length(key[0]):
            yield key.decode(), place
        else:
            below = children.get(place ^ _offset(units[place]), ())
            found += [(key + bytes([units[after] & 0xFF]), after) for after in below]


def _offset(unit: int) -> int:
    return unit >> 10 << ((unit & 1 << 9) >> 6)


def _utf8_length(first: int) -> int:
    return 1 if first < 0xC0 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4


@dataclass(frozen=True)
class LongestRules:
    """At each place, replace the longest text that has a rule, and continue after it.

    Attributes:
        charsmap: The rules; None without rules.
        verbatim: Texts that are kept as they are, the longest first; they precede the rules.

    """

    charsmap: Charsmap | None = field(repr=False)
    verbatim: tuple[str, ...] = ()

    def normalize(self, text: str) -> str:
        """Return the text with all rules applied.

        Text outside the rules for several characters is looked up character by character.
        """
        if self.charsmap is None:
            return text
        if self._ascii is not None and text.isascii():
            return text.translate(self._ascii)
        single = self._singles.normalize
        parts: list[str] = []
        at = place = 0
        while found := self._joined(text, place):
            start, place = found.span()
            new = found.group()
            if not found.lastindex:
                edit = self._match(text, start) if text[start : start + 2] in self._pairs else None
                if edit is None or edit[1] == start + 1:
                    continue
                _, place, new = edit
            parts += (single(text[at:start]), new)
            at = place
        return single(text) if at == 0 else "".join((*parts, single(text[at:])))

    def apply(self, text: Aligned) -> Aligned:
        """Apply the rules to an aligned text; a replacement has the span of the replaced text."""
        return text.edit(list(self.edits(text.text)))

    def edits(self, text: str) -> Iterator[Edit]:
        """Yield the replacements; a verbatim text replaces itself."""
        at = 0
        while found := self._find(text, at):
            at = found.end()
            if found.lastindex:
                yield (*found.span(), found.group())
            elif edit := self._match(text, found.start()):
                yield edit
                at = edit[1]

    def _match(self, text: str, start: int) -> Edit | None:
        """Return the longest text that has a rule at a place, with its replacement."""
        matches = () if self.charsmap is None else self.charsmap.matches(text, start)
        return next(iter(deque(matches, maxlen=1)), None)

    @cached_property
    def _find(self) -> Callable[[str, int], re.Match[str] | None]:
        """Return a search for the places where a rule may apply, or a verbatim text stands."""
        if self.charsmap is None:
            return re.compile(f"({self._kept})").search
        singles = quick_class(map(ord, self.charsmap.singles))
        return re.compile(f"({self._kept})|{singles}|{self._pair}", re.DOTALL).search

    @cached_property
    def _joined(self) -> Callable[[str, int], re.Match[str] | None]:
        """Return a search for verbatim texts, and for places of rules for several characters."""
        return re.compile(f"({self._kept})|{self._pair}").search

    @cached_property
    def _kept(self) -> str:
        longest_first = sorted(self.verbatim, key=lambda text: (-len(text), text))
        return "|".join(map(re.escape, longest_first)) or "(?!)"

    @cached_property
    def _pairs(self) -> frozenset[str]:
        return frozenset() if self.charsmap is None else self.charsmap.pairs()

    @cached_property
    def _pair(self) -> str:
        """A pattern for a character that may begin a rule for several characters."""
        if not self._pairs:
            return "(?!)"
        firsts, seconds = ({pair[at] for pair in self._pairs} for at in (0, 1))
        return f"{quick_class(map(ord, firsts))}(?={quick_class(map(ord, seconds))})"

    @cached_property
    def _singles(self) -> CharacterMap:
        singles = {} if self.charsmap is None else self.charsmap.singles
        return CharacterMap(lambda char: singles.get(char, char), map(ord, singles))

    @cached_property
    def _ascii(self) -> dict[int, str] | None:
        """The replacements of ASCII characters; None if rules for several of them may apply."""
        if self.charsmap is None or self.verbatim or any(pair[1].isascii() for pair in self._pairs):
            return None
        singles = self.charsmap.singles
        return {ord(char): new for char, new in singles.items() if char.isascii()}
