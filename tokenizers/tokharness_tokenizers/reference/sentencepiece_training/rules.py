"""Which texts may be pieces (SentencePiece, ``trainer_interface.cc``), and where words are cut.

These are the rules of the library's default options:

- A piece has at most ``max_length`` characters (``max_sentencepiece_length``).
- U+2581, which stands for a space, can only begin a piece (``split_by_whitespace``).
- A piece has characters of one script (``split_by_unicode_script``; UAX #24). Han, Hiragana,
  Katakana and U+30FC are one script. An Inherited character has the script of the character before
  it, or any script if there is none. The table of the library has the scripts of Unicode 9.0; a
  later character is Common.
- Digits are Common, so they are apart from letters (``split_by_number``).
- U+2585, which stands for an unknown character, U+0000, U+001F and U+0020 are in no piece.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.pre_tokenizers.unicode_scripts import script_in

if TYPE_CHECKING:
    from collections.abc import ItemsView, Iterator, Mapping

__all__ = [
    "BOUNDARY",
    "SPACE",
    "UNKNOWN",
    "PieceRules",
    "count_segments",
    "group_by_count",
    "segments",
]

SPACE: Final = "\u2581"
UNKNOWN: Final = "\u2585"
BOUNDARY: Final = "\x1f"
"""What stands in place of a reserved text, such as ``<s>``; it is in no piece."""

_SCRIPTS_OF: Final = "9.0"
_FORBIDDEN: Final = frozenset((UNKNOWN, BOUNDARY, "\0", " "))
_JOINED: Final = frozenset(("Hira", "Kana"))
_ascii_segment = re.compile(r"\u2581?(?:[A-Za-z]+|[^A-Za-z\u2581\x00\x1f ]+)|[\u2581\x00\x1f ]")


@dataclass(frozen=True, slots=True)
class PieceRules:
    """The rules for pieces of at most ``max_length`` characters."""

    max_length: int = 16

    def allow(self, text: str) -> bool:
        """Whether a text may be a piece."""
        if not 0 < len(text) <= self.max_length or SPACE in text[1:]:
            return False
        before = ""
        for char in text.removeprefix(SPACE):
            if char in _FORBIDDEN:
                return False
            script = _script(char) or before
            if before and script != before:
                return False
            before = script
        return True


def count_segments(words: Mapping[str, int]) -> Counter[str]:
    """Count the segments of words, which all begin with U+2581."""
    parts: Counter[str] = Counter()
    for count, texts in group_by_count(words):
        plain = "".join(text for text in texts if text[1:].isascii())
        others = (segments(text) for text in texts if not text[1:].isascii())
        # No segment goes on into the next word, since that begins with U+2581.
        for part, times in Counter(chain(_ascii_segment.findall(plain), *others)).items():
            parts[part] += times * count
    return parts


def group_by_count(words: Mapping[str, int]) -> ItemsView[int, list[str]]:
    """Return the words that occur equally often together, since they are counted faster so."""
    groups: defaultdict[int, list[str]] = defaultdict(list)
    for word, count in words.items():
        groups[count].append(word)
    return groups.items()


def segments(word: str) -> Iterator[str]:
    """Cut a word where no piece can cross.

    The cuts are before U+2581, on both sides of a character that is in no piece, and between
    characters of two scripts. A segment with Inherited characters may still have pieces that are
    not allowed.
    """
    if word[1:].isascii() and word[:1] == SPACE:
        yield from _ascii_segment.findall(word)
        return
    start = 0
    for place in range(1, len(word)):
        if _is_cut(word[place - 1], word[place]):
            yield word[start:place]
            start = place
    yield word[start:]


def _is_cut(left: str, right: str) -> bool:
    if right == SPACE or left in _FORBIDDEN or right in _FORBIDDEN:
        return True
    if left == SPACE:
        return False
    before, after = _script(left), _script(right)
    return bool(before and after) and before != after


@cache
def _script(char: str) -> str:
    """Return the script of a character, or nothing for one that has that of its neighbour."""
    script = script_in(char, _SCRIPTS_OF)
    if script in _JOINED or char == "\u30fc":
        return "Hani"
    return "" if script == "Zinh" else script.replace("Zzzz", "Zyyy")
