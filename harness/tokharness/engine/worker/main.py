"""A worker: reads requests, runs the operation of each, and writes responses.

``python -m tokharness.engine.worker.main`` is the process of a worker.
"""

from __future__ import annotations

import gc
import os
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness.engine.requests import (
    AuditRequest,
    ColumnsRequest,
    CostRequest,
    DiagnoseRequest,
    EncodeRequest,
    ExplainRequest,
    FeaturesRequest,
    LoadRequest,
    MeasureRequest,
    OutlineRequest,
    Request,
    RoundRequest,
    SnapshotRequest,
    TextsRequest,
    TokensRequest,
    UnitRequest,
    request_of,
)
from tokharness.engine.responses import error_response
from tokharness.engine.worker.operations import audit, diagnose, load, measure, unit
from tokharness.targets.processes.deadlines import share_deadline
from tokharness.targets.processes.json_lines import from_line
from tokharness.targets.processes.streams import ProtocolStreams, take_arguments

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokharness.engine.worker.state import WorkerState

YOUNG_OBJECTS = 20_000
"""Objects after which garbage is collected; the usual 700 would take a twentieth of the time."""

Operation: TypeAlias = "Callable[[WorkerState, Any], dict[str, Any]]"


def _imported_on_use(module: str, name: str = "respond") -> Operation:
    """Return an operation that a `check` does not need, and a worker of it does not import."""

    def operation(state: WorkerState, request: Any) -> dict[str, Any]:
        found: Operation = getattr(
            import_module(f"tokharness.engine.worker.operations.{module}"), name
        )
        return found(state, request)

    return operation


OPERATIONS: Mapping[type[Request], Operation] = MappingProxyType(
    {
        UnitRequest: unit.respond,
        RoundRequest: _imported_on_use("campaign", "run_round"),
        FeaturesRequest: _imported_on_use("campaign", "features"),
        DiagnoseRequest: diagnose.respond,
        AuditRequest: audit.respond,
        SnapshotRequest: _imported_on_use("snapshot"),
        MeasureRequest: measure.respond,
        EncodeRequest: _imported_on_use("vocabulary", "encode"),
        CostRequest: _imported_on_use("vocabulary", "cost"),
        TokensRequest: _imported_on_use("vocabulary", "tokens"),
        OutlineRequest: _imported_on_use("vocabulary", "outline"),
        TextsRequest: _imported_on_use("texts"),
        ColumnsRequest: _imported_on_use("columns"),
        ExplainRequest: _imported_on_use("explain"),
    }
)
"""The operation for each request to a worker that has loaded its target."""


class Worker:
    """Responds to requests about one target.

    A ``timed`` worker has a process of its own, which is killed if a call takes too long.
    ``operations`` has the operation for each further request, of a room that the engine does not
    know.
    """

    def __init__(
        self, *, timed: bool, operations: Mapping[type[Request], Operation] = MappingProxyType({})
    ) -> None:
        self._timed = timed
        self._operations = {**OPERATIONS, **operations}
        self.state: WorkerState | None = None

    def respond(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """Return the response to the record of a request; an error is a response too."""
        try:
            return self._respond(request_of(record))
        except Exception as error:
            return error_response(error)

    def close(self) -> None:
        """Kill the processes of the target and its reference, if they have any."""
        if self.state is not None:
            self.state.close()

    def _respond(self, request: Request) -> dict[str, Any]:
        if isinstance(request, LoadRequest):
            self.state, response = load.respond(request, timed=self._timed)
            return response
        if self.state is None:
            raise ValueError("the target is not loaded")
        return self._operations[type(request)](self.state, request)


def main(operations: Mapping[type[Request], Operation] = MappingProxyType({})) -> None:
    """Respond to requests until the input ends; the argument is the descriptor of the deadlines.

    ``operations`` are those of :class:`Worker`.
    """
    page = int(take_arguments()[0])
    share_deadline(page)
    os.close(page)
    streams = ProtocolStreams()
    worker = Worker(timed=True, operations=operations)
    gc.set_threshold(YOUNG_OBJECTS, 20, 20)
    for line in streams.requests():
        streams.write(worker.respond(from_line(line)))


if __name__ == "__main__":
    main()
