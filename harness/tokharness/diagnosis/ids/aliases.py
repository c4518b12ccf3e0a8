"""Invalid ids that a decoder takes for valid ones: an index that wraps around or is clamped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.comparisons import compared_call
from tokharness.diagnosis.probes.calls import decode_all, encode_all
from tokharness.diagnosis.probes.id_sequences import (
    NEGATIVE_ID,
    PAST_THE_END,
    invalid_ids,
    is_sendable,
)
from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from tokharness.targets.subject import Subject

SAMPLES = 6
NO_TEXT = "an exception, or U+FFFD"
"""Expected result of decoding an id that belongs to no token."""

ALIASES: dict[str, Callable[[int, int], int]] = {
    "counted from the end": lambda number, n_vocab: number - n_vocab,
    "modulo n_vocab": lambda number, n_vocab: number + n_vocab,
    "the low 8 bits": lambda number, n_vocab: number + -(-n_vocab // 2**8) * 2**8,
    "the low 16 bits": lambda number, n_vocab: number + -(-n_vocab // 2**16) * 2**16,
    "the low 32 bits": lambda number, _: number + 2**32,
    "the absolute value": lambda number, _: -number,
}
"""Ways in which a decoder takes an invalid id for a valid id; each function maps valid to invalid.

Its arguments are the valid id and the size of the vocabulary.
"""


ALIASES_ANYWHERE = {how: ALIASES[how] for how in ("the low 32 bits", "the absolute value")}
"""Ways that can be tried without knowing the size of the vocabulary."""


def alias_failures(
    alone: Mapping[int, object], subject: Subject, fatal: Collection[str] = ()
) -> Iterator[Failure]:
    """Report invalid ids that decode to the texts of valid ids, if two different texts show it.

    ``alone`` has the text that each id of the vocabulary decodes to. Ids of ``fatal`` kinds are
    not tried, since they end the process.
    """
    texts = _samples(alone, subject)
    known = {*alone, *subject.target.special_tokens.values()}
    for how, alias in (ALIASES if alone else ALIASES_ANYWHERE).items():
        pairs = [(alias(number, len(alone)), text) for number, text in texts.items()]
        pairs = [
            (n, text)
            for n, text in pairs
            if n not in known and is_sendable(n, subject) and _kind(n) not in fatal
        ]
        results = decode_all([[number] for number, _ in pairs], subject)
        same = [pair for pair, got in zip(pairs, results, strict=True) if got == pair[1]]
        if len(same) > 1:
            message = f"{same[0][0]} is not a valid id, but decodes to another id's text ({how})"
            cause = Cause("id decodes to another token's text", (("by", how),), message=message)
            number, text = same[0]
            evidence = compared_call("decode", text, NO_TEXT, subject, [number])
            evidence["ids"] = [number for number, _ in same]
            yield Failure(cause, count=len(same), text=same[0][1], evidence=evidence)
            return


def nearest_alias_failures(alone: Mapping[int, object], subject: Subject) -> Iterator[Failure]:
    """Report ids past the end, or in holes, that decode to the text of the nearest token."""
    special = set(subject.target.special_tokens.values())
    vocabulary = subject.vocabulary() if subject.target.can("decode_single_token_bytes") else {}
    past = [n for n in invalid_ids(subject)[PAST_THE_END] if n not in alone]
    results = dict(zip(past, decode_all([[n] for n in past], subject), strict=True))
    results |= {n: text for n, text in alone.items() if n not in vocabulary and n not in special}
    known = {n: text for n, text in results.items() if isinstance(text, str) and _is_known(text)}
    wanted = set(known.values())
    ordinary = {
        text for n, text in alone.items() if text in wanted and n in vocabulary and n not in special
    }
    same = [n for n, text in known.items() if text in ordinary]
    if same:
        message = f"{same[0]} is not a valid id, but decodes to the nearest id's text"
        cause = Cause(
            "id decodes to another token's text", (("by", "the nearest"),), message=message
        )
        evidence = compared_call("decode", results[same[0]], NO_TEXT, subject, [same[0]])
        evidence["ids"] = same[:50]
        yield Failure(cause, count=len(same), text=str(results[same[0]]), evidence=evidence)


def _kind(number: int) -> str:
    """Return where an invalid id is, outside the vocabulary."""
    return NEGATIVE_ID if number < 0 else PAST_THE_END


def silent_id_failures(subject: Subject, fatal: Collection[str] = ()) -> Iterator[Failure]:
    """Report invalid ids, not of fatal kinds, that decode to nothing between two letters."""
    around = encode_all(("a", "b"), subject)
    if any(isinstance(ids, Raised) for ids in around):
        return
    before, after = around
    invalid = [
        number
        for kind, numbers in invalid_ids(subject).items()
        if kind not in fatal
        for number in numbers
    ]
    results = decode_all([[*before, number, *after] for number in invalid], subject)
    whole = decode_all([[*before, *after]], subject)
    lost = [n for n, text in zip(invalid, results, strict=True) if text == whole[0]]
    if lost:
        message = f"invalid ids decode to nothing without an error, for example {lost[0]}"
        cause = Cause("ids lost silently", (("by", "decode"),), Verdict.RISK, message)
        evidence = compared_call("decode", whole[0], NO_TEXT, subject, [*before, lost[0], *after])
        yield Failure(cause, count=len(lost), evidence=evidence | {"ids": lost})


def _is_known(text: str) -> bool:
    """Whether a text differs from the texts that decoders give for unknown ids."""
    return bool(text.strip("\ufffd ?")) and "unk" not in text.lower()


def _samples(alone: Mapping[int, object], subject: Subject) -> dict[int, str]:
    """Some ids whose texts all differ; without 0, which may be the unknown token."""
    special = set(subject.target.special_tokens.values())
    texts = alone
    if not alone:
        ids = [
            ids
            for ids in encode_all(("a", "b", "c", "d"), subject)
            if isinstance(ids, list) and len(ids) == 1 and isinstance(ids[0], int)
        ]
        texts = {
            number: text for (number,), text in zip(ids, decode_all(ids, subject), strict=True)
        }
    samples: dict[str, int] = {}
    for number, text in texts.items():
        if isinstance(text, str) and text.strip("\ufffd ") and number and number not in special:
            samples.setdefault(text, number)
        if len(samples) == SAMPLES:
            break
    return {number: text for text, number in samples.items()}
