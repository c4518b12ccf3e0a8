"""Compare what ordinary ids decode to, alone and in sequences, with the bytes of their tokens."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.comparisons import compared_call
from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.entry_points.contracts import DECODE_BYTES, entry_point_cause
from tokharness.diagnosis.probes.calls import decode_all, encode_all, reportable_ids
from tokharness.diagnosis.probes.id_sequences import random_sequences, whole_texts
from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokharness.targets.subject import Subject

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
    for cause, rows in ((LOST, lost), (OTHER_TEXT, other), (DECODE_BYTES, differ)):
        if rows:
            ids, text = min(rows, key=lambda row: (len(row[0]), row[0]))
            of_bytes = rows is differ
            name = "decode_bytes" if of_bytes else "decode"
            expected = b"".join(map(vocabulary.__getitem__, ids)) if of_bytes else text
            given = subject.target.call(name, ids)
            evidence = compared_call(name, given, expected, subject, [*ids])
            yield Failure(
                cause,
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
