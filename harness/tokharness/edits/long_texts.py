"""Texts about an edited number, such as that of ``{1,20}`` in a pattern: runs that are longer.

Ordinary text seldom has a word of 21 letters, and an edit of such a number would show in no text.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from typing import TYPE_CHECKING

from tokharness.edits.model import writing_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokharness.model import Description

STAGES = ("normalizer", "pre-tokenizer", "model")

NUMBER = re.compile(r"(?<!\w)\d{1,4}(?!\w)")

LARGEST, MAX_NUMBERS = 2000, 4
"""Largest number for which there are texts, and most numbers."""

LENGTHS, DRAWS = 8, 4
"""Number of lengths from the number upwards, and of texts of each."""

MAX_TOKENS = 2000
"""Most tokens that texts are made of, first the longest."""


def _is_other(text: str) -> bool:
    return not any(character.isalnum() or character.isspace() for character in text)


KINDS: Sequence[Callable[[str], bool]] = (str.isalpha, str.isdecimal, _is_other)
"""Kinds of tokens of which a text is made; a pattern cuts between them anyway."""


def texts_of_lengths(old: Description, new: Description) -> Iterator[str]:
    """Yield texts of letters, of digits and of other characters, longer than an edited number."""
    numbers = _numbers_that_differ(old, new)
    if not numbers:
        return
    writing = writing_of(new)
    texts = {writing.text(row.token).strip() for row in new.tokens}
    for kind in KINDS:
        tokens = sorted(filter(kind, texts), key=lambda text: (-len(text), text))[:MAX_TOKENS]
        tokens = [text for text in tokens if "\ufffd" not in text]
        for number in numbers if tokens else ():
            drawn = random.Random(number)
            for length in range(number, number + LENGTHS):
                for _ in range(DRAWS):
                    yield _chain(tokens, length, drawn)


def texts_beyond(what: str) -> list[str]:
    """Return texts of more words than the numbers in a sentence about an edit."""
    numbers = {int(text) for text in NUMBER.findall(what)}
    return ["a " * (number + 1) for number in sorted(numbers) if number <= LARGEST]


def _chain(tokens: Sequence[str], length: int, drawn: random.Random) -> str:
    text = ""
    while len(text) < length:
        text += drawn.choice(tokens)
    return text


def _numbers_that_differ(old: Description, new: Description) -> list[int]:
    """Return the numbers that a stage has more often in one of the files, first the smallest."""
    numbers: set[int] = set()
    for stage in STAGES:
        before, now = (
            Counter(NUMBER.findall(json.dumps(one.stages.get(stage), ensure_ascii=False)))
            for one in (old, new)
        )
        numbers |= {int(text) for text in (before - now) + (now - before)}
    return sorted(number for number in numbers if number <= LARGEST)[:MAX_NUMBERS]
