"""Have workers diagnose what failed, audit the target and take its snapshot."""

from __future__ import annotations

import shlex
from collections import deque
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from tokharness import plugins
from tokharness.checks import crashes_or_hangs
from tokharness.engine.records import finding_of
from tokharness.errors import TargetDeath
from tokharness.model import Cause, Finding
from tokharness.targets.snapshot import snapshot_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.engine.run.pool import AnyWorker
    from tokharness.engine.run.workers import Workers
    from tokharness.targets.snapshot import Golden, Snapshot

__all__ = ["Answers", "Told", "answers_of", "asked", "asked_direct", "audits_of"]

Findings = dict[str, list[Finding]]
Question = dict[str, Any]
Answer = dict[str, Any]
DIAGNOSIS, AUDIT, SNAPSHOT = "the diagnosis", "the audit", "the golden texts"
KINDS = {"nonsense": "nonsense", "memory limit": "out of memory", "time limit": "hang"}


class Told(Protocol):
    """What has been tried: failing texts by check with the family of each, and what is deadly."""

    @property
    def failing(self) -> dict[str, dict[str, str]]:
        """Failing texts to diagnose."""

    @property
    def deadly(self) -> Sequence[Sequence[Any]]:
        """Rows of what is known to be deadly."""

    @property
    def is_deadly(self) -> bool:
        """Whether a text is known that ends the target's process."""

    @property
    def unexplained(self) -> list[tuple[str, str]]:
        """Families that ended a worker, and how, though none of their texts does so alone."""


@dataclass
class Answers:
    """Findings by the code of the check, the snapshot, and what was lost: what, and why."""

    findings: list[Findings] = field(default_factory=list)
    snapshot: Snapshot | None = None
    lost: list[tuple[str, str]] = field(default_factory=list)


def audits_of(checks: Sequence[str]) -> dict[str, Question]:
    """Questions for the audits that these checks have, by what is asked."""
    return {
        f"{AUDIT} of {code}": {"op": "audit", "code": code}
        for code in checks
        if plugins.checks()[code].audit is not None
    }


def answers_of(
    crew: Workers,
    told: Told,
    checks: Sequence[str],
    golden: Sequence[Golden] | None,
    known: Mapping[str, Answer] = MappingProxyType({}),
) -> Answers:
    """Have failing texts diagnosed, the target audited, and its snapshot taken if one is wanted.

    A death that no text explains is a finding of its own.

    All are tried at once with the target in the workers' processes, unless texts are known that
    end those; what dies of it is done again with the target in a process of its own. ``known`` are
    answers that were given before.
    """
    spec = crew.pool.spec
    diagnosis = {"op": "diagnose", "failing": told.failing, "deadly": told.deadly}
    audits = audits_of(checks)
    snapshot = {}
    if golden is not None:
        rows = [[one.group, one.text, one.ids] for one in golden]
        snapshot = {SNAPSHOT: {"op": "snapshot", "golden": rows}}
    questions: dict[str, Question] = {DIAGNOSIS: diagnosis, **snapshot, **audits}
    direct = audits if told.is_deadly else questions
    found = {**known, **asked_direct(crew, {w: q for w, q in direct.items() if w not in known})}
    answers = Answers()
    deaths: list[Finding] = []
    for what, question in questions.items():
        if what not in found:
            try:
                found[what] = asked(crew.guarded_worker(), question)
            except TargetDeath as death:
                answers.lost.append((what, f"the target's process ended with {death}"))
                if death.how != "exit":
                    place = AUDIT if what in audits else what
                    deaths.append(_death(spec, place, death.how, str(death), ()))
    if told.unexplained:
        families = tuple(sorted({family for family, _ in told.unexplained if family}))
        ended = min(ended for _, ended in told.unexplained)
        deaths.append(_death(spec, "", ended.partition(":")[0], ended, families))
    parts = [found[what] for what in questions if what in found and what != SNAPSHOT]
    answers.findings = [*map(_findings, parts), {crashes_or_hangs.CODE: deaths}]
    if SNAPSHOT in found:
        answers.snapshot = snapshot_of(found[SNAPSHOT]["snapshot"])
    return answers


def _death(spec: str, what: str, how: str, told: str, families: tuple[str, ...]) -> Finding:
    """Make the finding of a death that no text brings about alone."""
    words = ["tokharness", "check", shlex.quote(spec), "--select", crashes_or_hangs.CODE]
    words += ["--family", ",".join(families)] if families else []
    parameters = (("in", what or "state"), ("by", how))
    if what:
        message = f"{what} of the target ends its process with {told}"
    elif how == "memory limit":
        message = "texts together take more memory than the limit, none of them does alone"
    elif how == "nonsense":
        message = f"many texts at once are not answered as they are asked, each alone is: {told}"
    else:
        message = f"texts together end the target's process with {told}, none of them does alone"
    return Finding(
        spec=spec,
        code=crashes_or_hangs.CODE,
        name=crashes_or_hangs.NAME,
        cause=Cause(KINDS.get(how, "crash"), parameters, message=message),
        count=1,
        text=None,
        families=families,
        reproduce=" ".join(words),
    )


def asked_direct(crew: Workers, questions: dict[str, Question]) -> dict[str, Answer]:
    """Ask the workers that have the target in their own process; no answer where one died."""
    waiting = deque(questions.items())
    idle = crew.unguarded
    busy: dict[AnyWorker, str] = {}
    found = {}
    while (waiting and idle) or busy:
        while waiting and idle:
            worker = idle.pop()
            busy[worker], question = waiting.popleft()
            worker.send(question)
        worker = crew.pool.next_ready(list(busy))
        what = busy.pop(worker)
        try:
            found[what] = worker.receive()
            idle.append(worker)
        except TargetDeath:
            crew.drop(worker)
    return found


def asked(worker: AnyWorker, question: Question) -> Answer:
    """Ask one worker; raises TargetDeath where it ends."""
    worker.send(question)
    return worker.receive()


def _findings(answer: Answer) -> Findings:
    return {code: list(map(finding_of, some)) for code, some in answer["findings"].items()}
