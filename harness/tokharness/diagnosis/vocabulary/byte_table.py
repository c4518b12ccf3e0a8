"""The bytes of each token of a vocabulary of any algorithm, and bytes that have no token.

A text with a byte that a byte-level vocabulary lacks may raise or lose the byte at every entry
point, differently for each character. One cause names all such bytes, and only the check of the
vocabulary reports it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.token_content.texts import written_texts
from tokharness.model import Cause
from tokharness.targets.subject import scalar_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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


KIND = "byte without a token"

NEVER_IN_UTF8 = frozenset({0xC0, 0xC1, *range(0xF5, 0x100)})
"""Bytes that occur in no UTF-8 text (Unicode Standard, table 3-7)."""


def single_bytes(subject: Subject) -> frozenset[int]:
    """Bytes that have a token of their own; empty if the vocabulary is not byte-level.

    A byte-level vocabulary has a token for a single byte above 0x7F.
    """

    def compute() -> frozenset[int]:
        known = (*byte_table(subject).values(), *subject.target.conflicting_tokens.values())
        single = frozenset(data[0] for data in known if len(data) == 1)
        return single if max(single, default=0) >= 0x80 else frozenset()

    return subject.cache.get_or_compute("single bytes", compute)


def missing_bytes(subject: Subject) -> list[int]:
    """Bytes of UTF-8 that have no token in a byte-level vocabulary.

    If a character of ASCII comes back that has a token, and its byte has none, the tokens are those
    of characters. It may also come back as an added token: then text needs no token of its byte.
    """

    def compute() -> list[int]:
        single = single_bytes(subject)
        missing = set(range(0x100)) - single - NEVER_IN_UTF8 if single else set()
        added = {*subject.target.added_tokens.values(), *subject.special_tokens.values()}
        for byte in [byte for byte in sorted(missing) if byte < 0x80]:
            ids, decoded = subject.round_trip(chr(byte)) or ([], "")
            if decoded == chr(byte) and added.isdisjoint(ids):
                return []
            missing -= {byte} if decoded == chr(byte) else set()
        return sorted(missing)

    return subject.cache.get_or_compute("missing bytes", compute)


def missing_bytes_cause(missing: list[int]) -> Cause:
    """Make the cause that names the bytes."""
    names = " ".join(f"{byte:02X}" for byte in missing)
    message = f"bytes of UTF-8 without a token ({len(missing)} in all): {names}"
    return Cause(KIND, (("bytes", names),), message=message)


MOST_COMPOSED = 8
"""Most times that a character is taken out of a text, and another one is composed of the rest."""


def explain_missing_bytes(text: str, subject: Subject, fails: Callable[[str], bool]) -> list[Cause]:
    """Return the cause if a failing text has a missing byte, and does not fail without it.

    What is left without these characters may fail for itself where text with a letter in their
    place does not.
    """
    target = subject.target
    shows_bytes = target.can("decode_single_token_bytes") or target.can("bytes_inside")
    if not shows_bytes or target.n_vocab is None:
        return []
    missing = missing_bytes(subject)
    plain = scalar_text(text)
    if not missing or set(missing).isdisjoint(plain.encode()):
        return []
    others = (_without(frozenset(missing), plain, other, subject) for other in ("", "a"))
    return [] if all(map(fails, others)) else [missing_bytes_cause(missing)]


def _without(missing: frozenset[int], text: str, other: str, subject: Subject) -> str:
    """Return a text with another one in the place of characters that have a missing byte.

    A normal form may compose what is left to such a character again. The other text may have a
    missing byte itself, and nothing else helps then.
    """
    for _ in range(MOST_COMPOSED):
        if missing.isdisjoint(text.encode()):
            break
        kept = (char if missing.isdisjoint(char.encode()) else other for char in text)
        before, text = text, scalar_text(subject.expected_text("".join(kept)))
        if text == before:
            break
    return text
