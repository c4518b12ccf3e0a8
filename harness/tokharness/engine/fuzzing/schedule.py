"""Which source the texts of a round come from: the number of the round alone decides.

A round is some hundred texts of one source, small enough to take a tenth of a second. Families come
often at first, until each has been drawn from; what others make is joined and changed from those.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["LAG", "SOURCES", "Round", "round_at", "select_sources"]

LAG = 8
"""A round builds on what rounds have found up to so many before it, whoever tries those between."""

SOURCES = {
    "corpus": "texts that an earlier campaign found or kept",
    "families": "texts that Hypothesis draws from the strategies of all families, joined in pairs",
    "code-points": "every scalar value by turns, some in a text, between what reveals a split",
    "vocabulary": "tokens of the target's own, joined, cut and with a letter changed",
    "mixtures": "pieces of drawn texts between plain ones",
    "alphabets": "short strings over a few characters that scanners and patterns look for",
    "mutations": "changes of texts that reached something new",
    "long-texts": "runs and mixtures of up to a million characters",
}
"""The sources, each in a few words."""

_FIRST = (
    *("alphabets", "code-points", "families", "mixtures", "families", "vocabulary", "families"),
    *("alphabets", "families", "mutations", "families", "long-texts", "families"),
    *("code-points", "families", "vocabulary", "families", "mixtures", "families"),
)
_LATER = (
    *("code-points", "mutations", "families", "alphabets", "code-points", "vocabulary", "families"),
    *("mixtures", "mutations", "code-points", "alphabets", "families", "mixtures", "long-texts"),
)


@dataclass(frozen=True, slots=True)
class Round:
    """A round: its number, the source of its texts, and how many rounds of that came before."""

    number: int
    source: str
    turn: int


def select_sources(*, families_only: bool) -> tuple[str, ...]:
    """Give the sources of a campaign, of all families or of some that the user names."""
    return ("families", "mutations") if families_only else tuple(SOURCES)[1:]


def round_at(number: int, sources: tuple[str, ...]) -> Round:
    """Give a round, from 0, of a campaign that has these sources."""
    first = [one for one in _FIRST if one in sources]
    later = [one for one in _LATER if one in sources]
    if number < len(first):
        return Round(number, first[number], first[:number].count(first[number]))
    cycles, place = divmod(number - len(first), len(later))
    source = later[place]
    turn = first.count(source) + cycles * later.count(source) + later[:place].count(source)
    return Round(number, source, turn)
