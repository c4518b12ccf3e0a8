"""The overview of several targets, and the summary of a campaign."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from tokharness.escaping import Shown
from tokharness.formats._wording import pluralize
from tokharness.model import Verdict
from tokharness.results.report import exit_code

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokharness.engine.events import CampaignFinished
    from tokharness.results.report import Report, TargetReport

# The summary of a campaign, which the formats for people share.


def campaign_lines(campaign: CampaignFinished) -> Iterator[tuple[Shown, Shown]]:
    """Yield a label and a line for the texts of a campaign, and for the features they reached."""
    rate = campaign.texts / campaign.seconds if campaign.seconds else 0.0
    sources = [
        Shown("{} {:,}").format(name, texts) for name, texts in campaign.sources.items() if texts
    ]
    first, last = campaign.first_round, campaign.end_round - 1
    rounds = Shown("rounds {:,} to {:,} of seed {}").format(first, last, campaign.seed)
    if last < first:
        rounds = Shown("no rounds of seed {}").format(campaign.seed)
    texts_of_sources = Shown(", ").join(sources) or Shown("no texts")
    line = Shown("{}, {:,.0f} texts/s: {}").format(rounds, rate, texts_of_sources)
    yield Shown("fuzzed"), line
    if any(campaign.features.values()):  # unknown if interrupted
        features = (_amount(name, value) for name, value in campaign.features.items())
        yield Shown("reached"), Shown(", ").join(features)


def _amount(name: str, value: float) -> Shown:
    template = Shown("{:.1f} {}") if isinstance(value, float) else Shown("{:,} {}")
    return template.format(value, name)


MAX_BUGS = 5
"""Number of bugs of a target that have a line."""


@dataclass(frozen=True, slots=True)
class Overview:
    """A target of several: its verdict in one word, its counts, and its first bugs.

    ``bugs`` are lines by the position of the finding, from 1; ``more`` counts the other bugs.
    """

    target: TargetReport
    word: Shown
    counts: Shown
    bugs: Mapping[int, Shown]
    more: Shown

    @property
    def failed(self) -> bool:
        """Whether the target fails the run, by its findings or because it was not finished."""
        return self.word != "passed"


def overview(report: Report) -> list[Overview]:
    """Return a row for each target of a check of several targets; none for a single target."""
    if len(report.targets) < 2 or report.gate is not None or report.embedding_width is not None:
        return []
    return [_row(target, report) for target in report.targets]


def _row(target: TargetReport, report: Report) -> Overview:
    alone = replace(report, targets=(target,), policy=None, interrupted=False)
    failed = exit_code(alone, report.options.fail_on)
    is_finished = target.finished and not alone.unfinished
    passed = Shown("passed") if is_finished else Shown("not finished")
    counts = [pluralize(target.count(verdict), verdict.value) for verdict in Verdict]
    skips = Shown("{} skipped").format(len(target.skips))
    line = Shown("{} {}: {}")
    bugs = {
        position: line.format(one.code, one.name, str(one.cause))
        for position, one in enumerate(target.findings, 1)
        if one.verdict is Verdict.BUG and not one.is_of_library
    }
    more = pluralize(len(bugs) - MAX_BUGS, "more bug")
    return Overview(
        target,
        Shown("failed") if failed == 1 else passed,
        Shown(", ").join([*counts, skips]),
        dict(islice(bugs.items(), MAX_BUGS)),
        Shown("and {}").format(more) if len(bugs) > MAX_BUGS else Shown(""),
    )
