"""The order in which a check tries explanations: a table, with the reason for each place.

The first explanation that gives causes is what users read. So a cause that predicts more, or that
is seen more directly, stands before one that would explain the same text less well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from tokharness.model import Cause

Failed = TypeVar("Failed")
"""What an explanation looks at: a failing text with what each side gives for it."""


@dataclass(frozen=True, slots=True)
class Explanation(Generic[Failed]):
    """A way to explain a failing text, and the reason why it stands where it does."""

    causes: Callable[[Failed], list[Cause]]
    reason: str


def first_causes(
    explanations: Sequence[Explanation[Failed]],
    failed: Failed,
    refuted: Collection[Cause] = (),
) -> list[Cause]:
    """Return the causes of the first explanation that has any; none if none has.

    Refuted causes are left out, unless there are no others.
    """
    first: list[Cause] = []
    for explanation in explanations:
        causes = explanation.causes(failed)
        if others := [cause for cause in causes if cause not in refuted]:
            return others
        first = first or causes
    return first
