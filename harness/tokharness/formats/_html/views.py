"""The sections of the page, and the content of the smaller sections."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from tokharness.checks import unreachable_token
from tokharness.diagnosis.costs.language_bands import BANDS, band_for
from tokharness.formats._html.charts import Chart, Shape, unicode_blocks
from tokharness.formats._wording import pluralize
from tokharness.model import Verdict
from tokharness.results.detectors import are_audits
from tokharness.results.language_costs import costs_in_parallel_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.model import Finding
    from tokharness.plugins import Check
    from tokharness.results.comparison import Comparison
    from tokharness.results.report import Report, TargetReport

# The pictures on the first screen: the costs of languages, and the coverage of Unicode.

WIDTH, LABELS, COUNTS = 480, 124, 34
ROW = 22
COLUMNS, SQUARE = 40, 12
"""Squares in a row of the blocks, and the side of each."""


def language_bands(target: TargetReport) -> Chart | None:
    """Draw a bar for each band of costs: the number of its languages; None without a table."""
    counts = _bands(target)
    if not counts:
        return None
    scale = (WIDTH - LABELS - COUNTS) / max(*counts.values(), 1)
    marks, labels = [], []
    for index, (band, count) in enumerate(counts.items()):
        y = index * ROW + 3
        text = f"{band} times the tokens of English: {pluralize(count, 'language')}"
        marks.append(Shape(LABELS, y, count * scale, ROW - 6, f"cost{index + 1}", text))
        labels.append(Shape(LABELS - 8, y + 12, kind="end", text=f"{band} times"))
        labels.append(Shape(LABELS + count * scale + 6, y + 12, text=str(count)))
    return Chart(len(counts) * ROW + 4, tuple(marks), tuple(labels), width=WIDTH)


def language_source(target: TargetReport) -> str:
    """Name the texts on which the costs of languages were measured."""
    exact = costs_in_parallel_text((target.measures or {}).get("parallel"))
    return "estimated by names of CLDR" if exact is None else f"in {exact.source}"


def coverage(target: TargetReport) -> Chart | None:
    """Draw a square for each Unicode block; None if the coverage was not measured."""
    rows = (target.measures or {}).get("coverage")
    return unicode_blocks(rows, columns=COLUMNS, size=SQUARE) if rows else None


def _bands(target: TargetReport) -> Mapping[str, int]:
    """Return the number of languages in each band, from a parallel text or from names (TOK303)."""
    if exact := costs_in_parallel_text((target.measures or {}).get("parallel")):
        found = Counter(band_for(one.times) for one in exact.languages)
        return {band: found[band] for band in BANDS}
    tables = (
        one.evidence.get("bands")
        for one in target.findings
        if one.cause.kind == "costs of languages"
    )
    return next((table for table in tables if isinstance(table, dict)), {})


# Which tokens texts give: the rows of a table, from the evidence of TOK401.
#
# A report that is read from a file may hold any evidence, so only rows of the expected shape are
# shown.

MOST_WITNESSES = 5
"""Number of tokens that are shown with a text that gives them."""


@dataclass(frozen=True, slots=True)
class ReachRow:
    """Tokens of one state: their number, an example, and the reason or a text that gives it."""

    state: str
    tokens: int
    number: int | None = None
    reason: str = ""
    witness: str | None = None


def reach_rows(target: TargetReport) -> list[ReachRow]:
    """Return a row for each reason why tokens are not reached, and rows of tokens with a text."""
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


# Metrics as rows and columns: a column for each target.

MAX_TOKENS = 80
"""Number of tokens of a text that are drawn."""

WITH_UNIT = ("fertility", "code", "cost of languages", "languages by cost")
"""Beginnings of the groups of a comparison whose rows all have the same unit."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token: its id, and its text, or its bytes if they are not UTF-8."""

    number: int
    piece: str | bytes


def decode_piece(data: str) -> str | bytes:
    """Return the text of a token from its bytes in hex; the bytes if they are not UTF-8."""
    token = bytes.fromhex(data)
    try:
        return token.decode()
    except UnicodeDecodeError:
        return token


def token_counts(
    columns: Sequence[tuple[TargetReport, Any]], key: str
) -> list[tuple[str, list[int]]]:
    """Return the counts of each target by name, the largest first."""
    names = dict.fromkeys(name for _, value in columns for name in value[key])
    rows = [(name, [value[key].get(name, 0) for _, value in columns]) for name in names]
    return sorted(rows, key=lambda row: -sum(row[1]))


def select_key(
    columns: Sequence[tuple[TargetReport, Any]], key: str
) -> list[tuple[TargetReport, Any]]:
    """Return the value of one key for each target."""
    return [(target, value[key]) for target, value in columns]


def tokens(encoding: Mapping[str, Any]) -> list[Token] | None:
    """Return the tokens of an encoding; None if their bytes are unknown."""
    if encoding["ids"] is None or encoding["bytes"] is None:
        return None
    pairs = zip(encoding["ids"], encoding["bytes"], strict=True)
    return [Token(number, decode_piece(data)) for number, data in pairs]


def align_rows(
    columns: Sequence[Sequence[Mapping[str, Any]]], key: str
) -> Iterator[tuple[str, list[Any]]]:
    """Yield the rows of several targets with the same key; None for a target without the key."""
    by_key = [{row[key]: row for row in rows} for rows in columns]
    for name in dict.fromkeys(name for rows in by_key for name in rows):
        yield name, [rows.get(name) for rows in by_key]


def sizes(rows: Sequence[Mapping[str, Any]]) -> list[int]:
    """Return all text sizes at which growth was measured."""
    return sorted({size for row in rows for size in row["sizes"]})


