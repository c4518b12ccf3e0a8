"""Reduce a failing text to a smallest one: fewer characters, then simpler ones.

Delta debugging (Zeller & Hildebrandt 2002, "Simplifying and Isolating Failure-Inducing Input")
over characters; Hypothesis shrinks only what it drew itself.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["shrink"]

SIMPLE = ("a", "0", " ", "A", "b", "1")
"""Characters to put in a place, the simplest first."""

MOST_CALLS = 2000
LONG, VERY_LONG = 256, 100_000
MOST_CALLS_IF_LONG, MOST_CALLS_IF_VERY_LONG = 200, 24
"""A question about a long text may take seconds, and a length is found by halving."""


def shrink(text: str, fails: Callable[[str], bool], *, most_calls: int = MOST_CALLS) -> str:
    """Return a text that fails, no single character of which can be left out or made simpler.

    ``fails`` is asked at most ``most_calls`` times; the best text so far is the answer then. A
    text of more than 256 characters is first cut at its ends, by halving, and asked about less.
    """
    calls = 0
    best = text
    known: dict[str, bool] = {text: True}

    def still_fails(candidate: str) -> bool:
        nonlocal calls, best
        if candidate not in known:
            if calls >= _most_calls(candidate, most_calls):
                raise _SpentError
            calls += 1
            known[candidate] = fails(candidate)
        if known[candidate]:
            best = candidate
        return known[candidate]

    with contextlib.suppress(_SpentError):
        _shrunk(text, still_fails)
    return best


class _SpentError(Exception):
    """No more may be asked."""


def _shrunk(text: str, fails: Callable[[str], bool]) -> None:
    """Ask about ever simpler texts, until none is that fails."""
    if len(text) > LONG:
        # Before any cut: at the shortest length a limit of memory holds one time and not the next.
        text = next((run for run in _runs(text) if fails(run)), text)
        text = _simpler_throughout(_shortest_end(_shortest_start(text, fails), fails), fails)
    previous = None
    while text != previous and len(text) <= VERY_LONG:
        previous = text
        text = _simpler(_fewer(text, fails), fails)


def _most_calls(text: str, most: int) -> int:
    if len(text) > VERY_LONG:
        return MOST_CALLS_IF_VERY_LONG
    return MOST_CALLS_IF_LONG if len(text) > LONG else most


def _runs(text: str) -> list[str]:
    """Runs of one simple character that are as long, of characters and of bytes."""
    sizes = dict.fromkeys((len(text), len(text.encode("utf-8", "surrogatepass"))))
    return [SIMPLE[0] * size for size in sizes]


def _shortest_start(text: str, fails: Callable[[str], bool]) -> str:
    """Find the shortest beginning that fails, taking for granted that longer ones do.

    Of a very long text it is the shortest but for a hundredth.
    """
    passing, failing = 0, len(text)
    while failing - passing > max(failing // 100 if len(text) > VERY_LONG else 0, 1):
        middle = (passing + failing) // 2
        if fails(text[:middle]):
            failing = middle
        else:
            passing = middle
    return text[:failing]


def _shortest_end(text: str, fails: Callable[[str], bool]) -> str:
    """Find the shortest end that fails, taking for granted that longer ones do."""
    return _shortest_start(text[::-1], lambda candidate: fails(candidate[::-1]))[::-1]


def _simpler_throughout(text: str, fails: Callable[[str], bool]) -> str:
    """Put the simplest character that still fails for all occurrences of another."""
    for character in sorted(set(text)):
        for simple in SIMPLE:
            if simple == character:
                break
            candidate = text.replace(character, simple)
            if fails(candidate):
                text = candidate
                break
    return text


def _fewer(text: str, fails: Callable[[str], bool]) -> str:
    """Leave out ever smaller chunks, down to single characters, or small parts of a long text."""
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


def _simpler(text: str, fails: Callable[[str], bool]) -> str:
    """Put the simplest character that still fails in each place."""
    for place, character in enumerate(text if len(text) <= 4 * LONG else ""):
        for simple in SIMPLE:
            if simple == character:
                break
            candidate = text[:place] + simple + text[place + 1 :]
            if fails(candidate):
                text = candidate
                break
    return text
