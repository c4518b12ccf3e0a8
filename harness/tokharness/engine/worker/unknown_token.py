"""An unknown token that a target gives in place of other tokens, or no longer, as ids show it.

A model with a token for each byte, or for a character, has no unknown characters. If it loses these
tokens, or does not fall back on them, the ids have one more token that stands for each run of them.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tokharness.engine.worker.changed_text import LEAST, MOST, OFF, ON
from tokharness.engine.worker.grouping import DiagnosedText
from tokharness.model import Cause

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tokharness.targets.snapshot import ChangedText, Ids
    from tokharness.targets.subject import Subject


WORD = re.compile(r"[A-Za-z0-9]+")  # which no tokenizer cuts at a change of script
LEAST_KEPT = 3
"""Fewest characters of the longest word that is kept if only longer ones are unknown."""


def by_unknown_token(
    changed: Sequence[ChangedText], subject: Subject, unchanged: Mapping[str, Ids]
) -> list[DiagnosedText]:
    """Return the texts whose ids differ by one token alone, which is in place of different others.

    A token of a new merge is always in place of the same tokens, and has their text. If only long
    words are unknown now, their length is named.
    """
    for change, message in (
        (ON, "the token {}, {!a}, is in place of others"),
        (OFF, "other tokens are in place of {}, {!a}"),
    ):
        pairs = [(one.before or (), one.after) for one in changed]
        pairs = pairs if change == ON else [(after, before) for before, after in pairs]
        counts = Counter(token for others, ids in pairs for token in {*ids} - {*others})
        unknown = max(counts, key=counts.__getitem__, default=None)
        replaced = [_replaced(unknown, ids, others) for others, ids in pairs]
        explained = [one for one, of_text in zip(changed, replaced, strict=True) if of_text]
        text = subject.decode([unknown])
        runs = {run for runs in replaced for run in runs}
        lost = sum(subject.decode(list(run)) != text for run in runs)
        if lost >= LEAST and len(explained) >= MOST * len(changed):
            kept = (one for one, ids in unchanged.items() if unknown not in [*ids])
            long = _longer(unknown, runs, kept, subject) if change == ON else ""
            parameters = (("token", f"id {unknown}, {text!a}{long}: {change}"),)
            said = message.format(unknown, text) + long
            cause = Cause("unknown token", parameters, message=said)
            return [DiagnosedText(one.text, one.group, (cause,)) for one in explained]
    return []


def _longer(
    unknown: Any, runs: Iterable[Sequence[Any]], kept: Iterable[str], subject: Subject
) -> str:
    """Return the length of the words that are unknown now, if shorter ones are not.

    All runs of tokens are longer than any word of other texts. Words of one letter show the limit.
    """
    shortest = min(len("".join((subject.decode([*run]) or "").split())) for run in runs)
    longest = max((len(word) for text in kept for word in WORD.findall(text)), default=0)
    if longest < LEAST_KEPT:
        return ""
    for length in range(longest, shortest + 1):
        if unknown in (subject.encode("a" * length) or ()):
            return f" for words of more than {length - 1} characters" if length > longest else ""
    return ""


def _replaced(unknown: Any, ids: Sequence[Any], others: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return the runs of tokens in whose place the unknown token is; none if more differs."""
    if unknown not in ids:
        return []
    ends = [-1, *(at for at, token in enumerate(ids) if token == unknown), len(ids)]
    first, *parts, last = (tuple(ids[start + 1 : end]) for start, end in pairwise(ends))
    at, end = len(first), len(others) - len(last)
    if tuple(others[:at]) != first or tuple(others[max(end, 0) :]) != last:
        return []
    found = []
    for part in parts:
        places = range(at + 1, end - len(part) + 1)
        start = next((p for p in places if tuple(others[p : p + len(part)]) == part), end)
        found.append(tuple(others[at:start]))
        at = start + len(part)
    return [*found, tuple(others[at:end])] if at < end else []
