"""Check a stream parser, and return the report.

Streams can be compared only if a new parser makes the same events of a stream, whatever other
parsers have read: the checks ask for hundreds of streams in one process.
"""

from __future__ import annotations

import operator
import time
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness import plugins
from tokharness.engine.events import FamilyFinished, TargetFinished, TargetStarted
from tokharness.engine.run.selection import select_of_kind
from tokharness.errors import NothingCheckedError, UsageError
from tokharness.escaping import json_argument, shell
from tokharness.model import Cause, Finding, Skip, Verdict
from tokharness.parsing.checks.events_depend_on_cuts import AT_THE_END
from tokharness.parsing.parser import ENDS, INTERRUPTED, NOT_TRIED, SCHEME, Parser, Stream
from tokharness.parsing.problems import Problem, shown_events, text_of
from tokharness.parsing.streams import single_deltas, streams
from tokharness.results.detectors import STREAMS
from tokharness.results.report import Report, TargetReport
from tokharness.results.versions import versions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokharness.config import Options
    from tokharness.parsing.parser import Deltas, Parsed
    from tokharness.plugins import ParserCheck

Examined: TypeAlias = tuple[list[Finding], list[Skip], set[Stream]]
"""Findings, what was not checked, and the streams that show a problem."""

SHRINK_CALLS, SHRINK_SECONDS = 400, 6.0
MOST_DELTAS = 60

MOST_NEAR = 40
"""Parts of a smallest stream that are left out and replaced to look for a reported cause."""


def parse(spec: str, options: Options, *, given: str | None = None) -> Report:
    """Return the report on a stream parser.

    Args:
        spec: Its spec, ``parser:...``.
        options: What to select, and which findings fail.
        given: A stream that is cut instead of all others.

    After an interrupt, the report has what was found before.

    Raises:
        UsageError: the spec is not one of a parser, or no check has this name.
        TargetError: the parser cannot be loaded.
        NothingCheckedError: no stream could be parsed.

    """
    chosen = select_of_kind(plugins.parser_checks().values(), options, "check of parsers")
    if spec.partition(":")[0] != SCHEME:
        raise UsageError(_not_a_parser(spec))
    with Parser(spec) as parser:
        rows = streams(parser) if given is None else [_of_argument(given, parser)]
        if not rows:
            raise NothingCheckedError(f"{spec} takes ids and has no examples: add some to it")
        report = _examined(parser, rows, chosen)
        failures = [parser.parse((row,)) for row in rows]
        is_interrupted = parser.is_interrupted
        if not is_interrupted and not report.findings and all(one.failure for one in failures):
            first = failures[0]
            raise NothingCheckedError(f"no stream was parsed: {first.failure}: {first.message}")
    created = datetime.now(UTC).isoformat(timespec="seconds")
    return Report(options, (report,), versions(), interrupted=is_interrupted, created=created)


def _of_argument(text: str, parser: Parser) -> Stream:
    if parser.takes == "ids":
        raise UsageError("--json takes a text, and this parser takes ids: add an example to it")
    return text.encode("utf-8", "surrogatepass") if parser.takes == "bytes" else text


def _not_a_parser(word: str) -> str:
    path = Path(word.partition(":")[2] if plugins.has_known_scheme(word) else word)
    where = path.name if path.suffix == ".py" else "FILE.py"
    return f"{word!r} is not a parser: write {SCHEME}:{where}:FACTORY or {SCHEME}:MODULE:FACTORY"


