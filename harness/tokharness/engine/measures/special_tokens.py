"""What became of every near-miss of a special token, read as untrusted text.

``tokens`` maps each special token to its id. ``families`` has, for each family of near-misses,
``{"family", "tried", "text", "other text", "special id", "raised"}``: how many of its texts came
back as they were, came back otherwise, got the id of a special token, or made the target raise.
``examples`` are ``{"why", "text", "outcome", "tokens"}``: what did not come back as text, then one
of each kind, evenly where there are very many.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from tokharness.calling import Raised
from tokharness.checks._each import decoded_each, encoded_each
from tokharness.engine.units import evenly

if TYPE_CHECKING:
    from tokharness.subject import Subject

__all__ = ["FAMILIES", "OUTCOMES", "measure"]

FAMILIES = ("special-tokens", "chat-templates")
OUTCOMES = ("text", "other text", "special id", "raised")
LONGEST = 400
MOST_ASTRAY, MOST_KINDS = 120, 120

Row = dict[str, Any]


def measure(subject: Subject) -> dict[str, Any]:
    """Encode every case of the families of special tokens as untrusted text."""
    families: list[Row] = []
    astray: list[Row] = []
    kinds: list[Row] = []
    for name in FAMILIES:
        tried = _tried(name, subject)
        counts = Counter(row["outcome"] for row in tried)
        told = {outcome: counts[outcome] for outcome in OUTCOMES}
        families.append({"family": name, "tried": len(tried), **told})
        astray += [row for row in tried if row["outcome"] != "text"]
        first = {row["why"]: row for row in reversed(tried) if row["outcome"] == "text"}
        kinds += evenly(list(reversed(first.values())), MOST_KINDS)
    return {
        "tokens": {text: int(number) for text, number in subject.special_tokens.items()},
        "families": families,
        "examples": [*evenly(astray, MOST_ASTRAY), *kinds],
    }


def _tried(family: str, subject: Subject) -> list[Row]:
    cases = subject.cases[family]() if family in subject.cases else ()
    texts = {case.text: case.why for case in cases if len(case.text) <= LONGEST}
    special = set(subject.special_tokens.values())
    rows = encoded_each(list(texts), subject)
    back = iter(decoded_each([row for row in rows if not isinstance(row, Raised)], subject))
    found = []
    for (text, why), row in zip(texts.items(), rows, strict=True):
        count = None
        if isinstance(row, Raised):
            outcome = "raised"
        else:
            count, outcome = len(row), "text" if next(back) == text else "other text"
            outcome = outcome if special.isdisjoint(row) else "special id"
        found.append({"why": why, "text": text, "outcome": outcome, "tokens": count})
    return found
