"""A byte-level vocabulary with a byte that no token stands for.

Oracle: static, over the vocabulary (catalogue D9). A vocabulary is byte-level if it has a
token for a single byte above 0x7F.

Why it matters: a byte-level tokenizer promises to encode every text. Where a byte is missing, some
character cannot be encoded at all: it raises, is dropped, or becomes something else.

The verdict is *bug* for a byte that UTF-8 uses, and what raises or is lost because of it is told
with it, once. The thirteen bytes that UTF-8 never uses (C0, C1, F5 to FF) may be missing or there,
which is told once, as by design.

Example: a vocabulary trained on text without control characters, with 0x01 left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.ids.missing_bytes import (
    KIND,
    NEVER_IN_UTF8,
    missing_bytes,
    missing_bytes_cause,
    single_bytes,
)
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.targets.subject import Subject

CODE = "TOK403"
NAME = "byte-without-token"
REQUIRES = ("decode_single_token_bytes", "n_vocab")
TELLS = (KIND,)

__all__ = ["CODE", "NAME", "REQUIRES", "TELLS", "audit"]


def audit(subject: Subject) -> Iterator[Failure]:
    """Look for every single byte in the vocabulary."""
    missing = missing_bytes(subject)
    if missing:
        cause = missing_bytes_cause(missing)
        yield Failure(cause, count=len(missing), text=bytes(missing[:1]))
    unused = sorted(single_bytes(subject) & NEVER_IN_UTF8)
    if unused:
        yield Failure(
            Cause(
                "bytes UTF-8 never uses",
                (),
                Verdict.BY_DESIGN,
                f"{len(unused)} tokens stand for single bytes that no UTF-8 text holds",
            ),
            count=len(unused),
            text=bytes(unused[:1]),
        )
