"""The summary of a campaign, which the formats for people share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.escaping import Shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.engine.events import CampaignFinished

__all__ = ["campaign_lines"]


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
