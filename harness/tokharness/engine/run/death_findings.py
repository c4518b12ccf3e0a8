"""Findings for deaths that no single text explains, and for workers ended from outside."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.checks import crashes_or_hangs
from tokharness.checks.crashes_or_hangs import cause_of_death
from tokharness.engine.run.selection import SMALLEST_FAMILY, is_of_vocabulary
from tokharness.engine.worker.grouping import NOT_REPRODUCED
from tokharness.engine.worker.reproduce import command_line
from tokharness.errors import INTERNAL_ERROR, TargetDeath
from tokharness.escaping import json_argument
from tokharness.model import Cause, Finding, Skip, Verdict
from tokharness.targets.processes.crashers import SHORTENED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tokharness.config import Options
    from tokharness.engine.requests import CrasherRows
    from tokharness.engine.responses import NoAnswerError, NotLoadedError

# Workers that were ended from outside, as by an OOM killer: they are counted, and a fact.

MAX_KILLS = 5
"""Most guarded workers ended from outside; after that their requests are not repeated."""


class WorkerLostError(TargetDeath):
    """No worker is left for a request, which says nothing about the target."""

    def __init__(self, why: str) -> None:
        super().__init__("no worker", why)


def lost_response(spec: str, what: str, death: TargetDeath) -> Skip:
    """Return the skip of a request that ended with a death; it is unfinished without a worker."""
    if isinstance(death, WorkerLostError):
        return Skip(spec, what, death.detail, unfinished=True)
    return Skip(spec, what, f"the target's process ended with {death}")


class OutsideKills:
    """Deaths of the workers of one target that a fresh worker did not show again, by signal.

    The report is ``incomplete`` if a part of the run was not repeated.
    """

    def __init__(self, spec: str) -> None:
        self._spec = spec
        self._signals: Counter[str] = Counter()
        self.incomplete = False

    def add(self, deaths: Iterable[TargetDeath]) -> None:
        """Count deaths by a signal from outside."""
        self._signals.update(death.reason for death in deaths)

    @property
    def total(self) -> int:
        """Number of these deaths."""
        return self._signals.total()

    @property
    def signals(self) -> str:
        """Names of the signals."""
        return ", ".join(sorted(self._signals))

    def findings(self) -> list[Finding]:
        """Return the fact; nothing if no worker was ended from outside."""
        if not self._signals:
            return []
        times = "once" if self.total == 1 else f"{self.total} times"
        rest = "some of its work is skipped" if self.incomplete else "everything was run again"
        message = f"a worker was ended from outside ({self.signals}), {times}; {rest}"
        parameters = (("by", self.signals),)
        return [
            Finding(
                spec=self._spec,
                code=crashes_or_hangs.CODE,
                name=crashes_or_hangs.NAME,
                cause=Cause("ended-from-outside", parameters, Verdict.FACT, message),
                count=self.total,
                text=None,
                families=(),
                reproduce=command_line(["tokharness", "check", self._spec]),
            )
        ]


KINDS = {
    "nonsense": "nonsense",
    "memory limit": "out of memory",
    "time limit": "hang",
    INTERNAL_ERROR: "damaged process",
}
"""Kind of the cause by the reason of a death; any other reason is a crash."""

RESOURCES = {
    "can't start new thread": "threads",
    "Too many open files": "file descriptors",
    "No file descriptors available": "file descriptors",
    "No space left on device": "disk space",
    "Disk quota exceeded": "disk space",
    "Cannot allocate memory": "memory",
    "MemoryError": "memory",
    "Resource temporarily unavailable": "processes",
}
"""The exhausted resource, by a part of the error that our own code raised in the process."""

MAX_DETAIL = 160
"""Most characters of an error in a message."""


def unexplained_death_findings(spec: str, deaths: Sequence[tuple[str, str]]) -> list[Finding]:
    """Return one finding for all deaths that no text explains; each comes with its family or ""."""
    if not deaths:
        return []
    families = sorted({family for family, _ in deaths if family})
    reason, _, detail = min(death for _, death in deaths).partition(": ")
    return [death_finding(spec, "", TargetDeath(reason, detail), tuple(families))]


def name_deaths(
    findings: Mapping[str, list[Finding]], crashers: CrasherRows
) -> dict[str, list[Finding]]:
    """Say how the texts of crashes-or-hangs died that do not die alone, as the rows have it.

    Texts that ended within the whole time limit, though not within a part of it, are no finding.
    """
    rows = ((text, reason, detail) for _, text, reason, detail in crashers if reason)
    deaths = {text: (reason, detail) for text, reason, detail in rows if isinstance(text, str)}
    known = {
        text
        for _, text, reason, detail in crashers
        if isinstance(text, str) and reason and detail != SHORTENED
    }
    guessed = deaths.keys() - known
    code = crashes_or_hangs.CODE
    reported = findings.get(code, ())

    def named(finding: Finding) -> Finding:
        if finding.cause != NOT_REPRODUCED or finding.text not in deaths:
            return finding
        return replace(finding, cause=_cause("", TargetDeath(*deaths[finding.text])))

    def is_guessed(finding: Finding) -> bool:
        """Whether all texts of the finding are guessed: other findings have every known death."""
        others = sum(other.count for other in reported if other is not finding)
        alone = finding.cause == NOT_REPRODUCED and finding.text in guessed
        return alone and others >= len(known & deaths.keys())

    return {**findings, code: [named(one) for one in reported if not is_guessed(one)]}


def death_finding(
    spec: str,
    place: str,
    death: TargetDeath,
    families: tuple[str, ...] = (),
    *,
    audited: str = "",
    call: Sequence[Any] = (),
) -> Finding:
    """Make the finding for a death that no single text causes; ``place`` is the request or "".

    ``audited`` is the code of the check whose audit shows it, or "", and ``call`` the row of the
    call that ended a process of its own in this audit, if there is one.
    """
    cause, text, evidence = _cause(place, death), None, {}
    if call:
        method, argument, *_ = call
        shown = ascii(argument)
        shown = shown if len(shown) <= MAX_DETAIL else f"{shown[:MAX_DETAIL]}..."
        message = f"{method}({shown}) ends the target's process with {death}"
        parameters = (("in", method), ("by", death.reason))
        cause = replace(cause, parameters=parameters, message=message)
        text = argument if isinstance(argument, str) else None
        evidence = {"entry point": method, "given": str(death), "expected": "a result"}
    return Finding(
        spec=spec,
        code=crashes_or_hangs.CODE,
        name=crashes_or_hangs.NAME,
        cause=cause,
        count=1,
        text=text,
        families=families,
        reproduce=command_line(_words(spec, families, audited)),
        evidence=evidence,
    )


def _words(spec: str, families: Sequence[str], audited: str) -> list[str]:
    """Return the words of the command that runs the families, or the audit of a check."""
    if not audited:
        words = ["tokharness", "check", spec, "--select", crashes_or_hangs.CODE]
        return [*words, "--family", ",".join(families)] if families else words
    if is_of_vocabulary(plugins.checks()[audited]):
        return ["tokharness", "audit", spec, "--select", audited]
    selected = f"{crashes_or_hangs.CODE},{audited}"
    return ["tokharness", "check", spec, "--select", selected, "--family", SMALLEST_FAMILY]


def _cause(place: str, death: TargetDeath) -> Cause:
    used_up = _used_up(death)
    parameters = (("in", place or "state"), ("by", used_up or death.reason))
    if used_up:
        message = f"the target uses up the {used_up} of its process: {death.detail[:MAX_DETAIL]}"
        return Cause("out of resources", parameters, message=message)
    if death.reason == INTERNAL_ERROR:
        message = f"the target damages the process it runs in: {death.detail[:MAX_DETAIL]}"
    elif place:
        message = f"{place} of the target ends its process with {death}"
    elif death.reason == "memory limit":
        message = "several texts together exceed the memory limit; none of them does so alone"
    elif death.reason == "time limit":
        message = "the target hangs after several texts; none of them hangs it alone"
    elif death.reason == "nonsense":
        message = f"the target answers each text alone, but not many texts at once: {death}"
    else:
        message = f"several texts together end the process with {death}; none of them does so alone"
    return Cause(KINDS.get(death.reason, "crash"), parameters, message=message)


def _used_up(death: TargetDeath) -> str:
    """Return the resource that our own code lacked in the process of the target, or ""."""
    if death.reason != INTERNAL_ERROR:
        return ""
    return next((name for part, name in RESOURCES.items() if part in death.detail), "")


def no_answer_findings(error: NoAnswerError) -> list[Finding]:
    """Return a finding for each way in which a target fails on all of the first texts."""
    return _by_cause(error.spec, error.rows, {})


def deaths_of_texts(
    spec: str, crashers: CrasherRows, families: Mapping[str, str]
) -> dict[str, list[Finding]]:
    """Return a finding for each way in which texts ended the target, as the rows have it.

    It needs no diagnosis; ``families`` has the family of each text. A text that was stopped within
    a part of the time limit is left out: it may end within the whole limit.
    """
    rows = [
        row
        for row in crashers
        if isinstance(row[1], str) and row[1] in families and row[2] and row[3] != SHORTENED
    ]
    found = _by_cause(spec, sorted(rows, key=lambda row: (len(row[1]), row[1])), families)
    return {crashes_or_hangs.CODE: found} if found else {}


def _by_cause(
    spec: str, rows: Sequence[Sequence[Any]], families: Mapping[str, str]
) -> list[Finding]:
    """Return a finding for each cause of rows of stage, text, reason and detail."""
    rows_of: dict[Cause, list[Sequence[Any]]] = {}
    for row in rows:
        cause = cause_of_death(row[0], TargetDeath(row[2], row[3]))
        rows_of.setdefault(cause, []).append(row)
    return [
        Finding(
            spec=spec,
            code=crashes_or_hangs.CODE,
            name=crashes_or_hangs.NAME,
            cause=cause,
            count=len({text for _, text, _, _ in of_cause}),
            text=of_cause[0][1],
            families=tuple(sorted({families[row[1]] for row in of_cause if row[1] in families})),
            reproduce=f"tokharness show --json {json_argument(of_cause[0][1])} "
            + command_line([spec, "--select", crashes_or_hangs.CODE]),
            evidence={
                "entry point": of_cause[0][0],
                "given": str(TargetDeath(of_cause[0][2], of_cause[0][3])),
                "expected": "a result",
            },
        )
        for cause, of_cause in rows_of.items()
    ]


def not_loaded_finding(error: NotLoadedError, options: Options) -> Finding:
    """Return the finding for a target that does not load, though its reference or baseline did."""
    what = f"{error.other} loads" if error.other else "the target of the baseline did"
    message = f"the target does not load, though {what}: {error}"
    words = ["tokharness", "check", error.spec]
    words += ["--against", error.other] if error.other and options.against else []
    usual = type(options)()
    limits = {"--load-limit": "load_limit", "--memory-limit": "memory_limit"}
    for option, name in limits.items():  # the target may load within the usual limits
        if (limit := getattr(options, name)) != getattr(usual, name):
            words += [option, f"{limit:.15g}"]
    return Finding(
        spec=error.spec,
        code=crashes_or_hangs.CODE,
        name=crashes_or_hangs.NAME,
        cause=Cause("does not load", (("by", error.failure),), message=message),
        count=1,
        text=None,
        families=(),
        reproduce=command_line(words),
    )


def undiagnosed_findings(
    spec: str, failing: Mapping[str, Mapping[str, str]], reason: str, verdict: Verdict
) -> dict[str, list[Finding]]:
    """Return a finding for the failing texts of each check, with the shortest text."""
    return {
        code: [_undiagnosed(spec, code, texts, reason, verdict)]
        for code, texts in failing.items()
        if texts
    }


def _undiagnosed(
    spec: str, code: str, texts: Mapping[str, str], reason: str, verdict: Verdict
) -> Finding:
    families = tuple(sorted({family for family in texts.values() if family}))
    words = ["tokharness", "check", spec, "--select", code]
    words += ["--family", ",".join(families)] if families else []
    name = plugins.checks()[code].name
    fail = "text fails and was" if len(texts) == 1 else "texts fail and were"
    message = f"{len(texts):,} {fail} not diagnosed: {reason}"
    return Finding(
        spec=spec,
        code=code,
        name=name,
        cause=Cause("not diagnosed", (("check", name),), verdict, message),
        count=len(texts),
        text=min(texts, key=lambda text: (len(text), text)),
        families=families,
        reproduce=command_line(words),
    )
