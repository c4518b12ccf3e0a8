"""Facts about a target that case families get."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from tokharness.engine.worker.vocabularies import token_texts
from tokharness.model import TargetFacts

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["target_facts"]

MOST_ROWS, MOST_IN_A_QUICK_RUN = 1 << 20, 1 << 16
"""Merges, or pieces with scores, of a target."""


def target_facts(
    subject: Subject, profile: str, regressions: tuple[tuple[str, str], ...] = ()
) -> TargetFacts:
    """Return the facts; the pattern is that of the target, or else that of its explainer.

    ``regressions`` are texts to replay, each with the reason.
    """
    owners = (subject.target, subject.explainer)
    patterns = [owner.pattern for owner in owners if owner is not None]
    pattern = next(filter(None, patterns), None)
    tokens = functools.cache(functools.partial(token_texts, subject))
    added = tuple({**subject.special_tokens, **subject.target.added_tokens})
    most = MOST_IN_A_QUICK_RUN if profile == "quick" else MOST_ROWS
    merges, scores = (
        functools.cache(functools.partial(_tables, subject, method, second, most))
        for method, second in (("merges", bytes), ("scores", float))
    )
    return TargetFacts(added, pattern, profile, regressions, tokens, merges, scores)


def _tables(
    subject: Subject, method: str, second: type, most: int
) -> tuple[list[tuple[Any, Any]], ...]:
    """Return what the target and a reference that the user named have of a table, each once.

    If the target does not show it, the reference does. A row is bytes and a value of the type
    ``second``; a table with another row is left out. There are at most so many rows, unless both
    sides show theirs.
    """
    own = [subject.target] if subject.target.can(method) else []
    references = (subject.reference, subject.explainer)
    others = [one for one in references if one is not None and one.can(method)][:1]
    if own and not subject.claims_parity:
        others = []
    elif own and others:
        most = MOST_ROWS
    tables: list[list[tuple[Any, Any]]] = []
    for owner in (*own, *others):
        rows = owner.call(method, most)
        if isinstance(rows, list) and rows not in tables and _are_rows(rows, second):
            tables.append(rows)
    return tuple(tables)


def _are_rows(rows: list[Any], second: type) -> bool:
    kinds = (bytes, second)
    return all(
        type(row) is tuple and len(row) == 2 and tuple(map(type, row)) == kinds for row in rows
    )
