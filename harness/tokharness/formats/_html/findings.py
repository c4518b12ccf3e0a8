"""Findings as the page shows them: those that are drawn, and the rest as rows of a table."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness import plugins
from tokharness.engine.run.measure_requests import LONGEST
from tokharness.escaping import shortened
from tokharness.model import Verdict
from tokharness.unicode.properties import label

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.model import Finding, Text
    from tokharness.plugins import Check
    from tokharness.results.report import Report, TargetReport

    Cell: TypeAlias = dict[str, int] | None

__all__ = [
    "Card",
    "cards",
    "evidence",
    "kinds",
    "matrix",
    "points",
    "rest",
    "shared",
    "text_name",
]

MOST_DRAWN = 200
"""Findings of a target that are drawn as tokens; more would make the page slow, and are rows."""

MOST_ALIKE = 3
"""Risks of one check that stand open."""

MOST_POINTS, LONGEST_EVIDENCE = 40, 300


@dataclass(frozen=True, slots=True)
class Card:
    """A finding, what the target makes of its text, and of the text's twin, where it was asked.

    It was not where the text is ``too_long`` to be drawn as tokens.
    """

    anchor: str
    finding: Finding
    encoding: Mapping[str, Any] | None
    twin: str | None
    twin_encoding: Mapping[str, Any] | None
    too_long: bool = False


@dataclass(frozen=True, slots=True)
class Shared:
    """A finding that other targets may have too, and where it is drawn, if it is."""

    anchor: str
    finding: Finding


def cards(target: TargetReport, number: int) -> list[Card]:
    """Findings of a target that are drawn, worst first."""
    measures = target.measures or {}
    known = {row["text"]: row for row in measures.get("texts") or ()}
    return [
        _card(f"finding-{number}-{place}", finding, known)
        for place, finding in enumerate(target.findings[:MOST_DRAWN], 1)
    ]


def _card(anchor: str, finding: Finding, known: Mapping[str, Any]) -> Card:
    twin = finding.evidence.get("twin")
    twin = twin if isinstance(twin, str) else None
    text = finding.text if isinstance(finding.text, str) else None
    drawn = None if text is None else known.get(text)
    too_long = bool(known) and text is not None and len(text) > LONGEST
    return Card(anchor, finding, drawn, twin, None if twin is None else known.get(twin), too_long)


def kinds(drawn: Sequence[Card]) -> Iterator[tuple[list[Card], list[Card]]]:
    """Split risks of one check, where there are many, into the first few and the others."""
    for (_, verdict), some in groupby(drawn, lambda one: (one.finding.code, one.finding.verdict)):
        alike = list(some)
        many = verdict is Verdict.RISK and len(alike) > MOST_ALIKE + 1
        yield (alike[:MOST_ALIKE], alike[MOST_ALIKE:]) if many else (alike, [])


def text_name(finding: Finding) -> str:
    """Say what the text of a finding is: of a share it is no smallest one."""
    return "worst text" if finding.cause.kind == "inflation" else "smallest text"


def rest(target: TargetReport) -> Sequence[Finding]:
    """Findings that are rows only."""
    return target.findings[MOST_DRAWN:]


def points(text: Text) -> list[tuple[str, str, str]]:
    """Each code point of a text, its name and its bytes; each byte of a byte string; the first."""
    if isinstance(text, bytes):
        return [(f"\\x{one:02x}", "", f"{one:02X}") for one in text[:MOST_POINTS]]
    some = text[:MOST_POINTS]
    return [
        (one, label(one), one.encode("utf-8", "surrogatepass").hex(" ").upper()) for one in some
    ]


def evidence(finding: Finding) -> Iterator[tuple[str, str]]:
    """What supports a finding, a name and a value in words each, but for what is shown anyway."""
    for name, value in finding.evidence.items():
        if name not in ("twin", "code_points"):
            yield name, shortened(_in_words(value), LONGEST_EVIDENCE)


def _in_words(value: Any) -> str:
    """Say counts by name as a person does; what has more in it as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and all(type(one) is int for one in value.values()):
        return ", ".join(f"{name} {count:,}" for name, count in value.items())
    return json.dumps(value, ensure_ascii=False)


def shared(report: Report) -> list[tuple[Finding, list[Shared | None]]]:
    """Each cause of several targets once, worst first: its finding in each of them, or None."""
    places: dict[str, list[Shared | None]] = {}
    for number, target in enumerate(report.targets, 1):
        for place, finding in enumerate(target.findings, 1):
            row = places.setdefault(finding.fingerprint, [None] * len(report.targets))
            anchor = f"finding-{number}-{place}" if place <= MOST_DRAWN else ""
            row[number - 1] = Shared(anchor, finding)
    rows = [(next(one.finding for one in row if one), row) for row in places.values()]
    return sorted(rows, key=lambda row: (row[0].verdict.rank, row[0].code))


def matrix(target: TargetReport) -> list[tuple[str, list[Cell]]]:
    """A row a family, and one for the whole target: the verdicts that each check gave there.

    A cell is empty where nothing was told, and None where the check did not look.
    """
    codes = target.started.checks
    looks = {code: plugins.checks().get(code) for code in codes}
    tried = {one.family: one.cases for one in target.families}
    rows: list[tuple[str, list[Cell]]] = []
    for family in dict.fromkeys((*target.started.families, *tried)):
        found = [one for one in target.findings if family in _families(one)]
        cells = [_cell(found, code, tried.get(family) and _tries(looks[code])) for code in codes]
        if tried.get(family):
            rows.append((family, cells))
    whole = [one for one in target.findings if not _families(one)]
    cells = [_cell(whole, code, (one := looks[code]) is None or one.audit) for code in codes]
    return [*rows, ("the whole target", cells)]


def _families(finding: Finding) -> Sequence[str]:
    """Families that a finding is of: those it was seen in, or that it is about."""
    about = dict(finding.cause.parameters).get("family")
    return finding.families or (() if about is None else (about,))


def _tries(check: Check | None) -> bool:
    return check is None or check.failing is not None


def _cell(found: Sequence[Finding], code: str, looked: object) -> Cell:
    mine = [one.verdict for one in found if one.code == code or code in one.also]
    if not mine and not looked:
        return None
    return {verdict.value: mine.count(verdict) for verdict in Verdict if verdict in mine}