def _examined(
    parser: Parser, rows: Sequence[Stream], chosen: Sequence[ParserCheck]
) -> TargetReport:
    """Return the report of the checks of a parser on some streams."""
    start, spec = time.monotonic(), parser.spec
    findings, skips, failing = _of_shared_state(parser, rows, chosen)
    shared = bool(failing)
    if not shared:
        unknown = skips
        findings, skips, failing = _of_streams(parser, rows, chosen)
        is_found = any(one.verdict is Verdict.BUG for one in findings)
        skips += [replace(skip, unfinished=not is_found) for skip in unknown]
    cases = len(rows)
    if not shared:  # those are read in order
        cases -= sum(parser.parse((row,)).failure == NOT_TRIED for row in rows)
    codes = tuple(check.code for check in chosen)
    return TargetReport(
        started=TargetStarted(spec, None, (), None, None, (STREAMS,), codes),
        families=(FamilyFinished(spec, STREAMS, cases, failing=len(failing)),),
        findings=tuple(sorted(findings, key=lambda one: (one.rank, one.code, str(one.cause)))),
        skips=tuple(skips),
        finished=TargetFinished(spec, cases, time.monotonic() - start, 0.0),
    )


def _of_shared_state(
    parser: Parser, rows: Sequence[Stream], chosen: Sequence[ParserCheck]
) -> Examined:
    """Return the finding that parsers share what they keep: then no check compares streams."""
    problem, reason = kept_state(parser, rows)
    if problem is None:
        why = f"its process does not parse all streams: {reason}"
        skip = Skip(parser.spec, "whether parsers share what they keep", why)
        return [], [skip] if reason else [], set()
    stream = joined(problem.deltas)
    if not problem.needs_others:
        shows = partial(shown_again, parser, problem)
        stream, problem = _smallest(parser, stream, problem, shows)
    codes = {check.code: check for check in chosen}
    findings = [_finding(codes[CODE], parser, stream, problem, 1)] if CODE in codes else []
    reason = "parsers share what they keep, so that the events of streams cannot be compared"
    return findings, [Skip(parser.spec, STREAMS, reason, unfinished=not findings)], {stream}


def _of_streams(parser: Parser, rows: Sequence[Stream], chosen: Sequence[ParserCheck]) -> Examined:
    """Return the findings of the checks."""
    findings: list[Finding] = []
    failing: set[Stream] = set()
    for check in chosen:
        found = list(_problems(check, parser, rows))
        failing |= {row for row, _ in found}
        findings += _of_causes(check, parser, _by_cause(found))
    if any(one.cause.parameters == (("is", AT_THE_END),) for one in findings):
        findings = [one for one in findings if one.cause.kind != AT_THE_END]
    skips = []
    if parser.is_interrupted:
        skips.append(Skip(parser.spec, STREAMS, INTERRUPTED))
    elif parser.gave_up:
        reason = "the parser exceeds a limit or ends its process, and the rest was not tried"
        unfinished = not any(one.verdict is Verdict.BUG for one in findings)
        skips.append(Skip(parser.spec, STREAMS, reason, unfinished=unfinished))
    return findings, skips, failing


def _problems(
    check: ParserCheck, parser: Parser, rows: Sequence[Stream]
) -> Iterator[tuple[Stream, Problem]]:
    """Yield the problems of streams until an interrupt, which may hide the cause of the last."""
    for row in rows:
        found = list(check.problems(parser, row))
        if parser.is_interrupted:
            return
        yield from ((row, problem) for problem in found)


def _by_cause(
    rows: Sequence[tuple[Stream, Problem]],
) -> dict[Cause, list[tuple[Stream, Problem]]]:
    """Return the fewest causes that explain all problems, each with its streams."""
    found: dict[Cause, list[tuple[Stream, Problem]]] = {}
    while rows:
        counts = Counter(cause for _, problem in rows for cause in problem.causes)
        best = max(counts, key=counts.__getitem__)  # the first of equal ones
        found[best] = [row for row in rows if best in row[1].causes]
        rows = [row for row in rows if best not in row[1].causes]
    return found


