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

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.comparisons import compared_call
from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.entry_points.contracts import decode_bytes_cause, entry_point_cause
from tokharness.diagnosis.ids.aliases import (
    alias_failures,
    nearest_alias_failures,
    silent_id_failures,
)
from tokharness.diagnosis.probes.after_errors import (
    after_error_failures,
    first_decoded,
    raising_calls_of_ids,
)
from tokharness.diagnosis.probes.calls import decode_all, encode_all, reportable_ids
from tokharness.diagnosis.probes.id_sequences import (
    IN_A_HOLE,
    PART,
    id_kinds,
    invalid_ids,
    partial_characters,
    random_sequences,
    whole_texts,
)
from tokharness.errors import DEATHS, SkippedTextError, TargetDeath, message_of
from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokharness.targets.subject import Subject

__all__ = ["CODE", "NAME", "audit"]

CODE = "TOK112"
NAME = "decode-breaks-on-ids"


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
    fatal = _fatal_kinds(results)
    wrapped = [*alias_failures(alone, subject, fatal)]
    yield from wrapped or nearest_alias_failures(alone, subject)
    yield from silent_id_failures(subject, fatal)
    yield from _skipped_special_ids(subject)
    yield from leaks or after_error_failures(
        raising_calls_of_ids(_one_of_each_kind(results), subject), subject
    )
    if not leaks:
        if alone and subject.target.can("decode_single_token_bytes"):
            yield from decoded_bytes_failures(alone, subject)
        else:
            yield from lost_part_failures(subject)


def _fatal_kinds(results: Sequence[tuple[str, list[int], object]]) -> set[str]:
    """Return the kinds each of whose ids ends the process: further ones show nothing more."""
    kinds = {kind for kind, _, _ in results}
    return kinds - {
        kind
        for kind, _, result in results
        if not (isinstance(result, Raised) and isinstance(result.error, TargetDeath))
    }


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


FEW = 0.01
"""Largest share of wrong ids that are reported as faults; above it, tokens are not bytes."""

BYTES_OF = "decode_single_token_bytes"

CHARACTERS = ("\u4e2d", "\U0001f9ff", "\U000e0041", "\U00020001")

LOST = Cause(
    "bytes lost silently",
    (("by", "decode"),),
    Verdict.RISK,
    "bytes that do not form a whole character are dropped without an error",
)
OTHER_TEXT = Cause(
    "decoder",
    (("of", "any ids"),),
    message="decoding some ordinary ids gives a different text than their joined bytes",
)


def decoded_bytes_failures(alone: Mapping[int, object], subject: Subject) -> Iterator[Failure]:
    """Ordinary ids, and random sequences of them, that do not decode to the bytes of their tokens.

    ``alone`` maps each id of the vocabulary to what it decodes to.
    """
    vocabulary = subject.vocabulary()
    silent = [number for number, data in vocabulary.items() if data and alone[number] == ""]
    if silent:
        message = f"tokens with bytes that decode to nothing without an error: {len(silent):,}"
        first = min(silent, key=lambda number: len(vocabulary[number]))
        expected = vocabulary[first].decode("utf-8", "replace")
        yield Failure(
            replace(LOST, message=message),
            count=len(silent),
            text=vocabulary[first],
            evidence=compared_call("decode", "", expected, subject, [first]) | {"ids": silent[:50]},
        )
    whole = whole_texts(subject)
    key = _comparison_key(subject)
    differing = [n for n, text in whole.items() if key(alone[n]) not in (key(text), "")]
    if not differing:
        yield from _sequence_failures(alone, subject)
    elif len(differing) < FEW * len(whole):
        decoded = {n: text for n in differing if isinstance(text := alone[n], str)}
        texts = set(whole.values()) | {t for n, t in decoded.items() if _encodes_to(t, n, subject)}
        wrong = [n for n, t in decoded.items() if t in texts and not _is_cleaned_up(whole[n], t)]
        if wrong:
            yield from _failures_of_ids(wrong, whole, decoded, subject)


