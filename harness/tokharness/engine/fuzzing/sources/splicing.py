"""Texts spliced from pieces, quickly: a seed is expanded into hundreds of them."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from tokharness.unicode.properties import combining

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

CONTEXTS = (
    *("a", " ", "1", "the", " word", "'s", ".", "\n", "_", "A", "\\u", "  ", "123", ".a", "_init"),
    *("", "", "", "", "\t", "<", "-", "'", " \n", "\u00e9", "\u4e2d"),
)
"""Plain text between hostile pieces, chosen so that a wrong character class changes the split."""

PIECES_PER_TEXT = (1, 1, 2, 2, 3, 4, 6)
SHORTEST, LONGEST = 1 << 9, 1 << 20
LONG_TEXTS = 12
RUNS = ("a", " ", "1", ".", "\n", "A", "\u4e2d", "\u0301", "\u200d", "\U0001f600", "\u00e9", "ab")


def mixtures(rng: random.Random, pieces: Sequence[str], count: int) -> list[str]:
    """Join one to six pieces, or parts of them, with plain text between them."""
    sizes = rng.choices(PIECES_PER_TEXT, k=count)
    total = sum(sizes)
    chosen = rng.choices(pieces, k=total)
    # Cut a part out of longer pieces, so that the characters at its ends get new neighbours.
    for place in range(0, total, 2):
        piece = chosen[place]
        if len(piece) > 1:
            start = int(rng.random() * len(piece))
            chosen[place] = piece[start : start + 1 + int(rng.random() * 4)]
    plain = rng.choices(CONTEXTS, k=total + count)
    hostile, around = iter(chosen), iter(plain)
    return [
        next(around) + "".join([next(hostile) + next(around) for _ in range(size)])
        for size in sizes
    ]


def pairs(rng: random.Random, texts: Sequence[str]) -> list[str]:
    """Return each text joined with another text, and each text in a plain context."""
    others = rng.sample(texts, len(texts))
    before, after = rng.choices(CONTEXTS, k=len(texts)), rng.choices(CONTEXTS, k=len(texts))
    joined = [
        text + plain + other for text, plain, other in zip(texts, before, others, strict=True)
    ]
    inside = [a + text + b for a, text, b in zip(before, texts, after, strict=True)]
    return joined + inside


def long_texts(rng: random.Random, pieces: Sequence[str], turn: int) -> list[str]:
    """Return runs of a character or piece, and mixtures; later turns reach 2**20 characters."""
    longest = min(SHORTEST << (2 * turn + 2), LONGEST)
    texts = []
    for _ in range(LONG_TEXTS):
        size = int(SHORTEST * (longest / SHORTEST) ** rng.random())
        kind = rng.random()
        if kind < 0.5:
            unit = rng.choice(RUNS)
        elif kind < 0.75:
            unit = rng.choice(pieces) or "a"
        else:
            unit = "".join(rng.choices(pieces, k=20) + rng.choices(CONTEXTS, k=20)) or "a"
        texts.append(_run(unit, size))
    return texts


def _run(unit: str, size: int) -> str:
    """Repeat a unit to a number of characters, after a letter if it begins with a mark."""
    letter = "a" if combining(unit[0]) else ""
    return letter + "".join(islice(unit * (size // len(unit) + 1), size))
