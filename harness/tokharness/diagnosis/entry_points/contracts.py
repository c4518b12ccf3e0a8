"""The other entry points of a target, each with what it owes for a plain text and its ids.

An entry point that reads special tokens, or refuses them, by design differs on their text; ids of
texts with lone surrogates are compared among those that give ids, or raise, for them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.entry_points.bos_eos import allowed_ids, count_ids
from tokharness.diagnosis.probes.calls import BATCH, encode_all
from tokharness.model import Cause
from tokharness.outcome import Raised, called
from tokharness.targets.subject import as_ids, is_scalar, scalar_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.targets.subject import Subject

__all__ = [
    "DECODE_BYTES",
    "batch_agrees",
    "batch_ids",
    "contracts",
    "disagreement_causes",
    "entry_point_cause",
    "has_special_text",
]

READING_SPECIAL = ("encode", "encode_special", "encode_with_offsets", "count")
"""They may read, or refuse, the text of special tokens, as the ``encode`` beside them does."""

Owed = Callable[[str, list[int]], bool]
"""Whether an entry point agrees on a text with the ids that the one for plain text gives."""


def entry_point_cause(name: str, message: str = "", *, surrogates: bool = False) -> Cause:
    """Cause that names the entry point that disagrees with the one for plain text."""
    if surrogates:
        message = f"{name} treats lone surrogates otherwise than the entry point for plain text"
        return Cause("lone surrogates", (("differ", name),), message=message)
    message = message or f"{name} disagrees with the entry point for plain text"
    return Cause("entry points", (("differ", name),), message=message)


DECODE_BYTES = entry_point_cause(
    "decode_bytes", "decode_bytes gives other bytes than those of the text"
)


def has_special_text(text: str, subject: Subject) -> bool:
    """Whether the text of a special token is in a text."""
    tokens = subject.special_tokens
    return any(special in text for special in tokens) or (
        not is_scalar(text) and any(special in scalar_text(text) for special in tokens)
    )


def contracts(subject: Subject) -> dict[str, Owed]:
    """Entry points that take one text, or its ids, by name."""
    tokenizer, target = subject.target.tokenizer, subject.target
    found: dict[str, Owed] = {}
    if target.can("encode_ordinary"):
        found["encode"] = _giving_ids("encode", subject)
    for name in ("encode_special", "encode_with_offsets"):
        if target.can(name):
            found[name] = _giving_ids(name, subject)
    if target.can("encode_bytes"):
        same = _giving_ids("encode_bytes", subject)
        found["encode_bytes"] = lambda text, ids: not is_scalar(text) or same(text, ids)
    if target.can("count"):
        found["count"] = lambda text, ids: (
            count_ids(tokenizer.count, text) in map(len, allowed_ids(text, ids, "count", subject))
        )
    if target.can("decode_bytes"):
        found["decode_bytes"] = lambda text, ids: (
            not is_scalar(text) or _same_text(ids, text, subject)
        )
    return found


def disagreement_causes(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """Causes for the entry points that do not owe up to these ids of a plain text."""
    special = has_special_text(text, subject)
    names = [
        name
        for name, agrees in contracts(subject).items()
        if not (special and name in READING_SPECIAL) and not agrees(text, ids)
    ]
    if not names or is_scalar(text):
        return [
            DECODE_BYTES if name == "decode_bytes" else entry_point_cause(name) for name in names
        ]
    # What goes wrong on the same text with U+FFFD in their place is not about surrogates.
    plain = scalar_text(text)
    also = disagreement_causes(plain, subject.try_encode(plain) or [], subject)
    return [
        entry_point_cause(name, surrogates=entry_point_cause(name) not in also) for name in names
    ]


def batch_ids(texts: Sequence[str], subject: Subject) -> list[Any] | Raised:
    """What ``encode_batch`` gives for some texts, each a list of ids, or what it raises."""

    def lists() -> list[Any]:
        results = subject.target.tokenizer.encode_batch(list(texts))
        return [one if isinstance(one, BaseException) else as_ids(one) for one in results]

    result: list[Any] | Raised = called(lists)
    return result


def batch_agrees(texts: Sequence[str], rows: Sequence[Any], subject: Subject) -> bool:
    """Whether ``encode_batch`` gives what the entry point for plain text gives each text."""
    got = batch_ids(texts, subject)
    if isinstance(got, Raised) or len(got) != len(rows):
        return False
    each = zip(texts, rows, got, strict=True)
    return all(new in allowed_ids(text, ids, BATCH, subject) for text, ids, new in each)


def _giving_ids(name: str, subject: Subject) -> Owed:
    def agrees(text: str, ids: list[int]) -> bool:
        (got,) = encode_all([text], subject, name)
        return got in allowed_ids(text, ids, name, subject)

    return agrees


def _same_text(ids: list[int], text: str, subject: Subject) -> bool:
    """Whether ``decode_bytes`` gives the text's bytes; where ``decode`` does not, neither need it.

    Ids of special tokens may be left out of the one and not of the other.
    """
    wanted = subject.expected(text)
    if called(subject.target.decode, ids) != wanted:
        return True
    if not set(subject.special_tokens.values()).isdisjoint(ids):
        return True
    got = called(subject.target.tokenizer.decode_bytes, ids)
    return not isinstance(got, Raised) and called(bytes, got) == wanted.encode()
