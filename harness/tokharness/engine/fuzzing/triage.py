"""Which causes failing texts show that are not known yet: a quick look, as a campaign goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.engine.worker.findings import diagnose_texts
from tokharness.engine.worker.grouping import group_by_cause
from tokharness.engine.worker.units import sample_evenly
from tokharness.model import Cause

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.plugins import Check
    from tokharness.targets.subject import Subject

__all__ = ["triage"]

FEW = 8
"""Texts of a check that are looked at: so many of the shortest, and so many evenly over all."""

LONGEST = 10_000


def triage(
    checks: Sequence[Check],
    subject: Subject,
    failing: Mapping[str, Sequence[str]],
    known: Sequence[Sequence[Any]],
) -> list[dict[str, Any]]:
    """Give a record of each new cause that some of the texts show, with the shortest of those.

    ``known`` has the code of a check, the kind of a cause and its parameters, for each.
    """
    records = []
    for check in checks:
        texts = failing.get(check.code)
        if not texts or check.diagnose is None:
            continue
        causes = {
            Cause(kind, tuple((name, value) for name, value in parameters))
            for code, kind, parameters in known
            if code == check.code
        }
        subject.expect(causes)
        found = diagnose_texts(check, subject, dict.fromkeys(_some(texts), ""))
        subject.expect(())
        new = [one for one in found if one.causes and causes.isdisjoint(one.causes)]
        for one in group_by_cause(new):
            text = min((member.text for member in one.members), key=len)
            records.append(_record(check, one.cause, text))
    return records


def _some(texts: Sequence[str]) -> list[str]:
    shortest = sorted((text for text in texts if len(text) <= LONGEST), key=len)[:FEW]
    return [*shortest, *sample_evenly(texts, FEW)]


def _record(check: Check, cause: Cause, text: str) -> dict[str, Any]:
    return {
        "code": check.code,
        "kind": cause.kind,
        "parameters": [list(one) for one in cause.parameters],
        "verdict": cause.verdict.value,
        "message": cause.message,
        "weak": cause.weak,
        "text": text,
    }
