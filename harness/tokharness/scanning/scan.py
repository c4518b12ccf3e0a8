"""Scan a corpus with a target, as a stream of the events that a run has."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol

from tokharness.corpora.blocks import TEXT_OPTION
from tokharness.engine.events import (
    Event,
    FamilyFinished,
    FindingReported,
    MetricsCollected,
    ShardScanned,
    SkipRecorded,
    TokensListed,
)
from tokharness.engine.responses import NoAnswerError
from tokharness.engine.run.diagnosis_requests import AuditPlan
from tokharness.engine.run.finalize import (
    end_of_target,
    finalize,
    finalize_unanswered,
    start_or_report,
)
from tokharness.engine.run.pool import Pool
from tokharness.engine.run.report_requests import request_tokens
from tokharness.engine.run.selection import SMALLEST_FAMILY
from tokharness.engine.run.stops import STOPS, limit_rest, raise_stop, yield_all
from tokharness.engine.worker.reproduce import command_line
from tokharness.errors import (
    NothingCheckedError,
    TargetDeath,
    UnknownNameError,
    UnreachableError,
)
from tokharness.model import Skip
from tokharness.results.versions import versions
from tokharness.scanning.local import (
    CORPUS,
    LocalShards,
    ShardResult,
    Totals,
    end_large_workers,
)
from tokharness.scanning.plan import SmallestPlaces, cut
from tokharness.scanning.record import (
    COLUMNS,
    PLACES_OF_SAMPLE,
    Record,
)
from tokharness.scanning.shard import MODULE, OPERATIONS
from tokharness.scanning.store import Store
from tokharness.scanning.summary import CHECKS as TOKEN_CHECKS
from tokharness.scanning.summary import corpus_record, token_classes

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence
    from pathlib import Path

    from tokharness.config import Options
    from tokharness.corpora.sources import Source
    from tokharness.engine.run.loaded_workers import Workers
    from tokharness.engine.run.stops import StopError
    from tokharness.scanning.plan import Settings, Shard

CHECKS = ("TOK101", "TOK102", "TOK103", "TOK104", "TOK105", "TOK201")
"""Checks that look at each document in whole columns, and call the target no further time."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The files of a corpus, and the paths that were left out, each with the reason."""

    names: tuple[str, ...]
    sources: Sequence[Source]
    left_out: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """Where a scan runs.

    Attributes:
        jobs: The number of worker processes; with 0 everything runs within this process.
        out: The folder of finished shards, with which a scan goes on.
        ray_jobs: The number of actors of Ray that run the shards, None for as many as Ray has
            processors; with 0 the worker processes of this machine run them.

    """

    jobs: int = 1
    out: Path | None = None
    ray_jobs: int | None = 0


class Engine(Protocol):
    """Runs shards."""

    def results(self, shards: Sequence[Shard]) -> Iterator[ShardResult]:
        """Yield the result of each shard, as it is finished."""

    def interrupt(self) -> Iterator[ShardResult]:
        """Stop; yield the results that are finished and were not yielded."""


def scan(
    spec: str,
    options: Options,
    corpus: Corpus,
    settings: Settings,
    place: Place,
    *,
    tokens: bool = False,
) -> Generator[Event]:
    """Scan a corpus with a target, and yield events as :func:`tokharness.engine.run.run.run` does.

    Args:
        spec: The target.
        options: The checks to run, and the limits; documents take the place of families.
        corpus: What to scan.
        settings: What is asked of each document.
        place: Where the shards run, and where their results are kept.
        tokens: Whether to audit the tokens, too, and say which of those that the audits name occur.

    Raises:
        UsageError: a file changed, or the folder has another scan.
        NothingCheckedError: no document has ids.
        TokharnessError: as ``run``.
        KeyboardInterrupt: the scan was interrupted, after the findings so far.

    """
    options = replace(options, families=(SMALLEST_FAMILY,), enumerated=False, examples=0)
    options = replace(options, select=options.select or CHECKS)
    if tokens:
        selected = dict.fromkeys((*options.select, *TOKEN_CHECKS))
        options = replace(options, select=tuple(selected))
    engine: Callable[[Settings], Engine] | None = None
    if place.ray_jobs != 0:
        from tokharness.scanning.ray_engine import RayShards

        engine = partial(RayShards, spec, options, jobs=place.ray_jobs)
    with Pool(spec, options, place.jobs, module=MODULE, operations=OPERATIONS) as pool:
        yield from _scan(pool, corpus, settings, place.out, engine, tokens=tokens)


