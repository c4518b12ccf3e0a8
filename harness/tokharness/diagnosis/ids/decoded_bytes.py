"""What ordinary ids decode to, alone and in random sequences, against the bytes of their tokens."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.entry_points.contracts import DECODE_BYTES, entry_point_cause
from tokharness.diagnosis.probes.calls import decode_all, encode_all, reportable_ids
from tokharness.diagnosis.probes.id_sequences import is_utf8, random_sequences
from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised, called

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tokharness.targets.subject import Subject

__all__ = ["decoded_bytes_failures", "lost_part_failures"]

FEW = 0.01
"""Share of ids up to which those that give other text are astray; else the target is not bytes."""

CHARACTERS = ("\u4e2d", "\U0001f9ff", "\U000e0041", "\U00020001")

LOST = Cause(
    "bytes lost in silence",
    (("by", "decode"),),
    Verdict.RISK,
    "bytes that are no whole character are left out in silence",
)
OTHER_TEXT = Cause(
    "decoder",
    (("of", "any ids"),),
    message="decoding some ordinary ids gives another text than that of their bytes, joined",
)


def decoded_bytes_failures(alone: Mapping[int, object], subject: Subject) -> Iterator[Failure]:
    """Each ordinary id, and random sequences of them, against the bytes of the tokens."""
    vocabulary = subject.vocabulary()
    silent = [number for number, data in vocabulary.items() if data and alone[number] == ""]
    if silent:
        message = f"{len(silent):,} tokens that have bytes decode to nothing, in silence"
        smallest = min((vocabulary[number] for number in silent), key=len)
        yield Failure(
            replace(LOST, message=message),
            count=len(silent),
            text=smallest,
            evidence={"ids": silent[:50]},
        )
    whole = {n: data.decode() for n, data in vocabulary.items() if data and is_utf8(data)}
    own = _words(subject)
    astray = [n for n, text in whole.items() if own(alone[n]) not in (own(text), "")]
    if not astray:
        yield from _joined(alone, subject)
    elif len(astray) < FEW * len(whole):
        given = {n: text for n in astray if isinstance(text := alone[n], str)}
        texts = set(whole.values()) | {t for n, t in given.items() if _is_own(n, t, subject)}
        wrong = [n for n, text in given.items() if text in texts and not _alike(whole[n], text)]
        if wrong:
            message = f"decode and decode_single_token_bytes differ on {len(wrong):,} ids"
            evidence = {"ids": wrong[:50]}
            cause = entry_point_cause("decode_single_token_bytes", message)
            yield Failure(cause, count=len(wrong), text=whole[wrong[0]], evidence=evidence)


def lost_part_failures(subject: Subject) -> Iterator[Failure]:
    """Beginnings of a character that decode to nothing, where no bytes of tokens are known.

    A character behind a letter is known to have a beginning if it is two ids more than the letter.
    """
    texts = ["a", *(f"a{character}" for character in CHARACTERS)]
    ids = [one if isinstance(one, list) else [] for one in encode_all(texts, subject)]
    letter, *others = ids
    cut = [
        one
        for one, text, back in zip(others, texts[1:], decode_all(others, subject), strict=True)
        if back == text and len(one) >= len(letter) + 2 and one[: len(letter)] == letter
    ]
    alone, *results = decode_all([letter, *(one[:-1] for one in cut)], subject)
    lost = [one for one, got in zip(cut, results, strict=True) if got == alone == "a"]
    if lost:
        yield Failure(
            LOST, count=len(lost), evidence={"ids": [reportable_ids(ids) for ids in lost]}
        )


def _is_own(number: int, text: str, subject: Subject) -> bool:
    """Whether this id is what a text is encoded to: then its bytes are that text's."""
    ids = subject.try_encode(text)
    return ids is not None and without_affixes(ids, subject) == [number]


def _alike(text: str, decoded: str) -> bool:
    """Whether a decoder that cleans up spaces, or leaves out a mark of continuation, makes this."""
    return decoded in text or text in decoded


def _joined(alone: Mapping[int, object], subject: Subject) -> Iterator[Failure]:
    """Random sequences of ordinary ids; where each alone gives its bytes, together they do too."""
    vocabulary = subject.vocabulary()
    lost, other, differ = [], [], []
    every, own = random_sequences(subject), _words(subject)
    decode_bytes = getattr(subject.target.tokenizer, "decode_bytes", None)
    for ids, got in zip(every, decode_all(every, subject), strict=True):
        data = b"".join(map(vocabulary.__getitem__, ids))
        want = data.decode("utf-8", "replace")
        if decode_bytes and own(called(lambda: bytes(decode_bytes(ids)))) != own(data):  # noqa: B023
            differ.append((ids, want))
        # How many U+FFFD an invalid sequence becomes is not settled, and one that decodes id by
        # id makes some of each part of a character: that shows in every text.
        if isinstance(got, Raised) or _one_for_each(own(got)) == _one_for_each(own(want)):
            continue
        if own(got) == own(want.replace("\ufffd", "")):
            lost.append((ids, want))
        elif own(got) != own("".join(str(alone[number]) for number in ids)):
            other.append((ids, want))
    for cause, some in ((LOST, lost), (OTHER_TEXT, other), (DECODE_BYTES, differ)):
        if some:
            ids, text = min(some, key=lambda one: (len(one[0]), one[0]))
            yield Failure(cause, count=len(some), text=text, evidence={"ids": reportable_ids(ids)})


def _words(subject: Subject) -> Callable[[Any], Any]:
    """What a decoder owes of a text, or of bytes: no white space where a normalizer is declared.

    Such a target may cut words and drop what is between them, and decode with a space there.
    """

    def without_white_space(one: Any) -> Any:
        if isinstance(one, bytes):
            return b"".join(one.split())
        return "".join(one.split()) if isinstance(one, str) else one

    return without_white_space if subject.target.normalizer is not None else lambda one: one


def _one_for_each(text: str) -> str:
    return re.sub("\ufffd+", "\ufffd", text)
