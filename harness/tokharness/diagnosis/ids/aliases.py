"""Ids that are none, and that a decoder reads as others: an index that wraps around, or stops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.probes.calls import decode_all, encode_all
from tokharness.diagnosis.probes.id_sequences import invalid_ids, is_sendable
from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tokharness.targets.subject import Subject

__all__ = ["alias_failures", "nearest_alias_failures", "silent_id_failures"]

SAMPLES = 6

ALIASES: dict[str, Callable[[int, int], int]] = {
    "counted from the end": lambda number, n_vocab: number - n_vocab,
    "modulo n_vocab": lambda number, n_vocab: number + n_vocab,
    "the low 8 bits": lambda number, n_vocab: number + -(-n_vocab // 2**8) * 2**8,
    "the low 16 bits": lambda number, n_vocab: number + -(-n_vocab // 2**16) * 2**16,
    "the low 32 bits": lambda number, _: number + 2**32,
    "the absolute value": lambda number, _: -number,
}
"""How an id that is none may be read as another, and the one that would then be read as this."""


ALIASES_ANYWHERE = {how: ALIASES[how] for how in ("the low 32 bits", "the absolute value")}
"""Those that can be told where the end of the vocabulary is not known."""


def alias_failures(alone: Mapping[int, object], subject: Subject) -> Iterator[Failure]:
    """Ids that are none and give the text of ordinary ones; two that differ prove it."""
    texts = _samples(alone, subject)
    known = {*alone, *subject.target.special_tokens.values()}
    for how, alias in (ALIASES if alone else ALIASES_ANYWHERE).items():
        pairs = [(alias(number, len(alone)), text) for number, text in texts.items()]
        pairs = [one for one in pairs if one[0] not in known and is_sendable(one[0], subject)]
        results = decode_all([[number] for number, _ in pairs], subject)
        same = [one for one, got in zip(pairs, results, strict=True) if got == one[1]]
        if len(same) > 1:
            message = f"{same[0][0]} is no id, and decodes to the text of another ({how})"
            cause = Cause("id decodes to another token's text", (("by", how),), message=message)
            evidence = {"ids": [number for number, _ in same]}
            yield Failure(cause, count=len(same), text=same[0][1], evidence=evidence)
            return


def nearest_alias_failures(alone: Mapping[int, object], subject: Subject) -> Iterator[Failure]:
    """Ids past the end, or in holes, that give the text of the last token, or of a neighbour."""
    special = set(subject.target.special_tokens.values())
    vocabulary = subject.vocabulary() if subject.target.can("decode_single_token_bytes") else {}
    ordinary = {n: text for n, text in alone.items() if n in vocabulary and n not in special}
    past = [n for n in invalid_ids(subject)["past the end"] if n not in alone]
    results = dict(zip(past, decode_all([[n] for n in past], subject), strict=True))
    results |= {n: text for n, text in alone.items() if n not in vocabulary and n not in special}
    texts = {text for text in ordinary.values() if isinstance(text, str) and _means(text)}
    same = [n for n, text in results.items() if isinstance(text, str) and text in texts]
    if same:
        message = f"{same[0]} is no id, and decodes to the text of another (the nearest one)"
        cause = Cause(
            "id decodes to another token's text", (("by", "the nearest"),), message=message
        )
        evidence = {"ids": same[:50]}
        yield Failure(cause, count=len(same), text=str(results[same[0]]), evidence=evidence)


def silent_id_failures(subject: Subject) -> Iterator[Failure]:
    """Ids that are none and decode to nothing, between tokens that are kept."""
    around = encode_all(("a", "b"), subject)
    if any(isinstance(ids, Raised) for ids in around):
        return
    before, after = around
    odd = [number for some in invalid_ids(subject).values() for number in some]
    results = decode_all([[*before, number, *after] for number in odd], subject)
    whole = decode_all([[*before, *after]], subject)
    lost = [n for n, text in zip(odd, results, strict=True) if text == whole[0]]
    if lost:
        message = f"{lost[0]} and others are no ids, and decode to nothing, in silence"
        cause = Cause("ids lost in silence", (("by", "decode"),), Verdict.RISK, message)
        yield Failure(cause, count=len(lost), evidence={"ids": lost})


def _means(text: str) -> bool:
    """Whether a text is none that decoders give for what they do not know."""
    return bool(text.strip("\ufffd ?")) and "unk" not in text.lower()


def _samples(alone: Mapping[int, object], subject: Subject) -> dict[int, str]:
    """Some ids whose texts all differ; 0 may be what stands for the unknown."""
    special = set(subject.target.special_tokens.values())
    texts = alone
    if not alone:
        ids = [
            ids
            for ids in encode_all(("a", "b", "c", "d"), subject)
            if isinstance(ids, list) and len(ids) == 1 and isinstance(ids[0], int)
        ]
        texts = {one[0]: text for one, text in zip(ids, decode_all(ids, subject), strict=True)}
    found: dict[str, int] = {}
    for number, text in texts.items():
        if isinstance(text, str) and text.strip("\ufffd ") and number and number not in special:
            found.setdefault(text, number)
        if len(found) == SAMPLES:
            break
    return {number: text for text, number in found.items()}
