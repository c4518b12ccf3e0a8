"""Have workers diagnose what failed and audit the target, whatever dies of it."""

from __future__ import annotations

import shlex
from collections import deque
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.checks import crashes_or_hangs
from tokharness.errors import TargetDeath
from tokharness.model import Cause, Finding
from tokharness.records import finding_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.engine.pool import AnyWorker, Pool
    from tokharness.engine.trying import Trial

__all__ = ["findings_of"]

Findings = dict[str, list[Finding]]
Question = dict[str, Any]
DIAGNOSIS, AUDIT = "the diagnosis", "the audit"
KINDS = {"nonsense": "nonsense", "memory limit": "out of memory", "time limit": "hang"}


def findings_of(
    pool: Pool, trial: Trial, checks: Sequence[str]
) -> tuple[list[Findings], list[tuple[str, str]]]:
    """Findings by the code of the check, from texts and from audits; and what was lost.

    A death that no text explains is a finding of its own.

    All are tried at once with the target in the workers' processes, unless texts are known that
    end those; what dies of it is done again with the target in a process of its own.
    """
    told = trial.progress
    diagnosis = {"op": "diagnose", "failing": told.failing, "deadly": told.deadly}
    audits = {
        f"{AUDIT} of {code}": {"op": "audit", "code": code}
        for code in checks
        if plugins.checks()[code].audit is not None
    }
    questions: dict[str, Question] = {DIAGNOSIS: diagnosis, **audits}
    direct = audits if told.is_deadly else questions
    found = _direct(pool, trial, direct)
    lost: list[tuple[str, str]] = []
    deaths: list[Finding] = []
    for what, question in questions.items():
        if what not in found:
            try:
                found[what] = _asked(trial.guarded_worker(), question)
            except TargetDeath as death:
                lost.append((what, f"the target's process ended with {death}"))
                if death.how != "exit":
                    place = DIAGNOSIS if what == DIAGNOSIS else AUDIT
                    deaths.append(_death(pool.spec, place, death.how, str(death), ()))
    if told.unexplained:
        families = tuple(sorted({family for family, _ in told.unexplained}))
        ended = min(ended for _, ended in told.unexplained)
        deaths.append(_death(pool.spec, "", ended.partition(":")[0], ended, families))
    parts = [found[what] for what in questions if what in found]
    return [*parts, {crashes_or_hangs.CODE: deaths}], lost


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
        target=spec,
        code=crashes_or_hangs.CODE,
        name=crashes_or_hangs.NAME,
        cause=Cause(KINDS.get(how, "crash"), parameters, message=message),
        count=1,
        text=None,
        families=families,
        reproduce=" ".join(words),
    )


def _direct(pool: Pool, trial: Trial, questions: dict[str, Question]) -> dict[str, Findings]:
    """Ask the workers that have the target in their own process; no answer where one died."""
    waiting = deque(questions.items())
    idle = [worker for worker in trial.workers if not worker.guarded]
    busy: dict[AnyWorker, str] = {}
    found = {}
    while (waiting and idle) or busy:
        while waiting and idle:
            worker = idle.pop()
            busy[worker], question = waiting.popleft()
            worker.send(question)
        worker = pool.next_ready(list(busy))
        what = busy.pop(worker)
        try:
            found[what] = _findings(worker.receive())
            idle.append(worker)
        except TargetDeath:
            trial.drop(worker)
    return found


def _asked(worker: AnyWorker, question: Question) -> Findings:
    worker.send(question)
    return _findings(worker.receive())


def _findings(answer: dict[str, Any]) -> Findings:
    return {code: list(map(finding_of, some)) for code, some in answer["findings"].items()}
