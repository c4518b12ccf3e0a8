"""Facts about a target that case families get."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from tokharness.engine.worker.vocabularies import token_texts
from tokharness.model import TargetFacts

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["target_facts"]

MOST_ROWS = 1 << 20
"""Merges or pieces of a target."""


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
    merges, scores = (
        functools.cache(functools.partial(_tables, subject, method, second))
        for method, second in (("merges", bytes), ("scores", float))
    )
    return TargetFacts(added, pattern, profile, regressions, tokens, merges, scores)


def _tables(subject: Subject, method: str, second: type) -> tuple[list[tuple[Any, Any]], ...]:
    """Return what the target and its reference have of a table, each once.

    A row is bytes and a value of the type ``second``; a table with another row is left out.
    """
    tables: list[list[tuple[Any, Any]]] = []
    owners = (subject.target, subject.reference, subject.explainer)
    for owner in {id(one): one for one in owners if one is not None and one.can(method)}.values():
        rows = owner.call(method, MOST_ROWS)
        if isinstance(rows, list) and rows not in tables and _are_rows(rows, second):
            tables.append(rows)
    return tuple(tables)


def _are_rows(rows: list[Any], second: type) -> bool:
    kinds = (bytes, second)
    return all(
        type(row) is tuple and len(row) == 2 and tuple(map(type, row)) == kinds for row in rows
    )
