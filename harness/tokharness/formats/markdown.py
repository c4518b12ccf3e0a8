"""Markdown for a comment or a wiki: a table of findings, the facts and the skips of each target.

For a gate, this is a comment on a pull request, within GitHub's length limit: the verdict, a block
for each failing change, and, collapsed, the other changes and the skips.

Hostile text is shown as code, with its dangerous characters escaped.
"""

from __future__ import annotations

from itertools import groupby, starmap
from typing import TYPE_CHECKING

from tokharness.config import PROFILES
from tokharness.escaping import MarkdownText, markdown, plain_markdown
from tokharness.formats._corpus_lines import corpus_lines, corpus_of
from tokharness.formats._evidence import results_line
from tokharness.formats._gate_lines import gate_comment
from tokharness.formats._overview import campaign_lines, overview
from tokharness.formats._wording import (
    incomplete,
    library_counts,
    library_title,
    pluralize,
    what_was_run,
)
from tokharness.model import Finding, Verdict
from tokharness.results.comparison import format_value
from tokharness.results.comparison.lengths import ALL_LANGUAGES, ALL_TEXTS, PROSE, SOURCE_CODE
from tokharness.results.detectors import are_audits, detectors, has_conversations, is_audit
from tokharness.results.report import compare_targets
from tokharness.results.scorecard import scorecard

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokharness.results.comparison import Comparison, Length, Lengths, Row
    from tokharness.results.report import Report, TargetReport

__all__ = ["COMPARES", "NAME", "render"]


# Vocabulary against sequence length, as a table of Markdown.

GROUPS = (PROSE, ALL_LANGUAGES, SOURCE_CODE)
EMPTY = MarkdownText("")


def table_row(cells: Iterable[MarkdownText]) -> MarkdownText:
    """Return a row of a table."""
    return MarkdownText("| {} |").format(MarkdownText(" | ").join(cells))


def length_table(lengths: Sequence[Lengths]) -> Iterator[MarkdownText]:
    """Yield a row for each unit and each target; the length is marked lossy if text is lost."""
    head = ("tokens per 100 characters", "algorithm", "vocabulary", *GROUPS, "lossy texts")
    yield table_row(map(MarkdownText, head))
    yield MarkdownText("|---|---|--:|--:|--:|--:|--:|")
    for row in lengths:
        size = "unknown" if row.vocabulary is None else f"{row.vocabulary:,}"
        length = row.of(ALL_TEXTS)
        lost = f"{length.lossy + length.not_encoded:,} of {length.texts:,}"
        cells = [
            plain_markdown(row.name) if row.is_unit else markdown(row.name),
            plain_markdown(row.algorithm) if row.algorithm else EMPTY,
            plain_markdown(size),
            *(_length_value(row.of(group)) for group in GROUPS),
            EMPTY if row.is_unit else plain_markdown(lost),
        ]
        yield table_row(cells)


def _length_value(length: Length) -> MarkdownText:
    value = plain_markdown(format_value(length.tokens_per_100_characters))
    return MarkdownText("{}, lossy").format(value) if length.loses_text else value


NAME = "markdown"
COMPARES = True

MAX_TEXT = 80


def render(report: Report, *, width: int | None = None, color: bool = False) -> MarkdownText:
    """Render the report as Markdown."""
    if report.gate is not None:
        return gate_comment(report, report.gate)
    comparison = compare_targets(report)
    if report.embedding_width is not None and comparison is not None:
        heading = MarkdownText("# Tokenizer comparison")
        return _output([heading, EMPTY, *_comparison(comparison)])
    lines = [MarkdownText("# tokharness report"), EMPTY]
    if why := incomplete(report, "The"):
        lines += [MarkdownText("**{}.**").format(plain_markdown(why)), EMPTY]
    if report.not_run:
        specs = MarkdownText(", ").join(map(markdown, report.not_run))
        lines += [MarkdownText("Targets not run: {}.").format(specs), EMPTY]
    lines += _overview(report)
    for target in report.targets:
        lines += _target(target)
    if comparison is not None:
        lines += [MarkdownText("## Comparison"), EMPTY, *_comparison(comparison), EMPTY]
    with_corpus = any(map(corpus_of, report.targets))
    without_profile = are_audits(report) or with_corpus or has_conversations(report)
    if report.targets and not without_profile:
        profile = PROFILES[report.options.profile]
        summary = map(plain_markdown, (profile.name, profile.page))
        lines += [MarkdownText("Profile {}: {}.").format(*summary), EMPTY]
    versions = {"tokharness": report.versions["tokharness"], "Python": report.versions["python"]}
    versions |= report.versions["packages"]
    lines.append(MarkdownText(", ").join(starmap(_version, versions.items())))
    return _output(lines)


def _overview(report: Report) -> Iterator[MarkdownText]:
    """Yield a table of several targets: their verdicts, the counts, and the first bugs."""
    if rows := overview(report):
        yield MarkdownText("| target | verdict | findings | bugs |")
        yield MarkdownText("|---|---|---|---|")
        for row in rows:
            bugs = filter(None, (*row.bugs.values(), row.more))
            listed = MarkdownText("<br>").join(map(plain_markdown, bugs))
            cells = map(plain_markdown, (row.word, row.counts))
            yield table_row((markdown(row.target.started.spec), *cells, listed))
        yield EMPTY


def _output(lines: Iterable[MarkdownText]) -> MarkdownText:
    return MarkdownText("").join(MarkdownText("{}\n").format(line) for line in lines)


