r"""A byte-level vocabulary has no token for some byte.

Why it matters: a byte-level tokenizer promises to encode every text. If a byte is missing, some
characters cannot be encoded at all: they raise, are dropped, or become something else.

Oracle: static, over the vocabulary. A vocabulary is byte-level if it has a token for a single byte
above 0x7F, such as a token of byte fallback (``<0xE4>``).

Verdicts: *bug* for bytes that UTF-8 uses; texts that raise or are lost because of such a byte are
part of this one finding. *Fact*, reported once, for tokens of the thirteen bytes that UTF-8
never uses (C0, C1, F5 to FF), which may be missing or present.

Example: a vocabulary trained on text without control characters, which lacks 0x01::

    TOK403 bug  byte without a token: 01   "\x01"

What to do: start training from all 256 bytes, or add the missing bytes to the vocabulary.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.vocabulary.byte_table import (
    KIND,
    NEVER_IN_UTF8,
    byte_table,
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
REQUIRES = ("decode_single_token_bytes or bytes_inside", "n_vocab")
OF_TOKENS_ALONE = True
OWNED_CAUSES = (KIND,)

__all__ = ["CODE", "NAME", "OF_TOKENS_ALONE", "OWNED_CAUSES", "REQUIRES", "audit"]


def audit(subject: Subject) -> Iterator[Failure]:
    """Report bytes without a token, and tokens of bytes that UTF-8 never uses."""
    missing = missing_bytes(subject)
    if missing:
        cause = missing_bytes_cause(missing)
        yield Failure(cause, count=len(missing), text=bytes(missing[:1]))
    unused = sorted(single_bytes(subject) & NEVER_IN_UTF8)
    if unused:
        single = {bytes([byte]) for byte in unused}
        yield Failure(
            Cause(
                "bytes UTF-8 never uses",
                (),
                Verdict.FACT,
                f"the vocabulary has tokens for {len(unused)} of the {len(NEVER_IN_UTF8)} bytes "
                "that UTF-8 never uses",
            ),
            count=len(unused),
            text=bytes(unused[:1]),
            tokens={"": [n for n, data in byte_table(subject).items() if data in single]},
        )
