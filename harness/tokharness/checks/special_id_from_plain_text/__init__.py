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

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Any

from tokharness.checks.special_id_from_plain_text.explanations import explain_special_id
from tokharness.diagnosis.comparisons import compared_call
from tokharness.diagnosis.entry_points.affixes import padding_id, without_affixes
from tokharness.diagnosis.special.undeclared import undeclared_causes, undeclared_rows
from tokharness.diagnosis.special.unknown_ids import unknown_ids
from tokharness.model import Batch, Cause, Verdict

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

CODE = "TOK103"
NAME = "special-id-from-plain-text"
COLUMNS = ()

__all__ = [
    "CODE",
    "COLUMNS",
    "NAME",
    "diagnose",
    "evidence",
    "failing",
    "has_special_id",
    "shared_id_cause",
    "special_causes",
    "unknown_ids",
]


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows with a special id that not every text gets, or with an undeclared control token."""
    special = subject.cache.get_or_compute("special ids", lambda: _special_ids(subject))
    rows = undeclared_rows(batch, subject)
    if special.isdisjoint(batch.all_ids or chain.from_iterable(filter(None, batch.ids))):
        return rows
    return rows + [
        row
        for row, ids in enumerate(batch.ids)
        if ids is not None and not special.isdisjoint(ids) and has_special_id(ids, subject)
    ]


def has_special_id(ids: list[int], subject: Subject) -> bool:
    """Whether these ids have a special id that not every text gets."""
    return bool(_unexpected_ids(ids, subject))


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Return the changes of this text that may turn it into a special token, if it becomes one."""
    ids = subject.encode(text)
    if ids is None:
        return []
    return special_causes(text, ids, subject) or undeclared_causes(text, ids, subject)


def evidence(text: str, cause: Cause, subject: Subject) -> dict[str, Any]:
    """Return the ids of a text, and the special ids that it should not get."""
    ids = subject.encode(text) or []
    unexpected = _unexpected_ids(ids, subject)
    if not ids or cause.verdict is Verdict.FACT:
        return {}
    without = f"without {', '.join(map(str, sorted(unexpected)))}" if unexpected else "several"
    expected = f"ids of plain text, {without}"
    return compared_call(subject.target.entry_point, ids, expected, subject)


EXACT = "exact text"

_IN_WORDS = {
    EXACT: "the entry point for plain text reads its text",
    "other text": "the text is a different one, and no known step explains the id",
}


def special_causes(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """Causes for the special ids among ``ids``, the ids of a plain ``text``."""
    unexpected = _unexpected_ids(ids, subject)
    for special, number in subject.special_tokens.items():
        if number in unexpected and number in subject.target.conflicting_tokens:
            return [shared_id_cause(special, number)]
        if number in unexpected:
            ways = _transformations(text, special, number, subject)
            return [_from_text(special, number, how) for how in ways]
    unknown = unknown_ids(subject)
    inside = [(t, n) for t, n in subject.special_tokens.items() if n in unknown and t in text]
    return [_from_text(*one, EXACT) for one in inside if _reads_unknown_token(*one, subject)]


def _reads_unknown_token(special: str, number: int, subject: Subject) -> bool:
    """Whether the unknown token's text is read as that token, although its parts have tokens."""
    ids = subject.encode(special)
    if ids is None or without_affixes(ids, subject) != [number]:
        return False
    unknown, parts = unknown_ids(subject), {special[:-1], special[1:], *special}
    return all(unknown.isdisjoint(subject.encode(part) or ()) for part in parts)


def _from_text(special: str, number: int, how: str) -> Cause:
    message = (
        f"plain text is encoded as the special token {special}, id {number}: "
        f"{_IN_WORDS.get(how, how)}"
    )
    return Cause("special token", (("from", how),), message=message)


def shared_id_cause(special: str, number: int) -> Cause:
    """Cause for a special id that an ordinary token has too."""
    message = f"an ordinary token has the id {number:,} of the special token {special}"
    return Cause("shared special id", (("with", "an ordinary token"),), message=message)


def _special_ids(subject: Subject) -> frozenset[int]:
    return frozenset(subject.special_tokens.values())


def _unexpected_ids(ids: list[int], subject: Subject) -> Counter[int]:
    """Special ids that an ordinary letter does not get, with their counts."""
    special = subject.cache.get_or_compute("special ids", lambda: _special_ids(subject))
    padding = padding_id(subject)

    def compute() -> Counter[int]:
        return Counter(i for i in own(subject.encode("a") or []) if i in special)

    def own(ids: list[int]) -> list[int]:
        return ids if padding is None else without_affixes(ids, subject)

    always = subject.cache.get_or_compute("special ids of every text", compute)
    unknown = unknown_ids(subject)
    return Counter(i for i in own(ids) if i in special and i not in unknown) - always


def _gives(text: str, number: int, subject: Subject) -> bool:
    """Whether a text gets this special id; the padding id counts only between other tokens."""
    if number == padding_id(subject):
        text = f"a{text}a"
    return number in _unexpected_ids(subject.encode(text) or [], subject)


def _transformations(text: str, special: str, number: int, subject: Subject) -> list[str]:
    """Changes of the text that may turn it into the special token, the narrowest first."""
    known: dict[tuple[str, int], bool] = subject.cache.get_or_compute("special probes", dict)

    def works(probe: str) -> bool:
        if (probe, number) not in known:
            known[probe, number] = _gives(probe, number, subject)
        return known[probe, number]

    return explain_special_id(text, special, tuple(subject.special_tokens), works)
