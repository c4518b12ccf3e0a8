"""The matrix and the causes for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.escaping import Shown, sentence, shorten, styled
from tokharness.formats._console import new_console, output_of
from tokharness.formats._wording import pluralize
from tokharness.model import Verdict
from tokharness.parity_matrix.model import ASPECTS
from tokharness.parity_matrix.words import (
    aligned,
    cause_word,
    cell_verdict,
    cell_words,
    label,
    labels,
    lacks_words,
    of_forms,
    problem_words,
    refused,
    result_words,
    texts_run,
    verdict,
    where,
)

if TYPE_CHECKING:
    from rich.console import Console

    from tokharness.parity_matrix.model import Cause, Form, Parity

STYLES = {Verdict.BUG: "bold red", Verdict.RISK: "yellow", Verdict.FACT: "dim"}
INDENT = 4
MAX_TEXT = 60


def render(result: Parity, *, width: int | None = None, color: bool = False) -> Shown:
    """Render the forms, what the files disagree in, the matrix, and the causes."""
    console = new_console(width, color=color)
    forms = pluralize(len(result.forms), "form")
    head = Shown("parity of {}, {} profile: {}").format(forms, result.profile, texts_run(result))
    _print(console, head, "bold")
    for place, form in enumerate(result.forms):
        _print(console, Shown("{:>3}  {}").format(Shown(label(place)), _form(form)))
    for one in result.disagreements:
        _print(
            console, Shown("files disagree: {}").format(sentence(one.message)), STYLES[Verdict.BUG]
        )
    _matrix(console, result)
    for number, cause in enumerate(result.causes):
        _cause(console, number, cause)
    for unmet in result.unmet:
        _print(console, sentence(unmet), STYLES[Verdict.BUG])
    for line in _reasons(result):
        _print(console, line, "dim")
    word, reason = verdict(result)
    style = "bold green" if word == "in parity" else "bold red"
    console.print(styled((Shown("{}: ").format(word), style), (reason, "")), soft_wrap=True)
    return output_of(console)


def _print(console: Console, line: Shown, style: str = "", indent: int = 0) -> None:
    from rich.padding import Padding

    text = styled((line, style))
    console.print(Padding(text, (0, 0, 0, indent), expand=False))


def _form(form: Form) -> Shown:
    parts = [Shown.of(form.spec)]
    if form.n_vocab is not None:
        parts.append(pluralize(form.n_vocab, "id"))
    if form.vocabulary:
        parts.append(Shown.of(form.vocabulary))
    if form.raised:
        parts.append(Shown("refuses {}").format(refused(form)))
    if form.problem:
        parts.append(problem_words(form))
    return Shown("; ").join(parts)


def _matrix(console: Console, result: Parity) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("pair")
    for aspect in ASPECTS:
        table.add_column(aspect)
    for first, second in result.shown_pairs():
        cells = []
        for aspect in ASPECTS:
            one = result.cell(first, second, aspect)
            style = "green" if one.state == "same" else "dim"
            if one.state == "differs":
                style = STYLES[cell_verdict(one, result.causes)]
            cells.append(styled((cell_words(one, result.causes), style)))
        table.add_row(styled((Shown(f"{label(first)} and {label(second)}"), "")), *cells)
    if table.row_count:
        console.print(table)


def _cause(console: Console, number: int, cause: Cause) -> None:
    title = Shown("{:>3} {}  {}: {} ({})").format(
        number + 1,
        Shown.of(cause_word(cause)),
        cause.stage or cause.aspect,
        sentence(cause.name.removeprefix(f"{cause.stage}: ")),
        where(cause),
    )
    _print(console, title, STYLES[Verdict.FACT if cause.expected else cause.verdict])
    if cause.expected:
        _print(console, Shown("expected: {}").format(sentence(cause.expected)), indent=INDENT)
    own, against = of_forms(cause.forms), labels(cause.against)
    _print(console, Shown("{}, with {} as the reference").format(own, against), indent=INDENT)
    _print(console, sentence(cause.message), indent=INDENT)
    if cause.text is not None:
        shown = Shown('smallest text "{}"').format(shorten(cause.text, MAX_TEXT))
        _print(console, shown, indent=INDENT)
        _sequences(console, cause)
    if cause.right:
        _print(console, Shown.of(cause.right), indent=INDENT)


def _sequences(console: Console, cause: Cause) -> None:
    from rich.cells import cell_len

    rows = aligned(cause)
    names = [labels(row.places) for row in rows]
    size = max(map(len, names), default=0)
    columns = max((len(row.cells) for row in rows), default=0)
    widths = [
        max((cell_len(row.cells[at]) for row in rows if at < len(row.cells)), default=0)
        for at in range(columns)
    ]
    for name, row in zip(names, rows, strict=True):
        parts = []
        for part, wide in zip(row.cells, widths, strict=False):
            parts.append(Shown("{}{}").format(part, Shown(" " * (wide - cell_len(part)))))
        line = Shown("{:<{}}  {}  {}").format(
            Shown(name), size, Shown("").join(parts), result_words(cause, row.tokens)
        )
        _print(console, line, indent=INDENT + 2)


def _reasons(result: Parity) -> list[Shown]:
    """Return why forms show nothing of an aspect, and what was left out."""
    lines = [
        Shown("not shown by {}: {}").format(label(place), lacks_words(form))
        for place, form in enumerate(result.forms)
        if form.is_loaded and form.lacks
    ]
    said = {form.problem for form in result.forms if form.problem}
    for skip in result.skips:
        if skip.reason in said:
            continue  # it stands next to the form
        what = Shown("skip: {}: {}").format(skip.what, skip.reason)
        lines.append(what if not skip.spec else Shown("{} ({})").format(what, skip.spec))
    return lines
