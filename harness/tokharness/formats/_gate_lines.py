"""The result of a gate: lines for a terminal, and Markdown as a comment on a pull request."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, TypeVar

from tokharness.changes import CHANGED_FILE
from tokharness.escaping import (
    MarkdownText,
    Shown,
    line_verbatim,
    markdown,
    markdown_code_line,
    plain_markdown,
    sentence,
    shorten,
    terminal,
)
from tokharness.formats._renderings import rendering_lines
from tokharness.formats._wording import incomplete, pluralize, text_label
from tokharness.gate.texts import BY_DIGEST

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokharness.changes import Change, Example, GateResult
    from tokharness.model import Skip
    from tokharness.results.report import Report
    from tokharness.targets.snapshot import Ids


MAX_TEXT, MAX_IDS, MAX_EXAMPLES = 60, 8, 5


def headline(gate: GateResult) -> Shown:
    """Return what is compared with what."""
    golden_texts = pluralize(gate.golden_texts, "golden text")
    return Shown("{} against {}: {}").format(gate.name, gate.against, golden_texts)


def change_lines(change: Change) -> Iterator[Shown]:
    """Yield the lines of a change: what it is, why, and its golden texts before and after."""
    yield Shown("{}: {}").format(change.kind, sentence(change.what))
    yield from (sentence(part.message) for part in (change, *change.related) if part.message)
    if change.finding is not None and change.finding.text is not None:
        text = shorten(change.finding.text, MAX_TEXT)
        yield Shown('{} "{}"').format(text_label(change.finding), text)
    if change.renderings is not None:
        yield from rendering_lines(change.renderings)
    for example in change.examples[:MAX_EXAMPLES]:
        text = shorten(example.text, MAX_TEXT)
        line = Shown("'{}' {} -> {}") if '"' in example.text else Shown('"{}" {} -> {}')
        yield line.format(text, *shown_ids(example))
    if more := more_texts(change, MAX_EXAMPLES):
        yield more


def commands(change: Change) -> list[Shown]:
    """Return the commands to run next; without any, the command that reproduces the finding."""
    reproduce = change.finding.reproduce if change.finding else ""
    return [line_verbatim(command) for command in change.next or filter(None, [reproduce])]


def more_texts(change: Change, shown: int) -> Shown:
    """Return how many texts changed besides the first examples; "" without examples.

    They are golden texts, unless texts that only a digest shows are part of the change.

    The message of an edit of the file counts changed texts itself, with the texts of other groups.
    """
    if change.kind == CHANGED_FILE:
        return Shown("")
    more = change.changed_texts - len(change.examples[:shown])
    are_golden = all(one.what != BY_DIGEST for one in (change, *change.related))
    texts = pluralize(more, "more golden text" if are_golden else "more text")
    return Shown("and {}").format(texts) if change.examples and more > 0 else Shown("")


def shown_ids(example: Example, most: int = MAX_IDS) -> tuple[Shown, Shown]:
    """Return at most ``most`` ids before and after, from the id before the first different id."""
    same = 0
    if not isinstance(example.before, str) and not isinstance(example.after, str):
        pairs = zip(example.before, example.after, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    start = max(same - 1, 0)
    return _ids(example.before, start, most), _ids(example.after, start, most)


def _ids(ids: Ids, start: int, most: int) -> Shown:
    if isinstance(ids, str):
        return terminal(ids)
    end = start + most
    before, after = "... " if start else "", " ..." if len(ids) > end else ""
    return Shown("[{}{}{}]").format(before, " ".join(map(str, ids[start:end])), after)


def verdict(gate: GateResult) -> tuple[Shown, Shown]:
    """Return "passed" or "failed", and the counts of changes."""
    failing = len(gate.failing)
    notes = pluralize(len(gate.changes) - failing, "note")
    changes = pluralize(failing, "failing change")
    counts = Shown("{}, {}, {} accepted").format(changes, notes, gate.accepted)
    if gate.newly_accepted and not failing:
        now = pluralize(gate.newly_accepted, "change")
        return Shown("accepted"), Shown("{} accepted now, {} before").format(now, gate.accepted)
    return (Shown("failed") if failing else Shown("passed")), counts


# Truncation of lists of lines to the limits of a service.

Line = TypeVar("Line", bound=str)


def take_fitting(lines: Iterable[Line], limit: int) -> list[Line]:
    """Return the first lines that fit into ``limit`` bytes of UTF-8, with their line ends."""
    fitting = []
    for line in lines:
        limit -= len(line.encode()) + 1
        if limit < 0:
            break
        fitting.append(line)
    return fitting


# GitHub accepts 65,536 characters in a comment. A block has less than 14,000 bytes, however hostile
# its texts are, and everything outside of the three parts less than 4,000.
MAX_BLOCKS = 40_000
MAX_COMMANDS = 3_000
MAX_NOTES = 12_000
MAX_SKIPS = 8_000

EMPTY = MarkdownText("")
MAX_NAME = 80
MAX_MESSAGE = 300
COMMENT_TEXT = 80
COMMENT_IDS = 12
COMMENT_EXAMPLES = 3


def gate_comment(report: Report, gate: GateResult) -> MarkdownText:
    """Render the verdict, the failing changes and, collapsed, the other changes and the skips."""
    notes = [change for change in gate.changes if not change.fails]
    skips = [skip for target in report.targets for skip in target.skips]
    lines = [
        _verdict(report, gate),
        EMPTY,
        *_failing(gate.failing),
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
    if report.unfinished and not report.interrupted:
        word = "not finished"
    counts = [
        plain_markdown(pluralize(failing, "failing change")),
        plain_markdown(pluralize(notes, "other change")),
        MarkdownText("{:,} accepted").format(gate.accepted),
        plain_markdown(pluralize(gate.golden_texts, "golden text")),
    ]
    name, against = (markdown(text, most=MAX_NAME) for text in (gate.name, gate.against))
    why = incomplete(report, "The")
    note = MarkdownText(" **{}.**").format(plain_markdown(why)) if why else EMPTY
    return MarkdownText("**tokharness gate: {}** {} against {}: {}.{}").format(
        plain_markdown(word),
        name,
        against,
        MarkdownText(", ").join(counts),
        note,
    )


def _failing(changes: tuple[Change, ...]) -> Iterator[MarkdownText]:
    """Yield a block for each failing change, as long as blocks fit."""
    numbered = (_block(number, change) for number, change in enumerate(changes, 1))
    blocks = take_fitting(numbered, MAX_BLOCKS)
    yield from blocks
    if omitted := len(changes) - len(blocks):
        count = plain_markdown(pluralize(omitted, "more failing change"))
        yield MarkdownText("**{} omitted from this comment.**").format(count)
        yield EMPTY


def _block(number: int, change: Change) -> MarkdownText:
    """Return what changed, why, the texts that show it with their ids, and what to do next."""
    kind, what = _short(change.kind), _short(change.what)
    lines = [MarkdownText("**{}. {}** {}").format(number, kind, what), EMPTY]
    for part in (change, *change.related[:COMMENT_EXAMPLES]):
        if part.message:
            lines += [_short(part.message), EMPTY]
    if change.finding is not None and change.finding.text is not None:
        text = markdown(change.finding.text, most=COMMENT_TEXT)
        label = plain_markdown(text_label(change.finding).capitalize())
        lines += [MarkdownText("{}: {}").format(label, text), EMPTY]
    if change.renderings is not None:
        lines += [*map(markdown_code_line, rendering_lines(change.renderings)), EMPTY]
    if change.examples:
        lines += [MarkdownText("| text | ids before | ids after |"), MarkdownText("|---|---|---|")]
        lines += [_example(example) for example in change.examples[:COMMENT_EXAMPLES]]
        lines.append(EMPTY)
        if more := more_texts(change, COMMENT_EXAMPLES):
            lines += [plain_markdown(more), EMPTY]
    if following := take_fitting(map(markdown_code_line, commands(change)), MAX_COMMANDS):
        lines += [MarkdownText("What to do next:"), EMPTY, *following, EMPTY]
    return MarkdownText("\n").join(lines)


def _example(example: Example) -> MarkdownText:
    before, after = shown_ids(example, COMMENT_IDS)
    text = markdown(example.text, most=COMMENT_TEXT)
    cells = (text, markdown(before, most=COMMENT_TEXT), markdown(after, most=COMMENT_TEXT))
    return MarkdownText("| {} |").format(MarkdownText(" | ").join(cells))


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
    return plain_markdown(text, most=MAX_MESSAGE)
