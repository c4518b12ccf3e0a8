"""Texts of the cases of a run, in parts, from all families in turn."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from tokharness.targets.subject import is_scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.targets.subject import Subject

__all__ = ["texts_of_cases"]

PART, MOST = 100, 40_000
"""Texts of a part, and of all parts together."""

LONGEST = 200
"""Characters of a text; longer ones take too much time."""


def texts_of_cases(subject: Subject) -> Iterator[list[str]]:
    """Yield the next texts of each family in turn, without long ones and those with surrogates.

    The checks of texts run on all cases, and report what one of these shows.
    """
    number = 0
    families = [iter(cases()) for cases in subject.cases.values()]
    while families and number < MOST:
        for family in tuple(families):
            part = [case.text for case in islice(family, PART)]
            if not part:
                families.remove(family)
            number += len(part)
            yield [text for text in part if _is_usual(text)]


def _is_usual(text: str | bytes) -> bool:
    return isinstance(text, str) and len(text) <= LONGEST and is_scalar(text)
