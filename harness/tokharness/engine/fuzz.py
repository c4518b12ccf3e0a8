"""Fuzzing: a campaign of rounds of random texts, guided by features, until its budget is used up.

As in AFL and libFuzzer, texts with new features are added to a corpus and mutated (Zeller et al.,
"The Fuzzing Book"). The features of a text come from the results of the tokenizer alone.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness.engine.events import (
    CampaignFinished,
    Event,
    FamilyFinished,
    SkipRecorded,
    SlowTarget,
)
from tokharness.engine.fuzzing.campaign import Budget, Campaign
from tokharness.engine.fuzzing.corpus import CorpusDatabase
from tokharness.engine.fuzzing.features import count_features, merge_features
from tokharness.engine.fuzzing.rounds import select_sources
from tokharness.engine.requests import FeaturesRequest
from tokharness.engine.responses import NoAnswerError
from tokharness.engine.run.diagnosis_requests import AuditPlan
from tokharness.engine.run.finalize import (
    Coverage,
    WatchedEvents,
    end_of_target,
    finalize,
    finalize_unanswered,
    start_or_report,
)
from tokharness.engine.run.pool import Pool
from tokharness.engine.run.selection import regressions_to_replay, select_checks, select_families
from tokharness.engine.run.stops import (
    STOPS,
    StopError,
    limit_rest,
    raise_stop,
    reason_to_stop,
    yield_all,
)
from tokharness.errors import TargetDeath
from tokharness.model import Skip

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from tokharness.config import Options
    from tokharness.engine.run.loaded_workers import Workers
    from tokharness.parallel.model import ParallelText

__all__ = ["Budget", "fuzz"]


def fuzz(
    spec: str,
    options: Options,
    budget: Budget,
    *,
    jobs: int = 1,
    database: Path | None = None,
    measures: bool | ParallelText = False,
) -> Generator[Event]:
    """Fuzz a target, and yield events as :func:`tokharness.engine.run.run.run` does.

    ``jobs``, ``measures`` and the exceptions are those of ``run``. ``database`` is the folder of
    the corpus; None for a campaign without a corpus. With a budget of texts, the findings depend
    only on the seed and the database.
    """
    for name in options.select:  # raise before anything is loaded
        select_checks(replace(options, select=(name,), ignore=()))
    select_checks(options), select_families(options)
    corpus = CorpusDatabase.open(database, spec, options.seed)
    coverage = Coverage(spec, options)
    with Pool(spec, options, jobs) as pool:
        yield from WatchedEvents(_fuzz(pool, budget, corpus, measures=measures), coverage)
    if error := coverage.error():
        raise error


NOT_SAVED = "continuing this campaign later"


def _fuzz(
    pool: Pool, budget: Budget, corpus: CorpusDatabase, *, measures: bool | ParallelText
) -> Generator[Event]:
    spec, options = pool.spec, pool.options
    begin = time.perf_counter()
    started = yield from start_or_report(pool, begin)
    if started is None:
        return
    workers, start, first_events = started
    yield start
    yield from (event for event in first_events if not isinstance(event, SlowTarget))
    sources = select_sources(families_only=bool(options.families))
    replayed = [text for text, _ in regressions_to_replay(options, select_families(options))]
    campaign = Campaign(workers, budget, corpus, sources, start.checks, replayed)
    stopped: StopError | None = None
    try:
        yield from campaign.events()
    except STOPS as error:
        stopped = error
        campaign.interrupt()
    limit_rest(pool, stopped)
    summary = _summary(campaign, workers, options.seed, resumable=corpus.is_saved)
    stopped = (yield from yield_all(summary)) or stopped
    if corpus.is_lost:
        yield SkipRecorded(Skip(spec, NOT_SAVED, "the example database cannot be written"))
    limit_rest(pool, stopped)
    for what in campaign.cancel_audits():
        reason = reason_to_stop(stopped) if stopped else "the time limit was reached"
        yield SkipRecorded(Skip(spec, what, reason))
    state = campaign.state
    if isinstance(stopped, NoAnswerError):
        yield from finalize_unanswered(workers, state, start.checks, stopped)
    else:
        measures = False if stopped else measures
        audits = AuditPlan(campaign.audits)
        yield from finalize(workers, state, start.checks, None, audits, measures=measures)
        raise_stop(stopped)
    yield from end_of_target(pool, begin, state.texts, state.seconds)


def _summary(
    campaign: Campaign, workers: Workers, seed: int, *, resumable: bool
) -> Iterator[Event]:
    """Yield an event for each source, one for the campaign, and its skips."""
    state, seconds = campaign.state, campaign.seconds
    for source, cases in sorted(state.texts_by_source.items()):
        yield FamilyFinished(state.spec, source, cases, state.failing_by_source[source])
    features = []
    for worker in list(workers.workers):
        try:
            features.append(worker.call(FeaturesRequest()))
        except (TargetDeath, KeyboardInterrupt):  # at the deadline after an interrupt
            workers.drop(worker)
    yield CampaignFinished(
        spec=state.spec,
        seed=seed,
        first_round=campaign.first,
        end_round=max(state.next_round, campaign.first),
        texts=state.texts,
        seconds=round(seconds, 3),
        sources=dict(state.texts_by_source),
        features=count_features(*merge_features(features)),
        initial_corpus=len(campaign.initial_corpus),
        resumable=resumable,
    )
    yield from map(SkipRecorded, state.skips())
