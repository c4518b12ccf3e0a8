"""Make the charsmap of ``nmt_nfkc``, by ``python -m`` with the name of this module.

The rules apply NFKC (UAX #15) to texts of a few characters, since the normalizer replaces the
longest text that has a rule: each character, and sequences that are composed to one character.
Rules that follow from rules for shorter texts are left out. Then come the rules for control
characters and spaces (SentencePiece, ``builder.cc``), which keep U+200D and the fullwidth tilde.

SentencePiece 0.2.3 has exactly these rules, of Unicode 17.0. Older releases have older versions of
Unicode.

The bytes of a charsmap are made from rules, the counterpart of :mod:`..normalizers.charsmap`. Equal
subtries are stored once, as in Darts-clone: the syllables of Hangul have as many spellings as there
are jamo for compatibility, which all end in the same way.
"""

from __future__ import annotations

import zlib
from collections import defaultdict, deque
from itertools import product
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.reference.sentencepiece.normalizing import FILE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


_IS_VALUE: Final = 1 << 31
_HAS_VALUE: Final = 1 << 8
_BLOCK: Final = 0x100
_MOST_UNITS: Final = 1 << 21
"""The offset of a node has 21 bits."""
_OPEN_BLOCKS: Final = 16
"""The number of blocks in which a place for a node is searched for."""

_Node: TypeAlias = "tuple[int, tuple[tuple[int, int], ...]]"
"""The value, -1 for none, and the number of the node after each byte."""


def charsmap_bytes(rules: Mapping[str, str]) -> bytes:
    """Return the charsmap of rules.

    Raises:
        ValueError: a rule is for the empty text or for U+0000, or there are too many.

    """
    if not rules or not all(rules) or any("\0" in key for key in rules):
        raise ValueError("a charsmap needs rules, and none for the empty text or U+0000")
    texts = b""
    places: dict[str, int] = {}
    for new in rules.values():
        if new not in places:
            places[new] = len(texts)
            texts += new.encode() + b"\0"
    nodes = _nodes({key.encode(): places[new] for key, new in rules.items()})
    array = _DoubleArray(nodes)
    if len(array.units) > _MOST_UNITS:
        raise ValueError("too many rules for a charsmap")
    data = b"".join(unit.to_bytes(4, "little") for unit in array.units)
    return len(data).to_bytes(4, "little") + data + texts


def _nodes(values: Mapping[bytes, int]) -> list[_Node]:
    """Return the different nodes of the trie of some keys, each after the nodes below it."""
    trie: dict[int, Any] = {}
    for key, value in values.items():
        below = trie
        for byte in key:
            below = below.setdefault(byte, {})
        below[-1] = value
    numbers: dict[_Node, int] = {}

    def number(below: dict[int, Any]) -> int:
        children = tuple((byte, number(below[byte])) for byte in sorted(below) if byte >= 0)
        return numbers.setdefault((below.get(-1, -1), children), len(numbers))

    number(trie)
    return list(numbers)


