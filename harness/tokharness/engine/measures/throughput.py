"""Speed of encoding and decoding, and of encoding with the reference.

``[{"text", "bytes", "encode_mb_per_second", "decode_mb_per_second", "reference_mb_per_second"}]``:
megabytes (10^6 bytes) per second, the best of several rounds; null if the tokenizer raised, or
without a reference. ``text`` is the name of a text of so many ``bytes``.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from tokharness.checks.superlinear_growth import HOSTILE
from tokharness.diagnosis.probes.running_text import page as prose_page
from tokharness.diagnosis.probes.running_text import snippets
from tokharness.outcome import Raised
from tokharness.unicode.languages import parallel_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokharness.targets.subject import Subject

__all__ = ["measure"]

PAGE_LENGTH = 2_000
"""Characters of a page, so that the overhead of a call does not matter."""

MAX_PAGES = 64
ROUND_SECONDS = 0.05
ROUNDS = 3


def measure(subject: Subject) -> list[dict[str, Any]]:
    """Time encoding and decoding pages of English, code, all languages and hostile text."""
    languages = parallel_texts()
    sources = {
        "English prose": prose_page(),
        "source code": "\n".join(snippets().values()),
        "all languages": " ".join(text for text, _ in languages.values()),
        "hostile text": HOSTILE * 20,
    }
    return [_row(name, text, subject) for name, text in sources.items()]


def _row(name: str, text: str, subject: Subject) -> dict[str, Any]:
    pages = _pages(text)
    reference = subject.reference
    ids = [subject.encode(page) for page in pages]
    raised = None in ids
    return {
        "text": name,
        "bytes": sum(len(page.encode()) for page in pages),
        "encode_mb_per_second": _speed(subject.target.encode, pages, pages),
        "decode_mb_per_second": None if raised else _speed(subject.target.decode, ids, pages),
        "reference_mb_per_second": None
        if reference is None
        else _speed(reference.encode, pages, pages),
    }


def _pages(text: str) -> list[str]:
    """Split a text into different pages, so that a cache of texts does not help."""
    text *= PAGE_LENGTH * MAX_PAGES // len(text) // 8 + 1
    return [f"{at}{text[at : at + PAGE_LENGTH]}" for at in range(0, len(text), PAGE_LENGTH)][
        :MAX_PAGES
    ]


def _speed(
    function: Callable[[Any], Any], items: Sequence[Any], pages: Sequence[str]
) -> float | None:
    """Return megabytes per second over as many items as a round takes."""
    best = 0.0
    for _ in range(ROUNDS):
        size = 0
        start = time.perf_counter()
        for item, page in zip(items, pages, strict=True):
            if isinstance(function(item), Raised):
                return None
            size += len(page.encode())
            if time.perf_counter() - start > ROUND_SECONDS:
                break
        best = max(best, size / max(time.perf_counter() - start, 1e-9) / 1e6)
    return round(best, 3)
