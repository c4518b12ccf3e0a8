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
only streams with such ones differ, *a long delta* or *many deltas* if so many plain letters are not
kept in one delta or in single ones either, *text lost at the end* if the cuttings are alike once
the stream goes on, and it says if only cuts *inside a character* differ. A cause whose smallest
stream shows another cause, too, or does with one character left out or replaced, is not reported.
Where text stands that is given twice is left to TOK702.

The cause is *events depend on another stream* if parsers share what they keep, such as an attribute
of the class: a new parser gives other events after an earlier one in the same process than as the
first one in a new process, or while another one is fed. Then no streams are compared.

Example: a parser that looks for ``</think>`` in each delta::

    TOK701 bug  events depend on cuts: a marker as text   "</think>"

What to do: keep the end of the text that may be the start of a marker, and give it in ``finish()``.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import chain
from typing import TYPE_CHECKING, Any

from tokharness.model import Cause
from tokharness.parsing.parser import ENDS
from tokharness.parsing.problems import (
    LOST,
    MARKER_AS_TEXT,
    Problem,
    are_read_alike,
    changes,
    events_of,
    shown_events,
)
from tokharness.parsing.streams import cuttings, single_deltas

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.parsing.parser import Deltas, Parser, Stream

CODE = "TOK701"
NAME = "events-depend-on-cuts"

__all__ = ["CODE", "NAME", "problems"]

KIND = "events depend on cuts"
EMPTY, LONG, MANY = "an empty delta", "a long delta", "many deltas"
AT_THE_END = "text lost at the end"
MESSAGES = {
    EMPTY: "a delta without text changes the events",
    LONG: "a delta of many letters has other events than the letters alone",
    MANY: "many deltas of one letter have other events than deltas of two letters",
    AT_THE_END: "text that was held back is lost at the end of some cuttings, and not if the "
    "stream goes on",
}

LETTERS = "abcdefghijklmnopqrstuvwxyz"
FEW_LETTERS, MOST_LETTERS = 4, 512
"""Letters of deltas of which the shortest one that is not kept is looked for."""

MORE_TEXTS = (" and more words", "> and more words", "<> and more words.")
"""What a stream goes on with: it may also have to end what looks like a marker."""


def problems(parser: Parser, stream: Stream) -> Iterator[Problem]:
    """Yield a problem for each way in which cuttings differ from the stream fed at once."""
    results = events_of(parser, cuttings(stream))
    whole, at_once = results[(stream,)], "at once"
    if whole.failure in ENDS:
        message = f"the parser ends with the {whole.failure} on a stream that is fed at once"
        yield Problem(Cause("parser ends", (("by", whole.failure),), message=message), (stream,))
        return
    limit, most = _limit(parser, stream)
    if limit == LONG and len(stream) > most:
        whole, at_once = results[single_deltas(stream)], "in single characters"
    by_change: dict[tuple[str, ...], list[Deltas]] = {}
    for deltas, parsed in results.items():
        if what := changes(parsed, whole, stream, parser.markers):
            size = len(deltas) if limit == MANY else max(map(len, deltas))
            is_limited = limit and size > most
            by_change.setdefault((limit,) if is_limited else what, []).append(deltas)
    cut = {what: rows for what, rows in by_change.items() if what != (MANY,)}
    if cut and all(map(_has_empty, chain.from_iterable(cut.values()))):
        with_empty = [*chain.from_iterable(cut.values())]
        by_change = {what: by_change[what] for what in by_change.keys() - cut.keys()}
        by_change[(EMPTY,)] = with_empty
    for what, rows in by_change.items():
        deltas = min(rows, key=len)
        if {LOST, MARKER_AS_TEXT} & {*what} and _is_at_the_end(parser, stream, rows):
            what = (AT_THE_END,)  # noqa: PLW2901
        evidence = {"given": shown_events(results[deltas]), "expected": shown_events(whole)}
        first, *others = (_cause(one, rows, at_once) for one in what)
        yield Problem(first, deltas, evidence, others=tuple(others))


def _cause(what: str, rows: list[Deltas], at_once: str) -> Cause:
    """Return the cause of what differs for some cuttings."""
    inside = "a cut is inside a character" if all(map(_is_inside_a_character, rows)) else ""
    parameters = (("is", what), *((("if", inside),) if inside else ()))
    how = f"if {inside}" if inside else "if the stream is cut in some ways"
    message = f"other events {how} than {at_once}: {what}"
    return Cause(KIND, parameters, message=MESSAGES.get(what, message))


def _limit(parser: Parser, stream: Stream) -> tuple[str, int]:
    """Return what may have only so many letters or deltas to be kept, and the number.

    ``LONG`` is a delta, and ``MANY`` the deltas of a stream; "" if any number may.
    """
    if isinstance(stream, tuple):
        return "", 0

    def row(size: int) -> Stream:
        text = (LETTERS * (size // len(LETTERS) + 1))[:size]
        return text.encode() if isinstance(stream, bytes) else text

    def is_kept(size: int) -> bool:
        return are_read_alike(parser, [row(size)])[0]

    if is_kept(MOST_LETTERS) or not all(map(is_kept, range(FEW_LETTERS + 1))):
        return "", 0
    most = bisect_left(range(MOST_LETTERS), x=True, key=lambda size: not is_kept(size)) - 1
    found = row(most + 1)
    pairs = tuple(found[at : at + 2] for at in range(0, len(found), 2))
    is_as_at_once = _are_alike(parser, [(found,), pairs])
    return MANY if is_as_at_once else LONG, most


def _is_at_the_end(parser: Parser, stream: Stream, rows: Sequence[Deltas]) -> bool:
    """Whether the cuttings are alike if the stream goes on, in the last delta and in a new one."""
    if isinstance(stream, tuple):
        return False
    texts: Any = [one.encode() if isinstance(stream, bytes) else one for one in MORE_TEXTS]
    cuts = [(stream,), *rows]
    return any(
        _are_alike(parser, [(*row[:-1], row[-1] + more) for row in cuts])
        and _are_alike(parser, [(*row, more) for row in cuts])
        for more in texts
    )


def _are_alike(parser: Parser, rows: Sequence[Deltas]) -> bool:
    first, *others = parser.parse_all(rows)
    return all(not one.failure and one.events == first.events for one in others)


def _has_empty(deltas: Deltas) -> bool:
    return not all(deltas)


def _is_inside_a_character(deltas: Deltas) -> bool:
    """Whether a delta of bytes starts with a byte that continues a character."""
    return any(isinstance(one, bytes) and one[:1] and one[0] & 0xC0 == 0x80 for one in deltas)
