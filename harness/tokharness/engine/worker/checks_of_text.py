"""The checks that a single text fails, with causes and evidence, for ``tokharness show``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.config import Options
from tokharness.engine.run.selection import reason_to_skip, select_checks
from tokharness.engine.worker.findings import evidence_of_text
from tokharness.engine.worker.reproduce import batches_with, causes_of_text
from tokharness.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.model import Cause
    from tokharness.plugins import Check
    from tokharness.targets.loading import LoadedSubject


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check says about a text: the causes, of any verdict, and the evidence of the first.

    ``others`` are further causes that may explain the text; other texts show which cause is right.
    """

    check: Check
    causes: Sequence[Cause]
    others: Sequence[Cause]
    evidence: Mapping[str, Any]

    @property
    def is_fact(self) -> bool:
        """Whether all causes are by design."""
        return all(cause.verdict is Verdict.FACT for cause in self.causes)


def results_of_checks(
    text: str, loaded: LoadedSubject, select: tuple[str, ...] = ()
) -> list[CheckResult]:
    """Return the results of all checks, or of those in ``select``, that select a text."""
    checks = [
        check
        for check in plugins.checks().values()
        if check.failing is not None and not reason_to_skip(check, loaded, Options())
    ]
    subject = replace(loaded.subject, checks=frozenset(check.code for check in checks))
    batches = batches_with(text, subject)
    asked = {check.code for check in select_checks(Options(select=select))}
    results = []
    for check in checks:
        if check.code not in asked:
            continue
        found = causes_of_text(check, text, batches, subject)
        if found.causes:
            evidence = evidence_of_text(check, text, found.causes[0], subject)
            results.append(CheckResult(check, found.causes, found.others, evidence))
    return results
