"""The findings of the page: the first as cards, the rest as rows of a table."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness import plugins
from tokharness.engine.run.report_requests import MAX_LENGTH
from tokharness.escaping import Shown, shorten, visible
from tokharness.formats._evidence import (
    DIFFERS,
    GIVEN_AND_EXPECTED,
    given_and_expected,
    is_table,
)
from tokharness.formats._wording import library_title, text_label
from tokharness.model import Verdict
from tokharness.results.detectors import CONVERSATION, RENDERED, conversation_parts
from tokharness.unicode.properties import label

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.model import Finding, Text
    from tokharness.plugins import Check
    from tokharness.results.report import Report, TargetReport

    Cell: TypeAlias = dict[str, int] | None

__all__ = [
    "Card",
    "anchor",
    "cards",
    "causes_by_target",
    "code_points",
    "compared",
    "conversation",
    "evidence",
    "group_risks",
    "legend",
    "matrix",
    "pieces",
    "sections",
    "table_rows",
    "tables",
    "text_label",
]

MAX_CARDS = 200
"""Number of findings of a target that are cards; more cards would make the page slow."""

MAX_OPEN_RISKS = 3
"""Risks of one check that are not collapsed."""

MAX_OPEN_FACTS = 40
"""Facts of a target that are shown before their table is opened."""

COLORS = 5
"""Colors of tokens on the page."""

MAX_CODE_POINTS, MAX_EVIDENCE, MAX_VALUE = 40, 300, 40

ELSEWHERE = ("twin", "code_points", CONVERSATION, *GIVEN_AND_EXPECTED)
"""Names of evidence that have a place of their own on a card."""


@dataclass(frozen=True, slots=True)
class Card:
    """A finding, with the encodings of its text and of the text's twin, if they were collected.

    The encoding of a text that is ``too_long`` to draw as tokens is not collected.
    """

    anchor: str
    finding: Finding
    encoding: Mapping[str, Any] | None
    twin: str | None
    twin_encoding: Mapping[str, Any] | None
    too_long: bool = False


@dataclass(frozen=True, slots=True)
class TargetFinding:
    """The finding of one target, and the anchor of its card; "" without a card."""

    anchor: str
    finding: Finding


def anchor(number: int, position: int) -> str:
    """Return the id of a finding's card, from the number of its target; "" without a card."""
    return f"finding-{number}-{position}" if position <= MAX_CARDS else ""


def cards(target: TargetReport, number: int) -> tuple[list[Card], list[Card]]:
    """Return cards of a target's first bugs and risks, worst first, and cards of its facts."""
    measures = target.measures or {}
    encodings = {row["text"]: row for row in measures.get("texts") or ()}
    drawn = [
        _card(anchor(number, position), finding, encodings)
        for position, finding in enumerate(target.findings[:MAX_CARDS], 1)
    ]
    facts = [card for card in drawn if card.finding.verdict is Verdict.FACT]
    return [card for card in drawn if card.finding.verdict is not Verdict.FACT], facts


def _card(anchor: str, finding: Finding, encodings: Mapping[str, Any]) -> Card:
    twin = finding.evidence.get("twin")
    twin = twin if isinstance(twin, str) else None
    text = finding.text if isinstance(finding.text, str) else None
    encoding = None if text is None else encodings.get(text)
    twin_encoding = None if twin is None else encodings.get(twin)
    too_long = bool(encodings) and text is not None and len(text) > MAX_LENGTH
    return Card(anchor, finding, encoding, twin, twin_encoding, too_long)


def sections(cards: Sequence[Card]) -> Iterator[tuple[Shown, list[Card]]]:
    """Yield the cards of the target itself, without a title, and the cards of each library."""
    for library, members in groupby(cards, lambda c: c.finding.is_of_library and c.finding.library):
        yield library_title(library) if library else Shown(""), list(members)


def group_risks(cards: Sequence[Card]) -> Iterator[tuple[list[Card], list[Card]]]:
    """Group cards by check; yield the open cards and the collapsed cards of each group."""
    for (_, verdict), members in groupby(cards, lambda c: (c.finding.code, c.finding.verdict)):
        group = list(members)
        collapses = verdict is Verdict.RISK and len(group) > MAX_OPEN_RISKS + 1
        yield (group[:MAX_OPEN_RISKS], group[MAX_OPEN_RISKS:]) if collapses else (group, [])


def table_rows(target: TargetReport) -> Sequence[Finding]:
    """Return the findings that have no card."""
    return target.findings[MAX_CARDS:]


def code_points(text: Text) -> list[tuple[str, str, str]]:
    """Return the first code points of a text, with names and bytes; for bytes, the first bytes."""
    if isinstance(text, bytes):
        return [(f"\\x{byte:02x}", "", f"{byte:02X}") for byte in text[:MAX_CODE_POINTS]]
    return [
        (char, label(char), char.encode("utf-8", "surrogatepass").hex(" ").upper())
        for char in text[:MAX_CODE_POINTS]
    ]


