r"""Decoding ids as a stream gives a different text than decoding them at once.

Why it matters: users see the stream of a model. A stream that decodes each token alone shows U+FFFD
for every character of two or more tokens, such as many emoji. A stream that waits for the rest of a
character may never show a U+FFFD that is in the text, or may lose the end. A stream that keeps the
rest for the next call gives a user bytes of another user's text. A model may choose any ids, also
such that no text is encoded to.

Oracle: invariant of one target. The parts that ``decode_stream(ids)`` yields, joined, are
``decode(ids)``: for a whole text, for a text that is cut off inside a character and so ends in
U+FFFD, for the next text after such a cut, and for any ids that ``decode`` accepts. The number of
U+FFFD for bytes that never become a character is not compared. TOK101 reports text that ``decode``
itself loses.

How it works: the check streams the ids of some texts, and ids that no text has: bytes that never
become a character at the start, inside and at the end, special tokens, ids without a token,
combining marks, U+0000, equal ids, and random ids of these kinds. If the target has
``decode_stream_calls``, a stream may not depend on how many ids a call gets, and it may not give
the text of the prompt before it, also if the prompt ends inside a character. A last part measures
how the time of a stream grows, in the profiles that measure growth.

Verdicts: *bug*. The cause is what the stream does: *U+FFFD for parts of a character*, *lost at the
end*, *lost white space* (for example if each piece is stripped), *drops* or *ends at bytes that
never become a character*, *forgets the last token* or *the first token*, *drops repeated tokens*,
*ends after* a number of *tokens* or *at* a character, *escapes of HTML*, *surrogates for characters
above U+FFFF*, *leaves out special tokens*, *drops some tokens*, *drops characters at the start* or
*end of a part*, *drops control characters*, *repeats the last token*, *repeats before a combining
mark*, *repeats a prompt*, a character that it drops or replaces, *leak from the stream before* (a
new process gives the right text), *without an end*, *gives parts that are no text*, or the
exception that it raises; else *lost*, *added* or *other text*. *Risk* if ``decode`` itself takes
back what it gave for fewer ids, or replaces valid characters next to invalid bytes, as decoders of
byte tokens do: no stream without a delay equals it; and if only the time of parts of characters,
which a model rarely chooses again and again, grows too fast.

Example: a stream that decodes each token alone::

    TOK108 bug  stream: U+FFFD for parts of a character   "\u{1f9ff}"

What to do: use an incremental UTF-8 decoder for each stream, and flush it at the end.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness.checks import superlinear_growth
from tokharness.checks.stream_differs_from_decode.causes import ENDLESS, causes_of
from tokharness.checks.stream_differs_from_decode.sampled_ids import (
    differences,
    differences_of_calls,
    growth,
)
from tokharness.checks.stream_differs_from_decode.streamed import (
    EndlessStreamError,
    are_alike,
    joined,
    stream_cause,
)
from tokharness.diagnosis.comparisons import MAX_SHOWN, compared
from tokharness.diagnosis.state import state_cause
from tokharness.errors import TargetError
from tokharness.model import Batch, Cause, Failure
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.targets.subject import Subject

    Row = tuple[str | None, list[Cause], Mapping[str, Any]]
    """A text, or None for ids that no text has; the causes; and the evidence, if already known."""

CODE = "TOK108"
NAME = "stream-differs-from-decode"
REQUIRES = ("decode_stream",)
COLUMNS = ("decoded",)

__all__ = ["CODE", "COLUMNS", "NAME", "REQUIRES", "audit", "diagnose", "evidence", "failing"]

PROBES = (
    *("\u00e9", "\u0378", "\u4e2d", "\ua9c5", "\U0001f9ff", "\U00013000", "\U0010fffe"),
    *("\ufffd", "a\ufffd", "\ufffd\ufffd", "\ufffda", "a", "word and word", " a ", "\n", "\0"),
    "e\u0301",
)
"""Characters of two to four bytes, few of which have a token of their own; U+FFFD; a mark."""

PLAIN, ANOTHER = "a", "bb"
MOST_CUTS = 32


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows whose stream differs from the decoded text."""
    rows = [row for row in batch.sampled_rows if batch.decoded[row] is not None]
    decoded = [batch.decoded[row] for row in rows]
    streamed = [_stream(batch.ids[row] or [], batch.texts[row], subject) for row in rows]
    if streamed == decoded:
        return []
    return [row for row, text in zip(rows, streamed, strict=True) if text != batch.decoded[row]]


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Return the causes for what the stream of this text, or of its first ids, gives."""
    ids = subject.encode(text)
    if ids is None:
        return []
    whole = subject.decode(ids)
    if whole is None:  # another check reports exceptions
        return []
    streamed = _stream(ids, text, subject)
    if streamed != whole:
        again = _stream(ids, text, subject)
        if _before(streamed, whole) and _begins_with_stream_before(text, ids, whole, subject):
            if _is_right_at_first(ids, whole, subject):
                return [LEAK]
            return causes_of(streamed, whole, ids, subject)
        if again == whole:
            return [state_cause(subject)]
        return causes_of(streamed, whole, ids, subject)
    return [] if _decode_keeps_state(subject) else _prefix_causes(text, ids, subject)


def audit(subject: Subject) -> Iterator[Failure]:
    """Diagnose characters of several tokens, ids that no text has, prompts, and growth."""
    if _decode_keeps_state(subject):  # TOK112 reports it; then decode says nothing of parts
        yield from _leaks_alone(subject)
        return
    rows: list[Row] = [(text, causes, {}) for text in PROBES if (causes := diagnose(text, subject))]
    if {LEAK, ENDLESS}.isdisjoint(cause for _, causes, _ in rows for cause in causes):
        rows += [(None, *found) for found in differences(subject)]
        rows += [(None, *found) for found in differences_of_calls(subject)]
        if _is_growth_measured(subject):
            rows += [(None, *found) for found in growth(subject)]
    yield from _fewest(rows)


PARTS = ("\U00013000", "\U0001f9ff", "\u0378", "\u4e2d")
"""Characters, most of which have several tokens."""


def _rows_with_parts(subject: Subject) -> list[tuple[list[int], list[int]]]:
    """Return the ids of some characters, each with those of its first part."""
    rows = [subject.encode(text) or [] for text in PARTS]
    return [(ids, ids[:-1]) for ids in rows if len(ids) > 1]


def _decode_keeps_state(subject: Subject) -> bool:
    """Whether decode gives another text for the same ids after a part of a character."""

    def ask() -> bool:
        for ids, part in _rows_with_parts(subject):
            before = subject.decode(ids)
            subject.decode(part)
            after = subject.decode(ids)
            if before != after:
                return True
        return False

    return subject.cache.get_or_compute("decode keeps state", ask)


def _leaks_alone(subject: Subject) -> Iterator[Failure]:
    """Yield the failure of a stream that gives other text after a part of a character."""
    for ids, part in _rows_with_parts(subject):
        before = _stream(ids, "", subject)
        _stream(part, "", subject)
        after = _stream(ids, "", subject)
        is_leak = isinstance(before, str) and _before(after, before)
        if is_leak and _is_right_at_first(ids, before, subject):
            evidence = {"ids of the stream before": part, "ids": ids}
            yield Failure(LEAK, evidence={**evidence, **compared(after, before, subject)})
            return


def _is_growth_measured(subject: Subject) -> bool:
    """Whether the run measures growth, which the quick profile does not, or this check alone."""
    return superlinear_growth.CODE in subject.checks or subject.checks <= {CODE}


def _fewest(rows: list[Row]) -> Iterator[Failure]:
    """Yield a failure for each of the fewest causes that explain all rows."""
    while rows:
        counts = Counter(cause for _, causes, _ in rows for cause in causes)
        [(cause, number)] = counts.most_common(1)  # among equals the first, which is the narrowest
        shown = next((text, evidence) for text, causes, evidence in rows if cause in causes)
        yield Failure(cause, count=number, text=shown[0], evidence=shown[1])
        rows = [row for row in rows if cause not in row[1]]


def evidence(text: str, cause: Cause, subject: Subject) -> dict[str, Any]:
    """Return the pieces of the stream as they came, joined, and what decode gives."""
    ids = subject.encode(text)
    whole = None if ids is None else subject.decode(ids)
    if ids is None or whole is None:
        return {}
    pieces = _pieces(ids, text, subject)
    if joined(pieces) != whole and cause != LEAK:
        return _shown(ids, pieces, whole, subject)
    for cut in _cut_streams(text, ids, subject):
        if cut.leaks and cause == LEAK:
            stream = _shown(cut.plain, cut.after, cut.wanted_after, subject)
            part = f"a stream after that of the first {len(cut.ids):,} of {len(ids):,} ids"
            return {"for": part, "ids of the stream before": cut.ids, **stream}
        if not are_alike(joined(cut.pieces), cut.wanted) and cause != LEAK:
            part = f"the first {len(cut.ids):,} of {len(ids):,} ids"
            return {"for": part, **_shown(cut.ids, cut.pieces, cut.wanted, subject)}
    return {}


def _shown(ids: Sequence[int], pieces: Any, wanted: str, subject: Subject) -> dict[str, Any]:
    record = compared(joined(pieces), wanted, subject)
    if not isinstance(pieces, Raised):
        record = {"pieces": list(map(str, pieces[:MAX_SHOWN])), **record}
    return {"ids": list(ids[:MAX_SHOWN]), **record}


@dataclass(frozen=True, slots=True)
class CutStream:
    """The stream of the first ids of a text, and the stream of a plain text after it."""

    ids: list[int]
    pieces: Any
    wanted: str
    plain: list[int]
    after: Any
    wanted_after: Any

    @property
    def leaks(self) -> bool:
        """Whether the plain text after the stream is not the expected text."""
        return bool(joined(self.after) != self.wanted_after)


def _cut_streams(text: str, ids: list[int], subject: Subject) -> Iterator[CutStream]:
    """Yield the streams of the first ids of a text, which may end inside a character."""
    plain = subject.encode(PLAIN) or []
    wanted = subject.target.decode(plain)
    for size in range(1, min(len(ids), MOST_CUTS)):
        cut = subject.decode(ids[:size])
        if cut is None:  # decode may refuse a part of a character
            continue
        pieces = _pieces(ids[:size], text, subject)
        after = _pieces(plain, PLAIN, subject)
        yield CutStream(ids[:size], pieces, cut, plain, after, wanted)


def _prefix_causes(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """Causes that only show if ids end inside a character, or in the stream after such ids."""
    for cut in _cut_streams(text, ids, subject):
        # The leak comes first, since the next stream begins with what this stream lost.
        is_once = cut.leaks and _stream(cut.plain, PLAIN, subject) == cut.wanted_after
        if is_once and _is_right_at_first(cut.plain, cut.wanted_after, subject):
            return [LEAK]
        streamed = joined(cut.pieces)
        if not are_alike(streamed, cut.wanted):
            return causes_of(streamed, cut.wanted, cut.ids, subject)
    return []


def _before(streamed: Any, wanted: str) -> str:
    """Return the text that a stream has before the right text; "" if there is none."""
    return streamed.removesuffix(wanted) if isinstance(streamed, str) and streamed != wanted else ""


def _begins_with_stream_before(text: str, ids: list[int], whole: str, subject: Subject) -> bool:
    """Whether a stream begins with the rest of the stream before it, and with nothing else.

    The rest is the end of that stream's text, or U+FFFD for a part of a character, and differs
    between streams.
    """
    rows = [(plain, subject.encode(plain) or []) for plain in (PLAIN, ANOTHER)]
    rows += [(text, ids[:size]) for size in range(1, min(len(ids), MOST_CUTS))]
    left = set[str]()
    for other, other_ids in rows:
        _stream(other_ids, other, subject)
        streamed = _stream(ids, text, subject)
        rest = _before(streamed, whole)
        earlier = subject.decode(other_ids) or ""
        if streamed != whole and not (rest and _is_rest(rest, earlier)):
            return False
        left.add(rest)
    return len(left) > 1


def _is_right_at_first(ids: list[int], wanted: str, subject: Subject) -> bool:
    """Whether the first stream in a new process is right; True if there is no such process."""

    def ask() -> bool:
        if subject.other_process is None:
            return True
        try:
            target = subject.other_process(1)
        except TargetError:
            return True
        try:
            return are_alike(joined(target.call("decode_stream", ids)), wanted)
        finally:
            target.close()

    return subject.cache.get_or_compute(f"first stream of {ids}", ask)


def _is_rest(rest: str, earlier: str) -> bool:
    return not rest.strip("\ufffd") or rest.endswith(earlier) or earlier.endswith(rest)


LEAK = stream_cause(
    "leak from the stream before", "a stream begins with the rest of the stream before it"
)


def _stream(ids: Sequence[int], text: str, subject: Subject) -> Any:
    """Parts of a stream, joined, or what it raises."""
    return joined(_pieces(ids, text, subject))


def _pieces(ids: Sequence[int], text: str, subject: Subject) -> Any:
    """Parts of a stream, or what it raises; an endless stream raises EndlessStreamError."""
    parts = subject.target.call("decode_stream", ids)
    if not isinstance(parts, Raised) and len(parts) > len(ids) + 2 * len(text) + 256:
        return Raised(EndlessStreamError())
    return parts