class _DoubleArray:
    """The units of a double array, into which the nodes of a trie are put.

    The children of a node are in one block of 256 units. Therefore a node is put into one of the
    last blocks, if the units that it needs are free there, or into a new block.
    """

    __slots__ = ("_base_of", "_bases", "_free", "_nodes", "units")

    def __init__(self, nodes: list[_Node]) -> None:
        self.units: list[int] = []
        self._nodes = nodes
        self._base_of: dict[int, int] = {}
        self._bases = {0}  # the offset of the first unit is not 0
        self._free: deque[dict[int, None]] = deque(maxlen=_OPEN_BLOCKS)
        del self._new_block()[0]
        self.units[0] = 0
        waiting = [(0, len(nodes) - 1)]
        while waiting:
            waiting += self._link(*waiting.pop())

    def _link(self, place: int, node: int) -> list[tuple[int, int]]:
        """Link the unit at a place to a node's children; return the places of new children."""
        value, children = self._nodes[node]
        is_new = node not in self._base_of
        if is_new:
            self._base_of[node] = self._take([0] * (value >= 0) + [byte for byte, _ in children])
        base = self._base_of[node]
        self.units[place] |= (place ^ base) << 10 | (_HAS_VALUE if value >= 0 else 0)
        if not is_new:
            return []
        if value >= 0:
            self.units[base] = _IS_VALUE | value
        for byte, _ in children:
            self.units[base ^ byte] = byte
        return [(base ^ byte, child) for byte, child in children]

    def _take(self, labels: list[int]) -> int:
        """Return a base that no other node has, and take its units with some labels."""
        for free in reversed(self._free):
            for place in free:
                base = place ^ labels[0]
                if base not in self._bases and all(base ^ label in free for label in labels):
                    return self._taken(base, free, labels)
        free = self._new_block()
        return self._taken(next(iter(free)), free, labels)

    def _taken(self, base: int, free: dict[int, None], labels: list[int]) -> int:
        self._bases.add(base)
        for label in labels:
            del free[base ^ label]
        return base

    def _new_block(self) -> dict[int, None]:
        start = len(self.units)
        self.units += [_IS_VALUE] * _BLOCK
        self._free.append(dict.fromkeys(range(start, start + _BLOCK)))
        return self._free[-1]


UNICODE_VERSION: Final = "17.0"
_REMOVED: Final = (*range(0x01, 0x09), 0x0B, *range(0x0E, 0x20), 0x7F, 0x8F, 0x9F)
_SPACES: Final = "\t\n\f\r\u061c\u1680\u200b\u200c\u200e\u200f\u2028\u2029\u2581\ufeff\ufffd"
_KEPT: Final = "\uff5e"


def main() -> None:
    """Write the file."""
    FILE.write_bytes(zlib.compress(charsmap_bytes(rules()), 9))


def rules() -> dict[str, str]:
    """Return all rules of ``nmt_nfkc``."""
    found = _without_redundant(_nfkc_rules())
    found |= dict.fromkeys(map(chr, _REMOVED), "") | dict.fromkeys(_SPACES, " ")
    del found[_KEPT]
    return found


def _nfkc_rules() -> dict[str, str]:
    """Return the NFKC of each character, and of each text that NFKC composes to a character."""
    found: dict[str, str] = {}
    same: defaultdict[str, list[str]] = defaultdict(list)
    decompositions: dict[str, None] = {}
    for char in _characters():
        decomposed = normalize("NFKD", char, version=UNICODE_VERSION)
        if len(decomposed) == 1:
            same[decomposed].append(char)
        else:
            decompositions[decomposed] = None
        if decomposed != char and (new := normalize("NFKC", char, version=UNICODE_VERSION)) != char:
            found[char] = new
    for decomposed in decompositions:
        new = normalize("NFKC", decomposed, version=UNICODE_VERSION)
        if new != decomposed:
            spellings = map("".join, product(*map(same.__getitem__, decomposed)))
            found |= {spelling: new for spelling in spellings if spelling != new}
    return found


def _characters() -> Iterator[str]:
    """Yield all scalar values except U+0000."""
    for point in (*range(1, 0xD800), *range(0xE000, 0x110000)):
        yield chr(point)


def _without_redundant(given: Mapping[str, str]) -> dict[str, str]:
    """Return the rules without rules that follow from rules for shorter texts."""
    kept: dict[str, str] = {}
    for length in range(1, max(map(len, given)) + 1):
        shorter = length - 1
        kept |= {
            text: new
            for text, new in given.items()
            if len(text) == length and _apply(kept, text, shorter) != new
        }
    return kept


def _apply(shorter: Mapping[str, str], text: str, longest: int) -> str:
    parts, at = [], 0
    while at < len(text):
        for length in range(longest, 0, -1):
            if (new := shorter.get(text[at : at + length])) is not None:
                break
        else:
            new, length = text[at], 1
        parts.append(new)
        at += length
    return "".join(parts)


if __name__ == "__main__":
    main()
