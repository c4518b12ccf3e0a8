"""Have workers diagnose what failed and audit the target, whatever dies of it."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from tokharness.errors import TargetDeath
from tokharness.records import finding_of

if TYPE_CHECKING:
    from tokharness.engine.pool import AnyWorker, Pool
    from tokharness.engine.trying import Trial
    from tokharness.model import Finding

__all__ = ["findings_of"]

Findings = dict[str, list["Finding"]]
Question = dict[str, Any]


def findings_of(pool: Pool, trial: Trial) -> tuple[list[Findings], list[tuple[str, str]]]:
    """Findings by the code of the check, from texts and from the audit; and what was lost.

    Both are tried at once with the target in the workers' processes, unless texts are known that
    end those; what dies of it is done again with the target in a process of its own.
    """
    questions: dict[str, Question] = {
        "the diagnosis": {"op": "diagnose", "failing": trial.failing, "deadly": trial.deadly},
        "the audit": {"op": "audit"},
    }
    direct = {
        what: question
        for what, question in questions.items()
        if what == "the audit" or not trial.is_deadly
    }
    found = _direct(pool, trial, direct)
    lost = []
    for what, question in questions.items():
        if what not in found:
            try:
                found[what] = _asked(trial.guarded_worker(), question)
            except TargetDeath as death:
                lost.append((what, f"the worker ended with {death}"))
    return [found[what] for what in questions if what in found], lost


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
