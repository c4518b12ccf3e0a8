"""Describe a part of the tokens of the target, for the rows of an audit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.engine.worker.token_columns import audited_columns, plain_columns

if TYPE_CHECKING:
    from tokharness.engine.requests import TokensRequest
    from tokharness.engine.worker.state import WorkerState

FIELDS = (
    *("bytes", "kind", "text", "state", "witness", "reason", "classes"),
    *("count", "norm", "rank"),
)


def respond(state: WorkerState, request: TokensRequest) -> dict[str, Any]:
    """Return the columns of the requested ids, each without ids that have no value."""
    subject = state.timed_subject()
    columns = dict(plain_columns(subject, inside=request.inside))
    if request.audited:
        audited = audited_columns(state.checks, subject)
        columns |= {**audited, "reason": {**audited["reason"], **columns["reason"]}}
    size = subject.target.n_vocab or 0
    part = range(request.first, min(request.first + request.count, size))
    return {
        "n_vocab": size,
        **{
            name: {str(number): column[number] for number in part if number in column}
            for name in FIELDS
            for column in [columns.get(name, {})]
        },
    }
