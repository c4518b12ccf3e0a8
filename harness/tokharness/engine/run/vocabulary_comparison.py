"""List the tokens of two targets, and encode those of the first that the second does not have."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from tokharness.engine.events import (
    Event,
    SkipRecorded,
    TargetFinished,
    TokensListed,
    TokensSplit,
)
from tokharness.engine.requests import EncodeRequest
from tokharness.engine.run.outside_kills import lost_response
from tokharness.engine.run.pool import Pool
from tokharness.engine.run.startup import start_workers
from tokharness.engine.run.token_requests import request_tokens
from tokharness.engine.vocabulary_differences import texts_to_split
from tokharness.errors import TargetDeath

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping, Sequence

    from tokharness.config import Options
    from tokharness.engine.run.loaded_workers import Workers
    from tokharness.model import TokenRow

__all__ = ["compare_vocabularies"]

TEXTS_PER_REQUEST = 2_000


def compare_vocabularies(
    specs: tuple[str, str], options: Options, *, jobs: int = 1
) -> Generator[Event]:
    """Load each target, and yield its tokens; and how the second splits tokens of the first."""
    listed: list[Sequence[TokenRow]] = []
    for spec in specs:
        with Pool(spec, options, jobs) as pool:
            begin = time.perf_counter()
            workers, start, _ = start_workers(pool)
            yield start
            for event in request_tokens(workers, audited=False):
                if isinstance(event, TokensListed):
                    listed.append(event.tokens)
                yield event
            if len(listed) == len(specs):
                yield from _request_splits(workers, texts_to_split(*listed))
            yield TargetFinished(spec, 0, time.perf_counter() - begin, 0.0)


def _request_splits(workers: Workers, texts: Mapping[int, str]) -> Iterator[Event]:
    """Yield the ids of each text, after a skip for each part of the texts that has none."""
    spec, numbers = workers.pool.spec, list(texts)
    starts = range(0, len(numbers), TEXTS_PER_REQUEST)
    parts = {
        f"part {at // TEXTS_PER_REQUEST + 1} of the tokens to split": numbers[
            at : at + TEXTS_PER_REQUEST
        ]
        for at in starts
    }
    requests = {
        what: EncodeRequest([texts[number] for number in part], ()) for what, part in parts.items()
    }
    responses: dict[str, dict[str, Any]] = {}
    workers.call_unguarded(requests, responses)
    splits: dict[int, list[int]] = {}
    for what, request in requests.items():
        try:
            response = responses[what] if what in responses else workers.call_guarded(request)
        except TargetDeath as death:
            yield SkipRecorded(lost_response(spec, what, death))
            continue
        for number, record in zip(parts[what], response["encodings"], strict=False):
            if isinstance(ids := record.get("ids"), list):
                splits[number] = [one for one in ids if isinstance(one, int)]
    yield TokensSplit(spec, splits)
