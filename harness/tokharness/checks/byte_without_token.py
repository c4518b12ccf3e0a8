"""A byte-level vocabulary with a byte that no token stands for.

Oracle: static, over the vocabulary (catalogue D9). A vocabulary is byte-level if it has a
token for a single byte above 0x7F.

Why it matters: a byte-level tokenizer promises to encode every text. Where a byte is missing, some
character cannot be encoded at all: it raises, is dropped, or becomes something else.

The verdict is *bug* for a byte that UTF-8 uses. The thirteen bytes that UTF-8 never uses (C0, C1,
F5 to FF) may be missing or there, which is told once, as by design.

Example: a vocabulary trained on text without control characters, with 0x01 left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.subject import Subject

CODE = "TOK403"
NAME = "byte-without-token"
REQUIRES = ("decode_single_token_bytes", "n_vocab")

__all__ = ["CODE", "NAME", "REQUIRES", "audit"]

NEVER_IN_UTF8 = frozenset({0xC0, 0xC1, *range(0xF5, 0x100)})
"""Bytes that occur in no UTF-8 text (Unicode Standard, table 3-7)."""


def audit(subject: Subject) -> Iterator[Failure]:
    """Look for every single byte in the vocabulary."""
    single = {data[0] for data in subject.vocabulary().values() if len(data) == 1}
    if not single or max(single) < 0x80:
        return
    missing = sorted(set(range(0x100)) - single - NEVER_IN_UTF8)
    if missing:
        names = " ".join(f"{byte:02X}" for byte in missing)
        yield Failure(
            Cause(
                "byte without a token",
                (("bytes", names),),
                message=f"no token stands for {len(missing)} of the bytes of UTF-8: {names}",
            ),
            count=len(missing),
            text=bytes(missing[:1]),
        )
    unused = len(single & NEVER_IN_UTF8)
    if unused:
        yield Failure(
            Cause(
                "bytes UTF-8 never uses",
                (),
                Verdict.BY_DESIGN,
                f"{unused} tokens stand for single bytes that no UTF-8 text holds",
            ),
            count=unused,
            text=bytes(sorted(single & NEVER_IN_UTF8)[:1]),
        )
