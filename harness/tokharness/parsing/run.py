"""Check a stream parser, and return the report."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness import plugins
from tokharness.engine.events import FamilyFinished, TargetFinished, TargetStarted
from tokharness.engine.run.selection import select_of_kind
from tokharness.errors import NothingCheckedError, UsageError
from tokharness.escaping import json_argument, shell
from tokharness.model import Finding, Skip, Verdict
from tokharness.parsing.checks.events_depend_on_cuts import AT_THE_END
from tokharness.parsing.parser import SCHEME, Parser, Stream
from tokharness.parsing.problems import text_of
from tokharness.parsing.state import CODE, joined, kept_state, shown_again
from tokharness.parsing.streams import streams
from tokharness.results.detectors import STREAMS
from tokharness.results.report import Report, TargetReport
from tokharness.results.versions import versions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokharness.config import Options
    from tokharness.model import Cause
    from tokharness.parsing.problems import Problem
    from tokharness.plugins import ParserCheck

Examined: TypeAlias = tuple[list[Finding], list[Skip], set[Stream]]
"""Findings, what was not checked, and the streams that show a problem."""

SHRINK_CALLS, SHRINK_SECONDS = 150, 6.0
MOST_DELTAS = 60

MOST_NEAR = 40
"""Parts of a smallest stream that are left out and replaced to look for a reported cause."""


def parse(spec: str, options: Options, *, given: str | None = None) -> Report:
    """Return the report on a stream parser.

    Args:
        spec: Its spec, ``parser:...``.
        options: What to select, and which findings fail.
        given: A stream that is cut instead of all others.

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
        if not report.findings and all(one.failure for one in failures):
            first = failures[0]
            raise NothingCheckedError(f"no stream was parsed: {first.failure}: {first.message}")
    created = datetime.now(UTC).isoformat(timespec="seconds")
    return Report(options, (report,), versions(), created=created)


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
    if not failing:
        unknown = skips
        findings, skips, failing = _of_streams(parser, rows, chosen)
        is_found = any(one.verdict is Verdict.BUG for one in findings)
        skips += [replace(skip, unfinished=not is_found) for skip in unknown]
    codes = tuple(check.code for check in chosen)
    return TargetReport(
        started=TargetStarted(spec, None, (), None, None, (STREAMS,), codes),
        families=(FamilyFinished(spec, STREAMS, len(rows), failing=len(failing)),),
        findings=tuple(sorted(findings, key=lambda one: (one.rank, one.code, str(one.cause)))),
        skips=tuple(skips),
        finished=TargetFinished(spec, len(rows), time.monotonic() - start, 0.0),
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
        found = [(row, problem) for row in rows for problem in check.problems(parser, row)]
        failing |= {row for row, _ in found}
        findings += _of_causes(check, parser, _by_cause(found))
    if any(one.cause.parameters == (("is", AT_THE_END),) for one in findings):
        findings = [one for one in findings if one.cause.kind != AT_THE_END]
    skips = []
    if parser.gave_up:
        reason = "the parser exceeds a limit or ends its process, and the rest was not tried"
        unfinished = not any(one.verdict is Verdict.BUG for one in findings)
        skips.append(Skip(parser.spec, STREAMS, reason, unfinished=unfinished))
    return findings, skips, failing


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
    replaced by a letter.
    """
    reported: set[Cause] = set()
    for cause, found in sorted(by_cause.items(), key=lambda one: -len(one[1])):
        first = min(found, key=lambda one: (len(one[0]), text_of(one[0])))
        again = partial(_same_cause, check, parser, cause)
        stream, problem = _smallest(parser, *first, again)
        if reported and any(
            reported & {*one.causes} for row in _near(stream) for one in check.problems(parser, row)
        ):
            continue
        reported.add(cause)
        problem = replace(problem, cause=cause)
        yield _finding(check, parser, stream, problem, len(found))


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
        while place < len(stream) and tries and time.monotonic() < end:
            shorter = _without(stream, place, size)
            tries -= 1
            if (smaller := shows(shorter)) is not None:
                stream, problem, removed = shorter, smaller, True
            else:
                place += size
        size = size if removed and size == 1 else size // 2
    return stream, problem
