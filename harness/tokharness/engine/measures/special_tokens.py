"""What became of every near-miss of a special token, read as untrusted text.

``tokens`` maps each special token to its id. ``families`` has, for each family of near-misses,
``{"family", "tried", "text", "other text", "special id", "raised"}``: how many of its texts came
back as they were, came back otherwise, got the id of a special token, or made the target raise.
``kinds`` has the same for each kind of them, with ``kind`` and an ``example``, the worst of them.
``astray`` are those that did not come back as text, evenly where there are very many. An example
is ``{"why", "text", "outcome", "tokens"}``.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import regex

from tokharness.diagnosis.probes.calls import decode_all, encode_all, was_not_tried
from tokharness.engine.worker.units import sample_evenly
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["FAMILIES", "OUTCOMES", "measure"]

FAMILIES = ("special-tokens", "chat-templates")
OUTCOMES = ("text", "other text", "special id", "raised")
LONGEST = 2_000
"""Characters of a text; none that the families have is longer."""
MOST_ASTRAY = 200
ONE = regex.compile(r"U\+[0-9A-F]{4,6}(?: (?:<[\w-]+>|[A-Z][A-Z0-9 -]*[A-Z0-9]\b))?")
"""A character in the words of a case, with its name or without."""

Row = dict[str, Any]


def measure(subject: Subject) -> dict[str, Any]:
    """Encode every case of the families of special tokens as untrusted text."""
    families: list[Row] = []
    kinds: list[Row] = []
    astray: list[Row] = []
    for name in FAMILIES:
        tried = _tried(name, subject)
        by_kind: dict[str, list[Row]] = {}
        for row in tried:
            by_kind.setdefault(_kind(row["why"]), []).append(row)
        families.append({"family": name, **_counts(tried)})
        kinds += [
            {"family": name, "kind": kind, **_counts(rows), "example": max(rows, key=_badness)}
            for kind, rows in by_kind.items()
        ]
        astray += [row for row in tried if row["outcome"] != "text"]
    return {
        "tokens": {text: int(number) for text, number in subject.special_tokens.items()},
        "families": families,
        "kinds": kinds,
        "not_read_as_text": list(sample_evenly(astray, MOST_ASTRAY)),
    }


def _counts(rows: list[Row]) -> dict[str, int]:
    counts = Counter(row["outcome"] for row in rows)
    return {"tested": len(rows), **{outcome: counts[outcome] for outcome in OUTCOMES}}


def _badness(row: Row) -> int:
    return ("text", "other text", "raised", "special id").index(row["outcome"])


def _kind(why: str) -> str:
    """Words of a case, as far as they tell its kind: without its character, and where it stands."""
    return str(ONE.sub("a character", why)).partition(",")[0]


def _tried(family: str, subject: Subject) -> list[Row]:
    cases = subject.cases[family]() if family in subject.cases else ()
    texts = {case.text: case.why for case in cases if len(case.text) <= LONGEST}
    special = set(subject.special_tokens.values())
    rows = encode_all(list(texts), subject)
    back = iter(decode_all([row for row in rows if not isinstance(row, Raised)], subject))
    found = []
    for (text, why), row in zip(texts.items(), rows, strict=True):
        count = None
        if was_not_tried(row):
            continue
        outcome = "raised"
        if not isinstance(row, Raised):
            count, outcome = len(row), _outcome(text, next(back))
            outcome = outcome if special.isdisjoint(row) else "special id"
        found.append({"why": why, "text": text, "outcome": outcome, "tokens": count})
    return found


def _outcome(text: str, back: object) -> str:
    if isinstance(back, Raised):
        return "raised"
    return "text" if back == text else "other text"
