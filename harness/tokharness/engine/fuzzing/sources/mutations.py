"""Mutations of texts of the corpus, one to three at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.engine.fuzzing.sources.splicing import CONTEXTS
from tokharness.unicode.normalization import normalize

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
