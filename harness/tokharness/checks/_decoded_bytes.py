"""What ordinary ids decode to, alone and in random sequences, against the bytes of their tokens."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness.checks._attempt import Raised, called
from tokharness.checks._each import decoded_each, encoded_each
from tokharness.checks._entry_points import DECODE_BYTES, entry_point
from tokharness.checks._ids import is_whole, sequences
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokharness.subject import Subject

__all__ = ["against_bytes", "parts_lost"]

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


def against_bytes(alone: Mapping[int, object], subject: Subject) -> Iterator[Failure]:
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
    whole = {n: data.decode() for n, data in vocabulary.items() if data and is_whole(data)}
    astray = [number for number, text in whole.items() if alone[number] not in (text, "")]
    if not astray:
        yield from _joined(alone, subject)
    elif len(astray) < FEW * len(whole):
        texts = set(whole.values())
        wrong = [n for n in astray if alone[n] in texts and not _alike(whole[n], str(alone[n]))]
        if wrong:
            message = f"decode and decode_single_token_bytes differ on {len(wrong):,} ids"
            evidence = {"ids": wrong[:50]}
            cause = entry_point("decode_single_token_bytes", message)
            yield Failure(cause, count=len(wrong), text=whole[wrong[0]], evidence=evidence)


def parts_lost(subject: Subject) -> Iterator[Failure]:
    """Beginnings of a character that decode to nothing, where no bytes of tokens are known.

    A character behind a letter is known to have a beginning if it is two ids more than the letter.
    """
    texts = ["a", *(f"a{character}" for character in CHARACTERS)]
    ids = [one if isinstance(one, list) else [] for one in encoded_each(texts, subject)]
    letter, *others = ids
    cut = [
        one
        for one, text, back in zip(others, texts[1:], decoded_each(others, subject), strict=True)
        if back == text and len(one) >= len(letter) + 2 and one[: len(letter)] == letter
    ]
    alone, *results = decoded_each([letter, *(one[:-1] for one in cut)], subject)
    lost = [one for one, got in zip(cut, results, strict=True) if got == alone == "a"]
    if lost:
        yield Failure(LOST, count=len(lost), evidence={"ids": lost})


def _alike(text: str, decoded: str) -> bool:
    """Whether a decoder that cleans up spaces, or leaves out a mark of continuation, makes this."""
    return decoded in text or text in decoded


def _joined(alone: Mapping[int, object], subject: Subject) -> Iterator[Failure]:
    """Random sequences of ordinary ids; where each alone gives its bytes, together they do too."""
    vocabulary = subject.vocabulary()
    lost, other, differ = [], [], []
    every = sequences(subject)
    decode_bytes = getattr(subject.target.tokenizer, "decode_bytes", None)
    for ids, got in zip(every, decoded_each(every, subject), strict=True):
        data = b"".join(map(vocabulary.__getitem__, ids))
        want = data.decode("utf-8", "replace")
        if decode_bytes and called(lambda: bytes(decode_bytes(ids))) != data:  # noqa: B023
            differ.append((ids, want))
        # How many U+FFFD an invalid sequence becomes is not settled, and one that decodes id by
        # id makes some of each part of a character: that shows in every text.
        if isinstance(got, Raised) or _one_for_each(got) == _one_for_each(want):
            continue
        if got == want.replace("\ufffd", ""):
            lost.append((ids, want))
        elif got != "".join(str(alone[number]) for number in ids):
            other.append((ids, want))
    for cause, some in ((LOST, lost), (OTHER_TEXT, other), (DECODE_BYTES, differ)):
        if some:
            ids, text = min(some, key=lambda one: (len(one[0]), one[0]))
            yield Failure(cause, count=len(some), text=text, evidence={"ids": ids})


def _one_for_each(text: str) -> str:
    return re.sub("\ufffd+", "\ufffd", text)
