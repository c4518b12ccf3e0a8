"""Texts that cover every scalar value between contexts, and short strings over small alphabets.

The contexts reveal a split; scanners, patterns and normalizers look for letters of the alphabets.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from tokharness.engine.fuzzing.sources.mutations import CONTEXTS
from tokharness.unicode import properties
from tokharness.unicode.properties import members

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

HOMOGENEOUS = r"\p{Han}\p{Hangul}\p{Tangut}\p{Khitan_Small_Script}\p{Nushu}"
"""Scripts of thousands of characters that tokenizers treat alike, with rare exceptions."""


@dataclass(frozen=True, slots=True)
class Walk:
    """A walk through code points: how many are in a text, and between two of its contexts."""

    expression: str
    per_text: int
    per_gap: int
    max_texts: int


DIVERSE = Walk(rf"[^\p{{Cn}}\p{{Co}}\p{{Cs}}{HOMOGENEOUS}]", 5, 1, 1500)
WALKS = (
    DIVERSE,
    Walk(rf"[{HOMOGENEOUS}\uE000-\uF8FF]", 24, 6, 1000),
    DIVERSE,
    Walk(r"\P{Cs}", 40, 10, 1000),
)
"""One walk per turn; diverse characters come every other turn."""


def code_point_texts(rng: random.Random, seed: int, turn: int, count: int) -> list[str]:
    """Return the texts of a turn."""
    cycle, index = divmod(turn, len(WALKS))
    walk = WALKS[index]
    step = min(count, walk.max_texts) * walk.per_text
    # A walk that occurs twice in a cycle continues each time.
    before = cycle * WALKS.count(walk) + WALKS[:index].count(walk)
    points = _walk(properties.members(walk.expression), seed, before * step, step)
    characters = list(map(chr, points))
    contexts = iter(rng.choices(CONTEXTS, k=step // walk.per_gap + step // walk.per_text))
    texts = []
    for start in range(0, step, walk.per_text):
        inside = [next(contexts)]
        for first in range(start, start + walk.per_text, walk.per_gap):
            inside += (*characters[first : first + walk.per_gap], next(contexts))
        texts.append("".join(inside))
    return texts


def _walk(points: Sequence[int], seed: int, start: int, count: int) -> list[int]:
    """Return a part of a walk that visits every point once per lap.

    The step has no factor in common with the number of points. It differs between laps, so that
    different points are neighbours.
    """
    total = len(points)
    visited = []
    for index in range(start, start + count):
        lap, place = divmod(index, total)
        visited.append(points[(place * _step(total, seed + lap) + seed) % total])
    return visited


@cache
def _step(total: int, seed: int) -> int:
    from math import gcd

    step = total * 618 // 1000 + seed % 997
    while gcd(step, total) != 1:
        step += 1
    return step


ALPHABETS = (
    *("<|/>", "<|>a", "[/]A", "{}[]", "</s>", "#<>", "-=>", "&;#", "%0A", "\\u0x", '"\\n'),
    *("0,1", "0,.1", "0 1", "0_1", "1-/", "a1", "a'st", "A'SD", "'a", "'dve", "aA", "aA_", "aAa "),
    *("a ", " \n", " \r\n", " \ta", "a\n", ". a", "\u00a0 a", "a\u3000", "aA\u2581", "\u0120a"),
    *("e\u0301\u0300", "a\u0323\u0301", "\u200da", "\u2764\ufe0f\u200d", "\U0001f468\u200d"),
    *("\U0001f1e6\U0001f1e7", "\U0001f44d\U0001f3fd", "1\ufe0f\u20e3", "\u0915\u094d\u200d"),
    *("\u0e01\u0e33", "\u1100\u1161\u11a8", "\u4e2da", "\u4e2d\u3042", "\u05d0\u202e", "i\u0130"),
)
"""Alphabets of characters that patterns, scanners and normalizers look for together."""

TROUBLE = (
    "\u2581\u0120\u010a\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u180e\u00a0\u2028\u3000\u0085"
    "\u0301\u0323\u202e\u2066\u115f\u3164\ufe0f\U000e0061\u0000\u001b\ufffd\u00e9\u0130\u017f\u00df\uff1c\u4e2d"
)
"""Characters that have often broken tokenizers."""

PLAIN = "aaAb01 ',.\n_<|>/-"

CLASSES = (
    r"\p{White_Space}",
    r"(?![\U000E0000-\U000E0FFF])[\p{Cf}\p{Default_Ignorable_Code_Point}]",
    r"\p{Mn}",
    r"\p{Nd}",
    r"\p{P}",
    r"\p{Sk}|\p{Lm}",
)
"""Alphabets are also drawn from these classes, whose characters are rarely next to each other."""

LENGTHS = range(3, 13)
"""Length of a string in characters."""

PER_ALPHABET = 3
"""Strings over one alphabet."""


def alphabet_texts(rng: random.Random, pieces: Sequence[str], count: int) -> list[str]:
    """Return ``count`` strings of 3 to 12 characters, each three of them over one alphabet."""
    texts: list[str] = []
    lengths = rng.choices(LENGTHS, k=count)
    for start in range(0, count, PER_ALPHABET):
        alphabet = _alphabet(rng, pieces, start // PER_ALPHABET % 4)
        chosen = iter(rng.choices(alphabet, k=PER_ALPHABET * max(LENGTHS)))
        texts += ["".join(islice(chosen, size)) for size in lengths[start : start + PER_ALPHABET]]
    return texts


def _alphabet(rng: random.Random, pieces: Sequence[str], kind: int) -> str:
    if kind == 0:
        return rng.choice(ALPHABETS) + rng.choice(TROUBLE)
    if kind == 1:
        return "".join(rng.choices(PLAIN, k=3)) + rng.choice(rng.choice(pieces) or "a")
    if kind == 2:
        return rng.choice(pieces)[-6:] + rng.choice(TROUBLE)
    points = rng.choices(members(rng.choice(CLASSES)), k=4)
    return "".join(map(chr, points)) + rng.choice(PLAIN)