def _scan(
    pool: Pool,
    corpus: Corpus,
    settings: Settings,
    out: Path | None,
    engine_with: Callable[[Settings], Engine] | None,
    *,
    tokens: bool,
) -> Generator[Event]:
    spec, begin = pool.spec, time.perf_counter()
    shards = cut(corpus.sources, settings.reading)
    started = yield from start_or_report(pool, begin)
    if started is None:
        return
    workers, start, first_events = started
    engine_with = engine_with or partial(LocalShards, workers)
    if settings.smallest:
        settings = yield from _with_share(spec, settings, engine_with(settings), shards)
    store = None
    if out is not None:
        target = {"spec": spec, "against": start.against, "checks": list(start.checks)}
        target |= {"comparison": start.comparison, "versions": versions()["targets"]}
        store = Store.open(out, shards, settings, target)
    totals = Totals()
    yield replace(start, families=(CORPUS,))
    yield from first_events
    engine = engine_with(settings)
    stopped: StopError | None = None
    try:
        yield from _shards(spec, engine, shards, totals, store)
    except STOPS as error:
        stopped = error
        for result in engine.interrupt():
            _keep(result, totals, store)
    end_large_workers(workers)
    limit_rest(pool, stopped)
    data = corpus_record(
        totals.record, corpus, settings, shards, totals.finished, has_reference=bool(start.against)
    )
    summary = chain(
        _summary(spec, corpus, shards, settings, totals, data),
        _measures(workers, data, totals.record, tokens=tokens and stopped is None),
    )
    stopped = (yield from yield_all(summary)) or stopped
    limit_rest(pool, stopped)
    if isinstance(stopped, NoAnswerError):
        yield from finalize_unanswered(workers, totals, start.checks, stopped)
    else:
        for event in finalize(workers, totals, start.checks, None, AuditPlan()):
            yield _with_scan_command(event, corpus, settings, start.against)
        raise_stop(stopped)
    cases = totals.record.value("total", "cases")
    yield from end_of_target(pool, begin, cases, totals.seconds)
    _require_columns(settings, totals.record)
    _require_documents(spec, corpus, totals)


def _with_scan_command(
    event: Event, corpus: Corpus, settings: Settings, against: str | None
) -> Event:
    """Return the event; a finding that needs all documents names a scan, and no family."""
    if not isinstance(event, FindingReported) or CORPUS not in event.finding.families:
        return event
    if f"--family {CORPUS}" not in event.finding.reproduce:
        return event
    reading = settings.reading
    words = ["tokharness", "scan", *corpus.names, event.finding.spec]
    words += ["--select", event.finding.code]
    words += ["--against", against] if against else []
    words += ["--text-column", reading.text_column] if reading.text_column else []
    words += ["--documents", reading.documents] if reading.documents != "line" else []
    words += ["--sample", str(settings.sample)] if settings.sample < 1 else []
    return FindingReported(replace(event.finding, reproduce=command_line(words)))


def _with_share(
    spec: str, settings: Settings, engine: Engine, shards: Sequence[Shard]
) -> Generator[Event, None, Settings]:
    """Return the settings of the pass in which the documents with the smallest places are run."""
    found = SmallestPlaces(settings.smallest)
    total = sum(shard.size for shard in shards)
    yield ShardScanned(spec, 0, 0, total, is_choice=True)
    for result in engine.results(shards):
        if result.unread:
            raise UnreachableError(result.unread)
        table = {} if result.response is None else result.response["tables"]
        rows = table.get(PLACES_OF_SAMPLE, {})
        found.add((int(place), count) for place, (count,) in rows.items())
        yield ShardScanned(spec, 0, result.shard.size, total, is_choice=True)
    return replace(settings, sample=found.share(), smallest=0)


def _shards(
    spec: str, engine: Engine, shards: Sequence[Shard], totals: Totals, store: Store | None
) -> Iterator[Event]:
    """Run the shards that no earlier scan has finished, and yield an event for each."""
    total = sum(shard.size for shard in shards)
    left = []
    for shard in shards:
        earlier = None if store is None else store.read(shard)
        if earlier is None:
            left.append(shard)
        else:
            response, death = earlier
            totals.add(ShardResult(shard, response, TargetDeath(*death) if death else None))
            yield _event(spec, shard, response, total, is_earlier=True)
    for result in engine.results(left):
        _keep(result, totals, store)
        yield _event(spec, result.shard, result.response, total)


def _keep(result: ShardResult, totals: Totals, store: Store | None) -> None:
    if store is not None and result.response is not None:
        death = result.death
        store.write(result.shard, result.response, [death.reason, death.detail] if death else [])
    totals.add(result)


def _event(
    spec: str,
    shard: Shard,
    response: dict[str, Any] | None,
    total: int,
    *,
    is_earlier: bool = False,
) -> ShardScanned:
    tables = {} if response is None else response["tables"]
    documents = tables.get("total", {}).get("cases", [0])[0]
    return ShardScanned(spec, documents, shard.size, total, is_earlier)