def evidence(finding: Finding) -> Iterator[tuple[str, str]]:
    """Yield the names and values of the evidence that is not shown elsewhere on the card."""
    elsewhere = (*ELSEWHERE, RENDERED) if conversation_parts(finding) else ELSEWHERE
    for name, value in finding.evidence.items():
        if name not in elsewhere and not is_table(value) and not _are_texts(value):
            yield name, shorten(_format(value), MAX_EVIDENCE)


def compared(finding: Finding) -> list[tuple[str, Shown]]:
    """Return the given and the expected value, with these names; empty without them."""
    both = given_and_expected(finding, MAX_EVIDENCE)
    return [] if both is None else list(zip(GIVEN_AND_EXPECTED, both, strict=True))


def pieces(finding: Finding) -> Iterator[tuple[str, list[str]]]:
    """Yield the names of lists of texts, and the texts."""
    for name, value in finding.evidence.items():
        if _are_texts(value):
            yield name, value[:MAX_CODE_POINTS]


Part: TypeAlias = tuple[Shown, Shown, Shown, int]
"""What a part of a rendering is, its text, its ids, and the number of its color."""


def conversation(finding: Finding) -> list[Part]:
    """Return the parts of a rendered conversation.

    Each kind of field and the special tokens have a color; the template has none (-1).
    """
    parts = conversation_parts(finding)
    kinds = list(dict.fromkeys(what for what, _, _ in parts if what != "template"))
    return [
        (
            *(visible(what), visible(text), visible(ids)),
            kinds.index(what) % COLORS if what in kinds else -1,
        )
        for what, text, ids in parts
    ]


def legend(parts: Sequence[Part]) -> list[tuple[Shown, int]]:
    """Return each kind of part with its color, once."""
    return list(dict.fromkeys((what, color) for what, _, _, color in parts))


def tables(finding: Finding) -> Iterator[tuple[str, list[str], list[tuple[bool, list[str]]]]]:
    """Yield the name, the columns and the rows of each table of the evidence.

    A row that is not as expected is marked by True.
    """
    for name, value in finding.evidence.items():
        if is_table(value) and name not in ELSEWHERE:
            columns = list(dict.fromkeys(column for row in value for column in row))
            columns = [column for column in columns if column != DIFFERS]
            cells = ([_table_cell(row.get(column)) for column in columns] for row in value)
            marks = (bool(row.get(DIFFERS)) for row in value)
            yield name, columns, list(zip(marks, cells, strict=True))


def _table_cell(value: Any) -> str:
    return "" if value is None else shorten(_format(value), MAX_VALUE)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value)


def _format(value: Any) -> str:
    """Format counts by name as a list, and other structures as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and all(type(count) is int for count in value.values()):
        return ", ".join(f"{name} {count:,}" for name, count in value.items())
    return json.dumps(value, ensure_ascii=False)


def causes_by_target(report: Report) -> list[tuple[Finding, list[TargetFinding | None]]]:
    """Return each cause once, worst first, with its finding for each target, or None."""
    columns: dict[str, list[TargetFinding | None]] = {}
    for number, target in enumerate(report.targets, 1):
        for position, finding in enumerate(target.findings, 1):
            row = columns.setdefault(finding.fingerprint, [None] * len(report.targets))
            row[number - 1] = TargetFinding(anchor(number, position), finding)
    rows = [(next(cell.finding for cell in row if cell), row) for row in columns.values()]
    return sorted(rows, key=lambda row: (row[0].rank, row[0].code))


def matrix(target: TargetReport) -> list[tuple[str, list[Cell]]]:
    """Return a row for each family and a row for the whole target, with the verdicts by check.

    A cell is empty without findings, and None if the check does not apply.
    """
    codes = target.started.checks
    checks = {code: plugins.checks().get(code) for code in codes}
    cases = {family.family: family.cases for family in target.families}
    rows: list[tuple[str, list[Cell]]] = []
    for family in dict.fromkeys((*target.started.families, *cases)):
        if not cases.get(family):
            continue
        own = [finding for finding in target.findings if family in _families(finding)]
        rows.append((family, [_cell(own, code, _tests_cases(checks[code])) for code in codes]))
    whole = [finding for finding in target.findings if not _families(finding)]
    cells = [_cell(whole, code, _audits(checks[code])) for code in codes]
    return [*rows, ("the whole target", cells)]


def _families(finding: Finding) -> Sequence[str]:
    """Return the families in which a finding occurs, or the family in its cause."""
    about = dict(finding.cause.parameters).get("family")
    return finding.families or (() if about is None else (about,))


def _tests_cases(check: Check | None) -> bool:
    return check is None or check.failing is not None


def _audits(check: Check | None) -> bool:
    return check is None or check.audit is not None


def _cell(findings: Sequence[Finding], code: str, applies: bool) -> Cell:
    verdicts = [f.verdict for f in findings if f.code == code or code in f.other_checks]
    if not verdicts and not applies:
        return None
    return {verdict.value: verdicts.count(verdict) for verdict in Verdict if verdict in verdicts}
