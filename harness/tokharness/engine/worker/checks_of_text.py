"""Which checks a single text fails, with which causes, and how, for ``tokharness show``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.config import Options
from tokharness.diagnosis.special.undeclared import FAMILY as SPECIAL_TOKENS
from tokharness.engine.run.selection import SMALLEST_FAMILY, reason_to_skip
from tokharness.engine.worker.batch_columns import observe
from tokharness.engine.worker.diagnose_texts import explain_texts
from tokharness.engine.worker.findings import evidence_of_text
from tokharness.engine.worker.grouping import group_by_cause
from tokharness.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.model import Cause
    from tokharness.plugins import Check
    from tokharness.targets.loading import LoadedSubject

__all__ = ["CheckResult", "results_of_checks"]

OTHERS = ("a", "", "word", " b")
"""Texts between two copies of the text, since some faults need other texts in the batch."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check says about a text: the causes, of any verdict, and the evidence of the first."""

    check: Check
    causes: Sequence[Cause]
    evidence: Mapping[str, Any]

    @property
    def is_fact(self) -> bool:
        """Whether all causes are by design."""
        return all(cause.verdict is Verdict.FACT for cause in self.causes)


def results_of_checks(text: str, loaded: LoadedSubject) -> list[CheckResult]:
    """Return the checks that select a text.

    The text may be one of the family of special tokens, of which a check asks more. A check that
    shows evidence of a text also examines what its ``failing`` does not, such as the
    stream of the first ids.
    """
    checks = [
        check
        for check in plugins.checks().values()
        if check.failing is not None and not reason_to_skip(check, loaded, Options())
    ]
    subject = replace(loaded.subject, checks=frozenset(check.code for check in checks))
    batch = observe(subject, SMALLEST_FAMILY, [text, *OTHERS, text], isolate=True)
    batches = [batch, replace(batch, family=SPECIAL_TOKENS)]
    results = []
    for check in checks:
        failing_rows = check.failing
        if failing_rows and any(_selects(failing_rows(one, subject)) for one in batches):
            failing = {text: SMALLEST_FAMILY}
            groups = group_by_cause(explain_texts(check, subject, failing))
            causes = [group.cause for group in groups]
        elif check.evidence is not None and check.diagnose is not None:
            causes = list(check.diagnose(text, subject))[:1]
        else:
            continue
        if causes:
            evidence = evidence_of_text(check, text, causes[0], subject)
            results.append(CheckResult(check, causes, evidence))
    return results


def _selects(rows: Sequence[int]) -> bool:
    """Whether a copy of the text is among the rows that fail."""
    return not {0, 1 + len(OTHERS)}.isdisjoint(rows)
