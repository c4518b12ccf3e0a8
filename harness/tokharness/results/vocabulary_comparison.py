"""Two vocabularies, their files, and the differences, from a report that lists their tokens."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokharness.edits import VOCABULARY, edits_between
from tokharness.engine.vocabulary_differences import CHANGES, differences
from tokharness.errors import NothingCheckedError, TokharnessError
from tokharness.model import Skip
from tokharness.targets.description import describe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness.edits import Edit
    from tokharness.engine.vocabulary_differences import Change, Difference
    from tokharness.results.report import Report, TargetReport


@dataclass(frozen=True, slots=True)
class VocabularyComparison:
    """The specs of two targets, their numbers of ids, and all that differs.

    ``differences`` has the differences of tokens. ``edits`` has the edits of merges, scores and
    stages, or is None if the files are not compared.
    """

    specs: tuple[str, str]
    ids: tuple[int, int]
    differences: tuple[Difference, ...]
    skips: tuple[Skip, ...] = ()
    edits: tuple[Edit, ...] | None = None

    @property
    def is_equal(self) -> bool:
        """Whether all ids, also of special tokens, have the same tokens, and the files agree."""
        return self.ids[0] == self.ids[1] and not self.differences and not self.edits

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
    specs = (first.started.spec, second.started.spec)
    edits, reason = _edits(*specs)
    skip = [] if edits is not None else [Skip(specs[1], "merges, scores and stages", reason)]
    return VocabularyComparison(
        specs,
        (len(one), len(other)),
        tuple(differences(one, other, second.splits)),
        (*first.skips, *second.skips, *skip),
        edits,
    )


def _edits(first: str, second: str) -> tuple[tuple[Edit, ...] | None, str]:
    """Return the edits of two files, except edits of tokens; or None, and the reason."""
    described = []
    for spec in (first, second):
        try:
            described.append(describe(spec))
        except TokharnessError as error:
            return None, str(error)
        if described[-1] is None:
            return None, f"{spec} shows no file, so only the tokens are compared"
    old, new = described
    if old is None or new is None or old.format != new.format:
        formats = " and ".join(one.format for one in described if one is not None)
        return None, f"the files have different formats, {formats}: only the tokens are compared"
    return tuple(edit for edit in edits_between(old, new) if edit.stage != VOCABULARY), ""


def _shows(target: TargetReport) -> bool:
    return any(row.kind == "ordinary" for row in target.tokens or ())


def _no_vocabulary(target: TargetReport) -> NothingCheckedError:
    reasons = "; ".join(skip.reason for skip in target.skips)
    why = reasons or "it has no n_vocab, or neither decode_single_token_bytes nor token_text"
    return NothingCheckedError(
        f"{target.started.spec} shows no vocabulary ({why}), so there is nothing to compare: name "
        "a target that shows its tokens"
    )
