"""Mutations of texts of the corpus, one to three at a time, and texts spliced from pieces.

A seed is expanded into hundreds of spliced texts quickly.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import combining

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    Mutator = Callable[[random.Random, str, str], str]

MAX_LENGTH = 400
"""Characters; a longer result is cut, so that texts do not grow with each mutation."""

REPEATS = (2, 2, 3, 3, 4, 7, 8, 16, 33)


def mutations(
    rng: random.Random, texts: Sequence[str], pieces: Sequence[str], count: int
) -> list[str]:
    """Mutate texts one to three times each; later texts of the corpus are chosen more often."""
    mutated = []
    size = len(texts)
    for other in rng.choices(pieces, k=count):
        text = texts[-1 - int(size * rng.random() ** 2)]
        for mutate in rng.choices(MUTATORS, k=1 + (rng.random() < 0.4) + (rng.random() < 0.2)):
            text = mutate(rng, text, other) or other or "a"
        mutated.append(text[:MAX_LENGTH])
    return mutated


def _position(rng: random.Random, text: str) -> int:
    return int(rng.random() * len(text))


def _insert(rng: random.Random, text: str, other: str) -> str:
    at = int(rng.random() * (len(text) + 1))
    return text[:at] + other + text[at:]


def _insert_character(rng: random.Random, text: str, other: str) -> str:
    at = int(rng.random() * (len(text) + 1))
    return text[:at] + (other or text)[_position(rng, other or text)] + text[at:]


def _insert_plain(rng: random.Random, text: str, _: str) -> str:
    return _insert(rng, text, rng.choice(CONTEXTS))


def _remove(rng: random.Random, text: str, _: str) -> str:
    at = _position(rng, text)
    return text[:at] + text[at + 1 + int(rng.random() ** 3 * len(text)) :]


def _repeat(rng: random.Random, text: str, _: str) -> str:
    at = _position(rng, text)
    end = at + 1 + int(rng.random() ** 3 * 8)
    return text[:at] + text[at:end] * rng.choice(REPEATS) + text[end:]


def _swap(rng: random.Random, text: str, _: str) -> str:
    at = _position(rng, text)
    return text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]


def _reverse_part(rng: random.Random, text: str, _: str) -> str:
    start = _position(rng, text)
    end = start + 1 + int(rng.random() * 6)
    return text[:start] + text[start:end][::-1] + text[end:]


def _splice(rng: random.Random, text: str, other: str) -> str:
    return text[: _position(rng, text) + 1] + other[_position(rng, other) :]


def _shift(rng: random.Random, text: str, _: str) -> str:
    """Replace a character with a nearby code point, or with the same place in the next plane."""
    at = _position(rng, text)
    point = ord(text[at]) + rng.choice((-1, 1, 1, 2, 16, -16, 32, 0x10000))
    if not 0 <= point <= 0x10FFFF or 0xD800 <= point < 0xE000:
        return text
    return text[:at] + chr(point) + text[at + 1 :]


def _change_case(rng: random.Random, text: str, _: str) -> str:
    if rng.random() < 0.5:
        return text.swapcase()
    at = _position(rng, text)
    return text[:at] + text[at].swapcase() + text[at + 1 :]


def _normalize(rng: random.Random, text: str, _: str) -> str:
    return normalize(rng.choice(("NFC", "NFD", "NFKC", "NFKD")), text)


def _add_context(rng: random.Random, text: str, _: str) -> str:
    return rng.choice(CONTEXTS) + text + rng.choice(CONTEXTS)


MUTATORS: tuple[Mutator, ...] = (
    *(_insert, _insert_character, _insert_plain, _remove, _repeat, _swap, _reverse_part),
    *(_splice, _shift, _change_case, _normalize, _add_context, _remove, _add_context),
)


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
