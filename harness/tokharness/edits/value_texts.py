"""Texts about an edited value: runs longer than a number, such as ``{1,20}``, and strings.

Ordinary text seldom has a word of 21 letters, or the string that a component replaces, and an edit
of such a value would show in no text.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from tokharness.edits.model import writing_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokharness.model import Description

STAGES = ("normalizer", "pre-tokenizer", "model")

OF_STRINGS = ("normalizer", "pre-tokenizer", "decoder")
"""Stages whose components have strings that stand in texts."""

LONGEST, MAX_STRINGS = 40, 8
"""Largest length of a string that is put into texts, and largest number of strings."""

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
"""Kinds of tokens. A text has tokens of one kind, since a pattern cuts between two kinds."""


def texts_of_lengths(old: Description, new: Description) -> Iterator[str]:
    """Yield texts of letters, of digits and of other characters, longer than an edited number."""
    numbers = _numbers_that_differ(old, new)
    if not numbers:
        return
    writing = writing_of(new)
    texts = {writing.text(row.token).strip() for row in new.tokens} - {""}
    for kind in KINDS:
        tokens = sorted(filter(kind, texts), key=lambda text: (-len(text), text))[:MAX_TOKENS]
        tokens = [text for text in tokens if "\ufffd" not in text]
        for number in numbers if tokens else ():
            drawn = random.Random(number)
            for length in range(number, number + LENGTHS):
                for _ in range(DRAWS):
                    yield _chain(tokens, length, drawn)


def texts_of_strings(old: Description, new: Description) -> Iterator[str]:
    """Yield texts with the strings that a stage has more often in one of the files."""
    strings: dict[str, None] = {}
    for stage in OF_STRINGS:
        before, now = (Counter(_strings(one.stages.get(stage))) for one in (old, new))
        strings |= dict.fromkeys((before - now) + (now - before))
    for text in [text for text in strings if 0 < len(text) <= LONGEST][:MAX_STRINGS]:
        yield from (text, f"a{text}a", f"a {text} a", f"{text}{text}")


def _strings(value: Any) -> Iterator[str]:
    """Yield the strings in the value of a stage, without names of components."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key != "type":
                yield from _strings(item)


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
