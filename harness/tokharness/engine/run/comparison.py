"""Measure targets for a comparison, and list the tokens of two, without running checks on them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from tokharness.config import Options
from tokharness.engine.events import Event, SkipRecorded, TargetFinished, TokensListed, TokensSplit
from tokharness.engine.requests import EncodeRequest
from tokharness.engine.run.death_findings import lost_response
from tokharness.engine.run.loaded_workers import start_workers
from tokharness.engine.run.pool import Pool
from tokharness.engine.run.report_requests import request_measures, request_tokens
from tokharness.engine.vocabulary_differences import texts_to_split
from tokharness.errors import TargetDeath

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Iterator, Mapping, Sequence

    from tokharness.engine.run.loaded_workers import Workers
    from tokharness.model import TokenRow
    from tokharness.parallel.model import ParallelText

# List the tokens of two targets, and encode with the second the tokens that only the first has.

TEXTS_PER_REQUEST = 2_000


def compare_vocabularies(
    specs: tuple[str, str], options: Options, *, jobs: int = 1
) -> Generator[Event]:
    """Load two targets, and yield their tokens, and how the second splits the first's tokens."""
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
    """Yield the ids of each text, after a skip for each part of the texts without ids."""
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


MEMORY = 1 << 30
"""Bytes that a target may allocate beyond what it takes when it is loaded, and for that."""


def comparison_options(time_limit: float, load_limit: float) -> Options:
    """Return the options of a comparison, which needs no reference and fails on no finding."""
    return Options(
        against="none",
        fail_on="never",
        time_limit=time_limit,
        load_limit=load_limit,
        memory_limit=MEMORY,
    )


def compare(
    specs: Sequence[str],
    options: Options,
    names: Collection[str],
    *,
    jobs: int = 1,
    parallel: ParallelText | None = None,
) -> Generator[Event]:
    """Load each target, and yield its measures of these names, and that of a parallel text.

    No target needs a reference.
    """
    for spec in dict.fromkeys(specs):
        with Pool(spec, options, jobs) as pool:
            begin = time.perf_counter()
            workers, start, _ = start_workers(pool)
            yield start
            yield from request_measures(workers, names, parallel=parallel)
            yield TargetFinished(spec, 0, time.perf_counter() - begin, 0.0)
