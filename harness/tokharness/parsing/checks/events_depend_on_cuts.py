r"""The events of a stream depend on where it is cut into deltas.

Why it matters: a server gets the output of a model in parts, and where they end depends on the
tokens, on the network and on the load. A parser that looks for a marker in each part alone misses
the marker that two parts share: reasoning is then shown as the answer, or a tool is not called. No
test with whole outputs sees that.

Oracle: invariant of one parser. The events of all deltas and of ``finish()``, joined, are the same
however a stream is cut. Which of two ways is right is not known: both are shown.

How it works: outputs of models in some formats, unfinished ones among them, and the examples and
markers that the parser declares are cut at once, after each character, at each single place, in
groups, into pieces as long as tokens, at random, and with empty deltas. A parser that takes bytes
gets cuts inside of characters. Each way gets a new parser.

Verdicts: *bug*. The cause is what differs between a cut stream and the stream fed at once: *lost
text*, *text twice* or *in two fields*, *the field of a text*, *a marker as text*, *the order of
events*, *U+FFFD for parts of a character*, *other text*, or an exception. It is *an empty delta* if
only streams with such ones differ, and it says if only cuts *inside a character* do. A cause whose
smallest stream shows another cause, too, or does with one character left out or replaced, is not
reported.

The cause is *events depend on another stream* if parsers share what they keep, such as an attribute
of the class: a new parser gives other events after an earlier one in the same process than as the
first one in a new process, or while another one is fed. Then no streams are compared.

Example: a parser that looks for ``</think>`` in each delta::

    TOK701 bug  events depend on cuts: a marker as text   "</think>"

What to do: keep the end of the text that may be the start of a marker, and give it in ``finish()``.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from tokharness.model import Cause
from tokharness.parsing.parser import ENDS
from tokharness.parsing.problems import Problem, change, events_of, shown_events
from tokharness.parsing.streams import cuttings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.parsing.parser import Deltas, Parser, Stream

CODE = "TOK701"
NAME = "events-depend-on-cuts"

__all__ = ["CODE", "NAME", "problems"]

KIND = "events depend on cuts"
EMPTY = "an empty delta"


def problems(parser: Parser, stream: Stream) -> Iterator[Problem]:
    """Yield a problem for each way in which cuttings differ from the stream fed at once."""
    results = events_of(parser, cuttings(stream))
    whole = results[(stream,)]
    if whole.failure in ENDS:
        message = f"the parser ends with the {whole.failure} on a stream that is fed at once"
        yield Problem(Cause("parser ends", (("by", whole.failure),), message=message), (stream,))
        return
    by_change: dict[str, list[Deltas]] = {}
    for deltas, parsed in results.items():
        if what := change(parsed, whole, stream, parser.markers):
            by_change.setdefault(what, []).append(deltas)
    if by_change and all(map(_has_empty, chain.from_iterable(by_change.values()))):
        by_change = {EMPTY: [*chain.from_iterable(by_change.values())]}
    for what, rows in by_change.items():
        deltas = min(rows, key=len)
        evidence = {"given": shown_events(results[deltas]), "expected": shown_events(whole)}
        yield Problem(_cause(what, rows), deltas, evidence)


def _cause(what: str, rows: list[Deltas]) -> Cause:
    """Return the cause of what differs for some cuttings."""
    inside = "a cut is inside a character" if all(map(_is_inside_a_character, rows)) else ""
    parameters = (("is", what), *((("if", inside),) if inside else ()))
    how = f"if {inside}" if inside else "if the stream is cut in some ways"
    message = f"other events {how} than at once: {what}"
    if what == EMPTY:
        message = "a delta without text changes the events"
    return Cause(KIND, parameters, message=message)


def _has_empty(deltas: Deltas) -> bool:
    return not all(deltas)


def _is_inside_a_character(deltas: Deltas) -> bool:
    """Whether a delta of bytes starts with a byte that continues a character."""
    return any(isinstance(one, bytes) and one[:1] and one[0] & 0xC0 == 0x80 for one in deltas)
