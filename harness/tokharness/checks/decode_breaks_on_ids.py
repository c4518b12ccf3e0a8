"""Decoding some ids crashes, panics, leaks into the next call, or gives another token's text.

Why it matters: ids do not come from the encoder only. A model's output layer is padded to a round
number and may choose a row without a token; a request carries ids as JSON; a stream is cut inside a
character. A decoder that indexes a table without checking crashes a server, or returns the text of
a different token.

Oracle: invariant of one target. Decoding any ids returns a value or raises an ordinary exception;
ordinary ids decode to their bytes, joined.

How it works: the check decodes no ids; every id alone; ids in holes, past the end (the first, 10^6,
up to 2^64) and negative; parts of characters, twice, with a full text after them; and random
sequences of ordinary ids.

Verdicts: *bug* for a panic, a crash, a hang or exhausted memory, with the kind of ids that cause
it; for an id past the end or negative that decodes to another token's text (a wrapped index); for a
part of a character that is left over in the next call; and for a sequence that decodes to other
text than its bytes (if the target declares a normalizer, white space is not compared). *Risk* for
bytes, or invalid ids, that are lost silently, as ``errors="ignore"`` does. *By design* for special
tokens that are left out of the decoded text.

Example: a decoder over a Python list, where index -1 is the last item::

    TOK112 bug  id decodes to another token's text: counted from the end   -1 gives " zyg"

What to do: check the range of ids in ``decode``, and raise an ordinary exception for invalid ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.checks.crashes_or_hangs import DEATHS
from tokharness.diagnosis.ids.aliases import (
    alias_failures,
    nearest_alias_failures,
    silent_id_failures,
)
from tokharness.diagnosis.ids.decoded_bytes import decoded_bytes_failures, lost_part_failures
from tokharness.diagnosis.probes.calls import decode_all, encode_all, reportable_ids
from tokharness.diagnosis.probes.id_sequences import (
    IN_A_HOLE,
    PART,
    id_kinds,
    invalid_ids,
    partial_characters,
)
from tokharness.errors import NotTriedError, TargetDeath, message_of
from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.targets.subject import Subject

CODE = "TOK112"
NAME = "decode-breaks-on-ids"

__all__ = ["CODE", "NAME", "audit"]

LONGEST_MESSAGE = 120
NOT_TRIED = "breaks"
PLAIN = ("a", "the quick brown fox", "\u4e2d\u6587")


def audit(subject: Subject) -> Iterator[Failure]:
    """Decode no ids, each alone, those that are none, parts of characters, and many together."""
    numbers = range(subject.target.n_vocab or 0)
    alone = dict(zip(numbers, decode_all([[n] for n in numbers], subject), strict=True))
    places = id_kinds(subject)
    found = [(places.get(number, IN_A_HOLE), [number], got) for number, got in alone.items()]
    parts = partial_characters(subject)
    others = [("no ids", []), *((PART, one) for one in parts if len(one) > 1)]
    others += [(place, [number]) for place, some in invalid_ids(subject).items() for number in some]
    results = decode_all([ids for _, ids in others], subject)
    found += [(*one, got) for one, got in zip(others, results, strict=True)]
    yield from _broken(found)
    wrapped = [*alias_failures(alone, subject)]
    yield from wrapped or nearest_alias_failures(alone, subject)
    yield from silent_id_failures(subject)
    yield from _left_out(subject)
    leaking = list(_leaks(parts, subject))
    yield from leaking
    if not leaking:
        if alone and subject.target.can("decode_single_token_bytes"):
            yield from decoded_bytes_failures(alone, subject)
        else:
            yield from lost_part_failures(subject)


def _left_out(subject: Subject) -> Iterator[Failure]:
    """Tell special tokens that decode to nothing: what is decoded does not show them."""
    numbers = sorted(set(subject.target.special_tokens.values()))
    texts = decode_all([[number] for number in numbers], subject)
    gone = [number for number, text in zip(numbers, texts, strict=True) if text == ""]
    if gone:
        message = f"decode leaves {len(gone):,} of {len(numbers):,} special tokens out"
        cause = Cause("special ids left out", (("by", "decode"),), Verdict.BY_DESIGN, message)
        yield Failure(cause, count=len(gone), evidence={"ids": reportable_ids(gone[:50])})


def _broken(found: Sequence[tuple[str, list[int], object]]) -> Iterator[Failure]:
    """Tell what is neither a value nor an ordinary exception, one failure for each way."""
    ways: dict[str, list[tuple[str, list[int], BaseException]]] = {}
    for place, ids, result in found:
        if isinstance(result, Raised) and (how := _how(result.error)):
            ways.setdefault(how, []).append((place, ids, result.error))
    for how, some in ways.items():
        which = ", ".join(sorted({place for place, _, _ in some}))
        _, ids, error = some[0]
        said = message_of(error)[:LONGEST_MESSAGE]
        message = f"decoding {reportable_ids(ids)} ends with {how} (ids: {which}){': ' if said else ''}{said}"
        evidence = {"ids": [reportable_ids(ids) for _, ids, _ in some[:50]]}
        cause = Cause("decode breaks", (("by", how), ("ids", which)), message=message)
        yield Failure(cause, count=len(some), evidence=evidence)


def _how(error: BaseException) -> str:
    """Name what is no ordinary exception; "" for one that is."""
    if isinstance(error, TargetDeath):
        return error.how
    if isinstance(error, DEATHS):
        return "out of memory"
    if isinstance(error, Exception):
        return ""
    return f"the panic {type(error).__name__}"


def _leaks(parts: Sequence[list[int]], subject: Subject) -> Iterator[Failure]:
    """Decode a part of a character, twice, then texts: each as if nothing had come before."""
    known = [[], *(ids for ids in encode_all(PLAIN, subject) if not isinstance(ids, Raised))]
    clean = _seen(decode_all(known, subject))
    order = [ids for part in parts for ids in (part, part, *known)]
    seen = _seen(decode_all(order, subject))
    step = 2 + len(known)
    leaking = []
    for place, part in enumerate(parts):
        one, two, *after = seen[place * step : (place + 1) * step]
        if one != two or after != clean:
            leaking.append(part)
    if leaking and NOT_TRIED not in seen:
        message = "a part of a character at the end of one call of decode is left over in the next"
        cause = Cause("state", (("in", "decode"),), message=message)
        evidence = {"ids": [reportable_ids(ids) for ids in leaking[:10]]}
        yield Failure(cause, count=len(leaking), evidence=evidence)


def _seen(results: Sequence[object]) -> list[str]:
    """Results that can be compared: of what was raised the name."""
    return [
        NOT_TRIED
        if isinstance(one, Raised) and (_how(one.error) or isinstance(one.error, NotTriedError))
        else f"raises {type(one.error).__name__}"
        if isinstance(one, Raised)
        else f"gives {one}"
        for one in results
    ]
