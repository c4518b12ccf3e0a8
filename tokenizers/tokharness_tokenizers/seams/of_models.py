"""Models as stages: next to which characters no token of a vocabulary goes on.

If no token has two characters next to each other, no token crosses the place between them. Merges
make tokens only, so those of the texts before and after it are the same as without the other text
(Berglund and van der Merwe 2023). The best way through the whole is the best way through both
(Viterbi), and the longest match of a place ends there.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from tokharness_tokenizers.reach.neighbours import continuations
from tokharness_tokenizers.reach.pattern_graph import characters_with
from tokharness_tokenizers.seams.partition import Partition, Spans, spans_of, spans_of_atom
from tokharness_tokenizers.seams.stages import Meeting, Stage

if TYPE_CHECKING:
    from collections.abc import Iterable

ATOMS = (r"\p{L}", r"\p{M}", r"\p{N}", r"[\p{P}\p{S}]", r"\s", r"[\r\n]", "[ \u2581]", "'")
"""Classes that people name; a vocabulary distinguishes any two characters."""


def stage_of_tokens(
    tokens: Iterable[str], known: frozenset[str] | None, name: str, *, drops: bool = False
) -> Stage:
    """Return the stage of a model whose tokens are texts.

    Args:
        tokens: The texts of all tokens.
        known: The characters that are tokens, if neighbours without a token become one token;
            otherwise None.
        name: The name of the model.
        drops: Whether a character that is not ``known`` is left out, so that its neighbours meet.

    """
    pairs = {pair for token in tokens for pair in pairwise(token)}
    partition = _partition(pairs, known)
    relation = [[Meeting.CUT] * partition.size for _ in range(partition.size)]
    for last, first in pairs:
        relation[partition.label(last)][partition.label(first)] = Meeting.NOT_KNOWN
    if known is not None:
        unknown = [
            label for label, char in enumerate(partition.representatives) if char not in known
        ]
        for label in unknown:
            for other in range(partition.size) if drops else unknown:
                relation[label][other] = relation[other][label] = Meeting.NOT_KNOWN
    return Stage(name, partition, relation)


def _partition(pairs: set[tuple[str, str]], known: frozenset[str] | None) -> Partition:
    lasts = spans_of(ord(last) for last, _ in pairs)
    firsts = spans_of(ord(first) for _, first in pairs)
    sets: list[Spans] = [lasts, firsts, *map(spans_of_atom, ATOMS)]
    if known is not None:
        sets.append(spans_of(map(ord, known)))
    return Partition.of_sets(sets)


def stage_of_bytes(tokens: Iterable[bytes], name: str) -> Stage:
    """Return the stage of a model whose tokens are bytes of UTF-8."""
    pairs = {pair for token in tokens for pair in _pairs_of(token)}
    lasts = {char for last, _ in pairs for char in _ending(last)}
    firsts = {char for _, first in pairs for char in _beginning(first)}
    sets = [spans_of(map(ord, lasts)), spans_of(map(ord, firsts)), *map(spans_of_atom, ATOMS)]
    partition = Partition.of_sets(sets)
    relation = [[Meeting.CUT] * partition.size for _ in range(partition.size)]
    for last, first in pairs:
        for one in {partition.label(char) for char in _ending(last)}:
            for other in {partition.label(char) for char in _beginning(first)}:
                relation[one][other] = Meeting.NOT_KNOWN
    return Stage(name, partition, relation)


def _pairs_of(token: bytes) -> set[tuple[bytes, bytes]]:
    """Return the bytes before and after each place of a token at which a character begins."""
    starts = [place for place, byte in enumerate(token) if byte & 0xC0 != 0x80]
    edges = [0, *(place for place in starts if place), len(token)]
    parts = [token[start:end] for start, end in pairwise(edges) if start < end]
    return set(pairwise(parts))


@cache
def _ending(part: bytes) -> tuple[str, ...]:
    """Return the characters that end with the last bytes of a part of a token."""
    if part[0] & 0xC0 != 0x80:
        return (part.decode(),) if _is_whole(part) else ()
    return tuple(characters_with(part)) if continuations(part) == len(part) <= 3 else ()


@cache
def _beginning(part: bytes) -> tuple[str, ...]:
    """Return the characters that begin with the first bytes of a part of a token."""
    if _is_whole(part):
        return (part.decode(),)
    return tuple(characters_with(part)) if part[0] & 0xC0 != 0x80 else ()


def _is_whole(part: bytes) -> bool:
    try:
        return len(part.decode()) == 1
    except UnicodeDecodeError:
        return False


def characters_among(tokens: Iterable[str]) -> frozenset[str]:
    """Return the tokens that are one character."""
    return frozenset(token for token in tokens if len(token) == 1)
