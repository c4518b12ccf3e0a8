"""Which source the texts of a round come from, as a function of the round's number.

A round is several hundred texts of one source, which take about a tenth of a second. Families come
often at first, until each has been drawn from; other sources join and mutate texts of the corpus.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["LAG", "SOURCES", "Round", "round_at", "select_sources"]

LAG = 8
"""A round uses the results of rounds up to so many before it, so that workers need not wait."""

SOURCES = {
    "corpus": "texts that an earlier campaign found or added to the corpus",
    "families": "texts that Hypothesis draws from the strategies of all families, joined in pairs",
    "code-points": "every scalar value in turn, several in a text, in contexts that reveal a split",
    "vocabulary": "tokens of the target, joined, cut and with a letter changed",
    "mixtures": "pieces of drawn texts between plain ones",
    "alphabets": "short strings over a few characters that scanners and patterns look for",
    "mutations": "mutations of texts of the corpus",
    "long-texts": "runs and mixtures of up to a million characters",
}
"""Description of each source."""

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
    """A round: its number, the source of its texts, and the number of earlier rounds of it."""

    number: int
    source: str
    turn: int


def select_sources(*, families_only: bool) -> tuple[str, ...]:
    """Return the sources of a campaign; fewer if the user has selected families."""
    return ("families", "mutations") if families_only else tuple(SOURCES)[1:]


def round_at(number: int, sources: tuple[str, ...]) -> Round:
    """Return the round with this number, from 0, of a campaign with these sources."""
    first = [source for source in _FIRST if source in sources]
    later = [source for source in _LATER if source in sources]
    if number < len(first):
        return Round(number, first[number], first[:number].count(first[number]))
    cycles, index = divmod(number - len(first), len(later))
    source = later[index]
    turn = first.count(source) + cycles * later.count(source) + later[:index].count(source)
    return Round(number, source, turn)
