"""Bytes without a token in a byte-level vocabulary, as the cause of failing texts.

A text with such a byte may raise or lose the byte at every entry point, differently for each
character. One cause names all of them, and only the check of the vocabulary reports it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.vocabulary.byte_table import byte_table
from tokharness.model import Cause
from tokharness.targets.subject import scalar_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness.targets.subject import Subject

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
    """Bytes of UTF-8 that have no token in a byte-level vocabulary."""
    single = single_bytes(subject)
    return sorted(set(range(0x100)) - single - NEVER_IN_UTF8) if single else []


def missing_bytes_cause(missing: list[int]) -> Cause:
    """Make the cause that names the bytes."""
    names = " ".join(f"{byte:02X}" for byte in missing)
    message = f"bytes of UTF-8 without a token ({len(missing)} in all): {names}"
    return Cause(KIND, (("bytes", names),), message=message)


def explain_missing_bytes(text: str, subject: Subject, fails: Callable[[str], bool]) -> list[Cause]:
    """Return the cause if a failing text has a missing byte, and does not fail without it."""
    target = subject.target
    if not target.can("decode_single_token_bytes") or target.n_vocab is None:
        return []
    missing = missing_bytes(subject)
    plain = scalar_text(text)
    if not missing or set(missing).isdisjoint(plain.encode()):
        return []
    rest = "".join(char for char in plain if set(missing).isdisjoint(char.encode()))
    return [] if fails(rest) else [missing_bytes_cause(missing)]
