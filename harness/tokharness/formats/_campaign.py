"""What a campaign has done, in the words that formats for people share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.engine.events import CampaignEnded

__all__ = ["campaign_lines"]


def campaign_lines(campaign: CampaignEnded) -> Iterator[tuple[str, str]]:
    """Give a label and a sentence for what was tried, and for what that reached."""
    rate = campaign.texts / campaign.seconds if campaign.seconds else 0.0
    sources = ", ".join(f"{name} {texts:,}" for name, texts in campaign.sources.items() if texts)
    rounds = f"rounds {campaign.first:,} to {campaign.end - 1:,} of seed {campaign.seed}"
    if campaign.end <= campaign.first:
        rounds = f"no round of seed {campaign.seed}"
    yield "fuzzed", f"{rounds}, {rate:,.0f} texts a second: {sources or 'no text'}"
    if any(campaign.reached.values()):  # an interrupted campaign does not know
        yield "reached", ", ".join(_amount(name, much) for name, much in campaign.reached.items())


def _amount(name: str, much: float) -> str:
    if isinstance(much, float):
        return f"{much:.1f} {name}"
    return f"{much:,} {name}"
