"""Tokens that no text gives, that only a shortcut gives, and split tokens of several digits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokharness.diagnosis.reachability.tokens import (
    NOT_REACHED,
    NOT_UTF8,
    SECOND_ID,
    TEXT_UNKNOWN,
    UNREACHABLE,
    own_texts,
    reach_among,
    reach_of_tokens,
)
from tokharness.diagnosis.state import random_causes
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokharness.diagnosis.reachability.tokens import Reach
    from tokharness.targets.subject import Subject

# Tokens of several digits that a target splits.

MAX_SHOWN = 50


def merged_digit_failures(texts: Mapping[int, str | bytes], policy: str = "") -> Iterator[Failure]:
    """Number tokens that the target splits; ``policy`` says how it splits numbers."""
    numbers = {number: text for number, text in texts.items() if is_number(text)}
    if numbers:
        first = min(numbers, key=lambda number: (len(numbers[number]), number))
        split = f" ({policy})" if policy else ""
        yield Failure(
            Cause(
                "tokens of merged digits",
                (),
                Verdict.RISK,
                f"number tokens that the target splits{split}: {len(numbers):,}, for example id "
                f"{first}; the vocabulary may have been trained with a different split of numbers",
            ),
            count=len(numbers),
            text=numbers[first],
            evidence={"ids": list(numbers)[:MAX_SHOWN]},
            tokens={"": numbers.keys()},
        )


def is_number(text: str | bytes) -> bool:
    """Whether a token is two or more ASCII digits, with or without a space before them."""
    digits = text.removeprefix(" ") if isinstance(text, str) else ""
    return len(digits) > 1 and digits.isascii() and digits.isdecimal()


BYTE_FALLBACK = re.compile("<0x[0-9A-F]{2}>")
NO_FAULT = (SECOND_ID, TEXT_UNKNOWN)
NEVER_IN_UTF8 = frozenset(bytes([byte]) for byte in (0xC0, 0xC1, *range(0xF5, 0x100)))


def texts_without_reach(subject: Subject) -> Mapping[int, str | bytes]:
    """Return the texts of the tokens that no text gives, by id.

    Second ids of a token, tokens of single bytes for byte fallback, and tokens whose text is
    segmented at random are left out: other checks report or count them.
    """

    def compute() -> dict[int, str | bytes]:
        return _without_reach(own_texts(subject), reach_of_tokens(subject), subject)

    return subject.cache.get_or_compute("texts without reach", compute)


def numbers_without_reach(subject: Subject) -> Mapping[int, str | bytes]:
    """Return the numbers among ``texts_without_reach``; no other token is searched for."""
    own = {number: text for number, text in own_texts(subject).items() if is_number(text)}
    return _without_reach(own, reach_among(own, subject), subject)


def _without_reach(
    own: Mapping[int, str | bytes], reach: Mapping[int, Reach], subject: Subject
) -> dict[int, str | bytes]:
    twice: set[str | bytes] = set()
    if subject.target.can("decode_single_token_bytes"):
        twice = {text for number, text in own.items() if reach[number].witness}
    found = {}
    for number, text in own.items():
        one = reach[number]
        if one.state not in (UNREACHABLE, NOT_REACHED) or not one.reason:
            continue
        if text in NEVER_IN_UTF8 or one.reason in NO_FAULT or text in twice:
            continue
        if one.reason == NOT_UTF8 and text == "\ufffd":  # a byte that is not shown
            continue
        if _is_byte_fallback(number, subject):
            continue
        if not (isinstance(text, str) and random_causes(text, subject)):
            found[number] = text
    return found


def _is_byte_fallback(number: int, subject: Subject) -> bool:
    """Whether a token is a byte token of SentencePiece, for characters without a token."""
    if not subject.target.can("token_text"):
        return False
    text = subject.target.call("token_text", number)
    return isinstance(text, str) and BYTE_FALLBACK.fullmatch(text) is not None


def merge_orphans(subject: Subject) -> Mapping[int, str | bytes]:
    """Return the tokens that are produced only as a whole pre-token, by id, with their texts."""
    if subject.reference is None or not subject.reference.can("merge_orphans"):
        return {}
    own, reach = own_texts(subject), reach_of_tokens(subject)
    numbers = subject.ask_reference("merge_orphans", [n for n in own if reach[n].witness])
    return (
        {n: own[n] for n in numbers if type(n) is int and n in own}
        if isinstance(numbers, list)
        else {}
    )
