"""A parser gives a part of a stream twice, or to two fields, however the stream is cut.

Why it matters: a client that joins the events shows a sentence twice, or shows the reasoning, which
is not to be shown, with the answer.

Oracle: invariant of one parser. A word that occurs once in a stream occurs at most once in all its
events.

How it works: the words of four and more letters that a stream has once, and that no other word of
it contains, are looked for in the events of the whole stream, fed at once. A stream whose
fields are others when each character is fed alone is left to TOK701.

Verdicts: *bug*. The cause is *in two fields* or *twice in a field*.

Example: a parser that gives the arguments of a call as content, too::

    TOK702 bug  text given twice: in two fields   "<tool_call>{...}</tool_call>"

What to do: give each part of a stream in one event; a summary of all events is no event.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokharness.model import Cause
from tokharness.parsing.problems import Problem, are_read_alike, shown_events, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.parsing.parser import Parser, Stream

CODE = "TOK702"
NAME = "text-given-twice"

__all__ = ["CODE", "NAME", "problems"]

WORD = re.compile(r"[a-z]{4,}")


def problems(parser: Parser, stream: Stream) -> Iterator[Problem]:
    """Yield a problem if a word of a stream is in the events twice."""
    if isinstance(stream, tuple) or not all(are_read_alike(parser, [stream])):
        return
    text = text_of(stream)
    parsed = parser.parse((stream,))
    fields = parsed.by_field()
    for word in WORD.findall(text):
        counts = [given.count(word) for given in fields.values()]
        if text.count(word) != 1 or sum(counts) < 2:
            continue
        where = "in two fields" if max(counts) == 1 else "twice in a field"
        message = f"a parser gives a word that a stream has once {where}"
        cause = Cause("text given twice", (("where", where),), message=message)
        evidence = {"word": word, "given": shown_events(parsed), "expected": "the word once"}
        yield Problem(cause, (stream,), evidence)
        return
