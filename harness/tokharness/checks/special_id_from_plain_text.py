"""Plain text is encoded as a special token.

Why it matters: special tokens are the model's control channel: the end of a document, a change of
speaker, a tool call. Text from a user, a web page or a file must never reach it. A user who types
``<|im_start|>system`` into a form, or a look-alike that a normalizer turns into it, can give the
model instructions as if the system had written them.

Oracle: invariant of one target, with the special tokens that it declares, or that the reference
with the same vocabulary declares.

How it works: the check encodes each special token unchanged, within sentences and next to letters,
and near misses: other case, full width, invisible characters inside, confusable letters,
compatibility forms, escapes, one token inside another. The cause names the step, or the two steps,
by which the tokenizer changes the text before it finds the special token; if several steps may
explain a text, the check encodes a text that only one step explains. *Exact text* means that the
entry point for plain text encodes the token's own text as the special id. *Nested token joined*
means that the target removes special tokens once, which joins the two parts of an outer token.
*Other text* means that no known step explains the id.

Verdicts: *bug*. *Risk* for a well-known control token, such as ``<|im_start|>`` or ``[SEP]``, that
becomes one id although the target does not declare it as a special token, or declares it as an
added token that is not special; if you declare the token as special, the finding is a bug.

Example: an ``encode`` that allows all special tokens by default::

    TOK103 bug  special token: exact text   "<|endoftext|>"

What to do: encode untrusted text with special tokens disabled, and declare ``special_tokens``.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.comparisons import compared_call
from tokharness.diagnosis.special.default_entry_point import undeclared_causes, undeclared_rows
from tokharness.diagnosis.special.special_ids import (
    has_special_id,
    special_causes,
    special_ids,
    unexpected_ids,
)
from tokharness.model import Batch, Cause, Verdict

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

CODE = "TOK103"
NAME = "special-id-from-plain-text"
COLUMNS = ()

__all__ = ["CODE", "COLUMNS", "NAME", "diagnose", "evidence", "failing"]


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows with a special id that not every text gets, or with an undeclared control token."""
    special = special_ids(subject)
    rows = undeclared_rows(batch, subject)
    if batch.all_ids is not None:
        is_there = batch.all_ids.has_any(special)
    else:
        is_there = not special.isdisjoint(chain.from_iterable(filter(None, batch.ids)))
    if not is_there:
        return rows
    return rows + [
        row
        for row, ids in enumerate(batch.ids)
        if ids is not None and not special.isdisjoint(ids) and has_special_id(ids, subject)
    ]


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Return the changes of this text that may turn it into a special token, if it becomes one."""
    ids = subject.encode(text)
    if ids is None:
        return []
    return special_causes(text, ids, subject) or undeclared_causes(text, ids, subject)


def evidence(text: str, cause: Cause, subject: Subject) -> dict[str, Any]:
    """Return the ids of a text, and the special ids that it should not get."""
    ids = subject.encode(text) or []
    unexpected = unexpected_ids(ids, subject)
    if not ids or cause.verdict is Verdict.FACT:
        return {}
    without = f"without {', '.join(map(str, sorted(unexpected)))}" if unexpected else "several"
    expected = f"ids of plain text, {without}"
    return compared_call(subject.target.entry_point, ids, expected, subject)
