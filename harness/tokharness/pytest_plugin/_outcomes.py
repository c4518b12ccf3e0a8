"""The outcome of each item: its findings, or the reason why it is skipped.

Each target runs once, even if several processes of pytest-xdist need its result.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tokharness import plugins
from tokharness.engine.events import UnitFinished
from tokharness.engine.run.pool import automatic_jobs
from tokharness.engine.run.run import run
from tokharness.errors import NothingCheckedError, TargetError, TokharnessError
from tokharness.escaping import Shown, visible
from tokharness.formats._problems import problems
from tokharness.formats._wording import library_title
from tokharness.results.detectors import CONVERSATIONS
from tokharness.results.journal import Journal, read
from tokharness.results.report import Collector, Report, fails
from tokharness.targets.processes.json_lines import to_ascii_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from tokharness.config import Options
    from tokharness.engine.events import Event
    from tokharness.model import Finding, Skip
    from tokharness.results.report import TargetReport


# Names of items: ASCII, unique, and safe in a node id, a terminal and an XML file.

ROOT = "tokharness"
"""The first part of every node id."""

# Node ids are split at "::", and some tools split them at "[" and "]" first.
_UNSAFE = re.compile(r"[^\x20-\x7e]|[\\\[\]]|(?<=:):|:\Z|\A:")


def escape_name(name: str) -> str:
    r"""Escape a name: all but safe printable ASCII becomes ``\u{...}``; injective."""
    return _UNSAFE.sub(_escape, name)


def _escape(match: re.Match[str]) -> str:
    return r"\\" if match[0] == "\\" else rf"\u{{{ord(match[0]):x}}}"


AUDIT = ""
"""The family in the key of an audit."""


class Key(NamedTuple):
    """The key of an item: a check and a family, or the audit of a check."""

    code: str
    family: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of an item; all texts are in display form.

    ``failures`` are the findings that fail the item; ``notes`` the others, each with its verdict in
    one word; ``skip_reason`` is why an item without failures is skipped, "" if it passes.
    """

    failures: tuple[str, ...]
    notes: tuple[tuple[str, str], ...]
    skip_reason: str


def item_name(key: Key) -> str:
    """Return the name of the item of a key."""
    return f"{key.code}-{key.family or 'audit'}"


def outcomes(
    result: RunResult,
    options: Options,
    collected: Collection[Key],
    selected: Collection[Key],
    not_compared: Collection[str],
) -> dict[Key, Outcome]:
    """Return the outcome of each ``selected`` item; ``collected`` are the keys of all items.

    ``not_compared`` are the families with texts too long for a reference.
    """
    findings: dict[Key, list[Finding]] = {key: [] for key in selected}
    for finding in result.report.findings:
        for key in _items_of(finding, collected, selected):
            findings[key].append(finding)
    return {
        key: Outcome(
            failures=(
                *(_failure(f, result, options) for f in own if _fails(f, options)),
                *_unfinished(key, result),
            ),
            notes=tuple((f.verdict.value, _note(f)) for f in own if not _fails(f, options)),
            skip_reason=visible(
                "texts of this family are too long to be compared with a reference"
                if key.family in not_compared and _compares(key.code)
                else _skip_reason(key, result, options.profile, has_findings=bool(own))
            ),
        )
        for key, own in findings.items()
    }


def _fails(finding: Finding, options: Options) -> bool:
    return fails(finding, options.fail_on, on_library=options.fail_on_library)


def _unfinished(key: Key, result: RunResult) -> Iterator[str]:
    """Yield the parts of an item that were not finished, so that their results are unknown."""
    for skip in result.report.skips:
        if skip.unfinished and _concerns(skip, key):
            yield visible(f"{skip.what} was not finished: {skip.reason}")


def _items_of(finding: Finding, collected: Collection[Key], selected: Collection[Key]) -> list[Key]:
    """Return the selected items that report a finding.

    A run reports a finding of several checks once, under the first check; here the items of all
    these checks report it. A finding without an item of its family is reported by the audit, or
    else by every item of its check, so that it is not lost. A finding that the selection of checks
    does not restrict, since the target cannot be run, is reported by every item.
    """
    codes = (finding.code, *finding.other_checks)
    places = {Key(code, family) for code in codes for family in finding.families}
    if places.isdisjoint(collected):
        places = {Key(code, AUDIT) for code in codes}
    if places.isdisjoint(collected):
        places = {key for key in collected if key.code in codes}
    if places.isdisjoint(collected):
        places = set(collected)
    return [key for key in selected if key in places]


def _failure(finding: Finding, result: RunResult, options: Options) -> str:
    report = replace(result.report, findings=(finding,))
    return "\n\n".join(
        "\n".join(
            filter(None, (f"{finding.verdict.value} {p.title}", p.message, _command(p.command)))
        )
        for p in problems(Report(options, (report,), {}))
    )


def _command(command: str) -> str:
    """Return a line to copy; in display form, which doubles backslashes, only if unprintable."""
    plain = command.isascii() and command.isprintable()
    return f"$ {command if plain else visible(command)}" if command else ""


