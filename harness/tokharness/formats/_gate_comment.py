"""A gate's judgement in Markdown, as a comment on a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.escaping import markdown
from tokharness.formats._cutting import fitting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.changes import Change, Example, Judgement
    from tokharness.results.report import Report

__all__ = ["comment"]

# GitHub takes 65,536 characters of a comment. A row has less than 12,000 bytes however hostile it
# is, and what stands around the parts less than 4,000.
MOST_OF_TABLE = 40_000
MOST_OF_TOLD = 12_000
MOST_OF_SKIPS = 8_000

LONGEST_NAME = 80
LONGEST_MESSAGE = 300
LONGEST_TEXT = 80
EXAMPLES = 3


def comment(report: Report, judgement: Judgement) -> str:
    """Write the verdict, what fails, and, folded up, what does not and what was not run."""
    told = [change for change in judgement.changes if not change.fails]
    skips = [skip for target in report.targets for skip in target.skips]
    lines = [
        _verdict(report, judgement),
        "",
        *_table(judgement.failing),
        *_folded("Changes that do not fail", [_item(change) for change in told], MOST_OF_TOLD),
        *_folded(
            "Not run",
            [f"- {_short(skip.what)}: {_short(skip.reason)}" for skip in skips],
            MOST_OF_SKIPS,
        ),
    ]
    return "\n".join(lines).rstrip("\n") + "\n"


def _verdict(report: Report, judgement: Judgement) -> str:
    failing, told = len(judgement.failing), len(judgement.changes) - len(judgement.failing)
    word = "failed" if failing else "interrupted" if report.interrupted else "passed"
    counts = [f"changes that fail {failing:,}", f"that do not {told:,}"]
    counts += [f"accepted {judgement.accepted:,}", f"texts compared {judgement.golden:,}"]
    name, against = (
        markdown(word, most=LONGEST_NAME) for word in (judgement.name, judgement.against)
    )
    ended = " **The run was ended before it was done.**" if report.interrupted else ""
    return f"**tokharness gate: {word}** {name} against {against}: {', '.join(counts)}.{ended}"


def _table(failing: tuple[Change, ...]) -> Iterator[str]:
    if not failing:
        return
    yield "| kind | what | message | count | text | before | after |"
    yield "|---|---|---|--:|---|---|---|"
    rows = fitting(map(_row, failing), MOST_OF_TABLE)
    yield from rows
    yield ""
    if left := len(failing) - len(rows):
        yield f"**Changes that fail and have no room in this comment: {left:,}.**"
        yield ""


def _row(change: Change) -> str:
    examples = change.examples[:EXAMPLES]
    cells = (
        _short(change.kind),
        _short(change.what),
        "<br>".join(_short(one.message) for one in (change, *change.with_it[:EXAMPLES])),
        f"{change.count:,}",
        *("<br>".join(column) for column in zip(*map(_example, examples), strict=True)),
    )
    return f"| {' | '.join([*cells, *[''] * (7 - len(cells))])} |"


def _example(example: Example) -> tuple[str, str, str]:
    return (
        markdown(example.text, most=LONGEST_TEXT),
        _ids(example.before),
        _ids(example.after),
    )


def _ids(ids: tuple[int, ...] | str) -> str:
    """Ids as code, or the name of an exception."""
    if isinstance(ids, str):
        return markdown(ids, most=LONGEST_TEXT)
    return markdown(" ".join(map(str, ids[:LONGEST_TEXT])) or "no ids", most=LONGEST_TEXT)


def _item(change: Change) -> str:
    return f"- {_short(change.kind)} {_short(change.what)}: {_short(change.message)}"


def _folded(name: str, items: list[str], most: int) -> Iterator[str]:
    if not items:
        return
    yield f"<details><summary>{name}: {len(items):,}</summary>"
    yield ""
    shown = fitting(items, most)
    yield from shown
    if left := len(items) - len(shown):
        yield f"- and {left:,} more, which have no room in this comment"
    yield from ("", "</details>", "")


def _short(text: str) -> str:
    return markdown(text, most=LONGEST_MESSAGE)
