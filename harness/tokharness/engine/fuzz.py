"""Fuzzing: a campaign of rounds of random texts, led by what they reach, until its budget is spent.

Zeller et al., "The Fuzzing Book"; that texts which reach something new are kept and changed is the
way of AFL and its descendants. What a text reaches is told by a tokenizer's answers alone.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tokharness.engine.events import CampaignFinished, FamilyFinished, Event, SkipRecorded, TargetFinished
from tokharness.engine.fuzzing.campaign import Budget, Campaign
from tokharness.engine.fuzzing.corpus import CorpusDatabase
from tokharness.engine.fuzzing.feedback import count_features, merge_features
from tokharness.engine.fuzzing.schedule import select_sources
from tokharness.engine.run.finalize import finalize
from tokharness.engine.run.pool import Pool
from tokharness.engine.run.selection import select_checks, select_families, regressions_to_replay
from tokharness.engine.run.startup import start_workers
from tokharness.engine.run.workers import Workers
from tokharness.errors import TargetDeath
from tokharness.model import Skip

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from tokharness.config import Options

__all__ = ["Budget", "fuzz"]


def fuzz(
    spec: str,
    options: Options,
    budget: Budget,
    *,
    jobs: int = 1,
    database: Path | None = None,
    measures: bool = False,
) -> Generator[Event]:
    """Fuzz a target, and tell what that finds as ``tokharness.engine.run.run`` does.

    ``jobs`` and ``measures`` are as there. With texts as the budget, the findings depend on the
    seed and the ``database`` alone; None keeps none. A KeyboardInterrupt ends the search, and is
    raised when what was found has been told.
    """
    select_checks(options), select_families(options)  # a mistake is told before anything is loaded
    corpus = CorpusDatabase.open(database, spec, options.seed)
    with Pool(spec, options, jobs) as pool:
        begin = time.perf_counter()
        workers, start, skips = start_workers(pool)
        yield start
        for skip in skips:
            yield SkipRecorded(skip)
        crew = Workers(pool, workers)
        sources = select_sources(families_only=bool(options.families))
        earlier = [text for text, _ in regressions_to_replay(options, select_families(options))]
        campaign = Campaign(crew, budget, corpus, sources, start.checks, earlier)
        interrupted = False
        try:
            yield from campaign.events()
        except KeyboardInterrupt:
            interrupted = True
            campaign.interrupt()
        yield from _summary(campaign, crew, options.seed, resumable=database is not None)
        for what in campaign.cancel_audits():
            reason = "the run was interrupted" if interrupted else "its time was over before that"
            yield SkipRecorded(Skip(spec, what, reason))
        measures = measures and not interrupted
        known = campaign.audits
        yield from finalize(crew, campaign.state, start.checks, None, known, measures=measures)
        if interrupted:
            raise KeyboardInterrupt
        state = campaign.state
        yield TargetFinished(spec, state.texts, time.perf_counter() - begin, state.seconds)


def _summary(campaign: Campaign, crew: Workers, seed: int, *, resumable: bool) -> Iterator[Event]:
    """Tell how many texts of each source were tried, and what all have reached."""
    state, seconds = campaign.state, campaign.seconds
    for source, cases in sorted(state.texts_by_source.items()):
        yield FamilyFinished(state.spec, source, cases, state.failing_by_source[source])
    answers = []
    for worker in list(crew.workers):
        try:
            worker.send({"op": "reached"})
            answers.append(worker.receive())
        except TargetDeath:
            crew.drop(worker)
    yield CampaignFinished(
        spec=state.spec,
        seed=seed,
        first_round=campaign.first,
        end_round=max(state.next_round, campaign.first),
        texts=state.texts,
        seconds=round(seconds, 3),
        sources=dict(state.texts_by_source),
        features=count_features(*merge_features(answers)),
        initial_corpus=len(campaign.initial_corpus),
        resumable=resumable,
    )
    for skip in state.skips():
        yield SkipRecorded(skip)
