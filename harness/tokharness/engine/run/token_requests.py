"""Request the rows of all tokens of a target, in parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.boundary.attributes import LARGEST_VOCABULARY
from tokharness.engine.events import Event, SkipRecorded, TokensListed
from tokharness.engine.requests import TokensRequest
from tokharness.engine.run.outside_kills import lost_response
from tokharness.errors import TargetDeath
from tokharness.model import TokenRow
from tokharness.targets.processes.protocol import nonsense_death

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokharness.engine.run.loaded_workers import Workers

__all__ = ["WHAT", "request_tokens"]

IDS_PER_REQUEST = 20_000

WHAT = "the rows of the tokens"
"""What a skip says that there is not."""


def request_tokens(workers: Workers, *, audited: bool) -> Iterator[Event]:
    """Yield the rows of all tokens, or a skip if the target ends its process.

    One worker responds to all requests, so that it computes what the rows need only once.
    """
    spec = workers.pool.spec
    rows: list[TokenRow] = []
    size = IDS_PER_REQUEST
    try:
        while len(rows) < size:
            request = TokensRequest(len(rows), IDS_PER_REQUEST, audited)
            response = _response(workers, request)
            size = min(response["n_vocab"], LARGEST_VOCABULARY)
            rows += _rows(response, range(len(rows), min(len(rows) + IDS_PER_REQUEST, size)))
    except TargetDeath as death:
        yield SkipRecorded(lost_response(spec, WHAT, death))
        return
    yield TokensListed(spec, tuple(rows))


def _response(workers: Workers, request: TokensRequest) -> dict[str, Any]:
    responses: dict[str, dict[str, Any]] = {}
    workers.call_unguarded({WHAT: request}, responses)
    return responses[WHAT] if WHAT in responses else workers.call_guarded(request)


def _rows(response: Mapping[str, Any], numbers: range) -> Iterator[TokenRow]:
    """Yield the rows of these ids; raises TargetDeath if what should be hex digits is not."""
    for number in numbers:
        key = str(number)
        values = {
            name: column[key]
            for name, column in response.items()
            if name != "n_vocab" and key in column
        }
        if "bytes" in values:
            try:
                values["bytes"] = bytes.fromhex(values["bytes"])
            except ValueError:
                line = values["bytes"].encode("utf-8", "replace")
                raise nonsense_death("bytes that are not hex digits", line) from None
        if "classes" in values:
            values["classes"] = tuple(values["classes"])
        yield TokenRow(number, **values)
