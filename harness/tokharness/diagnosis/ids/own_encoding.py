"""Tokens that are not what their own text is encoded to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.probes.id_sequences import is_utf8
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokharness.targets.subject import Subject

__all__ = ["MOST_SHOWN", "is_number", "merged_digit_failures", "tokens_encoded_differently"]

TextsById = dict[int, "str | bytes"]

MOST_SHOWN = 50

LONGEST_CHARACTER = 4
"""Bytes of UTF-8 that a character has at most."""

ENDS = (b"", b"\x80", b"\x80\x80", b"\x80\x80\x80", b"\xa0\x80", b"\x90\x80\x80")
"""One of them ends any character that has begun (Unicode Standard, table 3-7)."""


def tokens_encoded_differently(subject: Subject) -> TextsById:
    """Text of each token that is encoded otherwise than as itself, by id.

    Bytes that no text holds stand for themselves. A token that is encoded as another id of the same
    bytes is left out: the one check that is about that tells it. So is what raises.
    """
    if subject.target.n_vocab is None or not subject.target.can("decode_single_token_bytes"):
        return {}
    return subject.remember(
        "tokens astray",
        lambda: _astray({**subject.vocabulary(), **subject.target.contested}, subject),
    )


def merged_digit_failures(astray: Mapping[int, str | bytes], policy: str = "") -> Iterator[Failure]:
    """Tokens of digits alone that the target cuts apart; ``policy`` says how it cuts numbers."""
    numbers = {one: text for one, text in astray.items() if is_number(text)}
    if numbers:
        one = min(numbers, key=lambda n: (len(numbers[n]), n))
        cut = f" ({policy})" if policy else ""
        yield Failure(
            Cause(
                "tokens of merged digits",
                (),
                Verdict.RISK,
                f"{len(numbers):,} tokens are of digits that the target cuts apart{cut}, id {one} "
                "among them, as where a vocabulary was trained with another split of numbers",
            ),
            count=len(numbers),
            text=numbers[one],
            evidence={"ids": list(numbers)[:MOST_SHOWN]},
        )


def is_number(text: str | bytes) -> bool:
    """Whether a token is decimal digits alone, several, perhaps behind a space."""
    digits = text.removeprefix(" ") if isinstance(text, str) else ""
    return len(digits) > 1 and digits.isdecimal()


def _astray(vocabulary: Mapping[int, bytes], subject: Subject) -> TextsById:
    found: TextsById = {}
    for number, data in vocabulary.items():
        if len(data) > 1 and not _is_in_utf8(data):
            found[number] = data
            continue
        try:
            text = data.decode()
            ids = without_affixes(subject.encode(text), subject)
        except KeyboardInterrupt:
            raise
        except BaseException:
            continue
        if ids != [number] and [vocabulary.get(one) for one in ids] != [data]:
            found[number] = text
    return found


def _is_in_utf8(data: bytes) -> bool:
    """Whether some text holds these bytes: from within a character, and into one."""
    start = next((at for at, byte in enumerate(data) if byte & 0xC0 != 0x80), len(data))
    return start < LONGEST_CHARACTER and any(is_utf8(data[start:] + end) for end in ENDS)
