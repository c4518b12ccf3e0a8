"""Outcomes of near-misses of special tokens, encoded as untrusted text.

``tokens`` maps each special token to its id. ``families`` has, for each family of near-misses,
``{"family", "tested", "text", "other text", "special id", "raised"}``: how many of its texts
round-trip, decode to another text, get the id of a special token, or make the target raise.
``kinds`` has the same counts for each kind of near-miss, with ``kind`` and its worst ``example``.
``not_read_as_text`` has near-misses with another outcome than "text", a sample if there are very
many. A near-miss is ``{"why", "text", "outcome", "tokens"}``; a text that holds a special token of
the target is none.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import regex

from tokharness.diagnosis.probes.calls import decode_all, encode_all, was_skipped
from tokharness.engine.worker.units import sample_evenly
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["FAMILIES", "OUTCOMES", "measure"]

FAMILIES = ("special-tokens", "chat-templates")
OUTCOMES = ("text", "other text", "special id", "raised")
MAX_LENGTH = 2_000
"""Maximum length of a text in characters; no text of the families is longer."""
MAX_LISTED = 200
"""Maximum number of near-misses in ``not_read_as_text``."""
CHARACTER = regex.compile(r"U\+[0-9A-F]{4,6}(?: (?:<[\w-]+>|[A-Z][A-Z0-9 -]*[A-Z0-9]\b))?")
"""A character in the description of a case, with or without its name."""

Row = dict[str, Any]


def measure(subject: Subject) -> dict[str, Any]:
    """Encode every case of the families of special tokens as untrusted text."""
    families: list[Row] = []
    kinds: list[Row] = []
    not_read_as_text: list[Row] = []
    for name in FAMILIES:
        rows_of_family = _encode_family(name, subject)
        by_kind: dict[str, list[Row]] = {}
        for row in rows_of_family:
            by_kind.setdefault(_kind(row["why"]), []).append(row)
        families.append({"family": name, **_counts(rows_of_family)})
        kinds += [
            {"family": name, "kind": kind, **_counts(rows), "example": max(rows, key=_badness)}
            for kind, rows in by_kind.items()
        ]
        not_read_as_text += [row for row in rows_of_family if row["outcome"] != "text"]
    return {
        "tokens": {text: int(number) for text, number in subject.special_tokens.items()},
        "families": families,
        "kinds": kinds,
        "not_read_as_text": list(sample_evenly(not_read_as_text, MAX_LISTED)),
    }


def _counts(rows: list[Row]) -> dict[str, int]:
    counts = Counter(row["outcome"] for row in rows)
    return {"tested": len(rows), **{outcome: counts[outcome] for outcome in OUTCOMES}}


def _badness(row: Row) -> int:
    return ("text", "other text", "raised", "special id").index(row["outcome"])


def _kind(why: str) -> str:
    """Return the kind of a case: its description without the character and the position."""
    return str(CHARACTER.sub("a character", why)).partition(",")[0]


def _encode_family(family: str, subject: Subject) -> list[Row]:
    cases = subject.cases[family]() if family in subject.cases else ()
    texts = {
        case.text: case.why
        for case in cases
        if len(case.text) <= MAX_LENGTH
        if not any(token in case.text for token in subject.special_tokens)
    }
    special = set(subject.special_tokens.values())
    rows = encode_all(list(texts), subject)
    decoded = iter(decode_all([row for row in rows if not isinstance(row, Raised)], subject))
    near_misses = []
    for (text, why), ids in zip(texts.items(), rows, strict=True):
        count = None
        if was_skipped(ids):
            continue
        outcome = "raised"
        if not isinstance(ids, Raised):
            count, outcome = len(ids), _outcome(text, next(decoded))
            outcome = outcome if special.isdisjoint(ids) else "special id"
        near_misses.append({"why": why, "text": text, "outcome": outcome, "tokens": count})
    return near_misses


def _outcome(text: str, decoded: object) -> str:
    if isinstance(decoded, Raised):
        return "raised"
    return "text" if decoded == text else "other text"
