"""Decode sequences of ids with target and reference, and split sequences that differ.

A difference of the decoded texts has one of several kinds.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tokharness.boundary.values import all_exact
from tokharness.diagnosis.probes.id_sequences import invalid_ids
from tokharness.diagnosis.text.normal_forms import FORMS
from tokharness.diagnosis.text.stripped_white_space import STRIPPED
from tokharness.errors import SkippedTextError, TargetDeath
from tokharness.escaping import join_surrogate_pairs
from tokharness.model import Cause, Verdict, decoded_text
from tokharness.outcome import Raised, call

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

MOST_CALLS = 4000
"""Most sequences that are decoded to find the ids that decode differently."""


def comparable_ids(subject: Subject) -> range:
    """Ids below the size of the vocabulary of either side; empty if neither shows it."""
    sizes = [side.n_vocab or 0 for side in (subject.target, subject.reference) if side]
    return range(max(sizes))


def contradicted_ids(subject: Subject) -> frozenset[int]:
    """Ids about which a vocabulary contradicts itself, or that several special tokens have.

    Checks of the vocabulary report them.
    """
    sides = [side for side in (subject.target, subject.reference) if side is not None]
    conflicting = {number for side in sides for number in side.conflicting_tokens}
    counts = Counter(subject.special_tokens.values())
    return frozenset(conflicting | {number for number, count in counts.items() if count > 1})


@dataclass
class Comparison:
    """Compares the decoded texts of ids, with a bounded number of calls to split sequences."""

    subject: Subject
    calls: int = 0
    taken_apart: bool = True
    _known: dict[Any, bool] = field(default_factory=dict)

    def differences(self, sequences: Iterable[Sequence[Any]]) -> Iterator[Difference]:
        """Yield the smallest parts of sequences that decode differently.

        A part on which both sides raise is split too, because some of its ids may still differ.
        """
        rows = [ids for ids in map(list, sequences) if self._is_sendable(ids)]
        target, reference = self.subject.target, self.subject.reference
        assert reference is not None  # noqa: S101 - the check requires one
        ours, theirs = decode_column(rows, target), decode_column(rows, reference)
        if ours == theirs:
            return
        for ids, got, want in zip(rows, ours, theirs, strict=True):
            if got != want or isinstance(got, Raised):
                yield from self._take_apart(ids, got, want)

    def compare(self, ids: Sequence[Any]) -> Difference | None:
        """Return how one sequence decodes differently; None if it does not."""
        self.calls += 1
        reference = self.subject.reference
        assert reference is not None  # noqa: S101 - the check requires one
        return self._difference(ids, self.subject.target.decode(ids), reference.decode(ids))

    def is_known(self, number: Any) -> bool:
        """Whether an id has a token, as far as the reference or the target shows it."""
        if number not in self._known:
            self._known[number] = self._has_token(number)
        return self._known[number]

    def _take_apart(self, ids: list[Any], got: Any, want: Any) -> Iterator[Difference]:
        difference = self._difference(ids, got, want)
        both_raise = isinstance(got, Raised) and isinstance(want, Raised)
        if len(ids) < 2 or (difference is None and not both_raise):
            if difference is not None:
                yield difference
            return
        if self.calls >= MOST_CALLS:
            self.taken_apart = False
            if difference is not None:
                yield difference
            return
        middle = len(ids) // 2
        inside: list[Difference] = []
        for part in (ids[:middle], ids[middle:]):
            self.calls += 1
            reference = self.subject.reference
            results = [side.decode(part) for side in (self.subject.target, reference) if side]
            inside += self._take_apart(part, *results)
        if not inside and difference is not None:
            inside = [difference]  # neither half differs alone
        yield from inside

    def _difference(self, ids: Sequence[Any], got: Any, want: Any) -> Difference | None:
        if not contradicted_ids(self.subject).isdisjoint(ids):
            return None
        got, want = self._as_received(got), self._as_received(want)
        special = self.subject.special_tokens.items()
        inside = set(ids)
        texts = [text for text, number in special if number in inside]
        known = all(map(self.is_known, ids))
        kinds = kinds_of_difference(got, want, texts, known=known)
        return Difference(kinds, tuple(ids), got, want) if kinds else None

    def _as_received(self, text: Any) -> Any:
        """Return a decoded text with its surrogate pairs joined, if one side is a program."""
        sides = (self.subject.target, self.subject.reference)
        joins = any(side.joins_pairs for side in sides if side is not None)
        return join_surrogate_pairs(text) if joins and isinstance(text, str) else text

    def _has_token(self, number: Any) -> bool:
        if number in self.subject.special_tokens.values():
            return True
        sides = (self.subject.reference, self.subject.target)
        for side in sides:
            if side is not None and side.can("decode_single_token_bytes"):
                return isinstance(side.call("decode_single_token_bytes", number), bytes)
        return number in comparable_ids(self.subject)

    def _is_sendable(self, ids: list[Any]) -> bool:
        """Whether both sides can receive the ids: integers, of 32 bits if a side is a process."""
        if not ids or not all_exact(list(ids), int):
            return not ids
        small = min(ids) >= -(2**31) and max(ids) < 2**31
        sides = (self.subject.target, self.subject.reference)
        return small or not any(side.has_own_process for side in sides if side is not None)


def decode_column(rows: Sequence[list[Any]], side: Target) -> list[Any]:
    """Decode each sequence to its text, or to Raised."""
    results = side.call_each("decode", [list(ids) for ids in rows])
    return [
        text if isinstance(text, Raised | str) else call(decoded_text, text) for text in results
    ]


# Sequences of ids that target and reference decode, for a comparison of what they give.

PACKED = 128
"""Ids of a sequence in which ids of the vocabulary are decoded together."""

TEXTS = (
    "a",
    "b c",
    " the",
    "caf\u00e9",
    "\u4e2d\u6587",
    "\U0001f9ff",
    "\n\n x",
    "don't",
    "e\u0301",
)
SEQUENCES, LONGEST, MOST_SPECIAL = 300, 12, 256


def cut_sequences(ids: Sequence[Any]) -> list[list[Any]]:
    """Return the ids without the first one, and without the last one."""
    return [list(ids[1:]), list(ids[:-1])]


def all_sequences(subject: Subject) -> Iterator[list[Any]]:
    """All ids, packed; special ids alone and between two letters; random and cut sequences."""
    contradicted = contradicted_ids(subject)
    special = sorted(set(subject.special_tokens.values()) - contradicted)
    numbers = set(comparable_ids(subject)) - contradicted
    encoded = [ids for text in TEXTS if (ids := subject.encode(text)) is not None]
    rows = [ids for ids in encoded if contradicted.isdisjoint(ids)]
    ordinary = sorted(numbers.difference(special)) or sorted({i for ids in rows for i in ids})
    for start in range(0, len(ordinary), PACKED):
        yield ordinary[start : start + PACKED]
    letter = rows[0] if rows else []
    for number in special[:: -(-len(special) // MOST_SPECIAL) or 1] + special[-1:]:
        yield from ([number], [*letter, number, *letter])
    yield []
    for ids in rows:
        yield from (ids, *cut_sequences(ids), *([number] for number in ids))
    draw = random.Random(202)
    for _ in range(SEQUENCES if ordinary else 0):
        yield draw.choices(ordinary, k=draw.randint(1, LONGEST))


def ids_without_token(subject: Subject) -> list[int]:
    """Ids outside the vocabularies of both sides."""
    size = len(comparable_ids(subject))
    invalid = {number for numbers in invalid_ids(subject).values() for number in numbers}
    return sorted(n for n in invalid | {size, size + 1} if not 0 <= n < size)


UNCOMPARED = (TargetDeath, MemoryError, SkippedTextError)
RUN = re.compile("\ufffd+")

OF_A_TEXT = frozenset({"a space at the start", "white space", "normal form", "other text"})
"""Kinds that the check of the round trip may report too."""

OF_UNKNOWN_IDS = frozenset({"unknown ids refused", "unknown ids accepted", "text of unknown ids"})

MESSAGES = {
    "unknown ids refused": "decode raises on ids without a token, which the reference decodes",
    "unknown ids accepted": "decode gives a text for ids on which the reference raises",
    "text of unknown ids": "ids without a token decode to a different text than with the reference",
    "special tokens left out": "decode leaves out special tokens, which the reference shows",
    "special tokens shown": "decode shows special tokens, which the reference leaves out",
    "special tokens refused": "decode raises on special tokens, which the reference decodes",
    "parts of characters refused": "decode raises on bytes that form no character, which the "
    "reference decodes to U+FFFD",
    "number of U+FFFD": "a part of a character becomes another number of U+FFFD",
    "bytes dropped": "bytes that form no character decode to nothing, and with the reference to "
    "U+FFFD",
    "runs of bytes": "where bytes form no character, one side has U+FFFD for these alone, and the "
    "other for each byte of the tokens around them, too",
    "ids refused": "decode raises on ids that the reference decodes",
    "a space at the start": "decoded text begins with a space on one side only",
    "a space at the end": "decoded text ends with the space that stands between words",
    "white space": "decoded text has other white space than with the reference",
    "normal form": "decoded text is normalized, and with the reference it is not",
    "text of the unknown token": "the unknown token has another text than with the reference",
    "other text": "ids decode to a different text than with the reference",
    "other bytes": "decode_bytes gives other bytes than that of the reference",
}

VERDICTS = {
    **dict.fromkeys(
        (
            *("unknown ids refused", "unknown ids accepted", "text of unknown ids"),
            *("special tokens left out", "special tokens shown", "number of U+FFFD"),
            "runs of bytes",
        ),
        Verdict.FACT,
    ),
    "bytes dropped": Verdict.RISK,
}
"""Verdicts for kinds that are a matter of design, unless the user named the reference."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A sequence of ids that target and reference decode differently; some kinds may name it."""

    kinds: tuple[str, ...]
    ids: tuple[Any, ...]
    got: Any
    want: Any


