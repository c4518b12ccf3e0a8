"""The numbers that are tried, and how a target splits them alone and next to other text."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.digits.fit import Fit, find_policy
from tokharness.diagnosis.digits.policies import LONGEST, Places
from tokharness.diagnosis.ids.token_texts import inner_boundaries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.targets.subject import Subject

__all__ = ["fit_of", "numbers_in_context", "splits_of"]

DIGITS = "0123456789"
OF_A_LENGTH = 8
"""Random numbers of each length, and as many with zeros before them."""

MARKS = " #@\u2581\u0120"
"""What vocabularies write before or after the text of a token, to mark where a word begins."""

KNOWN = ("1066", "1900", "1984", "1999", "2000", "2024", "8080", "10000", "65536", "1000000")
"""Numbers that are frequent in text, and so may be tokens."""

MOST_LEARNED = 60
"""Numbers that are one token, and so are put together, sampled evenly."""

EVERY = 7
"""Of the numbers that are tried alone, each so many is tried next to other text."""


def fit_of(subject: Subject) -> Fit | None:
    """Return the policy by which a target splits numbers; None if it encodes none.

    A single digit has nothing to split.
    """
    splits = splits_of(subject)
    if all(len(number) == 1 for number in splits):
        return None
    return subject.cache.get_or_compute(
        "digit policy", lambda: find_policy(splits, lambda row: inner_boundaries(row, subject))
    )


def splits_of(subject: Subject) -> dict[str, Places]:
    """Return where tokens end inside each number that is tried alone."""

    def compute() -> dict[str, Places]:
        short = inner_boundaries(_short_numbers(), subject)
        whole = [number for number, places in short.items() if not places and len(number) > 1]
        learned = [] if len(whole) + len(DIGITS) == len(short) else _evenly(whole)
        learned += [*KNOWN, *_evenly(_number_tokens(subject))]
        return short | inner_boundaries(_long_numbers(list(dict.fromkeys(learned))), subject)

    return subject.cache.get_or_compute("splits of numbers", compute)


def _short_numbers() -> list[str]:
    """Return all numbers of at most three digits."""
    return ["".join(row) for length in (1, 2, 3) for row in product(DIGITS, repeat=length)]


def _long_numbers(learned: Sequence[str]) -> list[str]:
    """Return numbers of up to 24 digits, and numbers around those that are one token."""
    random = Random(0)
    numbers = []
    for length in range(4, LONGEST + 1):
        for place in range(2 * OF_A_LENGTH):
            zeros = place % 4 if place >= OF_A_LENGTH else 0
            rest = "".join(random.choice(DIGITS) for _ in range(length - zeros - 1))
            numbers.append("0" * zeros + random.choice(DIGITS[1:]) + rest)
        numbers += ["0" * length, "9" * length]
    numbers += learned
    numbers += [a + b for a, b in zip(learned, reversed(learned), strict=True)]
    numbers += [random.choice(DIGITS) + number for number in learned]
    return [number for number in dict.fromkeys(numbers) if len(number) <= LONGEST]


def _number_tokens(subject: Subject) -> list[str]:
    """Return the numbers of two ASCII digits or more that are tokens, without what marks a word."""
    texts = (data.decode("utf-8", "replace") for data in subject.vocabulary().values())
    if not subject.target.can("decode_single_token_bytes") and subject.target.can("token_text"):
        texts = (str(text) for text in _token_texts(subject))
    numbers = {text.strip(MARKS) for text in texts}
    return sorted(n for n in numbers if len(n) > 1 and n.isascii() and n.isdecimal())


def _token_texts(subject: Subject) -> list[Any]:
    return subject.target.call_each("token_text", range(subject.target.n_vocab or 0))


def _evenly(numbers: list[str]) -> list[str]:
    return numbers[:: -(-len(numbers) // MOST_LEARNED) or 1]


def numbers_in_context(
    before: Sequence[str], after: Sequence[str], subject: Subject
) -> dict[tuple[str, str], dict[str, Places]]:
    """Return the numbers whose digits are grouped differently between two texts than alone.

    For each pair of texts it has the numbers with the places in them. That a token has digits and
    other text too, such as a space, is no other grouping of the digits.
    """
    splits = dict(list(splits_of(subject).items())[::EVERY])
    changed: dict[tuple[str, str], dict[str, Places]] = {}
    for pair in [(text, "") for text in before] + [("", text) for text in after]:
        texts = {number: pair[0] + number + pair[1] for number in splits}
        in_context = inner_boundaries(list(texts.values()), subject)
        for number, text in texts.items():
            if text not in in_context:
                continue
            places = _within(number, len(pair[0]), in_context[text])
            if places != splits[number]:
                changed.setdefault(pair, {})[number] = places
    return changed


def _within(number: str, start: int, places: Places) -> Places:
    """Places in a number that begins at ``start``."""
    return frozenset(place - start for place in places if start < place < start + len(number))
