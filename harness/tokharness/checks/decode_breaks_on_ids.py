r"""Decoding some ids ends the process, panics, leaks into the next call or gives another's text.

Oracle: invariant of one target. Decoding any ids gives a value or an ordinary exception, and of
ordinary ids it gives their bytes, joined.

Why it matters: ids do not come from the encoder only. A model's head is padded to a round number
and may choose a row that no token has; a request brings ids as JSON; a stream is cut inside a
character. A decoder that indexes a table with what it is given crashes a server, or answers with
the text of a token that nobody asked for.

What is tried: no ids; every id alone; ids in holes, past the end (the first, 10^6, up to 2^64) and
negative; parts of characters, twice, with a full text after them; random sequences of ordinary ids.

*bug*: a panic, a death, memory run out, with the place of the ids named; an id past the end or
negative that *decodes to another token's text* (a wrapped index); a part of a character that is
left over in the next call; other text for a sequence than its bytes (of a target that declares a
normalizer: but for white space). *risk*: bytes, or ids that are none, lost in silence, as
``errors="ignore"`` does. That special tokens are left out of the decoded text is by design.

Example: a decoder over a Python list, whose index -1 is its last::

    TOK112 bug  id decodes to another token's text: counted from the end   -1 gives " zyg"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.checks.crashes_or_hangs import DEATHS
from tokharness.diagnosis.ids.aliases import aliases, nearest, silent
from tokharness.diagnosis.ids.decoded_bytes import against_bytes, parts_lost
from tokharness.diagnosis.probes.calls import decoded_each, encoded_each, in_numbers
from tokharness.diagnosis.probes.id_sequences import (
    IN_A_HOLE,
    PART,
    kinds,
    odd_ids,
    parts_of_characters,
)
from tokharness.diagnosis.probes.raising_stage import Raised
from tokharness.errors import NotTriedError, TargetDeath, message_of
from tokharness.model import Cause, Failure, Verdict

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
    alone = dict(zip(numbers, decoded_each([[n] for n in numbers], subject), strict=True))
    places = kinds(subject)
    found = [(places.get(number, IN_A_HOLE), [number], got) for number, got in alone.items()]
    parts = parts_of_characters(subject)
    others = [("no ids", []), *((PART, one) for one in parts if len(one) > 1)]
    others += [(place, [number]) for place, some in odd_ids(subject).items() for number in some]
    results = decoded_each([ids for _, ids in others], subject)
    found += [(*one, got) for one, got in zip(others, results, strict=True)]
    yield from _broken(found)
    wrapped = [*aliases(alone, subject)]
    yield from wrapped or nearest(alone, subject)
    yield from silent(subject)
    yield from _left_out(subject)
    leaking = list(_leaks(parts, subject))
    yield from leaking
    if not leaking:
        if alone and subject.target.can("decode_single_token_bytes"):
            yield from against_bytes(alone, subject)
        else:
            yield from parts_lost(subject)


def _left_out(subject: Subject) -> Iterator[Failure]:
    """Tell special tokens that decode to nothing: what is decoded does not show them."""
    numbers = sorted(set(subject.target.special_tokens.values()))
    texts = decoded_each([[number] for number in numbers], subject)
    gone = [number for number, text in zip(numbers, texts, strict=True) if text == ""]
    if gone:
        message = f"decode leaves {len(gone):,} of {len(numbers):,} special tokens out"
        cause = Cause("special ids left out", (("by", "decode"),), Verdict.BY_DESIGN, message)
        yield Failure(cause, count=len(gone), evidence={"ids": in_numbers(gone[:50])})


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
        message = (
            f"decoding {in_numbers(ids)} ends with {how} (ids: {which}){': ' if said else ''}{said}"
        )
        evidence = {"ids": [in_numbers(ids) for _, ids, _ in some[:50]]}
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
    known = [[], *(ids for ids in encoded_each(PLAIN, subject) if not isinstance(ids, Raised))]
    clean = _seen(decoded_each(known, subject))
    order = [ids for part in parts for ids in (part, part, *known)]
    seen = _seen(decoded_each(order, subject))
    step = 2 + len(known)
    leaking = []
    for place, part in enumerate(parts):
        one, two, *after = seen[place * step : (place + 1) * step]
        if one != two or after != clean:
            leaking.append(part)
    if leaking and NOT_TRIED not in seen:
        message = "a part of a character at the end of one call of decode is left over in the next"
        cause = Cause("state", (("in", "decode"),), message=message)
        evidence = {"ids": [in_numbers(ids) for ids in leaking[:10]]}
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
