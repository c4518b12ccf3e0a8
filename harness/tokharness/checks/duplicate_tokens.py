"""Two token ids stand for the same bytes, or for texts that are equal in another form.

Why it matters: the encoder produces at most one of two ids with the same bytes. The second id was
never trained, and its decoded text is not encoded to it again. Counts, log probabilities and
filters by id treat one text as two. If only the normal form or the look is the same, both ids are
in use, and a filter for one id misses the other.

Oracle: static, over the vocabulary. Ids with equal bytes are duplicates, unless the encoder
produces all ids of a word in different places (WordPiece has an id for the start of a word and an
id for its inside). The check reports a second id in a vocabulary file even if the target keeps only
one id per token. Other tokens are compared by their text without the marks of the format (``##``,
``</w>``), by NFC, and by skeleton (UTS #39), in this order. Parts of characters are left out, and
so are look-alikes of one character, such as "0" and "O".

Verdicts: *bug* for equal bytes. *Fact*, once, for tokens whose bytes differ and whose texts are
equal in another form, with a table by form. *Fact*, once, for a vocabulary with *byte fallback*
(SentencePiece): it has 256 ids for single bytes in addition to its pieces, so each piece of one
ASCII character has a twin.

Example: a vocabulary that was extended with a word that it already had::

    TOK406 bug  duplicate tokens   ids 1,820 and 100,300 are both " the"

What to do: remove the duplicate before training a model; afterwards, keep it out of the encoder and
mask its id when sampling. Tokens that are equal in another form may stay: normalize text to NFC
before it is encoded, and filter by skeleton, not by id.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.token_content.texts import (
    PARTIAL,
    changed_by_nfc,
    content_texts,
    skeletons,
)
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.targets.subject import Subject

__all__ = ["CODE", "NAME", "REQUIRES", "audit"]


# Tokens of different bytes that are equal as text, in NFC, or by their skeletons (UTS #39).

MOST_GROUPS = 50


@dataclass(frozen=True, slots=True)
class EqualForms:
    """Groups of ids whose tokens are equal in a form; ``texts`` has the texts of all tokens."""

    form: str
    groups: Sequence[Sequence[int]]
    texts: Mapping[int, str]

    @property
    def example(self) -> Sequence[int]:
        """The first group of texts of two or more characters, or the first group."""
        return max(self.groups, key=lambda ids: min(len(self.texts[n].strip()) for n in ids) > 1)

    def record(self) -> dict[str, Any]:
        """Return a row of a table as plain data."""
        first, second, *_ = self.example
        return {
            "equal in": self.form,
            "groups": len(self.groups),
            "tokens": sum(map(len, self.groups)),
            "example": self.texts[first],
            "its id": first,
            "equal to": self.texts[second],
            "id of that": second,
            "ids": [list(ids) for ids in self.groups[:MOST_GROUPS]],
        }


def equal_forms(subject: Subject) -> list[EqualForms]:
    """Return the groups of equal tokens for each form that has some, without parts of characters.

    A group of a form has tokens that are not equal in the forms before it. Look-alikes of one
    character are left out, since each vocabulary has "0" and "O".
    """
    texts, changed = content_texts(subject), changed_by_nfc(subject)
    forms = set(changed.values())
    composed = {number: text for number, text in texts.items() if text in forms}
    long = ([n for n in ids if len(texts[n].strip()) > 1] for ids in _groups(skeletons(subject)))
    found = {
        # If tokens are shown as bytes, equal texts mean equal bytes.
        "text": [] if subject.vocabulary() else _groups(texts),
        "NFC": [
            ids for ids in _groups({**composed, **changed}) if len({texts[n] for n in ids}) > 1
        ],
        "skeleton": [ids for ids in long if len({changed.get(n, texts[n]) for n in ids}) > 1],
    }
    whole = {
        form: sorted(ids for ids in groups if PARTIAL not in texts[ids[0]])
        for form, groups in found.items()
    }
    return [EqualForms(form, groups, texts) for form, groups in whole.items() if groups]


def _groups(keys: Mapping[int, str]) -> list[list[int]]:
    """Return the ids of each key that several ids share."""
    counts = Counter(keys.values())
    if len(counts) == len(keys):
        return []
    several = {key for key, count in counts.items() if count > 1}
    groups: dict[str, list[int]] = {}
    for number, key in keys.items():
        if key in several:
            groups.setdefault(key, []).append(number)
    return [sorted(ids) for ids in groups.values()]


CODE = "TOK406"
NAME = "duplicate-tokens"
REQUIRES = ("decode_single_token_bytes or token_text", "n_vocab")

MOST_SHOWN = 50
FALLBACK_TWINS = 16
"""Smallest number of bytes with a twin at which a block of 256 counts as byte fallback."""

CONTEXTS = ("{}", "x{}", "x {}", " {}")
"""Contexts in which the encoder may give a word other ids: at a start, or within a word."""


def audit(subject: Subject) -> Iterator[Failure]:
    """Group the ids by their bytes and other forms, and report groups of several ids."""
    if groups := _duplicates({**subject.vocabulary(), **subject.target.conflicting_tokens}):
        yield from _of_equal_bytes(groups, subject)
    if rows := equal_forms(subject):
        counts = ", ".join(
            f"{row.form} {len(row.groups):,} (ids {row.example[0]:,} and {row.example[1]:,})"
            for row in rows
        )
        message = f"groups of tokens with different bytes that are equal in another form: {counts}"
        yield Failure(
            Cause("tokens equal in another form", (), Verdict.FACT, message),
            count=sum(len(row.groups) for row in rows),
            text=rows[0].texts[rows[0].example[0]],
            evidence={"forms": [row.record() for row in rows]},
            tokens={f"equal in {row.form}": list(chain.from_iterable(row.groups)) for row in rows},
        )


def _of_equal_bytes(groups: dict[bytes, list[int]], subject: Subject) -> Iterator[Failure]:
    block = _byte_block(subject.vocabulary())
    twins = [data for data, ids in groups.items() if len(block.intersection(ids)) == 1]
    in_use = any(_encoded_ids(data, subject) & block.intersection(groups[data]) for data in twins)
    if len(twins) >= FALLBACK_TWINS and not in_use:
        message = (
            f"{len(twins):,} of the 256 ids for single bytes (byte fallback) have the bytes of "
            "another piece"
        )
        cause = Cause("byte fallback", (), Verdict.FACT, message)
        bytes_with_twins = [number for data in twins for number in groups[data] if number in block]
        yield Failure(cause, count=len(twins), text=min(twins), tokens={"": bytes_with_twins})
        groups = {data: [i for i in ids if i not in block] for data, ids in groups.items()}
    groups = {
        data: ids
        for data, ids in groups.items()
        if len(ids) > 1 and not _encoded_ids(data, subject).issuperset(ids)
    }
    if groups:
        smallest = min(groups, key=lambda data: (len(data), data))
        first, second, *_ = groups[smallest]
        message = (
            f"the ids {first:,} and {second:,} stand for the same bytes; "
            f"byte strings with several ids: {len(groups):,}"
        )
        yield Failure(
            Cause("duplicate tokens", message=message),
            count=len(groups),
            text=smallest,
            evidence={"ids": list(groups.values())[:MOST_SHOWN]},
            tokens={"": list(chain.from_iterable(groups.values()))},
        )


def _encoded_ids(data: bytes, subject: Subject) -> frozenset[int]:
    """Ids that the encoder gives for a word in all contexts; none for bytes that are not text."""
    try:
        word = data.decode()
    except UnicodeDecodeError:
        return frozenset()
    ids = [subject.encode(context.format(word)) or [] for context in CONTEXTS]
    return frozenset(chain.from_iterable(ids))


def _duplicates(vocabulary: Mapping[int, bytes]) -> dict[bytes, list[int]]:
    """Return the ids of each byte string with several; an id without bytes is a hole, left out."""
    if len(set(vocabulary.values())) == len(vocabulary):
        return {}
    groups: dict[bytes, list[int]] = {}
    for number, data in sorted(vocabulary.items()):
        if data:
            groups.setdefault(data, []).append(number)
    return {data: ids for data, ids in groups.items() if len(ids) > 1}


def _byte_block(vocabulary: Mapping[int, bytes]) -> frozenset[int]:
    """256 consecutive ids that stand for the 256 bytes in order; empty if there are none."""
    for number, data in vocabulary.items():
        if data == b"\0" and all(
            vocabulary.get(number + byte) == bytes([byte]) for byte in range(256)
        ):
            return frozenset(range(number, number + 256))
    return frozenset()
