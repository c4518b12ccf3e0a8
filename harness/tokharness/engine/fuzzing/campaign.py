"""A campaign: rounds of texts, some repeated, until its budget of time or texts is spent."""

from __future__ import annotations

import time
from collections import defaultdict, deque
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness import plugins
from tokharness.engine.events import CauseDiscovered, Event, RoundFinished, finding_of
from tokharness.engine.fuzzing.rounds import FIRST_TEXTS, LAG, TEXTS, Round, round_at
from tokharness.engine.fuzzing.sources.mutations import LONG_TEXTS
from tokharness.engine.fuzzing.sources.strategies import FAMILIES_PER_ROUND, TEXTS_PER_FAMILY
from tokharness.engine.fuzzing.state import CampaignState
from tokharness.engine.requests import RoundRequest
from tokharness.engine.responses import plugin_error
from tokharness.engine.run.death_findings import MAX_KILLS, WorkerLostError
from tokharness.engine.run.diagnosis_requests import audit_requests
from tokharness.errors import TargetDeath, TargetError
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.engine.fuzzing.corpus import CorpusDatabase
    from tokharness.engine.run.loaded_workers import Workers
    from tokharness.engine.run.pool import AnyWorker

# Rounds of a campaign that killed their worker, and are repeated.


class RepeatedRounds:
    """Rounds to repeat: in a fresh worker if the round may be innocent, otherwise guarded."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._fresh: deque[Round] = deque()
        self._guarded: deque[tuple[Round, TargetDeath]] = deque()
        self._deaths: dict[int, TargetDeath] = {}
        self._kills: defaultdict[int, list[TargetDeath]] = defaultdict(list)
        self._requests: dict[int, RoundRequest] = {}

    def add(self, round_: Round, worker: AnyWorker, death: TargetDeath) -> None:
        """Schedule the repetition of a round that killed its worker.

        A guarded worker isolates the round, so that its death is final, unless the worker may have
        been ended from outside. An unguarded worker that may have been is replaced once.
        """
        number = round_.number
        kills = self._kills[number]
        if death.is_external:
            kills.append(death)
        if not worker.guarded and death.is_external and len(kills) == 1:
            self._fresh.append(round_)
        elif not worker.guarded:
            self._guarded.append((round_, death))
        elif worker.death is not None and death.is_external and len(kills) < MAX_KILLS:
            first_death = self._deaths.get(number)
            if first_death is None:
                self._fresh.append(round_)
            else:
                self._guarded.append((round_, first_death))
        elif death.is_external:
            self._workers.kills.add(self._kills.pop(number))
            self._workers.kills.incomplete = True

    def next_fresh(self) -> Round | None:
        """Return a round for any worker."""
        return self._fresh.popleft() if self._fresh else None

    def next_guarded(self) -> Round | None:
        """Return a round for the guarded worker."""
        if not self._guarded:
            return None
        round_, self._deaths[round_.number] = self._guarded.popleft()
        return round_

    @property
    def has_guarded(self) -> bool:
        """Whether a round waits for the guarded worker."""
        return bool(self._guarded)

    def is_waiting(self, round_: Round) -> bool:
        """Whether a round waits to be repeated."""
        return round_ in self._fresh or any(round_ == other for other, _ in self._guarded)

    def was_run(self, number: int) -> bool:
        """Whether a round with this number has killed a worker."""
        return number in self._deaths or number in self._kills

    def was_guarded(self, number: int) -> bool:
        """Whether a round that killed a worker was repeated in the guarded worker."""
        return number in self._deaths

    def sent(self, request: RoundRequest) -> None:
        """Store the request of a repeated round."""
        self._requests[request.number] = request

    def finish(self, number: int, *, unexplained: bool) -> TargetDeath | None:
        """Return how a round killed its first worker; None if the worker was ended from outside.

        If the response does not explain the death of a worker that may have been ended from
        outside (``unexplained``), the round is run again.
        """
        death, kills = self._deaths.get(number), self._kills.pop(number, [])
        if death is not None and death.is_external and unexplained:
            death, kills = self._workers.shown_again(self._requests[number], kills), []
        if death is None:
            self._workers.kills.add(kills)
        return death


Task: TypeAlias = "Round | str"
"""The task of a busy worker: a round, or the audit of a check."""

LOST_ROUND: dict[str, Any] = {
    **dict.fromkeys(("cases", "seconds", "not_compared"), 0),
    **dict.fromkeys(("corpus", "discovered"), ()),
    **dict.fromkeys(("excluded", "readmitted"), ""),
    **dict.fromkeys(("failing", "failing_counts"), MappingProxyType({})),
    "left_out": 1,
    "encoded": None,
    "unseen": (),
}
"""Result of a round that kills the worker although the target has a separate process."""

MAX_DEATHS = 6
"""Most deaths of workers; after that, the target of all further rounds has its own process."""

SAVED_PER_ROUND = 4
"""Most texts with new features that a round saves in the database."""

SIZES = {"families": FAMILIES_PER_ROUND * TEXTS_PER_FAMILY * 3, "long-texts": LONG_TEXTS}
"""Texts of a round of these sources; other sources have ``TEXTS``."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limit of a campaign: a number of ``seconds``, or a number of ``texts``."""

    seconds: float | None = None
    texts: int | None = None


