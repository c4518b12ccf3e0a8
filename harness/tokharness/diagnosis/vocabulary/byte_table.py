"""The bytes of each token of a vocabulary of any algorithm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.token_content.texts import written_texts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness.targets.subject import Subject


IDS_PER_CALL = 10_000
"""Most ids of a call: the rows of 276,000 ids exceed the bound of a result."""


def byte_table(subject: Subject) -> Mapping[int, bytes]:
    """Return the bytes that each token which is not special stands for inside a text, by id.

    The bytes come from the vocabulary, if the bytes of a text's tokens always join to the bytes of
    the text. If a decoder adds spaces, or drops a space at the start of a text, they are the bytes
    that a token has between two other tokens (``bytes_inside``).
    """
    if known := subject.vocabulary():
        return known
    table, reason = subject.cache.get_or_compute(
        "bytes inside a text", lambda: _bytes_inside(subject)
    )
    if reason:
        subject.not_judged[f"tokens: {reason}"] = subject.target.n_vocab or 0
    return table


def _bytes_inside(subject: Subject) -> tuple[dict[int, bytes], str]:
    """Return the bytes of each token, or the reason why its bytes are unknown."""
    target = subject.target
    if not target.can("bytes_inside"):
        return {}, ""
    special = set(target.special_tokens.values())
    ids = [number for number in range(target.n_vocab or 0) if number not in special]
    numbers = [*written_texts(ids, target)]
    table: dict[int, bytes] = {}
    for start in range(0, len(numbers), IDS_PER_CALL):
        part = numbers[start : start + IDS_PER_CALL]
        rows = target.call("bytes_inside", part)
        if not isinstance(rows, list) or len(rows) != len(part):
            return {}, "what its decoder gives does not show the bytes of a token inside a text"
        pairs = zip(part, rows, strict=True)
        table |= {number: data for number, data in pairs if isinstance(data, bytes)}
    return table, ""
