"""Marks, such as one for the start of a text, that an entry point adds to the ids of every text.

A library whose ``encode`` adds such a mark, and ``encode_ordinary`` none, is built so. What else is
made of one of the two owes what that one gives, and an id of plain text at the end of every text is
no mark.
"""

from __future__ import annotations

import operator
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.entry_points.affixes import PROBES, affix_ids, without_affixes
from tokharness.diagnosis.probes.calls import decode_all, encode_all
from tokharness.diagnosis.special.undeclared import CONTROL
from tokharness.model import Cause, Verdict
from tokharness.outcome import Raised, called

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokharness.diagnosis.entry_points.affixes import AffixIds
    from tokharness.targets.subject import Subject

__all__ = ["added_ids_causes", "allowed_ids", "count_ids"]

MARKING = ("encode", "encode_special")
"""Entry points that may add marks, which the one for plain text does not add."""


def allowed_ids(text: str, ids: list[int], name: str, subject: Subject) -> list[list[int]]:
    """Ids, any of which an entry point owes where the one for plain text gives these.

    They are the same but for the marks that it may add; an empty text may go without.
    """
    start, end = _owed_frame(name, subject)
    if (start, end) == affix_ids(subject):
        return [ids]
    framed = [*start, *without_affixes(ids, subject), *end]
    return [framed] if text else [framed, ids]


def added_ids_causes(names: Sequence[str], subject: Subject) -> Iterator[Cause]:
    """One fact for each way in which these entry points mark every text otherwise than plain."""
    ways: dict[str, list[str]] = {}
    undeclared: dict[str, set[int]] = {}
    for name in names:
        if (one := _owed_frame(name, subject)) != affix_ids(subject):
            ways.setdefault(_in_words(one), []).append(name)
            undeclared[_in_words(one)] = _undeclared(one, subject)
    plain = _in_words(affix_ids(subject))
    for ids, some in ways.items():
        by = ", ".join(some)
        message = f"{by}: every text gets {ids}; from the entry point for plain text {plain}"
        verdict = Verdict.BY_DESIGN
        if undeclared[ids]:
            verdict, message = Verdict.RISK, f"{message}; special_tokens does not declare it all"
        yield Cause("entry point adds ids", (("by", by), ("ids", ids)), verdict, message)


def count_ids(count: Callable[[str], Any], text: str) -> int:
    """Number of ids that ``count`` says; -1 where it says none."""
    number = called(lambda: operator.index(count(text)))
    return -1 if isinstance(number, Raised) else number


def _owed_frame(name: str, subject: Subject) -> AffixIds:
    """Frame of an entry point where it may have one of its own, otherwise the plain one.

    What is no entry point for marks, such as a batch, may add only what one of these adds.
    """

    def found() -> AffixIds:
        if name in MARKING:
            own = affix_ids(subject, name)
            return own if _is_of_marks(own, subject) else affix_ids(subject)
        marking = [one for one in MARKING if subject.target.can(one)]
        known = [affix_ids(subject), *(_owed_frame(one, subject) for one in marking)]
        if name == "count":
            return next((one for one in known if _is_counted(one, subject)), known[0])
        own = affix_ids(subject, name)
        return own if own in known else known[0]

    return subject.remember(f"ids that {name} owes", found)


def _is_of_marks(one: AffixIds, subject: Subject) -> bool:
    """Whether no mark is there twice, and what plain text does not get is marks.

    These are special tokens, or, undeclared, decode to nothing or to a text like a control token.
    """
    if any(len(set(ids)) < len(ids) for ids in one):
        return False
    texts = decode_all([[number] for number in _undeclared(one, subject)], subject)
    return all(text == "" or _is_control(text) for text in texts)


def _is_control(text: Any) -> bool:
    return isinstance(text, str) and CONTROL.fullmatch(text.strip()) is not None


def _undeclared(one: AffixIds, subject: Subject) -> set[int]:
    """Ids in this frame and not in that of plain text, or the other way round, but special ones."""
    here, plain = (Counter(chain(*both)) for both in (one, affix_ids(subject)))
    return {*(here - plain), *(plain - here)} - {*subject.special_tokens.values()}


def _is_counted(one: AffixIds, subject: Subject) -> bool:
    """Whether ``count`` counts these ids of every text too."""
    count = subject.target.tokenizer.count
    return all(
        count_ids(count, text) == len(without_affixes(ids, subject)) + sum(map(len, one))
        for text, ids in zip(PROBES, encode_all(PROBES, subject), strict=True)
        if not isinstance(ids, Raised)
    )


def _in_words(one: AffixIds) -> str:
    places = zip(("before", "after"), one, strict=True)
    return ", ".join(f"{' '.join(map(str, ids))} {place}" for place, ids in places if ids) or "none"
