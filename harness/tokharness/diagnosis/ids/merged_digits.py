"""Tokens of several digits that a target splits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["MAX_SHOWN", "is_number", "merged_digit_failures"]

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
