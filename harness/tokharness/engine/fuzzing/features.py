"""Features of texts: tokens, pairs of tokens, partial characters, class sequences, token cost.

A campaign adds texts with new features to its corpus and mutates them, as coverage-guided fuzzers
do with inputs that reach new branches of a program.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tokharness.unicode.properties import category

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    Split = Callable[[str], Sequence[str]]

MAX_LENGTH = 256
"""Most characters of a text whose features are collected; parts of longer texts have the same."""

TEXTS_PER_KIND = 5
"""Texts that a round adds to the corpus for each kind of feature."""

SPLIT_EVERY = 2
"""Every second text is split into pre-tokens, which takes a third of the time of encoding."""

MAX_PAIRS = 400_000
"""Pairs of tokens that are stored; after that only the other kinds guide the search."""


@dataclass
class Features:
    """Ids, pairs of ids, sequences of classes, and the highest cost by length."""

    tokens: set[int] = field(default_factory=set)
    pairs: set[tuple[int, int]] = field(default_factory=set)
    classes: set[str] = field(default_factory=set)
    cost: dict[int, float] = field(default_factory=dict)

    def add(self, other: Features) -> None:
        """Add the features of ``other``."""
        self.tokens |= other.tokens
        if len(self.pairs) < MAX_PAIRS:
            self.pairs |= other.pairs
        self.classes |= other.classes
        for length, cost in other.cost.items():
            self.cost[length] = max(cost, self.cost.get(length, 0.0))


def count_features(features: Features, partial: AbstractSet[int]) -> dict[str, float]:
    """Return the number of features by the name of their kind."""
    return {
        "tokens": len(features.tokens),
        "partial-UTF-8 tokens": len(features.tokens & partial),
        "token pairs": len(features.pairs),
        "class sequences": len(features.classes),
        "tokens per code point": max(features.cost.values(), default=0.0),
    }


def features_record(features: Features, partial: AbstractSet[int]) -> dict[str, Any]:
    """Return the features of a worker as plain data, for :func:`merge_features`."""
    return {
        "tokens": [number for number in features.tokens if type(number) is int],
        "pairs": [number for pair in features.pairs if _are_numbers(pair) for number in pair],
        "classes": [*features.classes],
        "cost": [*features.cost.items()],
        "partial": [*partial],
    }


def _are_numbers(pair: tuple[Any, Any]) -> bool:
    return type(pair[0]) is int and type(pair[1]) is int


def merge_features(records: Iterable[Mapping[str, Any]]) -> tuple[Features, AbstractSet[int]]:
    """Merge the features of workers; also return which tokens are a part of a character."""
    merged, partial = Features(), set()
    for record in records:
        flat = iter(record["pairs"])
        pairs = set(zip(flat, flat, strict=True))
        classes = set(record["classes"])
        merged.add(Features(set(record["tokens"]), pairs, classes, dict(record["cost"])))
        partial |= set(record["partial"])
    return merged, partial


def new_features(
    texts: Sequence[str],
    ids: Sequence[Any],
    known: Features,
    split: Split | None,
    partial: AbstractSet[int],
) -> tuple[Features, list[str]]:
    """Return the features of the texts that are not ``known``, and the texts with most of them.

    ``ids`` has None for texts without ids. ``split`` cuts a text into pre-tokens, if there is an
    implementation that can. ``partial`` are tokens that are a part of a character; each of them
    counts ten times.
    """
    new = Features()
    scores: dict[str, list[tuple[float, int]]] = {
        "tokens": [],
        "pairs": [],
        "classes": [],
        "cost": [],
    }
    for index, (text, row) in enumerate(zip(texts, ids, strict=True)):
        if not row or len(text) > MAX_LENGTH:
            continue
        if tokens := set(row) - known.tokens - new.tokens:
            new.tokens |= tokens
            scores["tokens"].append((len(tokens) + 9 * len(tokens & partial), index))
        if pairs := set(pairwise(row)) - known.pairs - new.pairs:
            new.pairs |= pairs
            scores["pairs"].append((len(pairs), index))
        if index % SPLIT_EVERY == 0 and (
            classes := _sequences(text, split) - known.classes - new.classes
        ):
            new.classes |= classes
            scores["classes"].append((len(classes), index))
        length, cost = len(text).bit_length(), len(row) / len(text)
        if cost > max(known.cost.get(length, 0.0), new.cost.get(length, 0.0)):
            new.cost[length] = cost
            scores["cost"].append((cost, index))
    return new, _best(texts, scores.values())


def _best(texts: Sequence[str], kinds: Collection[list[tuple[float, int]]]) -> list[str]:
    """Choose the texts with the highest scores of each kind, the first of equal scores."""
    chosen: dict[int, None] = {}
    for scores in kinds:
        best = sorted(scores, key=lambda pair: (-pair[0], pair[1]))[:TEXTS_PER_KIND]
        chosen.update(dict.fromkeys(index for _, index in best))
    return [texts[index] for index in chosen]


class _ClassLetters(dict[int, str]):
    """Maps a code point to a letter for its class: the categories that patterns distinguish."""

    def __missing__(self, point: int) -> str:
        name = category(chr(point))
        if point in (0x0A, 0x0D):
            name = "n"
        elif name in ("Lu", "Ll", "Lo", "Lm", "Lt"):
            name = {"Lu": "U", "Ll": "l"}.get(name, "o")
        return self.setdefault(point, "'" if point == 0x27 else name[0])


_CLASSES = _ClassLetters()


def _sequences(text: str, split: Split | None) -> set[str]:
    """Return the character classes of every three consecutive pre-tokens."""
    pieces = [text] if split is None else split(text)
    signatures = [_signature(piece) for piece in pieces]
    if len(signatures) < 3:
        return {" ".join(signatures)}
    triples = zip(signatures, signatures[1:], signatures[2:], strict=False)
    return {f"{a} {b} {c}" for a, b, c in triples}


_SIGNATURES: dict[str, str] = {}


def _signature(piece: str) -> str:
    """Classes of the characters of a pre-token, with repetitions removed."""
    signature = _SIGNATURES.get(piece)
    if signature is None:
        if len(_SIGNATURES) > 200_000:
            _SIGNATURES.clear()
        letters = piece.translate(_CLASSES)[:12]
        signature = "".join(
            letter
            for letter, before in zip(letters, " " + letters, strict=False)
            if letter != before
        )
        _SIGNATURES[piece] = signature
    return signature