def _failures_of_ids(
    wrong: Sequence[int], whole: Mapping[int, str], decoded: Mapping[int, str], subject: Subject
) -> Iterator[Failure]:
    """Report ids with two texts, naming the method whose text is not encoded to the id."""
    of_bytes = [
        number
        for number in wrong
        if BYTES_OF not in subject.target.read_from_file
        and _encodes_to(decoded[number], number, subject)
    ]
    of_decode = [number for number in wrong if number not in of_bytes]
    for name, ids in ((BYTES_OF, of_bytes), ("decode", of_decode)):
        if ids:
            message = f"ids that decode to another text than the bytes of their token: {len(ids):,}"
            cause = entry_point_cause(name, message)
            results = [decoded[ids[0]], whole[ids[0]]]
            given, expected = results if name == "decode" else results[::-1]
            evidence = compared_call(name, given, expected, subject, [ids[0]])
            evidence["ids"] = ids[:50]
            yield Failure(cause, count=len(ids), text=whole[ids[0]], evidence=evidence)


def lost_part_failures(subject: Subject) -> Iterator[Failure]:
    """Parts of a character that decode to nothing, for targets that give no bytes of tokens.

    A character is split if a letter followed by it has at least two ids more than the letter alone.
    """
    texts = ["a", *(f"a{character}" for character in CHARACTERS)]
    rows = [ids if isinstance(ids, list) else [] for ids in encode_all(texts, subject)]
    letter, *others = rows
    split = [
        ids
        for ids, text, back in zip(others, texts[1:], decode_all(others, subject), strict=True)
        if back == text and len(ids) >= len(letter) + 2 and ids[: len(letter)] == letter
    ]
    alone, *results = decode_all([letter, *(ids[:-1] for ids in split)], subject)
    lost = [ids for ids, got in zip(split, results, strict=True) if got == alone == "a"]
    if lost:
        evidence = compared_call("decode", alone, f"{alone}\ufffd", subject, lost[0])
        evidence["ids"] = [reportable_ids(ids) for ids in lost]
        yield Failure(LOST, count=len(lost), evidence=evidence)


def _encodes_to(text: str, number: int, subject: Subject) -> bool:
    """Whether a text is encoded to this id alone, so that the id has the bytes of the text."""
    ids = subject.encode(text)
    return ids is not None and without_affixes(ids, subject) == [number]


def _is_cleaned_up(text: str, decoded: str) -> bool:
    """Whether a decoder that strips spaces or continuation prefixes (``##``) may give this text."""
    return decoded in text or text in decoded


def _sequence_failures(alone: Mapping[int, object], subject: Subject) -> Iterator[Failure]:
    """Random sequences of ordinary ids that do not decode to their joined bytes."""
    vocabulary = subject.vocabulary()
    lost, other, differ = [], [], []
    sequences, key = random_sequences(subject), _comparison_key(subject)
    gives_bytes = subject.target.can("decode_bytes")
    for ids, got in zip(sequences, decode_all(sequences, subject), strict=True):
        data = b"".join(map(vocabulary.__getitem__, ids))
        want = data.decode("utf-8", "replace")
        if gives_bytes and key(subject.target.call("decode_bytes", ids)) != key(data):
            differ.append((ids, want))
        # Decoders differ in how many U+FFFD an invalid sequence becomes, and a decoder that works
        # id by id gives U+FFFD for each part of a character, which every text shows.
        if isinstance(got, Raised) or _one_for_each(key(got)) == _one_for_each(key(want)):
            continue
        if key(got) == key(want.replace("\ufffd", "")):
            lost.append((ids, want))
        elif key(got) != key("".join(str(alone[number]) for number in ids)):
            other.append((ids, want))
    for cause, rows in ((LOST, lost), (OTHER_TEXT, other), (None, differ)):
        if rows:
            ids, text = min(rows, key=lambda row: (len(row[0]), row[0]))
            name = "decode" if cause else "decode_bytes"
            expected = text if cause else b"".join(map(vocabulary.__getitem__, ids))
            given = subject.target.call(name, ids)
            evidence = compared_call(name, given, expected, subject, [*ids])
            yield Failure(
                cause or decode_bytes_cause(given),
                count=len(rows),
                text=text,
                evidence=evidence | {"ids": reportable_ids(ids)},
            )


def _comparison_key(subject: Subject) -> Callable[[Any], Any]:
    """Function that removes white space from text or bytes if the target declares a normalizer.

    Such a target may drop the white space between words, and decode with a space there.
    """

    def without_white_space(value: Any) -> Any:
        if isinstance(value, bytes):
            return b"".join(value.split())
        return "".join(value.split()) if isinstance(value, str) else value

    return without_white_space if subject.target.normalizer is not None else lambda value: value


def _one_for_each(text: str) -> str:
    return re.sub("\ufffd+", "\ufffd", text)
