"""Rounds of a campaign that killed their worker, and run again."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING

from tokharness.engine.run.outside_kills import MAX_KILLS

if TYPE_CHECKING:
    from tokharness.engine.fuzzing.round_plan import Round
    from tokharness.engine.requests import RoundRequest
    from tokharness.engine.run.loaded_workers import Workers
    from tokharness.engine.run.worker_process import AnyWorker
    from tokharness.errors import TargetDeath

__all__ = ["RepeatedRounds"]


class RepeatedRounds:
    """Rounds to run again: in a fresh worker if the first may be innocent, else guarded."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._fresh: deque[Round] = deque()
        self._guarded: deque[tuple[Round, TargetDeath]] = deque()
        self._deaths: dict[int, TargetDeath] = {}
        self._kills: defaultdict[int, list[TargetDeath]] = defaultdict(list)
        self._requests: dict[int, RoundRequest] = {}

    def add(self, round_: Round, worker: AnyWorker, death: TargetDeath) -> None:
        """Schedule a round again that killed its worker, unless a guarded one, which isolates it.

        A worker that may have been ended from outside is replaced: an unguarded one once.
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
        """Whether a round runs again."""
        return round_ in self._fresh or any(round_ == other for other, _ in self._guarded)

    def was_run(self, number: int) -> bool:
        """Whether a round with this number has killed a worker."""
        return number in self._deaths or number in self._kills

    def was_guarded(self, number: int) -> bool:
        """Whether a round that killed a worker ran again in the guarded one."""
        return number in self._deaths

    def sent(self, request: RoundRequest) -> None:
        """Store the request of a round that runs again."""
        self._requests[request.number] = request

    def finish(self, number: int, *, unexplained: bool) -> TargetDeath | None:
        """Return how a round killed its first worker; None if that was ended from outside.

        If the response leaves the death of a worker ``unexplained`` that may have been ended from
        outside, the round is run again.
        """
        death, kills = self._deaths.get(number), self._kills.pop(number, [])
        if death is not None and death.is_external and unexplained:
            death, kills = self._workers.shown_again(self._requests[number], kills), []
        if death is None:
            self._workers.kills.add(kills)
        return death