def _note(finding: Finding) -> str:
    message = visible(finding.message or str(finding.cause))
    if finding.is_of_library:
        message = Shown("{}: {}").format(library_title(finding.library), message)
    return f"{finding.verdict.value} {finding.code} {finding.name}: {message}"


def _skip_reason(key: Key, result: RunResult, profile: str, *, has_findings: bool) -> str:
    """Return why a part of an item was not run; "" if all parts were run."""
    reasons = [f"{s.what}: {s.reason}" for s in result.report.skips if _concerns(s, key)]
    if key.code not in result.report.started.checks:
        return _first(reasons, "the check was not run")
    if key.family in (AUDIT, CONVERSATIONS):
        return "; ".join(reasons)
    cases = {family.family: family.cases for family in result.report.families}
    if key.family not in cases:
        return _first(reasons, "the family was not run")
    if not cases[key.family]:
        return f"the {profile} profile has no text of this family"
    if has_findings or key.family not in result.failing.get(key.code, ()):
        reasons = [reason for reason in reasons if not reason.startswith("diagnosis of ")]
    else:
        reasons.append("failing texts were not diagnosed, or are reported for another family")
    return "; ".join(reasons)


def _first(reasons: list[str], default: str) -> str:
    return reasons[0] if reasons else default


def _compares(code: str) -> bool:
    check = plugins.checks().get(code)
    return check is not None and "reference" in check.requires


def _concerns(skip: Skip, key: Key) -> bool:
    """Return whether a skip is about an item; a skip that names no check or family always is."""
    words = skip.what.split()
    codes = [word for word in words if word in plugins.all_checks()]
    if CONVERSATIONS in (skip.what, key.family) and not codes:
        return skip.what == key.family
    family = words[words.index("family") + 1] if "family" in words[:-1] else ""
    if codes and key.code not in codes:
        return False
    if family and family != key.family:
        return False
    if "audit" in words:
        return key.family == AUDIT
    if "diagnosis" in words:
        return key.family != AUDIT
    return not skip.what.startswith("comparison") or _compares(key.code)


@dataclass(frozen=True, slots=True)
class RunResult:
    """The report of a target, and the families with failing texts by code of check."""

    report: TargetReport
    failing: Mapping[str, set[str]]


class SharedRuns:
    """Runs each target once; up to ``concurrent`` processes run different targets.

    With a ``folder``, each run has a journal in it, under a lock: the first process runs, the
    others wait and read the journal. If that process dies, the next continues from the journal.
    """

    def __init__(self, folder: str | None, concurrent: int) -> None:
        # A worker on another machine does not have the folder, and runs by itself.
        self._folder = Path(folder) if folder and Path(folder).is_dir() else None
        self._jobs = max(automatic_jobs() // concurrent, 1)
        self._errors: dict[str, TokharnessError] = {}

    def result(self, spec: str, options: Options) -> RunResult:
        """Return the result of a target: run it, or read the run of another process.

        Raises:
            TokharnessError: the target cannot be checked; repeated on each call.

        """
        if spec in self._errors:
            raise self._errors[spec]
        try:
            if self._folder is None:
                return _collect(options, run([spec], options, jobs=self._jobs))
            return self._run_shared(self._folder, spec, options)
        except TokharnessError as error:
            self._errors[spec] = error
            raise

    def _run_shared(self, folder: Path, spec: str, options: Options) -> RunResult:
        identity = to_ascii_line({"spec": spec, "options": asdict(options)}).encode()
        path = folder / hashlib.sha256(identity).hexdigest()
        error_file = path.with_suffix(".error")
        with _locked(path.with_suffix(".lock")):
            if error_file.exists():
                raise TargetError(error_file.read_bytes().decode("utf-8", "surrogatepass"))
            written = read(path, options.families) if path.exists() else None
            before = written.events if written else ()
            journal = (
                Journal.resume(path, written) if written else Journal.create(path, [spec], options)
            )
            events = run([spec], options, jobs=self._jobs, earlier=before)
            try:
                with closing(journal):
                    return _collect(options, chain(before, _write_events(events, journal)))
            except TokharnessError as error:
                error_file.write_bytes(str(error).encode("utf-8", "surrogatepass"))
                raise


def _write_events(events: Iterable[Event], journal: Journal) -> Iterator[Event]:
    for event in events:
        journal.write(event)
        yield event


def _collect(options: Options, events: Iterable[Event]) -> RunResult:
    collector, failing = Collector(options), defaultdict[str, set[str]](set)
    has_texts = False
    try:
        for event in events:
            collector.add(event)
            if isinstance(event, UnitFinished):
                has_texts |= event.cases > 0
                for code, texts in event.failing.items():
                    if texts:
                        failing[code].add(event.family)
    except NothingCheckedError:
        if has_texts and collector.report().targets[-1].started.checks:
            raise
        # The items of families without a text, and of checks that cannot run, are skipped.
    # In a resumed run, the report since the last start is complete.
    return RunResult(collector.report().targets[-1], failing)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Wait for the lock, and hold it; a process that dies releases it."""
    import fcntl

    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
