"""The result of a gate in Markdown, as a comment on a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.escaping import MarkdownText, markdown, plain_markdown
from tokharness.formats._truncation import take_fitting
from tokharness.formats._wording import pluralize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.changes import Change, Example, GateResult
    from tokharness.model import Skip
    from tokharness.results.report import Report

__all__ = ["gate_comment"]

# GitHub accepts 65,536 characters in a comment. A row has less than 12,000 bytes, however hostile
# its texts are, and everything outside of the three parts less than 4,000.
MAX_TABLE = 40_000
MAX_NOTES = 12_000
MAX_SKIPS = 8_000

EMPTY, BREAK = MarkdownText(""), MarkdownText("<br>")
MAX_NAME = 80
MAX_MESSAGE = 300
MAX_TEXT = 80
MAX_EXAMPLES = 3


def gate_comment(report: Report, gate: GateResult) -> MarkdownText:
    """Render the verdict, the failing changes and, collapsed, the other changes and the skips."""
    notes = [change for change in gate.changes if not change.fails]
    skips = [skip for target in report.targets for skip in target.skips]
    lines = [
        _verdict(report, gate),
        EMPTY,
        *_table(gate.failing),
        *_collapsed(MarkdownText("Other changes"), [_item(one) for one in notes], MAX_NOTES),
        *_collapsed(MarkdownText("Skipped"), [_skip(skip) for skip in skips], MAX_SKIPS),
    ]
    return _output(lines)


def _output(lines: list[MarkdownText]) -> MarkdownText:
    text = MarkdownText("\n").join(lines).strip("\n")
    return MarkdownText("{}\n").format(text)


def _verdict(report: Report, gate: GateResult) -> MarkdownText:
    failing, notes = len(gate.failing), len(gate.changes) - len(gate.failing)
    word = "failed" if failing else "interrupted" if report.interrupted else "passed"
    counts = [
        plain_markdown(pluralize(failing, "failing change")),
        plain_markdown(pluralize(notes, "other change")),
        MarkdownText("{:,} accepted").format(gate.accepted),
        plain_markdown(pluralize(gate.golden_texts, "golden text")),
    ]
    name, against = (markdown(text, most=MAX_NAME) for text in (gate.name, gate.against))
    note = MarkdownText(" **The run was interrupted: the report is incomplete.**")
    return MarkdownText("**tokharness gate: {}** {} against {}: {}.{}").format(
        plain_markdown(word),
        name,
        against,
        MarkdownText(", ").join(counts),
        note if report.interrupted else EMPTY,
    )


def _table(failing: tuple[Change, ...]) -> Iterator[MarkdownText]:
    if not failing:
        return
    yield MarkdownText("| kind | what | message | count | text | before | after |")
    yield MarkdownText("|---|---|---|--:|---|---|---|")
    rows = take_fitting(map(_row, failing), MAX_TABLE)
    yield from rows
    yield EMPTY
    if omitted := len(failing) - len(rows):
        count = plain_markdown(pluralize(omitted, "more failing change"))
        yield MarkdownText("**{} omitted from this comment.**").format(count)
        yield EMPTY


def _row(change: Change) -> MarkdownText:
    examples = change.examples[:MAX_EXAMPLES]
    messages = (_short(part.message) for part in (change, *change.related[:MAX_EXAMPLES]))
    cells = [
        _short(change.kind),
        _short(change.what),
        BREAK.join(messages),
        MarkdownText("{:,}").format(change.count),
        *(BREAK.join(column) for column in zip(*map(_example, examples), strict=True)),
    ]
    cells += [EMPTY] * (7 - len(cells))
    return MarkdownText("| {} |").format(MarkdownText(" | ").join(cells))


def _example(example: Example) -> tuple[MarkdownText, MarkdownText, MarkdownText]:
    return (
        markdown(example.text, most=MAX_TEXT),
        _ids(example.before),
        _ids(example.after),
    )


def _ids(ids: tuple[int, ...] | str) -> MarkdownText:
    """Return ids as code, or the name of an exception."""
    if isinstance(ids, str):
        return markdown(ids, most=MAX_TEXT)
    return markdown(" ".join(map(str, ids[:MAX_TEXT])) or "no ids", most=MAX_TEXT)


def _item(change: Change) -> MarkdownText:
    return MarkdownText("- {} {}: {}").format(
        _short(change.kind), _short(change.what), _short(change.message)
    )


def _skip(skip: Skip) -> MarkdownText:
    return MarkdownText("- {}: {}").format(_short(skip.what), _short(skip.reason))


def _collapsed(
    title: MarkdownText, items: list[MarkdownText], limit: int
) -> Iterator[MarkdownText]:
    if not items:
        return
    yield MarkdownText("<details><summary>{}: {:,}</summary>").format(title, len(items))
    yield EMPTY
    shown = take_fitting(items, limit)
    yield from shown
    if omitted := len(items) - len(shown):
        yield MarkdownText("- and {:,} more, omitted from this comment").format(omitted)
    yield from (EMPTY, MarkdownText("</details>"), EMPTY)


def _short(text: str) -> MarkdownText:
    return markdown(text, most=MAX_MESSAGE)
