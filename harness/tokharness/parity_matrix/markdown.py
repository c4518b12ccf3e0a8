"""The matrix and the causes as Markdown, for a comment or a wiki."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.escaping import MarkdownText, markdown, plain_markdown
from tokharness.formats.markdown import table_row
from tokharness.parity_matrix.model import ASPECTS
from tokharness.parity_matrix.words import (
    aligned,
    cause_word,
    cell_words,
    label,
    labels,
    lacks_words,
    of_forms,
    problem_words,
    result_words,
    texts_run,
    verdict,
    where,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.parity_matrix.model import Cause, Parity

MAX_TEXT = 80


def render(result: Parity, *, width: int | None = None, color: bool = False) -> MarkdownText:  # noqa: ARG001 - the arguments of a format
    """Render the result."""
    return MarkdownText("\n").join([*_lines(result), MarkdownText("")])


def _lines(result: Parity) -> Iterator[MarkdownText]:
    word, reason = verdict(result)
    yield MarkdownText("## Parity: {}").format(plain_markdown(word))
    yield MarkdownText("")
    yield plain_markdown(f"{reason}; {texts_run(result)}, {result.profile} profile")
    yield MarkdownText("")
    yield table_row(map(MarkdownText, ("form", "target", "ids", "vocabulary")))
    yield MarkdownText("|--:|---|--:|---|")
    for place, form in enumerate(result.forms):
        size = "" if form.n_vocab is None else f"{form.n_vocab:,}"
        what = problem_words(form) or form.vocabulary
        cells = (plain_markdown(label(place)), markdown(form.spec))
        yield table_row([*cells, plain_markdown(size), plain_markdown(what)])
    if result.disagreements:
        yield MarkdownText("\n### Files that disagree\n")
    for one in result.disagreements:
        yield MarkdownText("- {}").format(plain_markdown(one.message))
    yield from _matrix(result)
    for number, cause in enumerate(result.causes):
        yield from _cause(number, cause)
    if result.unmet:
        yield MarkdownText("\n### Unmet expectations\n")
    for unmet in result.unmet:
        yield MarkdownText("- {}").format(plain_markdown(unmet))
    left = [f"{skip.spec} {skip.what}: {skip.reason}".strip() for skip in result.skips]
    lacks = [
        f"not shown by {label(place)}: {lacks_words(form)}"
        for place, form in enumerate(result.forms)
        if form.is_loaded and form.lacks
    ]
    if left or lacks:
        yield MarkdownText("\n### Not compared\n")
    for line in (*lacks, *left):
        yield MarkdownText("- {}").format(plain_markdown(line))


def _matrix(result: Parity) -> Iterator[MarkdownText]:
    yield MarkdownText("")
    yield table_row(map(MarkdownText, ("pair", *ASPECTS)))
    yield MarkdownText("|---|---|---|---|---|---|")
    for first, second in result.shown_pairs():
        cells = [
            plain_markdown(cell_words(result.cell(first, second, aspect), result.causes))
            for aspect in ASPECTS
        ]
        yield table_row([plain_markdown(labels((first, second))), *cells])


def _cause(number: int, cause: Cause) -> Iterator[MarkdownText]:
    name = cause.name.removeprefix(f"{cause.stage}: ")
    title = f"{cause_word(cause)}, {cause.stage or cause.aspect}: {name}"
    yield MarkdownText("\n### {}. {}\n").format(number + 1, plain_markdown(title))
    whom = f"{of_forms(cause.forms)}, with {labels(cause.against)} as the reference"
    if cause.expected:
        yield MarkdownText("Expected: {}\n").format(plain_markdown(cause.expected))
    yield plain_markdown(f"{where(cause)}; {whom}: {cause.message}")
    if cause.text is not None:
        yield MarkdownText("\nSmallest text: {}\n").format(markdown(cause.text, most=MAX_TEXT))
        yield table_row(map(MarkdownText, ("form", "tokens", "ids")))
        yield MarkdownText("|---|---|---|")
        for row in aligned(cause):
            tokens = markdown("".join(row.cells).strip()) if row.cells else MarkdownText("")
            ids = plain_markdown(result_words(cause, row.tokens))
            yield table_row([plain_markdown(labels(row.places)), tokens, ids])
    if cause.right:
        yield MarkdownText("\n{}").format(plain_markdown(cause.right))
