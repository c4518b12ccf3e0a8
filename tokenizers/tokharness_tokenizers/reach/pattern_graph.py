"""The texts that a match of a pattern can hold: the graph of a regular expression's characters.

The graph has a node for each character that the expression can match, with the nodes that may
follow it (Glushkov 1961). A text is a part of a match only if there is a path with its characters.
Look-arounds and anchors are left out, so the graph may hold too much, but never too little: if the
graph does not hold a text, that is a proof.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import regex

from tokharness_tokenizers.reach.pattern_syntax import (
    Alternatives,
    Condition,
    Repeat,
    is_unconditional,
    parse,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokharness_tokenizers.reach.pattern_syntax import Node

# The characters that have some bytes in UTF-8.

SURROGATES = range(0xD800, 0xE000)
FEW = 1000
"""Number of characters of a class that are examined one by one."""

BITS, CONTINUATION = 6, 0x3F
"""Bits of a code point in a continuation byte."""


def characters_with(part: bytes) -> Iterator[str]:
    """Yield the characters whose UTF-8 begins with bytes, or ends with continuation bytes."""
    points = _ending(part) if part[0] & 0xC0 == 0x80 else _beginning(part)
    return (chr(point) for point in points if point not in SURROGATES)


@cache
def has_character_with(atom: Any, part: bytes) -> bool:
    """Whether a compiled expression of one character matches a character that begins or ends so."""
    few = _few_characters(atom)
    if few is None:
        return any(map(atom.fullmatch, characters_with(part)))
    return any(data.startswith(part) or data.endswith(part) for data in few)


@cache
def _few_characters(atom: Any) -> list[bytes] | None:
    """Return the UTF-8 of the characters of several bytes that match; None if there are many."""
    found = [match.group().encode() for match in islice(atom.finditer(_of_several_bytes()), FEW)]
    return None if len(found) == FEW else found


@cache
def _of_several_bytes() -> str:
    return "".join(chr(point) for point in range(0x80, 0x110000) if point not in SURROGATES)


def _beginning(part: bytes) -> range:
    lead = part[0]
    size = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
    if lead in (0xC0, 0xC1) or lead > 0xF4:
        return range(0)
    value = lead & (0x7F >> size)
    for byte in part[1:]:
        value = value << BITS | byte & CONTINUATION
    missing = BITS * (size - len(part))
    least = {2: 0x80, 3: 0x800, 4: 0x10000}[size]
    return range(max(value << missing, least), min((value + 1) << missing, 0x110000))


def _ending(part: bytes) -> range:
    value = 0
    for byte in part:
        value = value << BITS | byte & CONTINUATION
    step = 1 << BITS * len(part)
    least = {1: 0x80, 2: 0x800, 3: 0x10000}.get(len(part), 0x110000)
    return range(value + (least - value + step - 1) // step * step, 0x110000, step)


@dataclass(frozen=True, slots=True)
class _Ends:
    """The nodes at which a part of an expression may begin and end; it may have no character."""

    first: frozenset[int]
    last: frozenset[int]
    may_be_empty: bool


EMPTY = _Ends(frozenset(), frozenset(), may_be_empty=True)


@dataclass(frozen=True)
class PatternGraph:
    """The characters of a pattern.

    Attributes:
        atoms: The expression that matches the character of each node.
        follow: The nodes that may come after each node.
        ends: The first and the last nodes of a match.
        certain: The graphs of the alternatives that match wherever their characters are.

    """

    atoms: Sequence[Any]
    follow: Sequence[frozenset[int]]
    ends: _Ends
    certain: tuple[PatternGraph, ...] = ()
    _matching: dict[str, frozenset[int]] = field(default_factory=dict, repr=False)
    _left_out: dict[str, bool] = field(default_factory=dict, repr=False)

    @cached_property
    def is_ascii(self) -> bool:
        """Whether no match has a character of several bytes."""
        return all(_few_characters(atom) == [] for atom in self.atoms)

    def holds(self, text: str) -> bool:
        """Whether a match may have this text as a part."""
        return bool(self._paths(text, frozenset(range(len(self.atoms)))))

    def state(self, text: str) -> frozenset[int]:
        """Return the nodes at which a text may end; they decide which characters may follow."""
        return self._paths(text, frozenset(range(len(self.atoms))))

    def begins(self, text: str) -> bool:
        """Whether a match may begin with this text."""
        return bool(self._paths(text, self.ends.first))

    def ends_with(self, text: str) -> bool:
        """Whether a match may end with this text."""
        nodes = self._paths(text, frozenset(range(len(self.atoms))))
        return not nodes.isdisjoint(self.ends.last)

    def is_match(self, text: str) -> bool:
        """Whether a match may be this text."""
        return not self._paths(text, self.ends.first).isdisjoint(self.ends.last)

    def goes_on(self, text: str, part: bytes) -> bool:
        """Whether a character that begins with ``part`` may follow a text in a match."""
        nodes = self._paths(text, frozenset(range(len(self.atoms))))
        after = frozenset(chain.from_iterable(map(self.follow.__getitem__, nodes)))
        return any(has_character_with(atom, part) for atom in self._atoms_of(after))

    def comes_before(self, part: bytes, text: str) -> bool:
        """Whether a character that ends with ``part`` may precede a text in a match."""
        before = frozenset(
            node for node, follow in enumerate(self.follow) if self._paths(text, follow)
        )
        return any(has_character_with(atom, part) for atom in self._atoms_of(before))

    def _atoms_of(self, nodes: frozenset[int]) -> set[Any]:
        return {self.atoms[node] for node in nodes}

    def may_leave_out(self, char: str) -> bool:
        """Whether a character may be in no match."""
        found = self._left_out.get(char)
        if found is None:
            found = self._left_out[char] = not any(one.is_match(char) for one in self.certain)
        return found

    def _paths(self, text: str, nodes: frozenset[int]) -> frozenset[int]:
        """Return the nodes at which the text may end, if it begins at one of some nodes."""
        for place, char in enumerate(text):
            if place:
                nodes = frozenset(chain.from_iterable(map(self.follow.__getitem__, nodes)))
            nodes &= self._nodes_of(char)
            if not nodes:
                break
        return nodes

    @cached_property
    def _nodes_by_atom(self) -> list[tuple[Any, list[int]]]:
        """The nodes of each expression of a character; several nodes have the same expression."""
        nodes: dict[Any, list[int]] = {}
        for node, atom in enumerate(self.atoms):
            nodes.setdefault(atom, []).append(node)
        return list(nodes.items())

    def _nodes_of(self, char: str) -> frozenset[int]:
        found = self._matching.get(char)
        if found is None:
            matching = (nodes for atom, nodes in self._nodes_by_atom if atom.fullmatch(char))
            found = self._matching[char] = frozenset().union(*matching)
        return found


@lru_cache(maxsize=64)
def graph_of(expression: str, flags: int = regex.VERSION0) -> PatternGraph | None:
    """Return the graph of an expression of ``regex``; None if a construct has no graph."""
    try:
        root = parse(expression, nested=bool(flags & regex.VERSION1))
    except ValueError:
        return None
    branches = root.branches if isinstance(root, Alternatives) else (root,)
    certain = tuple(_graph(branch, flags, ()) for branch in branches if is_unconditional(branch))
    return _graph(root, flags, certain)


def _graph(node: Node, flags: int, certain: tuple[PatternGraph, ...]) -> PatternGraph:
    builder = _Builder(flags)
    ends = builder.ends_of(node)
    return PatternGraph(builder.atoms, list(map(frozenset, builder.follow)), ends, certain)


class _Builder:
    def __init__(self, flags: int) -> None:
        self.flags = flags
        self.atoms: list[Any] = []
        self.follow: list[set[int]] = []

    def ends_of(self, node: Node) -> _Ends:
        if isinstance(node, str):
            self.atoms.append(regex.compile(node, self.flags))
            self.follow.append(set())
            place = frozenset({len(self.atoms) - 1})
            return _Ends(place, place, may_be_empty=False)
        if isinstance(node, Condition):
            return EMPTY
        if isinstance(node, Alternatives):
            found = [self.ends_of(branch) for branch in node.branches]
            return _Ends(
                frozenset().union(*(one.first for one in found)),
                frozenset().union(*(one.last for one in found)),
                may_be_empty=any(one.may_be_empty for one in found),
            )
        if isinstance(node, Repeat):
            return self._ends_of_repeat(node)
        return self._joined(map(self.ends_of, node))

    def _joined(self, parts: Iterable[_Ends]) -> _Ends:
        whole = EMPTY
        for part in parts:
            for node in whole.last:
                self.follow[node] |= part.first
            whole = _Ends(
                whole.first | part.first if whole.may_be_empty else whole.first,
                whole.last | part.last if part.may_be_empty else part.last,
                may_be_empty=whole.may_be_empty and part.may_be_empty,
            )
        return whole

    def _ends_of_repeat(self, node: Repeat) -> _Ends:
        """Write out a repeat: each repetition that counts has nodes of its own."""
        times = max(node.least, 1) if node.most is None else node.most
        parts = [self.ends_of(node.inner) for _ in range(times)]
        if node.most is None:
            for end in parts[-1].last:
                self.follow[end] |= parts[-1].first
        return self._joined(
            part if place < node.least else _Ends(part.first, part.last, may_be_empty=True)
            for place, part in enumerate(parts)
        )
