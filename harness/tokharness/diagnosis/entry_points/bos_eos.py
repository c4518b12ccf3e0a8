"""Special ids, such as BOS and EOS, that some entry points add to every text and others do not.

A library may add such ids in ``encode`` and not in ``encode_ordinary``, by design. The other entry
points must agree with one of the two. Ids of plain text that are added to every text are a bug.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.entry_points.affixes import (
    PROBES,
    AffixIds,
    affix_ids,
    without_affixes,
)
from tokharness.diagnosis.probes.calls import decode_all, encode_all
from tokharness.diagnosis.special.special_ids import CONTROL
from tokharness.model import Cause, Verdict
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.targets.subject import Subject

MAY_ADD_IDS = ("encode", "encode_special")
"""Entry points that may add special ids which the entry point for plain text does not add."""

NO_IDS: AffixIds = ([], [])


def allowed_ids(text: str, ids: list[int], name: str, subject: Subject) -> list[list[int]]:
    """Ids that an entry point may give for a text whose plain ids are ``ids``.

    The entry point may only add its special ids, and may leave them out if the text is empty.
    """
    prefix, suffix = _expected_affixes(name, subject)
    if (prefix, suffix) == affix_ids(subject):
        return [ids]
    whole = [*prefix, *without_affixes(ids, subject), *suffix]
    return [whole] if text else [whole, ids]


def added_ids_causes(names: Sequence[str], subject: Subject) -> Iterator[Cause]:
    """One cause for each different set of ids that some of these entry points add to every text."""
    by_ids: dict[str, list[str]] = {}
    undeclared: dict[str, set[int]] = {}
    for name in names:
        if (affixes := _expected_affixes(name, subject)) != affix_ids(subject):
            by_ids.setdefault(_describe(affixes), []).append(name)
            undeclared[_describe(affixes)] = _undeclared(affixes, subject)
    plain = _describe(affix_ids(subject))
    for ids, entry_points in by_ids.items():
        by = ", ".join(entry_points)
        message = (
            f"ids added to every text by {by}: {ids}; by the entry point for plain text: {plain}"
        )
        verdict = Verdict.FACT
        if undeclared[ids]:
            verdict = Verdict.RISK
            message = f"{message}; special_tokens does not declare all of them"
        yield Cause("entry point adds ids", (("by", by), ("ids", ids)), verdict, message)


def count_ids(text: str, subject: Subject) -> int:
    """Number of ids that ``count`` gives; -1 if it raises or gives no integer."""
    number = subject.target.call("count", text)
    return number if isinstance(number, int) else -1


def _expected_affixes(name: str, subject: Subject) -> AffixIds:
    """Ids that an entry point adds to every text, if it may; otherwise the affixes of plain text.

    An entry point outside ``MAY_ADD_IDS``, such as a batch, may only add the ids that an entry
    point of ``MAY_ADD_IDS`` or the entry point for plain text adds. ``encode_bytes``, which encodes
    parts of texts, may also add no ids.
    """

    def compute() -> AffixIds:
        if name in MAY_ADD_IDS:
            own = affix_ids(subject, name)
            return own if _adds_only_special(own, subject) else affix_ids(subject)
        others = [other for other in MAY_ADD_IDS if subject.target.can(other)]
        known = [affix_ids(subject), *(_expected_affixes(other, subject) for other in others)]
        if name == "count":
            return next((affixes for affixes in known if _is_counted(affixes, subject)), known[0])
        if name == "encode_bytes" and _adds_only_special(NO_IDS, subject):
            known.append(NO_IDS)
        own = affix_ids(subject, name)
        return own if own in known else known[0]

    return subject.cache.get_or_compute(f"expected affixes of {name}", compute)


def _adds_only_special(affixes: AffixIds, subject: Subject) -> bool:
    """Whether no id is repeated, and every id that plain text does not get is special.

    Special ids are declared, or decode to nothing or to text like a control token.
    """
    if any(len(set(ids)) < len(ids) for ids in affixes):
        return False
    texts = decode_all([[number] for number in _undeclared(affixes, subject)], subject)
    return all(text == "" or _is_control(text) for text in texts)


def _is_control(text: Any) -> bool:
    return isinstance(text, str) and CONTROL.fullmatch(text.strip()) is not None


def _undeclared(affixes: AffixIds, subject: Subject) -> set[int]:
    """Ids in which these affixes differ from those of plain text, except declared special ids."""
    here, plain = (Counter(chain(*both)) for both in (affixes, affix_ids(subject)))
    return {*(here - plain), *(plain - here)} - {*subject.special_tokens.values()}


def _is_counted(affixes: AffixIds, subject: Subject) -> bool:
    """Whether ``count`` includes these ids for every text."""
    return all(
        count_ids(text, subject) == len(without_affixes(ids, subject)) + sum(map(len, affixes))
        for text, ids in zip(PROBES, encode_all(PROBES, subject), strict=True)
        if not isinstance(ids, Raised)
    )


def _describe(affixes: AffixIds) -> str:
    places = zip(("before", "after"), affixes, strict=True)
    shown = (
        f"{'id' if len(ids) == 1 else 'ids'} {' '.join(map(str, ids))} {place}"
        for place, ids in places
        if ids
    )
    return ", ".join(shown) or "none"
