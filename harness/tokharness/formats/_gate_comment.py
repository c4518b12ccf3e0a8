"""The result of a gate in Markdown, as a comment on a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.escaping import markdown
from tokharness.formats._truncation import take_fitting
from tokharness.formats._wording import pluralize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.changes import Change, Example, GateResult
    from tokharness.results.report import Report

__all__ = ["gate_comment"]

# GitHub accepts 65,536 characters in a comment. A row has less than 12,000 bytes, however hostile
# its texts are, and everything outside of the three parts less than 4,000.
MAX_TABLE = 40_000
MAX_NOTES = 12_000
MAX_SKIPS = 8_000

MAX_NAME = 80
MAX_MESSAGE = 300
MAX_TEXT = 80
MAX_EXAMPLES = 3


def gate_comment(report: Report, gate: GateResult) -> str:
    """Render the verdict, the failing changes and, collapsed, the other changes and the skips."""
    notes = [change for change in gate.changes if not change.fails]
    skips = [skip for target in report.targets for skip in target.skips]
    lines = [
        _verdict(report, gate),
        "",
        *_table(gate.failing),
        *_collapsed("Other changes", [_item(change) for change in notes], MAX_NOTES),
        *_collapsed(
            "Skipped",
            [f"- {_short(skip.what)}: {_short(skip.reason)}" for skip in skips],
            MAX_SKIPS,
        ),
    ]
    return "\n".join(lines).rstrip("\n") + "\n"


def _verdict(report: Report, gate: GateResult) -> str:
    failing, notes = len(gate.failing), len(gate.changes) - len(gate.failing)
    word = "failed" if failing else "interrupted" if report.interrupted else "passed"
    counts = [pluralize(failing, "failing change"), pluralize(notes, "other change")]
    counts += [f"{gate.accepted:,} accepted", pluralize(gate.golden_texts, "golden text")]
    name, against = (markdown(text, most=MAX_NAME) for text in (gate.name, gate.against))
    note = " **The run was interrupted: the report is incomplete.**" if report.interrupted else ""
    return f"**tokharness gate: {word}** {name} against {against}: {', '.join(counts)}.{note}"


def _table(failing: tuple[Change, ...]) -> Iterator[str]:
    if not failing:
        return
    yield "| kind | what | message | count | text | before | after |"
    yield "|---|---|---|--:|---|---|---|"
    rows = take_fitting(map(_row, failing), MAX_TABLE)
    yield from rows
    yield ""
    if omitted := len(failing) - len(rows):
        yield f"**{pluralize(omitted, 'more failing change')} omitted from this comment.**"
        yield ""


def _row(change: Change) -> str:
    examples = change.examples[:MAX_EXAMPLES]
    cells = (
        _short(change.kind),
        _short(change.what),
        "<br>".join(_short(part.message) for part in (change, *change.related[:MAX_EXAMPLES])),
        f"{change.count:,}",
        *("<br>".join(column) for column in zip(*map(_example, examples), strict=True)),
    )
    return f"| {' | '.join([*cells, *[''] * (7 - len(cells))])} |"


def _example(example: Example) -> tuple[str, str, str]:
    return (
        markdown(example.text, most=MAX_TEXT),
        _ids(example.before),
        _ids(example.after),
    )


def _ids(ids: tuple[int, ...] | str) -> str:
    """Return ids as code, or the name of an exception."""
    if isinstance(ids, str):
        return markdown(ids, most=MAX_TEXT)
    return markdown(" ".join(map(str, ids[:MAX_TEXT])) or "no ids", most=MAX_TEXT)


def _item(change: Change) -> str:
    return f"- {_short(change.kind)} {_short(change.what)}: {_short(change.message)}"


def _collapsed(title: str, items: list[str], limit: int) -> Iterator[str]:
    if not items:
        return
    yield f"<details><summary>{title}: {len(items):,}</summary>"
    yield ""
    shown = take_fitting(items, limit)
    yield from shown
    if omitted := len(items) - len(shown):
        yield f"- and {omitted:,} more, omitted from this comment"
    yield from ("", "</details>", "")


def _short(text: str) -> str:
    return markdown(text, most=MAX_MESSAGE)
