"""Ids that several ordinary tokens of a vocabulary have.

Such an id decodes to one of its tokens. A library that fills a table by id, as Hugging Face's does
for a ``tokenizer.json``, may take another token in each process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.model import Cause

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

KIND = "shared id"


def shared_ids(subject: Subject) -> Mapping[int, bytes]:
    """Return the bytes of a token whose id another ordinary token has too, by id.

    The reference of the same file shows it for a library that does not.
    """

    def compute() -> dict[int, bytes]:
        sides = [subject.target, None if subject.claims_parity else subject.reference]
        rows = (_of(side).items() for side in sides if side is not None)
        return {number: data for row in rows for number, data in row}

    return subject.cache.get_or_compute("shared ids", compute)


def _of(side: Target) -> dict[int, bytes]:
    """Return the ids of one side; a second id of a token is another contradiction."""
    conflicting = side.conflicting_tokens
    if not conflicting or not side.can("token_text"):
        return {}
    rows = enumerate(side.call_each("token_text", range(side.n_vocab or 0)))
    texts = {number: text.encode() for number, text in rows if isinstance(text, str)}
    others = {*side.special_tokens.values(), *side.added_tokens.values()}
    ordinary = {n: data for n, data in conflicting.items() if n in texts and n not in others}
    return {n: data for n, data in ordinary.items() if data not in texts.values()}


def shared_id_causes(ids: Iterable[Any], subject: Subject) -> list[Cause]:
    """Return the cause if one of these ids stands for several tokens."""
    shared = shared_ids(subject)
    return [cause_of(shared)] if shared and not shared.keys().isdisjoint(ids) else []


def cause_of(shared: Mapping[int, bytes]) -> Cause:
    """Make the cause that counts the ids."""
    number = min(shared)
    text = shared[number].decode("utf-8", "replace")
    message = (
        f"{len(shared):,} ids stand for several tokens of the vocabulary and decode to one of "
        f"them, perhaps another in each process; {text!a} is not the only token of id {number:,}"
    )
    return Cause(KIND, (("of", "several tokens"),), message=message)
