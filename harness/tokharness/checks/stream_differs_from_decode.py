r"""Decoding ids as a stream gives a different text than decoding them at once.

Why it matters: users see the stream of a model. A stream that decodes each token alone shows U+FFFD
for every character of two or more tokens, such as many emoji. A stream that waits for the rest of a
character may never show a U+FFFD that is in the text, or may lose the end. A stream that keeps the
rest for the next call gives a user bytes of another user's text.

Oracle: invariant of one target. The parts that ``decode_stream(ids)`` yields, joined, are
``decode(ids)``: for a whole text, for a text that is cut off inside a character and so ends in
U+FFFD, and for the next text after such a cut. The number of U+FFFD for one cut is not compared.
TOK101 reports text that ``decode`` itself loses.

Verdicts: *bug*. The cause is *U+FFFD for parts of a character*, *lost at the end*, *lost white
space* (for example if each piece is stripped), *lost text*, *added text*, *other white space*,
*leak from the stream before* (after another stream the same ids give another text), *without an
end*, *other text*, or the exception that the stream raises.

Example: a stream that decodes each token alone::

    TOK108 bug  stream: U+FFFD for parts of a character   "\u{1f9ff}"

What to do: use an incremental UTF-8 decoder for each stream, and flush it at the end.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness.boundary.exceptions import ResultTooLongError
from tokharness.diagnosis.comparisons import MAX_SHOWN, compared
from tokharness.diagnosis.state import state_cause
from tokharness.model import Batch, Cause, Failure
from tokharness.outcome import Raised, call

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.targets.subject import Subject

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
RUN = re.compile("\ufffd+")


class EndlessStreamError(Exception):
    """A stream yields more parts than the text can have."""


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
            return [LEAK]
        return _causes(streamed, whole) if again != whole else [state_cause(subject)]
    return _prefix_causes(text, ids, subject)


def audit(subject: Subject) -> Iterator[Failure]:
    """Diagnose characters of several tokens, and U+FFFD, which a stream may hold back."""
    unexplained = [(text, causes) for text in PROBES if (causes := diagnose(text, subject))]
    while unexplained:
        counts = Counter(cause for _, causes in unexplained for cause in causes)
        [(cause, _)] = counts.most_common(1)  # among equals the first, which is the narrowest
        yield Failure(cause, text=next(text for text, causes in unexplained if cause in causes))
        unexplained = [(text, causes) for text, causes in unexplained if cause not in causes]


def evidence(text: str, cause: Cause, subject: Subject) -> dict[str, Any]:
    """Return the pieces of the stream as they came, joined, and what decode gives."""
    ids = subject.encode(text)
    whole = None if ids is None else subject.decode(ids)
    if ids is None or whole is None:
        return {}
    pieces = _pieces(ids, text, subject)
    if _joined(pieces) != whole and cause != LEAK:
        return _shown(ids, pieces, whole, subject)
    for cut in _cut_streams(text, ids, subject):
        if cut.leaks and cause == LEAK:
            stream = _shown(cut.plain, cut.after, cut.wanted_after, subject)
            part = f"a stream after that of the first {len(cut.ids):,} of {len(ids):,} ids"
            return {"for": part, "ids of the stream before": cut.ids, **stream}
        if not _are_alike(_joined(cut.pieces), cut.wanted) and cause != LEAK:
            part = f"the first {len(cut.ids):,} of {len(ids):,} ids"
            return {"for": part, **_shown(cut.ids, cut.pieces, cut.wanted, subject)}
    return {}


def _shown(ids: Sequence[int], pieces: Any, wanted: str, subject: Subject) -> dict[str, Any]:
    record = compared(_joined(pieces), wanted, subject)
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
        return bool(_joined(self.after) != self.wanted_after)


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
        if cut.leaks and _stream(cut.plain, PLAIN, subject) == cut.wanted_after:
            return [LEAK]
        streamed = _joined(cut.pieces)
        if not _are_alike(streamed, cut.wanted):
            return _causes(streamed, cut.wanted)
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


def _is_rest(rest: str, earlier: str) -> bool:
    return not rest.strip("\ufffd") or rest.endswith(earlier) or earlier.endswith(rest)


LEAK = Cause(
    "stream",
    (("is", "leak from the stream before"),),
    message="a stream begins with the rest of the stream before it",
)


def _stream(ids: Sequence[int], text: str, subject: Subject) -> Any:
    """Parts of a stream, joined, or what it raises."""
    return _joined(_pieces(ids, text, subject))


def _pieces(ids: Sequence[int], text: str, subject: Subject) -> Any:
    """Parts of a stream, or what it raises; an endless stream raises EndlessStreamError."""
    parts = subject.target.call("decode_stream", ids)
    if not isinstance(parts, Raised) and len(parts) > len(ids) + 2 * len(text) + 256:
        return Raised(EndlessStreamError())
    return parts


def _joined(parts: Any) -> Any:
    return parts if isinstance(parts, Raised) else call("".join, parts)


def _are_alike(streamed: Any, wanted: str) -> bool:
    """Whether two texts are equal except for the lengths of runs of U+FFFD."""
    return streamed == wanted or (
        isinstance(streamed, str) and RUN.sub("\ufffd", streamed) == RUN.sub("\ufffd", wanted)
    )


def _causes(streamed: Any, wanted: str) -> list[Cause]:
    """Causes that may explain a stream, the narrowest first; further texts decide among them."""
    if isinstance(streamed, Raised):
        if isinstance(streamed.error, EndlessStreamError | ResultTooLongError):
            return [_cause("without an end", "a stream yields more parts than the text can have")]
        name = type(streamed.error).__name__
        message = f"decode_stream raises {name} on ids that decode accepts"
        return [_cause(f"raises {name}", message)]
    if streamed.count("\ufffd") > wanted.count("\ufffd"):
        message = "a stream has U+FFFD in place of a character whose bytes are in several tokens"
        return [_cause("U+FFFD for parts of a character", message)]
    if _is_subsequence(streamed, wanted):
        return _loss_causes(streamed, wanted)
    if "".join(streamed.split()) == "".join(wanted.split()):
        return [_cause("other white space", "a stream gives other white space than decode does")]
    if _is_subsequence(wanted, streamed):
        message = "a stream gives all of the text, and in it text that decode does not give"
        return [_cause("added text", message)]
    return [_cause("other text", "a stream gives a different text than decoding all ids at once")]


def _loss_causes(streamed: str, wanted: str) -> list[Cause]:
    """Causes that may explain a stream that only loses text."""
    causes = []
    if wanted.startswith(streamed):
        lost = "the end of the text"
        if not wanted[len(streamed) :].strip("\ufffd"):
            lost = "U+FFFD at the end, of the text or for ids that end inside a character"
        causes.append(_cause("lost at the end", f"a stream does not give {lost}"))
    if "".join(streamed.split()) == "".join(wanted.split()):
        causes.append(_cause("lost white space", "a stream loses white space of the text"))
    return [*causes, _cause("lost text", "a stream loses a part of the text")]


def _is_subsequence(streamed: str, wanted: str) -> bool:
    rest = iter(wanted)
    return all(character in rest for character in streamed)


def _cause(problem: str, message: str) -> Cause:
    return Cause("stream", (("is", problem),), message=message)
