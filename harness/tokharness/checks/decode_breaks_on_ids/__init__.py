"""Decoding some ids crashes, panics, leaks into the next call, or gives another token's text.

Why it matters: ids do not come from the encoder only. A model's output layer is padded to a round
number and may choose a row without a token; a request carries ids as JSON; a stream is cut inside a
character. A decoder that indexes a table without checking crashes a server, or returns the text of
a different token.

Oracle: invariant of one target. Decoding any ids returns a value or raises an ordinary exception;
ordinary ids decode to the joined bytes of their tokens.

How it works: the check first decodes the ids of a text, which must give the same text as when the
target was loaded, and parts of characters, each twice and followed by whole texts. Then it decodes
the empty sequence; every id alone; ids in holes, ids past the end (the first, 10^6, up to 2^64) and
negative ids; and random sequences of ordinary ids. After an id that raises, it repeats calls whose
results it knows.

Verdicts: *bug* for a panic, a crash, a hang or exhausted memory, with the kind of ids that cause
it; for a negative id, or an id past the end, that decodes to another token's text (a wrapped
index); for a part of a character that is left over in the next call; for an exception that changes
later results; and for a sequence whose text differs from its bytes (if the target declares a
normalizer, white space is not compared). *Risk* for bytes, or invalid ids, that are lost silently,
as ``errors="ignore"`` does. *Fact* for special tokens that are left out of the decoded text.

Example: a decoder over a Python list, where index -1 is the last item::

    TOK112 bug  id decodes to another token's text: counted from the end   -1 gives " zyg"

What to do: check the range of ids in ``decode``, and raise an ordinary exception for invalid ids.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.checks.decode_breaks_on_ids.decoded_bytes import (
    decoded_bytes_failures,
    lost_part_failures,
)
from tokharness.diagnosis.comparisons import compared_call
from tokharness.diagnosis.ids.aliases import (
    alias_failures,
    nearest_alias_failures,
    silent_id_failures,
)
from tokharness.diagnosis.probes.after_errors import after_error_failures, raising_calls_of_ids
from tokharness.diagnosis.probes.calls import decode_all, encode_all, reportable_ids
from tokharness.diagnosis.probes.id_sequences import (
    IN_A_HOLE,
    PART,
    id_kinds,
    invalid_ids,
    partial_characters,
)
from tokharness.diagnosis.probes.known_calls import first_decoded
from tokharness.errors import DEATHS, SkippedTextError, TargetDeath, message_of
from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.targets.subject import Subject

CODE = "TOK112"
NAME = "decode-breaks-on-ids"

__all__ = ["CODE", "NAME", "audit"]

LONGEST_MESSAGE = 120
BROKEN = "breaks"
"""Stands for results that :func:`_broken` reports, and for calls that were not made."""

PLAIN = ("a", "the quick brown fox", "\u4e2d\u6587")
MOST_SHOWN = 50


def audit(subject: Subject) -> Iterator[Failure]:
    """Decode parts of characters, no ids, each id alone, invalid ids, and random sequences."""
    parts = partial_characters(subject)
    # First, while no other ids have been decoded.
    leaks = list(_leaks(parts, subject))
    numbers = range(subject.target.n_vocab or 0)
    alone = dict(zip(numbers, decode_all([[n] for n in numbers], subject), strict=True))
    kinds = id_kinds(subject)
    results = [
        (kinds.get(number, IN_A_HOLE), [number], text)
        for number, text in alone.items()
        if isinstance(text, Raised)
    ]
    sequences = [("no ids", []), *((PART, part) for part in parts if len(part) > 1)]
    for kind, invalid in invalid_ids(subject).items():
        sequences += [(kind, [number]) for number in invalid]
    decoded = decode_all([ids for _, ids in sequences], subject)
    results += [(kind, ids, text) for (kind, ids), text in zip(sequences, decoded, strict=True)]
    yield from _broken(results, subject)
    wrapped = [*alias_failures(alone, subject)]
    yield from wrapped or nearest_alias_failures(alone, subject)
    yield from silent_id_failures(subject)
    yield from _skipped_special_ids(subject)
    yield from leaks or after_error_failures(
        raising_calls_of_ids(_one_of_each_kind(results), subject), subject
    )
    if not leaks:
        if alone and subject.target.can("decode_single_token_bytes"):
            yield from decoded_bytes_failures(alone, subject)
        else:
            yield from lost_part_failures(subject)


def _one_of_each_kind(results: Sequence[tuple[str, list[int], object]]) -> list[int]:
    """Return the first id of each kind on which decode raises an ordinary exception."""
    by_kind: dict[str, int] = {}
    for kind, ids, result in results:
        if len(ids) == 1 and isinstance(result, Raised) and not _how(result.error):
            by_kind.setdefault(kind, ids[0])
    return list(by_kind.values())


def _skipped_special_ids(subject: Subject) -> Iterator[Failure]:
    """Report special tokens that decode to nothing, so that decoded text does not show them."""
    numbers = sorted(set(subject.target.special_tokens.values()))
    texts = decode_all([[number] for number in numbers], subject)
    skipped = [number for number, text in zip(numbers, texts, strict=True) if text == ""]
    if skipped:
        message = f"decode leaves out {len(skipped):,} of {len(numbers):,} special tokens"
        cause = Cause("special ids left out", (("by", "decode"),), Verdict.FACT, message)
        evidence = {"ids": reportable_ids(skipped[:MOST_SHOWN])}
        yield Failure(cause, count=len(skipped), evidence=evidence)


def _broken(
    results: Sequence[tuple[str, list[int], object]], subject: Subject
) -> Iterator[Failure]:
    """Report crashes, hangs and panics, one failure for each; ``results`` are (kind, ids, text)."""
    broken: dict[str, list[tuple[str, list[int], BaseException]]] = {}
    for kind, ids, result in results:
        if isinstance(result, Raised) and (how := _how(result.error)):
            broken.setdefault(how, []).append((kind, ids, result.error))
    for how, rows in broken.items():
        kinds = ", ".join(sorted({kind for kind, _, _ in rows}))
        _, ids, error = rows[0]
        words = message_of(error)[:LONGEST_MESSAGE]
        message = f"decoding {reportable_ids(ids)} ends with {how} (ids: {kinds})"
        expected = "a text, or an ordinary exception"
        evidence = compared_call("decode", Raised(error), expected, subject, [*ids])
        evidence["ids"] = [reportable_ids(ids) for _, ids, _ in rows[:MOST_SHOWN]]
        parameters = (("by", how), ("ids", kinds))
        cause = Cause(
            "decode breaks", parameters, message=f"{message}: {words}" if words else message
        )
        yield Failure(cause, count=len(rows), evidence=evidence)


def _how(error: BaseException) -> str:
    """Name of a crash, a hang or a panic; "" for an ordinary exception."""
    if isinstance(error, TargetDeath):
        return error.reason
    if isinstance(error, DEATHS):
        return "out of memory"
    if isinstance(error, Exception):
        return ""
    return f"the panic {type(error).__name__}"


def _leaks(parts: Sequence[list[int]], subject: Subject) -> Iterator[Failure]:
    """Decode a part of a character twice, then whole texts, and report results that differ."""
    first_ids, first_text = first_decoded(subject)
    rows = [ids for ids in encode_all(PLAIN, subject) if not isinstance(ids, Raised)]
    whole = [first_ids, [], *rows]
    clean = _comparable(decode_all(whole, subject))
    was_soiled = clean[:1] != _comparable([first_text])
    order = [ids for part in parts for ids in (part, part, *whole)]
    results = _comparable(decode_all(order, subject))
    step = 2 + len(whole)
    leaking, shown = [], dict[str, Any]()
    for place, part in enumerate(parts):
        first, *after = results[place * step : (place + 1) * step]
        expected = [first, *clean]
        if after != expected:
            leaking.append(part)
            shown = shown or _first_other(part, after, expected)
    if was_soiled:
        wanted = _comparable([first_text])[0]
        shown = shown or compared_call("decode", clean[0], wanted, subject, [*first_ids])
    if (leaking or was_soiled) and BROKEN not in [*results, *clean]:
        message = "a part of a character at the end of one call of decode is left over in the next"
        cause = Cause("state", (("in", "decode"),), message=message)
        evidence = {**shown, "ids": [reportable_ids(ids) for ids in leaking[:10]]}
        yield Failure(cause, count=max(len(leaking), 1), evidence=evidence)


def _first_other(part: list[int], after: Sequence[str], expected: Sequence[str]) -> dict[str, Any]:
    """Return the first unexpected result that follows the result of a part."""
    pairs = zip(after, expected, strict=True)
    given, wanted = next(pair for pair in pairs if pair[0] != pair[1])
    call = {"entry point": "decode", "after": f"decode({reportable_ids(part)})"}
    return {**call, "given": given, "expected": wanted}


def _comparable(results: Sequence[object]) -> list[str]:
    """Results as strings that can be compared; an exception is its name."""
    return [
        BROKEN
        if isinstance(result, Raised)
        and (_how(result.error) or isinstance(result.error, SkippedTextError))
        else f"raises {type(result.error).__name__}"
        if isinstance(result, Raised)
        else f"gives {result}"
        for result in results
    ]
