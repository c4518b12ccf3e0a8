"""What texts reach: tokens, pairs of tokens, parts of characters, sequences of classes, cost.

A campaign that knows what has been reached keeps the texts that reached something new, and goes on
from those, as coverage-guided fuzzers do with branches of a program.
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

__all__ = ["Features", "count_features", "features_record", "merge_features", "new_features"]

LONGEST = 256
"""Characters of a text that is looked at: what a longer one reaches, its parts do."""

KEPT = 5
"""Texts of a round that are kept for each kind of what they reached."""

CLASSES_OF_EVERY = 2
"""Every how manieth text is cut into pre-tokens, which costs a third of encoding it."""

MOST_PAIRS = 400_000
"""Pairs of tokens that are remembered; with more only the other kinds lead the search."""


@dataclass
class Features:
    """What has been reached: ids, pairs of ids, sequences of classes, and cost by length."""

    tokens: set[int] = field(default_factory=set)
    pairs: set[tuple[int, int]] = field(default_factory=set)
    classes: set[str] = field(default_factory=set)
    cost: dict[int, float] = field(default_factory=dict)

    def add(self, other: Features) -> None:
        """Take in what another has reached."""
        self.tokens |= other.tokens
        if len(self.pairs) < MOST_PAIRS:
            self.pairs |= other.pairs
        self.classes |= other.classes
        for length, cost in other.cost.items():
            self.cost[length] = max(cost, self.cost.get(length, 0.0))


def count_features(reached: Features, partial: AbstractSet[int]) -> dict[str, float]:
    """How much was reached, by the name of its kind."""
    return {
        "tokens": len(reached.tokens),
        "partial-UTF-8 tokens": len(reached.tokens & partial),
        "token pairs": len(reached.pairs),
        "class sequences": len(reached.classes),
        "tokens per code point": max(reached.cost.values(), default=0.0),
    }


def features_record(reached: Features, partial: AbstractSet[int]) -> dict[str, Any]:
    """Write down what a worker has reached, for :func:`merge_features`."""
    return {
        "tokens": [one for one in reached.tokens if isinstance(one, int)],
        "pairs": [one for pair in reached.pairs if _are_numbers(pair) for one in pair],
        "classes": [*reached.classes],
        "cost": [*reached.cost.items()],
        "partial": [*partial],
    }


def _are_numbers(pair: tuple[Any, Any]) -> bool:
    return isinstance(pair[0], int) and isinstance(pair[1], int)


def merge_features(records: Iterable[Mapping[str, Any]]) -> tuple[Features, AbstractSet[int]]:
    """Put together what workers have reached; and which tokens hold a part of a character."""
    whole, partial = Features(), set()
    for record in records:
        flat = iter(record["pairs"])
        pairs = set(zip(flat, flat, strict=True))
        classes = set(record["classes"])
        whole.add(Features(set(record["tokens"]), pairs, classes, dict(record["cost"])))
        partial |= set(record["partial"])
    return whole, partial


def new_features(
    texts: Sequence[str],
    ids: Sequence[Any],
    known: Features,
    split: Split | None,
    partial: AbstractSet[int],
) -> tuple[Features, list[str]]:
    """Say what these texts reach, and which of them reach most that is not known yet.

    ``ids`` has None where there are none. ``split`` cuts pre-tokens, where something can;
    ``partial`` are tokens that hold a part of a character, each of which counts for many.
    """
    found = Features()
    new: dict[str, list[tuple[float, int]]] = {"tokens": [], "pairs": [], "classes": [], "cost": []}
    for place, (text, row) in enumerate(zip(texts, ids, strict=True)):
        if not row or len(text) > LONGEST:
            continue
        if tokens := set(row) - known.tokens - found.tokens:
            found.tokens |= tokens
            new["tokens"].append((len(tokens) + 9 * len(tokens & partial), place))
        if pairs := set(pairwise(row)) - known.pairs - found.pairs:
            found.pairs |= pairs
            new["pairs"].append((len(pairs), place))
        if place % CLASSES_OF_EVERY == 0 and (
            classes := _sequences(text, split) - known.classes - found.classes
        ):
            found.classes |= classes
            new["classes"].append((len(classes), place))
        length, cost = len(text).bit_length(), len(row) / len(text)
        if cost > max(known.cost.get(length, 0.0), found.cost.get(length, 0.0)):
            found.cost[length] = cost
            new["cost"].append((cost, place))
    return found, _best(texts, new.values())


def _best(texts: Sequence[str], kinds: Collection[list[tuple[float, int]]]) -> list[str]:
    """Choose for each kind the texts that reach most, of equals the first."""
    places: dict[int, None] = {}
    for scored in kinds:
        most = sorted(scored, key=lambda one: (-one[0], one[1]))[:KEPT]
        places.update(dict.fromkeys(place for _, place in most))
    return [texts[place] for place in places]


class _Majors(dict[int, str]):
    """One letter for the class of a code point: its category, as far as patterns tell it apart."""

    def __missing__(self, point: int) -> str:
        found = category(chr(point))
        if point in (0x0A, 0x0D):
            found = "n"
        elif found in ("Lu", "Ll", "Lo", "Lm", "Lt"):
            found = {"Lu": "U", "Ll": "l"}.get(found, "o")
        return self.setdefault(point, "'" if point == 0x27 else found[0])


_CLASSES = _Majors()


def _sequences(text: str, split: Split | None) -> set[str]:
    """Every three pre-tokens in a row, each as the classes of its characters."""
    pieces = [text] if split is None else split(text)
    signs = [_sign(piece) for piece in pieces]
    if len(signs) < 3:
        return {" ".join(signs)}
    return {f"{a} {b} {c}" for a, b, c in zip(signs, signs[1:], signs[2:], strict=False)}


_SIGNS: dict[str, str] = {}


def _sign(piece: str) -> str:
    """Classes of the characters of a pre-token, each once where it repeats."""
    found = _SIGNS.get(piece)
    if found is None:
        if len(_SIGNS) > 200_000:
            _SIGNS.clear()
        letters = piece.translate(_CLASSES)[:12]
        found = "".join(
            one for one, before in zip(letters, " " + letters, strict=False) if one != before
        )
        _SIGNS[piece] = found
    return found
