"""The summary of a campaign, which the formats for people share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.engine.events import CampaignFinished

__all__ = ["campaign_lines"]


def campaign_lines(campaign: CampaignFinished) -> Iterator[tuple[str, str]]:
    """Yield a label and a line for the texts of a campaign, and for the features they reached."""
    rate = campaign.texts / campaign.seconds if campaign.seconds else 0.0
    sources = ", ".join(f"{name} {texts:,}" for name, texts in campaign.sources.items() if texts)
    first, last = campaign.first_round, campaign.end_round - 1
    rounds = f"rounds {first:,} to {last:,} of seed {campaign.seed}"
    if last < first:
        rounds = f"no rounds of seed {campaign.seed}"
    yield "fuzzed", f"{rounds}, {rate:,.0f} texts/s: {sources or 'no texts'}"
    if any(campaign.features.values()):  # unknown if interrupted
        features = (_amount(name, value) for name, value in campaign.features.items())
        yield "reached", ", ".join(features)


def _amount(name: str, value: float) -> str:
    if isinstance(value, float):
        return f"{value:.1f} {name}"
    return f"{value:,} {name}"
