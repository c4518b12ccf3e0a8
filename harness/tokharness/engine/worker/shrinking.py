"""The smallest text that shows a cause: characters are removed, then replaced with simpler ones.

This is delta debugging over characters (Zeller & Hildebrandt 2002, "Simplifying and Isolating
Failure-Inducing Input"); Hypothesis shrinks only examples that it has drawn.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokharness.engine.worker.batch_columns import observe
from tokharness.engine.worker.budget import Budget
from tokharness.engine.worker.grouping import NOT_REPRODUCED, is_unexplained
from tokharness.engine.worker.units import sample_evenly
from tokharness.errors import TargetDeath

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from tokharness.engine.worker.grouping import Group
    from tokharness.model import Batch, Cause
    from tokharness.plugins import Check
    from tokharness.targets.subject import Subject

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
    """Runs of a simple character that are as long as the text in characters or in bytes."""
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
    """Find the shortest suffix that fails, assuming that longer suffixes fail too."""
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


# The smallest text that shows the cause of a group of failing texts, also in a fresh process.

MAX_LONGER, FEW_CALLS = 6, 12
"""Longer texts to try if the smallest text does not fail again, and calls to shrink each text."""


def smallest_text(
    check: Check, subject: Subject, group: Group, budget: Budget | None = None
) -> tuple[Cause, str]:
    """Shrink the smallest text of a group as long as the same cause may explain it.

    The check itself selects the text as failing, as it did the text of the group.
    """
    cause = group.cause
    texts = [member.text for member in group.members if cause in member.causes]
    text = min(texts, key=lambda t: (len(t), t))
    if is_unexplained(cause):
        return cause, text
    trial = _Trial(check, subject, cause, group.families)
    simplest = subject.target.simplest_fatal_text()
    if simplest and trial.is_explained(simplest):  # each smaller one would be a death, or survive
        shrunk = simplest
    else:
        shrunk = _shrink_text(text, trial, budget or Budget(subject))
    for candidate in dict.fromkeys((shrunk, text)):
        if (again := trial.reproduced(candidate)) is not None:
            return cause if cause.weak else again, candidate
    if not subject.target.has_own_process:
        return cause, shrunk
    longer = _from_longer(set(texts) - {shrunk, text}, trial)
    return longer or (trial.cause_alone(text) or NOT_REPRODUCED, text)


@dataclass(frozen=True)
class _Trial:
    """Whether a text shows the cause of a group."""

    check: Check
    subject: Subject
    cause: Cause
    families: tuple[str, ...]

    def is_explained(self, text: str) -> bool:
        """Whether the cause may explain this text."""
        return self.cause in self._diagnose(text)

    def fails(self, text: str) -> bool:
        """Whether the check selects the text, alone in a batch of one of the families."""
        failing, columns = self.check.failing, self.check.columns
        if failing is None:
            return True
        try:
            batches = (
                observe(self.subject, family, [text], columns=columns, isolate=True)
                for family in self.families
            )
            return any(
                _was_skipped(batch) or list(failing(batch, self.subject)) for batch in batches
            )
        except TargetDeath:
            return False

    def reproduced(self, text: str) -> Cause | None:
        """Diagnose the text in a fresh process, if that is possible."""
        with self.subject.target.fresh():
            return next((other for other in self._diagnose(text) if other == self.cause), None)

    def cause_alone(self, text: str) -> Cause | None:
        """Return the first cause of the text in a fresh process, which may be another cause."""
        with self.subject.target.fresh():
            return next(iter(self._diagnose(text)), None)

    def _diagnose(self, text: str) -> Sequence[Cause]:
        try:
            return self.check.diagnose(text, self.subject) if self.check.diagnose else ()
        except TargetDeath:
            return ()


def _was_skipped(batch: Batch) -> bool:
    """Whether the text was not run, since it resembles a text that ends or hangs the process."""
    return batch.ids[0] is None and not batch.errors


def _shrink_text(text: str, trial: _Trial, budget: Budget) -> str:
    """Shrink a text by its causes; if the check does not select the result, also by the check."""
    shrunk = shrink(text, trial.is_explained, is_used_up=budget.is_used_up)
    if shrunk == text or trial.fails(shrunk):
        return shrunk
    return shrink(
        text,
        lambda shorter: trial.is_explained(shorter) and trial.fails(shorter),
        is_used_up=budget.is_used_up,
    )


def _from_longer(texts: Collection[str], trial: _Trial) -> tuple[Cause, str] | None:
    """Find a longer text that shows the cause in a fresh process.

    After a hang the time limit is shorter; a short text may pass within the full limit.
    """
    longer = sorted(texts, key=len)
    for candidate in dict.fromkeys((*sample_evenly(longer, MAX_LONGER), *longer[-1:])):
        if (again := trial.reproduced(candidate)) is not None:
            shrunk = shrink(
                candidate,
                lambda shorter: trial.reproduced(shorter) is not None,
                max_calls=FEW_CALLS,
            )
            return again, shrunk
    return None
