"""Ids have no token, lie past the end, or belong to a special and an ordinary token.

Why it matters: ``n_vocab`` is the number of rows of a model's embedding. A token past it reads
beyond the matrix, or ends the server's process. A special id that an ordinary token has too turns
plain text into a command. Holes are rows that are never trained.

Oracle: static, over the vocabulary and the special tokens.

Verdicts: *bug* for an id, special or not, at or past ``n_vocab``, and for a special id that plain
text gets for the bytes of the token with the same id. *Risk* for two special tokens with one id.
*By design*, counted and reported once, for holes below ``n_vocab``.

Example: a vocabulary whose ``n_vocab`` does not count the special tokens::

    TOK407 bug  ids past n_vocab: special   "<|endoftext|>" (100,257) with n_vocab 100,256

What to do: set ``n_vocab`` to the largest id plus one, and give each special token its own id.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.checks.special_id_from_plain_text import shared_with_ordinary, unknown_ids
from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised, called

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokharness.targets.subject import Subject

CODE = "TOK407"
NAME = "id-space-holes"
REQUIRES = ("n_vocab",)

__all__ = ["CODE", "NAME", "REQUIRES", "audit"]

BEYOND = 64
"""So many ids past the end are asked about."""

MOST_RANGES = 8


def audit(subject: Subject) -> Iterator[Failure]:
    """Look at the ids below ``n_vocab``, past it, and at the special ones."""
    n_vocab = subject.target.n_vocab or 0
    special = subject.target.special_tokens
    past = {text: number for text, number in special.items() if not 0 <= number < n_vocab}
    if past:
        yield _past(min(past, key=len), len(past), "special", past.values(), n_vocab)
    beyond = {
        number: text
        for number in range(n_vocab, n_vocab + BEYOND)
        if number not in special.values() and (text := _own_text(number, subject))
    }
    if beyond:
        yield _past(min(beyond.values(), key=len), len(beyond), "ordinary", beyond, n_vocab)
    yield from _shared(subject)
    vocabulary = subject.vocabulary() if _tells_bytes(subject) else {}
    taken = {*special.values(), *(number for number, data in vocabulary.items() if data)}
    holes = [number for number in range(n_vocab) if number not in taken]
    if holes and vocabulary:
        message = f"{len(holes):,} of {n_vocab:,} ids have no token: {_ranges(holes)}"
        yield Failure(Cause("id-space holes", (), Verdict.BY_DESIGN, message), count=len(holes))


def _past(text: str, count: int, kind: str, ids: Iterable[int], n_vocab: int) -> Failure:
    message = f"{count:,} {kind} tokens have ids that are not below n_vocab, {n_vocab:,}"
    cause = Cause("ids past n_vocab", (("of", kind),), message=message)
    return Failure(cause, count=count, text=text, evidence={"ids": sorted(ids)[:50]})


def _shared(subject: Subject) -> Iterator[Failure]:
    """Special ids that are also those of an ordinary token, or of another special one."""
    by_id: dict[int, list[str]] = {}
    for text, number in subject.target.special_tokens.items():
        by_id.setdefault(number, []).append(text)
    known = subject.target.contested.items()
    ordinary: dict[int, str | bytes] = {one: data for one, data in known if one in by_id}
    ordinary |= {
        number: text
        for number, specials in by_id.items()
        if number not in unknown_ids(subject)  # any text that it does not know gives it back
        if (text := _own_text(number, subject)) and text not in specials
    }
    if ordinary:
        number = min(ordinary)
        cause = shared_with_ordinary(by_id[number][0], number)
        yield Failure(cause, count=len(ordinary), text=ordinary[number])
    several = [specials for specials in by_id.values() if len(specials) > 1]
    if several:
        message = f"{len(several):,} ids have several special tokens, {several[0][0]} one of them"
        parameters = (("with", "another special token"),)
        cause = Cause("shared special id", parameters, Verdict.RISK, message)
        yield Failure(cause, count=len(several), text=several[0][0])


def _own_text(number: int, subject: Subject) -> str:
    """Text of the token under an id, if plain text gives the id back: "" if not."""
    if not _tells_bytes(subject):
        return ""
    data = called(subject.target.tokenizer.decode_single_token_bytes, number)
    text = data if isinstance(data, Raised) else called(lambda: bytes(data).decode())
    if isinstance(text, Raised) or not text:
        return ""
    ids = subject.try_encode(text)
    return str(text) if ids is not None and without_affixes(ids, subject) == [number] else ""


def _tells_bytes(subject: Subject) -> bool:
    return subject.target.can("decode_single_token_bytes")


def _ranges(numbers: list[int]) -> str:
    """Name the runs of sorted numbers, the first few of them."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    shown = [f"{a:,}" if a == b else f"{a:,} to {b:,}" for a, b in runs[:MOST_RANGES]]
    return ", ".join(shown) + (" and more" if len(runs) > MOST_RANGES else "")
