"""Small changes of a text that reached something new, one or a few at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.engine.fuzzing.splicing import CONTEXTS
from tokharness.unicode.normalization import normalize

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    Change = Callable[[random.Random, str, str], str]

__all__ = ["mutations"]

LONGEST = 400
"""Characters; a longer text is cut, so that changes upon changes do not grow."""

TIMES = (2, 2, 3, 3, 4, 7, 8, 16, 33)


def mutations(
    rng: random.Random, texts: Sequence[str], pieces: Sequence[str], count: int
) -> list[str]:
    """Change texts, of which the later ones are taken more often, in one to three ways."""
    made = []
    known = len(texts)
    for other in rng.choices(pieces, k=count):
        text = texts[-1 - int(known * rng.random() ** 2)]
        for change in rng.choices(CHANGES, k=1 + (rng.random() < 0.4) + (rng.random() < 0.2)):
            text = change(rng, text, other) or other or "a"
        made.append(text[:LONGEST])
    return made


def _place(rng: random.Random, text: str) -> int:
    return int(rng.random() * len(text))


def _insert(rng: random.Random, text: str, other: str) -> str:
    place = int(rng.random() * (len(text) + 1))
    return text[:place] + other + text[place:]


def _insert_character(rng: random.Random, text: str, other: str) -> str:
    place = int(rng.random() * (len(text) + 1))
    return text[:place] + (other or text)[_place(rng, other or text)] + text[place:]


def _insert_plain(rng: random.Random, text: str, _: str) -> str:
    return _insert(rng, text, rng.choice(CONTEXTS))


def _remove(rng: random.Random, text: str, _: str) -> str:
    place = _place(rng, text)
    return text[:place] + text[place + 1 + int(rng.random() ** 3 * len(text)) :]


def _repeat(rng: random.Random, text: str, _: str) -> str:
    place = _place(rng, text)
    end = place + 1 + int(rng.random() ** 3 * 8)
    return text[:place] + text[place:end] * rng.choice(TIMES) + text[end:]


def _swap(rng: random.Random, text: str, _: str) -> str:
    place = _place(rng, text)
    return text[:place] + text[place + 1 : place + 2] + text[place : place + 1] + text[place + 2 :]


def _reverse_part(rng: random.Random, text: str, _: str) -> str:
    start = _place(rng, text)
    end = start + 1 + int(rng.random() * 6)
    return text[:start] + text[start:end][::-1] + text[end:]


def _splice(rng: random.Random, text: str, other: str) -> str:
    return text[: _place(rng, text) + 1] + other[_place(rng, other) :]


def _neighbour(rng: random.Random, text: str, _: str) -> str:
    """Put a character of the same block for one: the next, or one a little further."""
    place = _place(rng, text)
    point = ord(text[place]) + rng.choice((-1, 1, 1, 2, 16, -16, 32, 0x10000))
    if not 0 <= point <= 0x10FFFF or 0xD800 <= point < 0xE000:
        return text
    return text[:place] + chr(point) + text[place + 1 :]


def _other_case(rng: random.Random, text: str, _: str) -> str:
    if rng.random() < 0.5:
        return text.swapcase()
    place = _place(rng, text)
    return text[:place] + text[place].swapcase() + text[place + 1 :]


def _other_form(rng: random.Random, text: str, _: str) -> str:
    return normalize(rng.choice(("NFC", "NFD", "NFKC", "NFKD")), text)


def _around(rng: random.Random, text: str, _: str) -> str:
    return rng.choice(CONTEXTS) + text + rng.choice(CONTEXTS)


CHANGES: tuple[Change, ...] = (
    *(_insert, _insert_character, _insert_plain, _remove, _repeat, _swap, _reverse_part),
    *(_splice, _neighbour, _other_case, _other_form, _around, _remove, _around),
)
