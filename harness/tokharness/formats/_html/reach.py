"""Which tokens texts give: the rows of a table, from the evidence of TOK401.

A report that is read again may hold any evidence, so only rows of the expected shape are shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness.checks import unreachable_token

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.model import Finding
    from tokharness.results.report import TargetReport

__all__ = ["ReachRow", "reach_rows"]

MOST_WITNESSES = 5
"""Tokens with a text that are shown."""


@dataclass(frozen=True, slots=True)
class ReachRow:
    """Tokens of one state: how many, one of them, and the reason or a text that gives it."""

    state: str
    tokens: int
    number: int | None = None
    reason: str = ""
    witness: str | None = None


def reach_rows(target: TargetReport) -> list[ReachRow]:
    """Return a row for each reason why tokens are not reached, and for some that a text gives."""
    findings = [one for one in target.findings if one.code == unreachable_token.CODE]
    return [row for finding in findings for row in _rows(finding)]


def _rows(finding: Finding) -> Iterator[ReachRow]:
    state = finding.cause.kind
    for record in _records(finding, "reasons"):
        match record:
            case {"reason": str(reason), "tokens": int(tokens), "id of the shortest": int(number)}:
                yield ReachRow(state, tokens, number, reason=reason)
    for record in _records(finding, "witnesses")[:MOST_WITNESSES]:
        match record:
            case {"id": int(number), "text": str(text)}:
                yield ReachRow(state, 1, number, witness=text)


def _records(finding: Finding, key: str) -> list[Any]:
    records = finding.evidence.get(key)
    return records if isinstance(records, list) else []
