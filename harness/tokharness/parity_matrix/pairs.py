"""Pairs of forms in one worker, which explains texts on which they differ."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from tokharness.engine.events import finding_of
from tokharness.engine.requests import ExplainRequest
from tokharness.engine.run.loaded_workers import start_workers
from tokharness.engine.run.pool import Pool
from tokharness.errors import TargetDeath, TokharnessError
from tokharness.parity_matrix.opened import REFERENCE, counterpart

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.config import Options
    from tokharness.engine.run.loaded_workers import Workers
    from tokharness.model import Finding

SECONDS = 120.0
"""Processor seconds for the explanation of the texts of a pair in an aspect."""


@dataclass(frozen=True, slots=True)
class Explained:
    """The findings of a pair, the texts of each, and why texts were not explained."""

    findings: tuple[Finding, ...] = ()
    members: tuple[tuple[str, ...], ...] = ()
    left: int = 0
    failure: str = ""


@dataclass
class Pairs:
    """The workers of pairs, each started when it is first needed.

    ``versions`` has the Unicode versions of each reference of ours, by its spec and the stage.
    """

    options: Options
    jobs: int
    versions: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    _stack: ExitStack = field(default_factory=ExitStack)
    _workers: dict[tuple[str, str], Workers | str] = field(default_factory=dict)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def explain(self, spec: str, against: str, code: str, texts: Mapping[str, str]) -> Explained:
        """Explain why texts, each with its family, fail a check with ``against`` as reference."""
        workers = self._of(spec, against)
        if isinstance(workers, str):
            return Explained(left=len(texts), failure=workers)
        request = ExplainRequest(code, dict(texts), (), SECONDS)
        try:
            response = _response(workers, request)
        except TargetDeath as death:
            return Explained(left=len(texts), failure=f"its process ended with {death}")
        except TokharnessError as error:
            return Explained(left=len(texts), failure=str(error))
        rows = list(texts)
        return Explained(
            tuple(map(finding_of, response["findings"])),
            tuple(
                tuple(rows[place] for place in row if 0 <= place < len(rows))
                for row in response["members"]
            ),
            response["not_diagnosed"],
        )

    def _of(self, spec: str, against: str) -> Workers | str:
        """Return the workers of a pair, or why it cannot be loaded."""
        if (spec, against) not in self._workers:
            self._workers[spec, against] = self._start(spec, against)
        return self._workers[spec, against]

    def _start(self, spec: str, against: str) -> Workers | str:
        # The form of a reference has the Unicode versions of its library, also for other engines.
        are_counterparts = counterpart(spec) == against and counterpart(against) == spec
        own = None if are_counterparts else against
        pool = Pool(spec, replace(self.options, against=own), min(self.jobs, 1))
        self._stack.enter_context(pool)
        pool.versions = {} if own is None else self.versions
        try:
            workers, _, _ = start_workers(pool)
        except (TokharnessError, TargetDeath) as error:
            return str(error)
        return workers


def _response(workers: Workers, request: ExplainRequest) -> dict[str, Any]:
    """Ask a worker, and again one whose target has a process of its own if the first one dies."""
    for worker in workers.unguarded[:1]:
        try:
            return worker.call(request)
        except TargetDeath:
            workers.drop(worker)
    return workers.call_guarded(request)


def ordered(spec: str, against: str) -> tuple[str, str]:
    """Return the target and the reference of a pair.

    A library is the target, and the reference of ours that reads the same file its reference.
    """
    is_ours = spec.partition(":")[0] == REFERENCE
    return (against, spec) if is_ours and counterpart(against) == spec else (spec, against)


def sampled(texts: Sequence[str], most: int) -> Sequence[str]:
    """Return at most ``most`` texts, shorter ones first."""
    return sorted(texts, key=lambda text: (len(text), text))[:most]