def _of_causes(
    check: ParserCheck, parser: Parser, by_cause: Mapping[Cause, list[tuple[Stream, Problem]]]
) -> Iterator[Finding]:
    """Yield a finding for each cause that is not what a reported one does to other streams.

    It is, if its smallest stream shows the reported cause, too, or does with one part left out or
    replaced by a letter. After an interrupt that is not known, and only the first one is reported.
    """
    reported: set[Cause] = set()
    for cause, found in sorted(by_cause.items(), key=lambda one: -len(one[1])):
        first = min(found, key=lambda one: (len(one[0]), text_of(one[0])))
        again = partial(_same_cause, check, parser, cause)
        stream, problem = _smallest(parser, *first, again)
        if reported and _is_near(check, parser, stream, reported):
            continue
        reported.add(cause)
        problem = replace(problem, cause=cause)
        yield _finding(check, parser, stream, problem, len(found))


def _is_near(check: ParserCheck, parser: Parser, stream: Stream, reported: set[Cause]) -> bool:
    near = (one for row in _near(stream) for one in check.problems(parser, row))
    return any(reported & {*one.causes} for one in near) or parser.is_interrupted


def _near(stream: Stream) -> Iterator[Stream]:
    """Yield a stream, and streams that differ from it in one part."""
    yield stream
    letter: Any = {str: "x", bytes: b"x"}.get(type(stream), stream[:0])
    for place in range(min(len(stream), MOST_NEAR)):
        yield stream[:place] + letter + stream[place + 1 :]
        yield _without(stream, place, 1)


def _same_cause(check: ParserCheck, parser: Parser, cause: Cause, stream: Stream) -> Problem | None:
    return next((one for one in check.problems(parser, stream) if cause in one.causes), None)


def _finding(
    check: ParserCheck, parser: Parser, stream: Stream, problem: Problem, number: int
) -> Finding:
    """Return the finding of a cause that a number of streams show, with the smallest of them."""
    deltas = [text_of(delta) for delta in problem.deltas[:MOST_DELTAS]]
    if parser.takes == "bytes":
        deltas = [delta.hex(" ") for delta in problem.deltas if isinstance(delta, bytes)]
    words = ["tokharness", "parse", parser.spec, "--select", check.code]
    command = " ".join(map(str, map(shell, words)))
    if parser.takes != "ids" and not problem.needs_others:
        command = f"{command} --json {json_argument(text_of(stream))}"
    return Finding(
        parser.spec,
        check.code,
        check.name,
        problem.cause,
        number,
        None if parser.takes == "ids" else text_of(stream),
        (STREAMS,),
        command,
        {"deltas": deltas, **problem.evidence},
    )


def _without(stream: Stream, place: int, size: int) -> Stream:
    return stream[:place] + stream[place + size :]  # type: ignore[operator]


def _smallest(
    parser: Parser, stream: Stream, problem: Problem, shows: Callable[[Stream], Problem | None]
) -> tuple[Stream, Problem]:
    """Return a stream that shows a cause, none of whose parts can be left out."""
    end = time.monotonic() + SHRINK_SECONDS
    tries, size = SHRINK_CALLS, max(len(stream) // 2, 1)
    while size and tries and not parser.gave_up:
        place, removed = 0, False
        while place < len(stream) and tries and time.monotonic() < end and not parser.gave_up:
            shorter = _without(stream, place, size)
            tries -= 1
            if (smaller := shows(shorter)) is not None:
                stream, problem, removed = shorter, smaller, True
            else:
                place += size
        size = size if removed and size == 1 else size // 2
    return stream, problem


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
    if different := {row: both for row, *both in pairs if _differ(*both)}:
        return _of_earlier(parser, different, rows), ""
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


def _of_earlier(
    parser: Parser, found: Mapping[Deltas, Sequence[Parsed]], rows: Sequence[Deltas]
) -> Problem:
    """Return the problem of a row that differs after others, or after itself if it does.

    ``found`` has what rows gave that differed: at first, and after the others.
    """
    different = sorted(found, key=_size)
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
    if _differ(alone, after):
        return _problem(EARLIER, different[0], after, alone)
    expected, given = found[different[0]]  # only behind so many others
    return _problem(EARLIER, different[0], given, expected)


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
