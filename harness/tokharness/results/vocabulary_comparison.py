"""Two vocabularies and their differences, from the report of what was listed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokharness.engine.vocabulary_differences import CHANGES, differences
from tokharness.errors import NothingCheckedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness.engine.vocabulary_differences import Change, Difference
    from tokharness.model import Skip
    from tokharness.results.report import Report, TargetReport

__all__ = ["VocabularyComparison", "vocabulary_comparison"]


@dataclass(frozen=True, slots=True)
class VocabularyComparison:
    """The specs of two targets, their numbers of ids, and the differences of their vocabularies."""

    specs: tuple[str, str]
    ids: tuple[int, int]
    differences: tuple[Difference, ...]
    skips: tuple[Skip, ...] = ()

    @property
    def is_equal(self) -> bool:
        """Whether all ids stand for the same tokens, also the special ones."""
        return self.ids[0] == self.ids[1] and not self.differences

    def counts(self) -> Mapping[Change, int]:
        """Return the number of differences of each kind."""
        counts = Counter(one.change for one in self.differences)
        return {change: counts[change] for change in CHANGES}


def vocabulary_comparison(report: Report) -> VocabularyComparison:
    """Return the comparison of the two targets of a report.

    Raises:
        NothingCheckedError: a target shows no tokens.

    """
    first, second = report.targets
    one, other = first.tokens, second.tokens
    if one is None or other is None or not (_shows(first) and _shows(second)):
        target = second if _shows(first) else first
        raise _no_vocabulary(target)
    return VocabularyComparison(
        (first.started.spec, second.started.spec),
        (len(one), len(other)),
        tuple(differences(one, other, second.splits)),
        (*first.skips, *second.skips),
    )


def _shows(target: TargetReport) -> bool:
    return any(row.kind == "ordinary" for row in target.tokens or ())


def _no_vocabulary(target: TargetReport) -> NothingCheckedError:
    reasons = "; ".join(skip.reason for skip in target.skips)
    why = reasons or "it has no n_vocab, or neither decode_single_token_bytes nor token_text"
    return NothingCheckedError(
        f"{target.started.spec} shows no vocabulary ({why}), so there is nothing to compare: name "
        "a target that shows its tokens"
    )