def milliseconds(rows: Sequence[Mapping[str, Any]], row: Mapping[str, Any]) -> list[float | None]:
    """Return the time of one unit at each of the sizes of all units; None if not measured."""
    seconds = dict(zip(row["sizes"], row["seconds"], strict=True))
    return [seconds[size] * 1000 if size in seconds else None for size in sizes(rows)]


def word_range(columns: Sequence[tuple[TargetReport, Any]]) -> str:
    """Return how many words the English counterparts of the language texts have."""
    counts = [row["english_words"] for _, rows in columns for row in rows]
    return f"{min(counts)} to {max(counts)}" if counts else "no"


def group_rows(rows: Sequence[Any]) -> Iterator[tuple[str, list[Any]]]:
    """Yield the rows of a comparison by group."""
    groups: dict[str, list[Any]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    yield from groups.items()


METRIC_SECTIONS = {
    "corpus": ("Corpus", "corpus"),
    "vocabulary": ("Vocabulary", "vocabulary"),
    "special-tokens": ("Special-token safety", "special_tokens"),
    "digits": ("Digits", "numbers"),
    "leading-space": ("Leading space", "leading_space"),
    "white-space": ("White space and line ends", "white_space"),
    "invisible": ("Invisible characters", "invisible"),
    "parallel": ("Cost of languages in your text", "parallel"),
    "languages": ("Cost of languages", "languages"),
    "comparison": ("Comparison", ""),
    "coverage": ("Unicode coverage", "coverage"),
    "growth": ("Growth of encoding time", "growth"),
    "throughput": ("Throughput", "throughput"),
}
"""Sections of metrics: the title, and the measure that the section needs."""

VOCABULARY_CHECKS = "TOK4"
"""Prefix of the codes of the vocabulary checks."""

MAX_CAUSES = 5
"""Causes of one check that the summary lists."""


def sections(report: Report, comparison: Comparison | None) -> list[tuple[str, str]]:
    """Return the ids and titles of the sections of the page, in their order."""
    is_comparison = report.embedding_width is not None
    first = []
    if report.gate is not None:
        failed = bool(report.gate.failing)
        first.append(("gate", "What failed" if failed else "Changes since the baseline"))
    if not is_comparison:
        first += [("summary", "Verdict"), ("findings", "Findings")]
        if not are_audits(report):
            first.append(("matrix", "Checks by family"))
    metrics = [
        (section, title)
        for section, (title, name) in METRIC_SECTIONS.items()
        if (metrics_of(report, name) if name else comparison)
    ]
    if is_comparison:
        metrics.sort(key=lambda pair: pair[0] != "comparison")
    missing = [] if is_comparison else [("no-metrics", "Metrics")] * (not metrics)
    last = [] if is_comparison else [("skipped", "Skipped")]
    last.append(("versions", "Versions, options and policy"))
    return [
        *first,
        *metrics,
        *missing,
        *last,
        *([] if is_comparison else [("checks", "Documentation of the checks")]),
    ]


def findings_of_check(
    report: Report, code: str, *, facts: bool = False
) -> list[tuple[TargetReport, Finding]]:
    """Return the findings of a check of all targets; facts only with ``facts``."""
    return [
        (target, finding)
        for target in report.targets
        for finding in target.findings
        if finding.code == code and (facts or finding.verdict is not Verdict.FACT)
    ]


def audit_findings(report: Report) -> list[tuple[TargetReport, Finding]]:
    """Return the findings of the vocabulary checks, including facts."""
    findings = (finding for target in report.targets for finding in target.findings)
    codes = sorted({f.code for f in findings if f.code.startswith(VOCABULARY_CHECKS)})
    return [pair for code in codes for pair in findings_of_check(report, code, facts=True)]


def summary_lines(target: TargetReport) -> Iterator[tuple[Verdict, str, Sequence[str]]]:
    """Yield a line for each check of a target with bugs or risks: verdict, check, some causes.

    Findings of a library are left out.
    """
    own = [finding for finding in target.findings if not finding.is_of_library]
    for verdict in (Verdict.BUG, Verdict.RISK):
        codes = dict.fromkeys(f.code for f in own if f.verdict is verdict)
        for code in codes:
            group = [f for f in own if (f.code, f.verdict) == (code, verdict)]
            causes = [str(finding.cause) for finding in group[:MAX_CAUSES]]
            more = [f"and {len(group) - MAX_CAUSES:,} more"] * (len(group) > MAX_CAUSES)
            yield verdict, f"{code} {group[0].name}", [*causes, *more]


def options(report: Report) -> Iterator[tuple[str, str]]:
    """Yield the names and values of the run's options, named as on the command line."""
    names = {"families": "family"}
    for name, value in asdict(report.options).items():
        if name == "enumerated":  # distinguishes campaigns from checks; not an option
            continue
        text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else value
        if text not in (None, ""):
            yield f"--{names.get(name, name).replace('_', '-')}", str(text)


def policy(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the keys and values of the policy."""
    for name, entry in record.items():
        for key, value in entry.items() if isinstance(entry, dict) else [("", entry)]:
            text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            if text:
                yield f"{name} {key}".strip(), text


def check_pages(report: Report, checks: Mapping[str, Check]) -> list[tuple[str, Check]]:
    """Return the checks that were run or have findings, by code."""
    run = {code for target in report.targets for code in target.started.checks}
    findings = [finding for target in report.targets for finding in target.findings]
    run |= {code for finding in findings for code in (finding.code, *finding.other_checks)}
    return [(code, check) for code, check in checks.items() if code in run]


def metrics_of(report: Report, name: str) -> list[tuple[TargetReport, Any]]:
    """Return the targets with their value of a measure, without targets that lack it."""
    values = ((target, (target.measures or {}).get(name)) for target in report.targets)
    return [(target, value) for target, value in values if value is not None]