def kind_cause(kind: str, *, claims_parity: bool) -> Cause:
    """Make the cause of a kind of difference."""
    verdict = Verdict.BUG if claims_parity else VERDICTS.get(kind, Verdict.BUG)
    return Cause("decoding", (("differs", kind),), verdict, MESSAGES[kind])


def kinds_of_difference(
    got: Any, want: Any, special: Iterable[str], *, known: bool
) -> tuple[str, ...]:
    """Kinds that may name the difference of two results, each a text or Raised; () if equal.

    ``special`` are the texts of the special tokens among the ids, ``known`` says that all ids have
    a token.
    """
    if any(isinstance(r, Raised) and isinstance(r.error, UNCOMPARED) for r in (got, want)):
        return ()
    if isinstance(got, Raised) or isinstance(want, Raised):
        if isinstance(got, Raised) is isinstance(want, Raised):
            return ()
        if isinstance(want, Raised):
            return ("unknown ids accepted",)
        return ("ids refused",) if known else ("unknown ids refused",)
    if got == want:
        return ()
    return _kinds_for_texts(got, want, special) if known else ("text of unknown ids",)


def _kinds_for_texts(got: str, want: str, special: Iterable[str]) -> tuple[str, ...]:
    tokens = sorted(special, key=len, reverse=True)
    if tokens and _without(want, tokens) == got:
        return ("special tokens left out",)
    if tokens and _without(got, tokens) == want:
        return ("special tokens shown",)
    if got.replace("\ufffd", "") == want.replace("\ufffd", ""):
        same_places = RUN.sub("\ufffd", got) == RUN.sub("\ufffd", want)
        fewer = got.count("\ufffd") < want.count("\ufffd")
        names = (("number of U+FFFD", same_places or not fewer), ("bytes dropped", fewer))
        return tuple(name for name, fits in names if fits)
    if _has_whole_runs(got, want) or _has_whole_runs(want, got):
        return ("runs of bytes",)
    if want in (f" {got}", got.removeprefix(" ")):
        return ("a space at the start",)
    if "".join(got.split()) == "".join(want.split()):
        return ("white space",)
    if any(form(want) == got for name, form in FORMS.items() if name not in STRIPPED):
        return ("normal form",)
    return ("other text",)


def _has_whole_runs(text: str, other: str) -> bool:
    """Whether the texts are equal, but for longer runs of U+FFFD in place of whole characters.

    A run has at least a U+FFFD for each byte that it stands for in the other text.
    """
    first, *literals = RUN.split(text)
    ends = {len(first)} if other.startswith(first) else set()
    for run, literal in zip(RUN.findall(text), literals, strict=True):
        ends = {
            after + len(literal)
            for start in ends
            for after in range(start + 1, start + len(run) + 1)
            if other.startswith(literal, after) and _fits(other[start:after], run)
        }
    return "\ufffd" in text and len(other) in ends


def _fits(part: str, run: str) -> bool:
    return "\ufffd" in part and len(part.replace("\ufffd", "\0").encode()) <= len(run)


def _without(text: str, tokens: list[str]) -> str:
    for token in tokens:
        text = text.replace(token, "")
    return text
