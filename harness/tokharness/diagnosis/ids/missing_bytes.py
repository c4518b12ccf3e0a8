"""Bytes that no token of a byte-level vocabulary stands for, as the cause of what fails on a text.

A text that holds such a byte may raise, or lose it, at every entry point and in as many ways as
there are characters. One cause names them all, and the check of the vocabulary tells it, once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.model import Cause
from tokharness.targets.subject import scalar_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness.targets.subject import Subject

__all__ = [
    "KIND",
    "NEVER_IN_UTF8",
    "explain_missing_bytes",
    "missing_bytes",
    "missing_bytes_cause",
    "single_bytes",
]

KIND = "byte without a token"

NEVER_IN_UTF8 = frozenset({0xC0, 0xC1, *range(0xF5, 0x100)})
"""Bytes that occur in no UTF-8 text (Unicode Standard, table 3-7)."""


def single_bytes(subject: Subject) -> frozenset[int]:
    """Bytes that a token of its own stands for; none if the vocabulary is not byte-level.

    It is if it has a token for a single byte above 0x7F.
    """

    def found() -> frozenset[int]:
        known = (*subject.vocabulary().values(), *subject.target.contested.values())
        single = frozenset(data[0] for data in known if len(data) == 1)
        return single if max(single, default=0) >= 0x80 else frozenset()

    return subject.remember("single bytes", found)


def missing_bytes(subject: Subject) -> list[int]:
    """Bytes of UTF-8 that no token of a byte-level vocabulary stands for."""
    single = single_bytes(subject)
    return sorted(set(range(0x100)) - single - NEVER_IN_UTF8) if single else []


def missing_bytes_cause(missing: list[int]) -> Cause:
    """Cause that names the bytes."""
    names = " ".join(f"{byte:02X}" for byte in missing)
    message = f"no token stands for {len(missing)} of the bytes of UTF-8: {names}"
    return Cause(KIND, (("bytes", names),), message=message)


def explain_missing_bytes(text: str, subject: Subject, fails: Callable[[str], bool]) -> list[Cause]:
    """Cause of what fails on a text, if it holds a missing byte and does not fail without."""
    target = subject.target
    if not target.can("decode_single_token_bytes") or target.n_vocab is None:
        return []
    missing = missing_bytes(subject)
    plain = scalar_text(text)
    if not missing or set(missing).isdisjoint(plain.encode()):
        return []
    rest = "".join(one for one in plain if set(missing).isdisjoint(one.encode()))
    return [] if fails(rest) else [missing_bytes_cause(missing)]
