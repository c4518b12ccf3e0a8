"""Ids lack a token, lie past the end, or belong to both a special and an ordinary token.

Why it matters: ``n_vocab`` is the number of rows of a model's embedding matrix. A lookup of an id
at or past ``n_vocab`` reads beyond the matrix, or ends the server's process. If a special token and
an ordinary token share an id, plain text becomes a command. Holes are rows that are never trained.

Oracle: static, over the vocabulary and the special tokens.

Verdicts: *bug* for an id, special or not, at or past ``n_vocab``; for a special id that plain text
gets for the bytes of the token with the same id; and for two special, added or ordinary tokens with
the same id: it decodes to the text of one token, so the text of the other token is lost. *Fact*,
counted and reported once, for holes below ``n_vocab``.

Example: a vocabulary whose ``n_vocab`` does not count the special tokens::

    TOK407 bug  ids past n_vocab: special   "<|endoftext|>" (100,257) with n_vocab 100,256

What to do: set ``n_vocab`` to the largest id plus one, and give each token its own id.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.special.added import SHARED
from tokharness.diagnosis.special.special_ids import shared_id_cause, unknown_ids
from tokharness.diagnosis.vocabulary.shared_ids import KIND, cause_of, shared_ids
from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised, call

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from tokharness.targets.subject import Subject

CODE = "TOK407"
NAME = "id-space-holes"
OWNED_CAUSES = (SHARED.kind, KIND)
REQUIRES = ("n_vocab",)
OF_TOKENS_ALONE = True

__all__ = ["CODE", "NAME", "OF_TOKENS_ALONE", "OWNED_CAUSES", "REQUIRES", "audit"]

IDS_PAST_END = 64
"""Number of ids past the end that are checked."""

MOST_RANGES = 8
MOST_SHOWN = 50


def audit(subject: Subject) -> Iterator[Failure]:
    """Check the ids below ``n_vocab``, the ids past it, and the special ids."""
    n_vocab = subject.target.n_vocab or 0
    special = subject.target.special_tokens
    past = {text: number for text, number in special.items() if not 0 <= number < n_vocab}
    if past:
        yield _failure_past_end(min(past, key=len), "special", past.values(), n_vocab)
    ordinary = {
        number: text
        for number in range(n_vocab, n_vocab + IDS_PAST_END)
        if number not in special.values() and (text := _own_text(number, subject))
    }
    if ordinary:
        yield _failure_past_end(min(ordinary.values(), key=len), "ordinary", ordinary, n_vocab)
    yield from _shared_ids(subject)
    vocabulary = subject.vocabulary() if _has_token_bytes(subject) else {}
    used = {*special.values(), *(number for number, data in vocabulary.items() if data)}
    holes = [number for number in range(n_vocab) if number not in used]
    if holes and vocabulary:
        message = f"ids without a token: {len(holes):,} of {n_vocab:,} ({_ranges(holes)})"
        cause = Cause("id-space holes", (), Verdict.FACT, message)
        yield Failure(cause, count=len(holes), tokens={"": holes})


def _failure_past_end(text: str, kind: str, ids: Collection[int], n_vocab: int) -> Failure:
    message = (
        f"{kind} tokens have ids outside the range that n_vocab, {n_vocab:,}, allows; "
        f"number of these ids: {len(ids):,}"
    )
    cause = Cause("ids past n_vocab", (("of", kind),), message=message)
    return Failure(cause, count=len(ids), text=text, evidence={"ids": sorted(ids)[:MOST_SHOWN]})


def _shared_ids(subject: Subject) -> Iterator[Failure]:
    """Report special ids that an ordinary token or a second special token has too."""
    by_id: dict[int, list[str]] = {}
    for text, number in subject.target.special_tokens.items():
        by_id.setdefault(number, []).append(text)
    conflicting_tokens = subject.target.conflicting_tokens.items()
    ordinary: dict[int, str | bytes] = {
        number: data for number, data in conflicting_tokens if number in by_id
    }
    ordinary |= {
        number: text
        for number, specials in by_id.items()
        if number not in unknown_ids(subject)  # any text outside the vocabulary gives that id
        if (text := _own_text(number, subject)) and text not in specials
    }
    if ordinary:
        number = min(ordinary)
        cause = shared_id_cause(by_id[number][0], number)
        tokens = {"": [*ordinary]}
        yield Failure(cause, count=len(ordinary), text=ordinary[number], tokens=tokens)
    several = [specials for specials in by_id.values() if len(specials) > 1]
    if several:
        message = (
            f"{several[0][0]} and {several[0][1]} share one id, which decodes to one of them; "
            f"ids of several special tokens: {len(several):,}"
        )
        cause = Cause("shared special id", (("with", "another special token"),), message=message)
        tokens = {"": [number for number, specials in by_id.items() if len(specials) > 1]}
        yield Failure(cause, count=len(several), text=several[0][0], tokens=tokens)
    yield from _shared_added_ids(subject)
    if shared := shared_ids(subject):
        yield Failure(
            cause_of(shared), count=len(shared), text=shared[min(shared)], tokens={"": [*shared]}
        )


def _shared_added_ids(subject: Subject) -> Iterator[Failure]:
    """Report ids of added tokens that a second added token or a special token has too."""
    declared = [*subject.target.added_tokens.items(), *subject.target.special_tokens.items()]
    by_id: dict[int, list[str]] = {}
    for text, number in declared:
        by_id.setdefault(number, []).append(text)
    added = set(subject.target.added_tokens.values())
    shared = {n: texts for n, texts in by_id.items() if len(set(texts)) > 1 and n in added}
    if shared:
        first, second, *_ = next(iter(shared.values()))
        message = f"{first} and {second}; ids of several added tokens: {len(shared):,}"
        cause = replace(SHARED, message=f"{SHARED.message}: {message}")
        yield Failure(cause, count=len(shared), text=first, tokens={"": [*shared]})


def _own_text(number: int, subject: Subject) -> str:
    """Text of the token with this id, if the text is encoded as this id; else ""."""
    if not _has_token_bytes(subject):
        return ""
    data = subject.target.call("decode_single_token_bytes", number)
    text = data if isinstance(data, Raised) else call(bytes.decode, data)
    if isinstance(text, Raised) or not text:
        return ""
    ids = subject.encode(text)
    return str(text) if ids is not None and without_affixes(ids, subject) == [number] else ""


def _has_token_bytes(subject: Subject) -> bool:
    return subject.target.can("decode_single_token_bytes")


def _ranges(numbers: list[int]) -> str:
    """Return the first few ranges of sorted numbers, such as "3, 5 to 9"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    shown = [f"{a:,}" if a == b else f"{a:,} to {b:,}" for a, b in runs[:MOST_RANGES]]
    return ", ".join(shown) + (" and more" if len(runs) > MOST_RANGES else "")
