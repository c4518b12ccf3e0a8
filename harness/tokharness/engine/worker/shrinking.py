"""Shrink a failing text: remove characters, then replace them with simpler ones.

This is delta debugging over characters (Zeller & Hildebrandt 2002, "Simplifying and Isolating
Failure-Inducing Input"); Hypothesis shrinks only examples that it has drawn.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["shrink"]

SIMPLE = ("a", "0", " ", "A", "b", "1")
"""Replacement characters, the simplest first."""

MAX_CALLS = 2000
LONG, VERY_LONG = 256, 100_000
MAX_CALLS_IF_LONG, MAX_CALLS_IF_VERY_LONG = 200, 24
"""A call with a long text may take seconds, and bisection finds a length in few calls."""


def shrink(
    text: str,
    fails: Callable[[str], bool],
    *,
    max_calls: int = MAX_CALLS,
    is_used_up: Callable[[], bool] = lambda: False,
) -> str:
    """Return a text that fails, no character of which can be removed or made simpler.

    After ``max_calls`` calls of ``fails``, or once a budget is used up, the best text so far is
    returned. A text of more than 256 characters is first cut at its ends by bisection, with fewer
    calls.
    """
    calls = 0
    best = text
    results: dict[str, bool] = {text: True}

    def still_fails(candidate: str) -> bool:
        nonlocal calls, best
        if candidate not in results:
            if calls >= _max_calls(candidate, max_calls) or is_used_up():
                raise _NoCallsLeftError
            calls += 1
            results[candidate] = fails(candidate)
        if results[candidate]:
            best = candidate
        return results[candidate]

    with contextlib.suppress(_NoCallsLeftError):
        _shrink(text, still_fails)
    return best


class _NoCallsLeftError(Exception):
    """The number of calls is used up."""


def _shrink(text: str, fails: Callable[[str], bool]) -> None:
    """Try simpler and simpler texts until none of them fails."""
    if len(text) > LONG:
        # Before any cut: at the shortest length a memory limit is exceeded in some calls only.
        text = next((run for run in _runs(text) if fails(run)), text)
        text = _replace_everywhere(_shortest_suffix(_shortest_prefix(text, fails), fails), fails)
    previous = None
    while text != previous and len(text) <= VERY_LONG:
        previous = text
        text = _replace_each(_remove_chunks(text, fails), fails)


def _max_calls(text: str, max_calls: int) -> int:
    if len(text) > VERY_LONG:
        return MAX_CALLS_IF_VERY_LONG
    return MAX_CALLS_IF_LONG if len(text) > LONG else max_calls


def _runs(text: str) -> list[str]:
    """Runs of a simple character with the same number of characters, or of bytes."""
    sizes = dict.fromkeys((len(text), len(text.encode("utf-8", "surrogatepass"))))
    return [SIMPLE[0] * size for size in sizes]


def _shortest_prefix(text: str, fails: Callable[[str], bool]) -> str:
    """Find the shortest prefix that fails, assuming that longer ones fail too.

    For a very long text the length is exact to 1%.
    """
    passing, failing = 0, len(text)
    while failing - passing > max(failing // 100 if len(text) > VERY_LONG else 0, 1):
        middle = (passing + failing) // 2
        if fails(text[:middle]):
            failing = middle
        else:
            passing = middle
    return text[:failing]


def _shortest_suffix(text: str, fails: Callable[[str], bool]) -> str:
    """Find the shortest suffix that fails, assuming that longer ones fail too."""
    return _shortest_prefix(text[::-1], lambda candidate: fails(candidate[::-1]))[::-1]


def _replace_everywhere(text: str, fails: Callable[[str], bool]) -> str:
    """Replace all occurrences of a character with the simplest one that still fails."""
    for character in sorted(set(text)):
        for simple in SIMPLE:
            if simple == character:
                break
            candidate = text.replace(character, simple)
            if fails(candidate):
                text = candidate
                break
    return text


def _remove_chunks(text: str, fails: Callable[[str], bool]) -> str:
    """Remove smaller and smaller chunks, down to a character, or a small part of a long text."""
    size = max(len(text) // 2, 1)
    while size > len(text) // LONG // 4:
        start = 0
        while start < len(text):
            candidate = text[:start] + text[start + size :]
            if candidate and fails(candidate):
                text = candidate
            else:
                start += size
        size //= 2
    return text


def _replace_each(text: str, fails: Callable[[str], bool]) -> str:
    """Replace each character with the simplest one that still fails."""
    for index, character in enumerate(text if len(text) <= 4 * LONG else ""):
        for simple in SIMPLE:
            if simple == character:
                break
            candidate = text[:index] + simple + text[index + 1 :]
            if fails(candidate):
                text = candidate
                break
    return text
