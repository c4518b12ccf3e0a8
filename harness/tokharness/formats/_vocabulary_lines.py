"""The differences of two vocabularies, for a terminal: the number of each kind, and examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.engine.vocabulary_differences import CHANGES
from tokharness.escaping import Shown, shorten, styled, terminal
from tokharness.formats._console import new_console, output_of
from tokharness.formats._wording import pluralize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.engine.vocabulary_differences import Difference
    from tokharness.model import TokenRow
    from tokharness.results.vocabulary_comparison import VocabularyComparison

__all__ = ["NAME", "render"]

NAME = "terminal"

LABEL = 12
MAX_EXAMPLES = 3
MAX_TEXT = 30
DIFFERENCES = "differences of tokens"
EMPTY = Shown("")


def render(comparison: VocabularyComparison, *, width: int | None, color: bool) -> Shown:
    """Render the numbers of differences, each with examples."""
    from rich.padding import Padding

    console = new_console(width, color=color)
    (first, second), (ids, other_ids) = comparison.specs, comparison.ids
    title = Shown("{} ({}) and {} ({})").format(
        first, pluralize(ids, "id"), second, pluralize(other_ids, "id")
    )
    console.print(styled((title, "bold")))
    for label, text in _lines(comparison):
        body = styled((text, ""))
        lines = body.wrap(console, max(console.width - LABEL, 20), overflow="fold")
        for number, line in enumerate(lines):
            prefix = styled(
                (Shown("{:<{}}").format(label if number == 0 else EMPTY, LABEL), "bold")
            )
            console.print(Padding(prefix + line, 0, expand=False), soft_wrap=True)
    same = comparison.is_equal
    verdict = Shown("equal") if same else Shown("different")
    total = Shown("all ids stand for the same tokens")
    if comparison.edits is not None:
        total = Shown("{}, and all stages of the files are the same").format(total)
    if not same:
        total = pluralize(len(comparison.differences), "difference of tokens", DIFFERENCES)
        if comparison.edits:
            of_file = pluralize(len(comparison.edits), "difference")
            total = Shown("{}, {} of merges, scores and stages").format(total, of_file)
    style = "bold green" if same else "bold red"
    console.print(styled((Shown("{}: ").format(verdict), style), (total, "")))
    return output_of(console)


def _lines(comparison: VocabularyComparison) -> Iterator[tuple[Shown, Shown]]:
    """Yield a label and a text for each kind of difference that there is, and for each skip."""
    for change, meaning in CHANGES.items():
        found = [one for one in comparison.differences if one.change == change]
        if found:
            examples = Shown(", ").join(_example(one) for one in found[:MAX_EXAMPLES])
            text = Shown("{}: {:,}, such as {}").format(meaning, len(found), examples)
            yield terminal(change), text
    for edit in comparison.edits or ():
        yield Shown("file"), terminal(str(edit))
    for skip in comparison.skips:
        yield Shown("skip"), Shown("{}: {}").format(skip.what, skip.reason)


def _example(one: Difference) -> Shown:
    if one.change == "replaced":
        (before,), (after,) = one.first, one.second
        return Shown("{:,} ({}, then {})").format(before.id, _text(before), _text(after))
    row = (one.first or one.second)[0]
    if one.pieces:
        pieces = Shown(" ").join(map(_text, one.pieces))
        return Shown("{} ({:,}) as {}").format(_text(row), row.id, pieces)
    if one.change == "moved":
        ids = (
            Shown(" ").join(Shown("{:,}").format(row.id) for row in rows) for rows in _sides(one)
        )
        return Shown("{} ({} to {})").format(_text(row), *ids)
    if one.change == "other kind":
        kinds = (Shown(" and ").join(terminal(row.kind) for row in rows) for rows in _sides(one))
        return Shown("{} ({}, then {})").format(_text(row), *kinds)
    return Shown("{} ({:,})").format(_text(row), row.id)


def _sides(one: Difference) -> tuple[tuple[TokenRow, ...], tuple[TokenRow, ...]]:
    return one.first, one.second


def _text(row: TokenRow) -> Shown:
    return Shown('"{}"').format(shorten(EMPTY if row.content is None else row.content, MAX_TEXT))
