"""A campaign: rounds of texts, until its time is over or it has had as many texts as it may."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness import plugins
from tokharness.engine.events import Event, RoundTried, Sighted
from tokharness.engine.fuzzing.hypothesis_source import FAMILIES_PER_ROUND, TEXTS_PER_FAMILY
from tokharness.engine.fuzzing.rounds import FIRST_TEXTS, TEXTS
from tokharness.engine.fuzzing.schedule import LAG, Round, round_at
from tokharness.engine.fuzzing.splicing import LONG_TEXTS
from tokharness.engine.fuzzing.state import CampaignState
from tokharness.engine.records import finding_of
from tokharness.engine.run.diagnosis_requests import audits_of
from tokharness.errors import TargetDeath
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.engine.fuzzing.corpus import CorpusDatabase
    from tokharness.engine.run.pool import AnyWorker
    from tokharness.engine.run.workers import Crew

__all__ = ["Budget", "Campaign"]

Asked: TypeAlias = "Round | str"
"""What a worker is at: a round, or the audit of a check."""

LOST = {
    **dict.fromkeys(("cases", "seconds", "not_compared"), 0),
    **dict.fromkeys(("deadly", "corpus", "discovered"), ()),
    **dict.fromkeys(("excluded", "readmitted"), ""),
    **dict.fromkeys(("failing", "failing_counts"), MappingProxyType({})),
    "left_out": 1,
}
"""Of a round that ends the worker although the target has a process of its own."""

MOST_DEATHS = 6
"""Workers that may end; then the target has a process of its own for the rest of the campaign."""

KEPT_A_ROUND = 4
SIZES = {"families": FAMILIES_PER_ROUND * TEXTS_PER_FAMILY * 3, "long-texts": LONG_TEXTS}
"""Texts of a round of these sources."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a campaign goes on: ``seconds``, or until it has tried so many ``texts``."""

    seconds: float | None = None
    texts: int | None = None