def _version(name: str, version: str) -> MarkdownText:
    return MarkdownText("{} {}").format(plain_markdown(name), plain_markdown(version))


def _comparison(comparison: Comparison) -> Iterator[MarkdownText]:
    specs = MarkdownText(" | ").join(map(markdown, comparison.specs))
    yield MarkdownText("| | | {} |").format(specs)
    columns = MarkdownText("").join([MarkdownText("--:|")] * len(comparison.specs))
    yield MarkdownText("|---|---|{}").format(columns)
    for row in comparison.rows:
        name = plain_markdown(row.name)
        if row.unit:
            name = MarkdownText("{}, {}").format(name, plain_markdown(row.unit))
        values = [_value(row, column) for column in range(len(row.values))]
        yield table_row((plain_markdown(row.group), name, *values))
    if comparison.lengths:
        yield EMPTY
        yield from length_table(comparison.lengths)
    for note in comparison.notes:
        yield from (EMPTY, plain_markdown(note))


def _value(row: Row, column: int) -> MarkdownText:
    value = plain_markdown(format_value(row.values[column]))
    return MarkdownText("**{}**").format(value) if column in row.best else value


def _target(target: TargetReport) -> Iterator[MarkdownText]:
    yield MarkdownText("## {}").format(target.started.spec)
    yield EMPTY
    counts = (pluralize(target.count(verdict), verdict.value) for verdict in Verdict)
    line = MarkdownText(", ").join(map(plain_markdown, counts))
    of_library = map(plain_markdown, library_counts(target.findings))
    line = MarkdownText("; ").join([line, *of_library])
    line = MarkdownText("{}; {}").format(line, plain_markdown(what_was_run(target)))
    if against := target.started.against:
        line = MarkdownText("{}, compared with {}").format(line, against)
    yield MarkdownText("{}.").format(line)
    yield EMPTY
    if target.campaign is not None:
        for label, summary in campaign_lines(target.campaign):
            capitalized = plain_markdown(label.capitalize())
            yield from (MarkdownText("{}: {}.").format(capitalized, summary), EMPTY)
    yield from _corpus(target)
    if lines := scorecard(target):
        yield MarkdownText("| | promise | what was measured |")
        yield MarkdownText("|---|---|---|")
        for one in lines:
            yield table_row(map(plain_markdown, (one.status, one.name, one.value)))
        yield EMPTY
    if is_audit(target):
        yield from _detectors(target)
    problems = [f for f in target.findings if f.verdict is not Verdict.FACT]
    yield from _problems(problems)
    facts = [_pair(f.code, f.message) for f in target.findings if f not in problems]
    skips = [_pair(s.what, s.reason) for s in target.skips]
    if facts:
        folded = MarkdownText("<details><summary>Facts: {:,}</summary>").format(len(facts))
        yield from (folded, EMPTY, *facts, EMPTY, MarkdownText("</details>"), EMPTY)
    if skips:
        yield from (MarkdownText("### Skipped"), EMPTY, *skips, EMPTY)


def _corpus(target: TargetReport) -> Iterator[MarkdownText]:
    if (corpus := corpus_of(target)) is not None:
        for label, summary in corpus_lines(corpus, target.started.against):
            pair = plain_markdown(label.capitalize()), plain_markdown(summary)
            yield MarkdownText("- {}: {}").format(*pair)
        yield EMPTY


def _problems(problems: Iterable[Finding]) -> Iterator[MarkdownText]:
    for library, found in groupby(problems, lambda finding: finding.library):
        if library:
            title = plain_markdown(library_title(library))
            yield from (MarkdownText("### {}").format(title), EMPTY)
        yield MarkdownText("| verdict | check | cause | smallest text | cases | families |")
        yield MarkdownText("|---|---|---|---|--:|---|")
        yield from (*map(_row, found), EMPTY)


def _detectors(target: TargetReport) -> Iterator[MarkdownText]:
    yield MarkdownText("| check | tokens of this class | tokens | example | id |")
    yield MarkdownText("|---|---|--:|---|--:|")
    for row in detectors(target):
        example = EMPTY if row.example is None else markdown(row.example, most=MAX_TEXT)
        number = EMPTY if row.number is None else MarkdownText("{:,}").format(row.number)
        code, name = plain_markdown(row.code), plain_markdown(row.name)
        yield table_row((code, name, MarkdownText("{:,}").format(row.tokens), example, number))
    yield EMPTY


def _row(finding: Finding) -> MarkdownText:
    check = map(plain_markdown, (finding.code, finding.name))
    return table_row(
        (
            plain_markdown(finding.verdict.value),
            MarkdownText("{} {}").format(*check),
            plain_markdown(f"{finding.cause}: {finding.message}"),
            _text_and_results(finding),
            MarkdownText("{:,}").format(finding.count),
            MarkdownText(", ").join(map(plain_markdown, finding.families)),
        )
    )


def _pair(name: str, sentence: str) -> MarkdownText:
    return MarkdownText("- {}").format(plain_markdown(f"{name}: {sentence}"))


def _text_and_results(finding: Finding) -> MarkdownText:
    """Return the smallest text, and the given and the expected value."""
    results = results_line(finding, MAX_TEXT)
    if results is None:
        return _text(finding)
    return MarkdownText("{}<br>{}").format(_text(finding), markdown(results))


def _text(finding: Finding) -> MarkdownText:
    if finding.text is None:
        return EMPTY
    text, length = markdown(finding.text, most=MAX_TEXT), len(finding.text)
    if length <= MAX_TEXT:
        return text
    return MarkdownText("{} of {:,} characters").format(text, length)
