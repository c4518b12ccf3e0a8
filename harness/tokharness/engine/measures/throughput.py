"""How fast the target is: ``[{"text", "bytes", "encode", "decode", "reference"}]``.

Numbers are megabytes (10^6 bytes) a second of the best of some turns; null where it raised, or
where there is no reference.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from tokharness.checks.superlinear_growth import HOSTILE
from tokharness.engine.measures import prose
from tokharness.engine.measures.code import snippets
from tokharness.outcome import Raised, call
from tokharness.targets.subject import list_of_ids
from tokharness.unicode.languages import parallel_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokharness.targets.subject import Subject

__all__ = ["measure"]

PIECE = 2_000
"""Characters of a text: about a page, so that what one call costs beside does not count."""

MOST_PIECES = 64
ENOUGH = 0.05
"""Seconds of one turn."""

TURNS = 3


def measure(subject: Subject) -> list[dict[str, Any]]:
    """Encode, and decode again, pages of English, of code, of all languages, of hostile text."""
    languages = parallel_texts()
    sources = {
        "English prose": prose.page(),
        "source code": "\n".join(snippets().values()),
        "all languages": " ".join(text for text, _ in languages.values()),
        "hostile text": HOSTILE * 20,
    }
    return [_row(name, text, subject) for name, text in sources.items()]


def _row(name: str, text: str, subject: Subject) -> dict[str, Any]:
    pages = _pages(text)
    reference = subject.reference
    ids = [call(lambda: list_of_ids(subject.target.encode(page))) for page in pages]  # noqa: B023
    raised = any(isinstance(one, Raised) for one in ids)
    return {
        "text": name,
        "bytes": sum(len(page.encode()) for page in pages),
        "encode_mb_per_second": _speed(subject.target.encode, pages, pages),
        "decode_mb_per_second": None if raised else _speed(subject.target.tokenizer.decode, ids, pages),
        "reference_mb_per_second": None if reference is None else _speed(reference.encode, pages, pages),
    }


def _pages(text: str) -> list[str]:
    """Cut a text into pages, no two the same, so that no cache of whole texts has them."""
    text *= PIECE * MOST_PIECES // len(text) // 8 + 1
    return [f"{at}{text[at : at + PIECE]}" for at in range(0, len(text), PIECE)][:MOST_PIECES]


def _speed(
    function: Callable[[Any], Any], items: Sequence[Any], pages: Sequence[str]
) -> float | None:
    """Megabytes a second, of as many items as take long enough."""
    best = 0.0
    for _ in range(TURNS):
        done = 0
        start = time.perf_counter()
        for item, page in zip(items, pages, strict=True):
            if isinstance(call(function, item), Raised):
                return None
            done += len(page.encode())
            if time.perf_counter() - start > ENOUGH:
                break
        best = max(best, done / max(time.perf_counter() - start, 1e-9) / 1e6)
    return round(best, 3)