def _summary(
    spec: str,
    corpus: Corpus,
    shards: Sequence[Shard],
    settings: Settings,
    totals: Totals,
    data: dict[str, Any],
) -> Iterator[Event]:
    """Yield the counts of all files, and what was not scanned."""
    record = totals.record
    counts = {name: record.value("total", name) for name in ("unchanged", "compared", "same_ids")}
    failing = sum(count for (count,) in record.tables.get("failing", {}).values())
    if cases := record.value("total", "cases"):
        yield FamilyFinished(spec, CORPUS, cases, failing, **counts)
    bad = [_bad_rows(spec, row) for row in data["bad"]]
    yield from map(SkipRecorded, [*_skips(spec, corpus, shards, settings, totals), *bad])


def _measures(
    workers: Workers, data: dict[str, Any], record: Record, *, tokens: bool
) -> Iterator[Event]:
    """Yield the measures of the corpus, if wanted with what the audit says of each token."""
    stopped = None
    if tokens:
        is_whole = data["sample"] >= 1 and data["finished_shards"] == data["shards"]
        try:
            for event in request_tokens(workers, audited=True):
                if isinstance(event, TokensListed):
                    rows = event.tokens
                    data["token_classes"] = token_classes(rows, record.tokens, is_whole=is_whole)
                else:
                    yield event
        except STOPS as error:
            stopped = error
    yield MetricsCollected(workers.pool.spec, {"corpus": data, "texts": []})
    raise_stop(stopped)


def _bad_rows(spec: str, row: dict[str, Any]) -> Skip:
    what = "1 row" if row["count"] == 1 else f"{row['count']:,} rows"
    more = ", ..." if row["count"] > len(row["places"]) else ""
    return Skip(spec, f"{what} of the corpus ({', '.join(row['places'])}{more})", row["reason"])


def _skips(
    spec: str, corpus: Corpus, shards: Sequence[Shard], settings: Settings, totals: Totals
) -> Iterator[Skip]:
    record = totals.record
    for path, reason in corpus.left_out:
        yield Skip(spec, path, reason)
    for shard, reason in totals.lost:
        files = ", ".join(dict.fromkeys(part.source.name for part in shard.parts))
        yield Skip(spec, f"shard {shard.number + 1} ({files})", reason, unfinished=True)
    missing = len(shards) - totals.finished - len(totals.lost)
    if missing:
        yield Skip(spec, f"{missing:,} of {len(shards):,} shards", "the scan was stopped")
    if left_out := record.value("total", "left_out"):
        reason = "they contain or resemble a document that crashes or hangs the target"
        yield Skip(spec, f"{left_out:,} documents", reason)
    if failed := record.value("total", "not_compared"):
        reason = "the reference raises, crashes, hangs or gets another text"
        yield Skip(spec, f"comparison of {failed:,} documents", reason)
    for code, (count,) in sorted(record.tables.get("failing", {}).items()):
        diagnosed = len(totals.failing.get(code, ()))
        if count > diagnosed:
            what = f"diagnosis of {count - diagnosed:,} texts that fail {code}"
            yield Skip(
                spec, what, "too many documents fail, or are equal; the shortest were diagnosed"
            )
    yield from not_compared(spec, settings, record)


def not_compared(spec: str, settings: Settings, record: Record) -> Iterator[Skip]:
    """Yield a skip for the documents that were not compared with an automatic reference."""
    documents, compared = record.value("total", "cases"), record.value("total", "compared")
    if 0 < compared < documents and settings.compared < 1:
        reason = "the automatic reference is slow; --compare-share 100% compares all"
        yield Skip(
            spec, f"comparison of {documents - compared:,} documents with the reference", reason
        )


def _require_documents(spec: str, corpus: Corpus, totals: Totals) -> None:
    """Raise NothingCheckedError if no document has ids and no finding says why."""
    if totals.record.value("total", "encoded") or totals.failing or totals.unexplained_deaths:
        return
    if totals.lost:
        return
    bad = ", ".join(sorted(totals.record.tables.get("bad", {})))
    why = f" ({bad})" if bad else ""
    names = " ".join(corpus.names)
    raise NothingCheckedError(
        f"no document of {names} was encoded by {spec}{why}, so nothing was checked: check the "
        "files, and --sample, --text-column and --input-format"
    )


def _require_columns(settings: Settings, record: Record) -> None:
    """Raise UnknownNameError if files with columns have none of a name that the user gave.

    Each such file needs the column of the text; documents without a language are as good.
    """
    for option, name in settings.reading.named:
        counts = {
            key.partition("\n")[2]: has
            for key, (has, _) in sorted(record.tables.get(COLUMNS, {}).items())
            if key.startswith(f"{option}\n")
        }
        without = [file for file, has in counts.items() if not has]
        if without and (option == TEXT_OPTION or len(without) == len(counts)):
            more = f" and {len(without) - 1:,} more" if len(without) > 1 else ""
            others = [row[-1] for row in record.samples.get(f"{COLUMNS} {option}", ())]
            raise UnknownNameError(f"column of {without[0]}{more}", name, others)