class Campaign:
    """Schedules the rounds and audits of one target on workers.

    ``regressions`` are run first, with the texts of the corpus.
    """

    def __init__(
        self,
        workers: Workers,
        budget: Budget,
        corpus: CorpusDatabase,
        sources: tuple[str, ...],
        checks: Sequence[str],
        regressions: Sequence[str] = (),
    ) -> None:
        self._workers, self._budget, self._corpus, self._sources = workers, budget, corpus, sources
        self.first = corpus.next_round()
        self.initial_corpus = list(dict.fromkeys((*regressions, *corpus.texts())))
        self._start = self.first - bool(self.initial_corpus)  # run before the first
        self.state = CampaignState(workers.pool.spec, self._start)
        self.audits: dict[str, dict[str, Any]] = {}
        self._audits = deque(audit_requests(sorted(checks, key=_is_slow)).items())
        self._next, self._scheduled, self._turns, self._deaths = self._start, 0, 0, 0
        self._busy: dict[AnyWorker, Task] = {}
        self._repeated = RepeatedRounds(workers)
        self._sent_until: dict[AnyWorker, int] = {}
        self._text_limits: dict[int, int | None] = {}
        self._begin = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Seconds since the start of the campaign."""
        return time.perf_counter() - self._begin

    def events(self) -> Iterator[Event]:
        """Run rounds and audits; yield an event for each round and each new cause."""
        self._begin = time.perf_counter()
        idle = list(self._workers.workers)
        while True:
            idle = [worker for worker in idle if not self._assign(worker)]
            if not self._busy:
                break
            worker = self._workers.pool.next_ready(list(self._busy))
            task = self._busy[worker]  # stays there until received: an interrupt kills busy workers
            try:
                response = worker.receive()
            except TargetDeath as death:
                del self._busy[worker]
                idle += self._after_death(worker, task, death, idle)
                if worker.guarded and isinstance(task, Round):
                    yield from self._lose_round(task)
                continue
            del self._busy[worker]
            idle.append(worker)
            if isinstance(task, Round):
                yield from self._finish_round(task, response)
            else:
                yield from self._finish_audit(task, response)
        self._corpus.save_next_round(max(self.state.next_round, self.first))

    def cancel_audits(self) -> list[str]:
        """Cancel the audits that have not started, and return their names.

        An audit that killed its worker runs again with the final diagnosis.
        """
        left = [what for what, _ in self._audits]
        self.audits.update((what, {"findings": {}}) for what in left)
        self._audits.clear()
        return left

    def interrupt(self) -> None:
        """Kill the busy workers that do not respond soon, and save how far the campaign came.

        A round that was interrupted does not count, since a resumed campaign runs all of it.
        """
        for worker, _ in self._workers.responses_of_rest(self._busy):
            del self._busy[worker]
        self._workers.drop_busy(self._busy)
        self._busy.clear()
        self._corpus.save_next_round(max(self.state.next_round, self.first))

    def _assign(self, worker: AnyWorker) -> bool:
        """Send a round or an audit to a worker; return False if no task is left for this worker."""
        self._turns += 1
        if worker.guarded:
            if repeated := self._repeated.next_guarded():
                self._send_round(worker, repeated)
                return True
            if self._workers.unguarded:
                return False
        if repeated := self._repeated.next_fresh():
            self._send_round(worker, repeated)
            return True
        over = self._is_over()
        may_audit = not worker.guarded or not self._workers.unguarded
        if self._audits and may_audit and self._is_audit_turn(over=over):
            what, request = self._audits.popleft()
            self._busy[worker] = what
            worker.send(request)
            return True
        if over or self._next - LAG >= self.state.next_round:
            return False
        round_ = Round(self._next, "corpus", 0)
        if self._next >= self.first:
            round_ = round_at(self._next, self._sources)
        self._next += 1
        self._send_round(worker, round_)
        return True

    def _is_audit_turn(self, *, over: bool) -> bool:
        """Whether an audit is next: three turns of four, and none after the time limit."""
        return self._budget.seconds is None if over else self._turns % 4 != 1

    def _is_over(self) -> bool:
        seconds, texts = self._budget.seconds, self._budget.texts
        if seconds is not None and self.seconds >= seconds:
            return True
        return texts is not None and self._scheduled >= texts

    def _send_round(self, worker: AnyWorker, round_: Round) -> None:
        """Send a round to a worker, with the corpus of earlier rounds that it does not have yet."""
        end = max(round_.number - LAG + 1, self._start)
        sent = self._sent_until.get(worker, self._start)
        reset = sent > end
        is_first_try = not self._repeated.was_run(round_.number)
        if is_first_try and round_.source != "corpus":
            texts = self._budget.texts
            limit = None if texts is None else max(texts - self._scheduled, 1)
            self._text_limits[round_.number] = limit
            self._scheduled += SIZES.get(round_.source, TEXTS if round_.number else FIRST_TEXTS)
        # A repeated round has the same texts as before.
        seconds = self._budget.seconds if is_first_try else None
        request = RoundRequest(
            number=round_.number,
            source=round_.source,
            turn=round_.turn,
            initial_corpus=self.initial_corpus if round_.source == "corpus" else [],
            reset_corpus=reset,
            new_corpus=self.state.new_corpus(self._start if reset else sent, end),
            excluded=self.state.excluded_before(end),
            known_causes=self.state.known_causes_before(end),
            seconds=None if seconds is None else max(seconds - self.seconds, 0.1),
            max_texts=self._text_limits.get(round_.number),
            crashers=self.state.crashers,
        )
        self._sent_until[worker] = end
        self._busy[worker] = round_
        if not is_first_try:
            self._repeated.sent(request)
        worker.send(request)

    def _finish_round(self, round_: Round, response: dict[str, Any]) -> Iterator[Event]:
        """Add the result of a round; yield an event for it and for each cause that it discovers."""
        state, number = self.state, round_.number
        if self._repeated.was_guarded(number):
            state.crashers = response["crashers"]
        death = self._repeated.finish(number, unexplained=state.is_unexplained(response))
        if death is not None:
            state.record_death(death, response)
        failing = sum(response["failing_counts"].values())
        yield RoundFinished(
            state.spec,
            number,
            round_.source,
            response["cases"],
            failing,
            response["encoded"],
            response["unseen"],
        )
        self._corpus.add_failing(
            text for texts in response["failing"].values() for text in texts[:8]
        )
        self._corpus.add(response["corpus"][:SAVED_PER_ROUND])
        for record in state.add_round(round_, response):
            if record["verdict"] != Verdict.FACT:
                parameters = tuple((name, value) for name, value in record["parameters"])
                cause = Cause(record["kind"], parameters, Verdict(record["verdict"]))
                yield self._discovered(record["code"], cause, record["text"])

    def _lose_round(self, round_: Round) -> Iterator[Event]:
        """Add a round that also killed the guarded worker, unless it will be repeated."""
        if not self._repeated.is_waiting(round_):
            lost = {**LOST_ROUND, "crashers": self.state.crashers}
            yield from self._finish_round(round_, lost)

    def _finish_audit(self, what: str, response: dict[str, Any]) -> Iterator[Event]:
        self.audits[what] = response
        if error := plugin_error(response):
            raise error
        for code, records in response["findings"].items():
            for finding in map(finding_of, records):
                if finding.verdict is not Verdict.FACT:
                    text = finding.text if isinstance(finding.text, str) else None
                    yield self._discovered(code, finding.cause, text)

    def _discovered(self, code: str, cause: Cause, text: str | None) -> CauseDiscovered:
        name = plugins.checks()[code].name
        return CauseDiscovered(self.state.spec, code, name, cause, text, round(self.seconds, 3))

    def _after_death(
        self, worker: AnyWorker, task: Task, death: TargetDeath, idle: list[AnyWorker]
    ) -> list[AnyWorker]:
        """Replace a dead worker; its round runs again with the target in a separate process.

        Returns the new workers.
        """
        self._deaths += 1
        self._workers.drop(worker)
        if isinstance(task, Round):  # an audit runs again with the diagnosis
            self._repeated.add(task, worker, death)
        if worker.guarded:
            needed = self._repeated.has_guarded or not self._workers.unguarded
            return [self._guarded_worker()] if needed else []
        workers = self._workers.start() if self._deaths < MAX_DEATHS else []
        needed = self._repeated.has_guarded or not (workers or idle or self._busy)
        if needed and not any(other.guarded for other in (*idle, *self._busy)):
            workers.append(self._guarded_worker())
        return workers

    def _guarded_worker(self) -> AnyWorker:
        try:
            return self._workers.guarded_worker()
        except WorkerLostError as error:
            raise TargetError(f"{self.state.spec} cannot be loaded: {error.detail}") from error


def _is_slow(code: str) -> bool:
    """Whether the audit of a check takes seconds; such audits run last."""
    return bool(plugins.checks()[code].profiles)
