"""Helpers that most families use: deduplication, mixtures of pieces, ranges, and case files.

A case file has curated texts as JSON lines, one ASCII object per line: ``id``, ``text``, ``why``,
``source``, and an optional ``twin``.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hypothesis.strategies import SearchStrategy

NO_FACTS = TargetFacts()

PLAIN_PIECES = ("a", " ", "1", "the", " word", "'s", ".", "\n", "_", "A", "\\u")
"""Contexts of a hostile piece in a random text; shrinking prefers the first, readable contexts."""


def without_duplicates(cases: Iterable[Case]) -> Iterator[Case]:
    """Drop empty and duplicate texts, and twins that are empty or equal to their text."""
    seen = {""}
    for case in cases:
        if case.text in seen:
            continue
        seen.add(case.text)
        if case.twin in (case.text, ""):
            yield Case(case.text, case.why)
        else:
            yield case


def mixture(
    hostile: Sequence[str], plain: Sequence[str] = PLAIN_PIECES, most: int = 4
) -> SearchStrategy[str]:
    """Return random texts with a hostile piece and up to ``most`` pieces on either side."""
    from hypothesis import strategies as st

    piece = st.sampled_from(hostile)
    around = st.lists(st.one_of(st.sampled_from(plain), piece), max_size=most).map("".join)
    return st.tuples(around, piece, around).map("".join)


def plural(number: int, noun: str) -> str:
    """Return a number with its noun, such as "1 byte" or "2 bytes"."""
    return f"{number} {noun}{'s' * (number != 1)}"


def ranges(code_points: Iterable[int]) -> Iterator[range]:
    """Yield each contiguous run of sorted code points."""
    first = last = None
    for code_point in code_points:
        if first is None or last is None:
            first = code_point
        elif code_point != last + 1:
            yield range(first, last + 1)
            first = code_point
        last = code_point
    if first is not None and last is not None:
        yield range(first, last + 1)


def range_samples(runs: Iterable[range]) -> Iterator[int]:
    """Yield the first, middle and last of each run, where tables of ranges fail."""
    for run in runs:
        yield from sorted({run[at] for at in (0, (len(run) - 1) // 2, -1)})


def curated_cases(name: str) -> Iterator[Case]:
    """Yield the cases of ``data/NAME.jsonl``, in the order of its lines."""
    path = files("tokharness_cases") / "data" / f"{name}.jsonl"
    for line in path.read_text(encoding="ascii").splitlines():
        record = json.loads(line)
        yield Case(record["text"], record["why"], record.get("twin"))
