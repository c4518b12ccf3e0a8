"""Tokens whose own text is encoded to different ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.probes.calls import encode_all
from tokharness.diagnosis.probes.id_sequences import is_utf8
from tokharness.diagnosis.state import random_causes
from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokharness.targets.subject import Subject

__all__ = ["MAX_SHOWN", "is_number", "merged_digit_failures", "tokens_encoded_differently"]

TextsById = dict[int, "str | bytes"]

MAX_SHOWN = 50

LONGEST_CHARACTER = 4
"""Most bytes that a character has in UTF-8."""

ENDS = (b"", b"\x80", b"\x80\x80", b"\x80\x80\x80", b"\xa0\x80", b"\x90\x80\x80")
"""Any incomplete character is completed by one of these (Unicode Standard, table 3-7)."""


def tokens_encoded_differently(subject: Subject) -> TextsById:
    """Texts of the tokens whose text is not encoded to the token itself, by id.

    Bytes that occur in no text are given as bytes. Left out are tokens that are encoded to another
    id of the same bytes, and texts on which the target raises: other checks report these.
    """
    if subject.target.n_vocab is None or not subject.target.can("decode_single_token_bytes"):
        return {}
    return subject.cache.get_or_compute(
        "tokens encoded differently",
        lambda: _texts_encoded_differently(
            {**subject.vocabulary(), **subject.target.conflicting_tokens}, subject
        ),
    )


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
        )


def is_number(text: str | bytes) -> bool:
    """Whether a token is two or more ASCII digits, with or without a space before them."""
    digits = text.removeprefix(" ") if isinstance(text, str) else ""
    return len(digits) > 1 and digits.isascii() and digits.isdecimal()


def _texts_encoded_differently(vocabulary: Mapping[int, bytes], subject: Subject) -> TextsById:
    different: TextsById = {}
    texts: dict[int, str] = {}
    for number, data in vocabulary.items():
        if is_utf8(data):
            texts[number] = data.decode()
        elif len(data) > 1 and not _is_in_utf8(data):
            different[number] = data
    for (number, text), ids in zip(
        texts.items(), encode_all(list(texts.values()), subject), strict=True
    ):
        if isinstance(ids, Raised) or ids == [number]:
            continue
        own = without_affixes(ids, subject)
        if own == [number] or [vocabulary.get(other) for other in own] == [vocabulary[number]]:
            continue
        if not random_causes(text, subject):
            different[number] = text
    return different


def _is_in_utf8(data: bytes) -> bool:
    """Whether these bytes occur in a text; they may begin and end inside a character."""
    start = next((at for at, byte in enumerate(data) if byte & 0xC0 != 0x80), len(data))
    return start < LONGEST_CHARACTER and any(is_utf8(data[start:] + end) for end in ENDS)