class Campaign:
    """The rounds of one target, and who is at which."""

    def __init__(
        self,
        crew: Crew,
        budget: Budget,
        corpus: CorpusDatabase,
        sources: tuple[str, ...],
        checks: Sequence[str],
        earlier: Sequence[str] = (),
    ) -> None:
        self._crew, self._budget, self._corpus, self._sources = crew, budget, corpus, sources
        self.first = corpus.next_round()
        self.initial_corpus = list(dict.fromkeys((*earlier, *corpus.texts())))
        self._start = self.first - bool(self.initial_corpus)  # these are the round before the first
        self.state = CampaignState(crew.pool.spec, self._start)
        self.audits: dict[str, dict[str, Any]] = {}
        self._audits = deque(audits_of(sorted(checks, key=_takes_long)).items())
        self._next, self._given, self._turns, self._deaths = self._start, 0, 0, 0
        self._busy: dict[AnyWorker, Asked] = {}
        self._again: deque[tuple[Round, TargetDeath]] = deque()
        self._died: dict[int, TargetDeath] = {}
        self._news: dict[AnyWorker, int] = {}
        self._most: dict[int, int | None] = {}
        self._begin = time.perf_counter()

    @property
    def seconds(self) -> float:
        """How long it has gone on."""
        return time.perf_counter() - self._begin

    def events(self) -> Iterator[Event]:
        """Try rounds, with the audits between them; an event for each round and new cause."""
        self._begin = time.perf_counter()
        idle = list(self._crew.workers)
        while True:
            idle = [worker for worker in idle if not self._give(worker)]
            if not self._busy:
                break
            worker = self._crew.pool.next_ready(list(self._busy))
            asked = self._busy[worker]  # until it is received: an interrupt drops who is busy
            try:
                answer = worker.receive()
            except TargetDeath as death:
                del self._busy[worker]
                idle += self._after_death(worker, asked, death, idle)
                if worker.guarded and isinstance(asked, Round):
                    yield from self._taken(asked, LOST)
                continue
            del self._busy[worker]
            idle.append(worker)
            if isinstance(asked, Round):
                yield from self._taken(asked, answer)
            else:
                yield from self._audited(asked, answer)
        self._corpus.save_next_round(max(self.state.next_round, self.first))

    def cancel_audits(self) -> list[str]:
        """Name the audits that were not asked for, and have them not be asked for any more.

        One that was asked for and ended its worker is asked again with the diagnosis.
        """
        left = [what for what, _ in self._audits]
        self.audits.update((what, {"findings": {}}) for what in left)
        self._audits.clear()
        return left

    def interrupt(self) -> None:
        """Stop those who are at a round."""
        self._crew.interrupted(self._busy)
        self._busy.clear()
        self._corpus.save_next_round(max(self.state.next_round, self.first))

    def _give(self, worker: AnyWorker) -> bool:
        """Give a worker a round, or an audit; False if there is none for it."""
        self._turns += 1
        if worker.guarded:
            if self._again:
                one, death = self._again.popleft()
                self._died[one.number] = death
                self._ask(worker, one)
                return True
            if self._crew.unguarded:
                return False
        over = self._is_over()
        able = not worker.guarded or not self._crew.unguarded
        if self._audits and able and self._may_audit(over=over):
            what, question = self._audits.popleft()
            self._busy[worker] = what
            worker.send(question)
            return True
        if over or self._next - LAG >= self.state.next_round:
            return False
        one = Round(self._next, "corpus", 0)
        if self._next >= self.first:
            one = round_at(self._next, self._sources)
        self._next += 1
        self._ask(worker, one)
        return True

    def _may_audit(self, *, over: bool) -> bool:
        """Whether an audit is next: mostly at first, and where the time is over none is."""
        return self._budget.seconds is None if over else self._turns % 4 != 1

    def _is_over(self) -> bool:
        seconds, texts = self._budget.seconds, self._budget.texts
        if seconds is not None and self.seconds >= seconds:
            return True
        return texts is not None and self._given >= texts

    def _ask(self, worker: AnyWorker, one: Round) -> None:
        """Ask a worker to try a round, with what it has not heard yet of rounds before."""
        end = max(one.number - LAG + 1, self._start)
        heard = self._news.get(worker, self._start)
        anew = heard > end
        first_time = one.number not in self._died
        if first_time and one.source != "corpus":
            texts = self._budget.texts
            self._most[one.number] = None if texts is None else max(texts - self._given, 1)
            self._given += SIZES.get(one.source, TEXTS if one.number else FIRST_TEXTS)
        seconds = self._budget.seconds if first_time else None  # the same texts as when it died
        question = {
            "op": "round",
            "number": one.number,
            "source": one.source,
            "turn": one.turn,
            "remembered": self.initial_corpus if one.source == "corpus" else [],
            "anew": anew,
            "news": self.state.new_corpus(self._start if anew else heard, end),
            "avoid": self.state.excluded_before(end),
            "known": self.state.known_causes_before(end),
            "seconds": None if seconds is None else max(seconds - self.seconds, 0.1),
            "texts": self._most.get(one.number),
            "deadly": self.state.deadly,
        }
        self._news[worker] = end
        self._busy[worker] = one
        worker.send(question)

    def _taken(self, one: Round, answer: dict[str, Any]) -> Iterator[Event]:
        """Take an answer in, and tell of the round and of the causes that it is first to show."""
        state = self.state
        death = self._died.get(one.number)
        if death is not None:
            state.deadly = answer["deadly"]
            state.record_death(death, answer)
        failing = sum(answer["failing_counts"].values())
        yield RoundTried(state.target, one.number, one.source, answer["cases"], failing)
        self._corpus.add_failing(text for some in answer["failing"].values() for text in some[:8])
        self._corpus.add(answer["corpus"][:KEPT_A_ROUND])
        for record in state.add_round(one, answer):
            if record["verdict"] != Verdict.BY_DESIGN:
                parameters = tuple((name, value) for name, value in record["parameters"])
                cause = Cause(record["kind"], parameters, Verdict(record["verdict"]))
                yield self._sighted(record["code"], cause, record["text"])

    def _audited(self, what: str, answer: dict[str, Any]) -> Iterator[Event]:
        self.audits[what] = answer
        for code, records in answer["findings"].items():
            for finding in map(finding_of, records):
                if finding.verdict is not Verdict.BY_DESIGN:
                    text = finding.text if isinstance(finding.text, str) else None
                    yield self._sighted(code, finding.cause, text)

    def _sighted(self, code: str, cause: Cause, text: str | None) -> Sighted:
        name = plugins.checks()[code].name
        return Sighted(self.state.target, code, name, cause, text, round(self.seconds, 3))

    def _after_death(
        self, worker: AnyWorker, asked: Asked, death: TargetDeath, idle: list[AnyWorker]
    ) -> list[AnyWorker]:
        """End a worker; its round is tried again with the target in a process of its own."""
        self._deaths += 1
        self._crew.drop(worker)
        if worker.guarded:
            needed = self._again or not self._crew.unguarded
            return [self._crew.guarded_worker()] if needed else []
        if isinstance(asked, Round):  # an audit is asked again with the diagnosis
            self._again.append((asked, death))
        found = self._crew.started() if self._deaths < MOST_DEATHS else []
        if not any(one.guarded for one in (*idle, *self._busy)):
            found.append(self._crew.guarded_worker())
        return found


def _takes_long(code: str) -> bool:
    """Whether a check takes seconds: such audits come last."""
    return bool(plugins.checks()[code].profiles)
