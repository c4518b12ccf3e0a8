"""The merged results of shards, in the form that a diagnosis takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.checks import crashes_or_hangs
from tokharness.scanning.record import FAILING, Record, add_into, record_of
from tokharness.targets.processes.crashers import LIMIT, LOST

if TYPE_CHECKING:
    from tokharness.engine.requests import CrasherRows
    from tokharness.scanning.local import ShardResult
    from tokharness.scanning.plan import Shard

CORPUS = "corpus"
"""The name of the documents in the place of a family."""

MOST_CRASHERS = 200


class Totals:
    """The merged results of shards, in the form that a diagnosis takes."""

    def __init__(self) -> None:
        self.record = Record()
        self.seconds = 0.0
        self.crashers: CrasherRows = ()
        self.unexplained_deaths: list[tuple[str, str]] = []
        self.lost: list[tuple[Shard, str]] = []
        self.finished = 0

    def add(self, result: ShardResult) -> None:
        """Add the result of a shard."""
        response, death = result.response, result.death
        if response is None:
            reason = f"our own process ended with {death} while it read them"
            self.lost.append((result.shard, result.unread or reason))
            return
        self.finished += 1
        self.seconds += response["seconds"]
        record = record_of(response)
        add_into(self.record, record)
        deaths = [row for row in response["crashers"] if row[0] not in (LIMIT, LOST) and row[2]]
        # In an order that does not depend on which shard is finished first.
        self.crashers = sorted([*self.crashers, *deaths], key=repr)[:MOST_CRASHERS]
        explained = record.value("failing", crashes_or_hangs.CODE) or record.value(
            "total", "left_out"
        )
        if death is not None and not explained and death.reason not in ("time limit", "SIGINT"):
            self.unexplained_deaths.append((CORPUS, str(death)))

    @property
    def failing(self) -> dict[str, dict[str, str]]:
        """Failing documents to diagnose, with the file of each, by the code of the check."""
        return {
            name.removeprefix(FAILING): {row[-1]: CORPUS for row in rows}
            for name, rows in sorted(self.record.samples.items())
            if name.startswith(FAILING) and rows
        }

    @property
    def has_crashers(self) -> bool:
        """Whether a document is known that crashes or hangs the target."""
        return bool(self.crashers) or bool(self.failing.get(crashes_or_hangs.CODE))
