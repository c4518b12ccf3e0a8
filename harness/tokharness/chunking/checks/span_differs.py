"""The text has another part than the chunk at the start and end that the chunk names.

Why it matters: a citation, a highlight, and a chunk that is extended by its neighbours use the span
and not the text. In bytes or UTF-16 units it is right for English and wrong for an emoji.

Oracle: invariant: ``text[start:end]`` of each chunk, in code points, is its text; and the spans, in
order, leave out no more than the chunker declares.

How it works: the span of each chunk is compared with its text. Where they differ, the check tries
bytes of UTF-8, UTF-16 units and grapheme clusters.

Verdicts: *bug*.

Example::

    TOK606 bug  span differs: in bytes of UTF-8

What to do: count code points; look for a chunk after the start of the chunk before it, and not from
the start of the text.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from tokharness.chunking.checks.text_differs import CHANGES
from tokharness.chunking.placement import gaps
from tokharness.chunking.splitting import CLASSES, Problem
from tokharness.model import Cause
from tokharness.unicode.properties import graphemes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokharness.chunking.chunker import Chunk
    from tokharness.chunking.placement import Span
    from tokharness.chunking.splitting import Splitting
    from tokharness.chunking.texts import Trial

CODE = "TOK606"
NAME = "span-differs"


def not_applicable(splitting: Splitting) -> str:
    """Return why the check has nothing to see, or ""."""
    with_chunks = (splitting.chunks(trial) for trial in splitting.trials)
    if not any(_spans(chunks) for chunks in with_chunks if chunks):
        return "the chunks have no start and end"
    return splitting.without_places()


def problems(splitting: Splitting, trial: Trial) -> Iterator[Problem]:
    """Yield how a span of a trial differs from its chunk."""
    chunks = splitting.chunks(trial) or ()
    spans = _spans(chunks)
    placed = splitting.placed(trial)
    if spans is None or placed is None:
        return
    text = trial.text
    for chunk, (start, end) in zip(chunks, spans, strict=True):
        if start < 0 or text[start:end] != chunk.text or end - start != len(chunk.text):
            evidence = {"chunk": chunk.text, "span": [start, end]}
            elsewhere = _in_another_text(text, spans, placed)
            first, *others = map(_cause, [*elsewhere, *_hows(text, chunk.text, (start, end))])
            yield Problem(first, evidence, others=tuple(others))
            return
    goes_back = any(b < a for (a, _), (b, _) in pairwise(spans))
    lost = [text[a:b] for a, b in gaps(text, spans)]
    if goes_back or not all(splitting.may_lose(char) for part in lost for char in part):
        message = "a span is that of an equal text elsewhere: with the spans, text is left out"
        cause = Cause("span differs", (("how", "of an equal text elsewhere"),), message=message)
        first, *others = [*map(_cause, _in_another_text(text, spans, placed)), cause]
        yield Problem(first, {"spans": [list(span) for span in spans]}, others=tuple(others))


def _spans(chunks: Sequence[Chunk]) -> list[Span] | None:
    """Return the spans of chunks; None if a chunk has none."""
    found = [
        (start, end)
        for start, end in (one.span for one in chunks)
        if start is not None and end is not None
    ]
    return found if chunks and len(found) == len(chunks) else None


def _cause(how: str) -> Cause:
    message = f"the span of a chunk is not that of its text: {how}"
    return Cause("span differs", (("how", how),), message=message)


def _in_another_text(text: str, spans: Sequence[Span], placed: Sequence[Span]) -> Iterator[str]:
    """Yield each text in which all spans are right: a changed document, its parts, the chunks."""
    for name, change in {**CHANGES, **REMOVED}.items():
        if spans == [(len(change(text[:a])), len(change(text[:b]))) for a, b in placed]:
            yield f"in the text after a change: {name}"
    ends = list(accumulate((end - start for start, end in placed), initial=0))
    if spans == list(pairwise(ends)):
        yield "in the chunks, joined with what they have in common"
    for name, steps in SHIFTED.items():
        if spans == [(a + steps(row), b + steps(row)) for row, (a, b) in enumerate(placed)]:
            yield name
    for name, start_of in PARTS.items():
        starts = [start_of(text, start) for start, _ in placed]
        if spans == [(a - at, b - at) for (a, b), at in zip(placed, starts, strict=True)]:
            yield f"in {name}"


def _start_of_line(text: str, place: int) -> int:
    lines = f"{text[:place]}x".splitlines(keepends=True)
    return place + 1 - len(lines[-1])


def _start_of_paragraph(text: str, place: int) -> int:
    before, blank, _ = text[:place].rpartition("\n\n")
    return len(before) + len(blank)


PARTS = {"its line": _start_of_line, "its paragraph": _start_of_paragraph}
"""By name, where the part of a text begins that has a place."""

SHIFTED: dict[str, Callable[[int], int]] = {
    "counted from 1": lambda _: 1,
    "in the chunks, joined with a character between them": lambda row: row,
}
"""By name, how many characters too far the span of each chunk is, by its number."""

REMOVED: dict[str, Callable[[str], str]] = {
    "CR is removed": lambda text: text.replace("\r", ""),
    "line ends are removed": lambda text: "".join(text.splitlines()),
    "white space at the start is removed": str.lstrip,
    "white space is removed": lambda text: "".join(text.split()),
    "marks are removed": lambda text: "".join(c for c in text if not CLASSES["marks"](c)),
}


def _hows(text: str, chunk: str, span: Span) -> Iterator[str]:
    """Yield what explains a span, the most specific first."""
    start, end = span
    if start < 0:
        yield "a negative start"
        return
    if text.encode("utf-8", "surrogatepass")[start:end] == chunk.encode("utf-8", "surrogatepass"):
        yield "in bytes of UTF-8"
    units = text.encode("utf-16-le", "surrogatepass")[2 * start : 2 * end]
    if units == chunk.encode("utf-16-le", "surrogatepass"):
        yield "in UTF-16 units"
    if "".join(graphemes(text)[start:end]) == chunk:
        yield "in grapheme clusters"
    if text[start:end].strip() == chunk:
        yield "with the white space that was stripped"
    if text.startswith(chunk, start):
        if start and end == len(chunk):
            yield "the end is the length"
        yield "the end is another one"
    if end - start == len(chunk):
        yield "the start is another one"
    yield "other text"
