"""Rows of evidence about tokens and their embeddings: what is known of each, joined."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.token_content.texts import content_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tokharness.diagnosis.embeddings.ranking import Ranking
    from tokharness.diagnosis.reachability import Reach
    from tokharness.targets.subject import Subject

__all__ = ["TokenRows", "norm_quantiles", "rounded"]

SHARES = (0, 1, 2, 50, 98, 100)
"""Percent of the rows; the first two percent are those that the paper looks at."""


@dataclass(frozen=True)
class TokenRows:
    """Makes the rows, from the texts of the tokens of a target and how texts reach them."""

    subject: Subject
    reach: Mapping[int, Reach]

    def row(self, rank: int, number: int, ranking: Ranking) -> dict[str, Any]:
        """Return what is known of a token and its row in a matrix."""
        indicator = ranking.indicator(number)
        reach = self.reach.get(number)
        return {
            "rank": rank,
            "id": number,
            "text": self.text(number),
            "reachability": reach.state if reach else "not an ordinary token",
            "witness": reach.witness if reach else "",
            "matrix": ranking.matrix.kind,
            "score": rounded(ranking.scores[number]),
            "norm": rounded(ranking.norms[number]),
            "indicator": str(indicator),
            "value": rounded(indicator.values[number]),
        }

    def text(self, number: int) -> str:
        """Return the text of a token, special or not; "" if it is not known."""
        if number not in self._texts and self.subject.target.can("token_text"):
            return str(self.subject.target.call("token_text", number))
        return self._texts.get(number, "")

    def count_reached(self, numbers: Iterable[int]) -> int:
        """Return how many of some tokens have a witness: a text that gives them."""
        return sum(1 for one in numbers if one in self.reach and self.reach[one].witness)

    @cached_property
    def _texts(self) -> dict[int, str]:
        target = self.subject.target
        marked = {**target.added_tokens, **target.special_tokens}
        return {**content_texts(self.subject), **{one: text for text, one in marked.items()}}


def norm_quantiles(ranking: Ranking) -> dict[str, float]:
    """Return the norms below which some shares of the rows of a matrix are."""
    ordered = sorted(ranking.norms.tolist())
    last = len(ordered) - 1
    return {f"{share}%": rounded(ordered[last * share // 100]) for share in SHARES}


def rounded(value: float) -> float:
    """Return a number with four significant digits."""
    return float(f"{value:.4g}")
