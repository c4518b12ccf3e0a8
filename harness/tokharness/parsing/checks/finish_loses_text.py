"""A parser does not give text that it has seen, if the stream ends too early.

Why it matters: a model stops at its limit of tokens in the middle of a sentence or a marker. What
the parser holds back, since it may be the start of a marker, is then lost, unless ``finish()``
gives it.

Oracle: invariant of one parser. A word of the start of a stream that the events of the whole stream
have is in the events of the start alone, too. So is the end of a start with which the events of the
whole stream begin, white space excepted.

How it works: each stream is cut off at each place behind a word and at up to eight characters
behind it, and finished there. A stream, or a start of it, whose fields are others when each
character is fed alone is left to TOK701, and so is a parser whose text at the end TOK701 finds to
be lost in some cuttings only.

Verdicts: *risk*, since a parser may leave out the start of a call whose end is missing.

Example: a parser that forgets in ``finish()`` what may be the start of a marker::

    TOK703 risk  text lost at the end   "plan <"

What to do: give in ``finish()`` what was held back.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokharness.model import Cause, Verdict
from tokharness.parsing.problems import Problem, are_read_alike, shown_events, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.parsing.parser import Parser, Stream

CODE = "TOK703"
NAME = "finish-loses-text"

__all__ = ["CODE", "NAME", "problems"]

WORD = re.compile(r"[a-z]{4,}(?![a-z])")
BEHIND = (0, 1, 2, 4, 8)
MOST_STARTS = 60

CAUSE = Cause(
    "text lost at the end",
    verdict=Verdict.RISK,
    message="a parser does not give text of a stream that ends behind it, and gives it if the "
    "stream goes on",
)


def problems(parser: Parser, stream: Stream) -> Iterator[Problem]:
    """Yield a problem if the events of a start lack a word that those of the whole have."""
    if isinstance(stream, tuple) or not all(are_read_alike(parser, [stream])):
        return
    text = text_of(stream)
    whole = parser.parse((stream,)).text
    words = WORD.finditer(text)
    found = [one for one in words if whole.count(one[0]) == text.count(one[0]) == 1]
    ends = {min(one.end() + more, len(text)) for one in found for more in BEHIND}
    starts = [text[:end] for end in sorted(ends)][:MOST_STARTS]
    rows = [one.encode() if isinstance(stream, bytes) else one for one in starts]
    for start, row, is_alike in zip(starts, rows, are_read_alike(parser, rows), strict=True):
        if not is_alike:
            continue
        parsed = parser.parse((row,))
        lost = [one[0] for one in found if one.end() <= len(start) and one[0] not in parsed.text]
        expected = start if whole.startswith(start) else whole
        if expected == start and start.startswith(parsed.text):
            end = start[len(parsed.text) :]
            lost += [end] if end.strip() else []
        if lost:
            evidence = {"lost": lost[-1], "given": shown_events(parsed), "expected": expected}
            yield Problem(CAUSE, (row,), evidence)
            return
