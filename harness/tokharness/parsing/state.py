"""Whether a new parser makes the same events of a stream, whatever other parsers have read.

Streams can be compared only if it does: the checks ask for hundreds of them in one process.
"""

from __future__ import annotations

import operator
from functools import reduce
from typing import TYPE_CHECKING

from tokharness.errors import NothingCheckedError
from tokharness.model import Cause
from tokharness.parsing.parser import ENDS, NOT_TRIED
from tokharness.parsing.problems import Problem, shown_events, text_of
from tokharness.parsing.streams import single_deltas

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.parsing.parser import Deltas, Parsed, Parser, Stream

__all__ = ["CODE", "joined", "kept_state", "shown_again"]

CODE = "TOK701"
"""The check that reports it."""

KIND = "events depend on another stream"
EARLIER = "a parser before it has read one"
BETWEEN = "another parser is fed between its deltas"

MOST_EARLIER = 12
"""Streams that are tried as the earlier one, each in a process of its own."""

MOST_SHOWN = 200


def kept_state(parser: Parser, streams: Sequence[Stream]) -> tuple[Problem | None, str]:
    """Return what shows that parsers share what they keep, or None and why it is not known, or "".

    Raises:
        NothingCheckedError: the events of one stream are others in each process.

    """
    rows = [one for stream in streams for one in dict.fromkeys([(stream,), single_deltas(stream)])]
    there_and_back = parser.parse_in_order([*rows, *reversed(rows)])
    if there_and_back[0].failure == NOT_TRIED:
        return None, there_and_back[0].message
    first, again = there_and_back[: len(rows)], there_and_back[: len(rows) - 1 : -1]
    pairs = zip(rows, first, again, strict=True)
    if different := [row for row, *both in pairs if _differ(*both)]:
        return _of_earlier(parser, sorted(different, key=_size), rows), ""
    with_another = parser.parse_in_order(rows, between=True)
    for row, alone, between in zip(rows, first, with_another, strict=True):
        if _differ(alone, between):
            return _problem(BETWEEN, row, between, alone), ""
    return None, with_another[0].message if with_another[0].failure == NOT_TRIED else ""


def shown_again(parser: Parser, problem: Problem, stream: Stream) -> Problem | None:
    """Return the problem of another stream if it alone shows the cause, or None."""
    row = (stream,) if len(problem.deltas) == 1 else single_deltas(stream)
    if problem.cause.parameters == (("if", EARLIER),):
        expected, given = parser.parse_in_order([row, row])
        return _problem(EARLIER, row, given, expected, row) if _differ(expected, given) else None
    expected, given = (
        parser.parse_in_order([row], between=between)[0] for between in (False, True)
    )
    return _problem(BETWEEN, row, given, expected) if _differ(expected, given) else None


def joined(deltas: Deltas) -> Stream:
    """Return the stream that was cut into deltas."""
    return reduce(operator.add, deltas)


def _differ(one: Parsed, other: Parsed) -> bool:
    """Whether two parsers differ by themselves, not by a limit of their process."""
    is_known = not {one.failure, other.failure} & {*ENDS, NOT_TRIED}
    return is_known and (one.events, one.failure) != (other.events, other.failure)


def _size(row: Deltas) -> int:
    return sum(map(len, row))


def _of_earlier(parser: Parser, different: Sequence[Deltas], rows: Sequence[Deltas]) -> Problem:
    """Return the problem of a row that differs after others, or after itself if it does."""
    alone, second = (parser.parse_in_order([different[0]])[0] for _ in range(2))
    if _differ(alone, second):
        shown = [str(shown_events(one))[:MOST_SHOWN] for one in (alone, second)]
        raise NothingCheckedError(
            f"{parser.spec} gives other events of one stream in each process, so that nothing can "
            f"be compared: leave out of the events what is drawn or counted: {' and '.join(shown)}"
        )
    pairs = [(row, row) for row in different] + [(row, different[0]) for row in rows]
    for earlier, row in pairs[:MOST_EARLIER]:
        expected, given = parser.parse_in_order([earlier, row])
        if row is not earlier:
            expected = alone
        if _differ(expected, given):
            return _problem(EARLIER, row, given, expected, earlier)
    after = parser.parse_in_order([*rows, different[0]])[-1]
    return _problem(EARLIER, different[0], after, alone)


def _problem(
    when: str, row: Deltas, given: Parsed, expected: Parsed, earlier: Deltas | None = None
) -> Problem:
    message = (
        f"a new parser gives other events of a stream if {when}: parsers share what they keep, "
        "such as an attribute of the class or a module"
    )
    before = {} if earlier is None else {"earlier": [text_of(delta) for delta in earlier]}
    events = {"given": shown_events(given), "expected": shown_events(expected)}
    cause = Cause(KIND, (("if", when),), message=message)
    alone = when == BETWEEN or (earlier is not None and joined(earlier) == joined(row))
    return Problem(cause, row, {**before, **events}, needs_others=not alone)
