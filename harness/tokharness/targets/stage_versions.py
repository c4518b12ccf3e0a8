"""Detect the Unicode version of each stage of a target, with a reference that has these stages.

A library may use different versions of Unicode to normalize, to change the case of letters, and to
split. The reference encodes texts with characters that changed between two versions, with a stage
at each of the two versions. If its results differ, the target's result shows the version of the
target's stage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from tokharness.outcome import Raised
from tokharness.targets.fingerprint import (
    AGREEMENT,
    changed_characters,
    mark_texts,
    newest_agreeing_version,
    share_of_newer,
    split_texts,
)
from tokharness.unicode.versions import VERSIONS, category_in

if TYPE_CHECKING:
    from tokharness.model import Target

NORMALIZER, CASE, SPLIT = "normalizer", "case mapping", "split"
"""The stages that have a version. A stage with several tables has a version for each table, with a
name such as ``split, punctuation``.
"""

PASSES = 3
"""Passes over the tables: a table only shows its version if the others have the right versions."""

CAPITAL = "A"
"""A letter whose small letter is the same in every table of case mappings."""

UNASSIGNED = "\u0378"
"""A code point that no version of Unicode has assigned."""

Texts = Callable[[str, str], Iterator[str]]


def detect_stage_versions(target: Target, reference: Target) -> dict[str, str]:
    """Return the version of each table of the reference that the target shows to have.

    ``reference`` declares ``stage_versions``. A table is left out if the target agrees with no
    single version, or if no text depends on the table.
    """
    found: dict[str, str] = {}
    declared = dict(reference.stage_versions)
    last = _newest_kept(target)
    known = {table: min(one, last, key=VERSIONS.index) for table, one in declared.items()}
    tables = sorted(declared, key=_order)
    for _ in range(PASSES if len(tables) > 1 else 1):
        before = dict(found)
        for table in tables:
            version = _detect(target, reference, table, found, last)
            if version is not None:
                found[table] = version
        if {**known, **found} == {**known, **before}:
            break
    return found


def equal_versions(table: str, version: str, model: Target) -> tuple[str, str]:
    """Return the oldest and the newest version at which a table is as at ``version``.

    Tables count as equal if ``model`` encodes texts with the changed characters to the same ids:
    the stage may not use these characters, or the vocabulary may lack them.
    """
    place = VERSIONS.index(version)
    older, newer = VERSIONS[: place + 1][::-1], VERSIONS[place:]
    oldest, newest = (_last_equal(table, row, model) for row in (older, newer))
    return oldest, newest


def _last_equal(table: str, versions: Sequence[str], model: Target) -> str:
    """Return the last version of a row that is equal to all versions before it."""
    for one, other in pairwise(versions):
        sides = [model.at_stage_versions({table: version}) for version in (one, other)]
        texts = _texts_of(table)(*sorted((one, other), key=VERSIONS.index))
        if any(not _agree(text, *sides) for text in texts):
            return one
    return versions[-1]


def version_of(stage: str, versions: Mapping[str, str]) -> str | None:
    """Return the version of a stage: the version of its main table, or else of another table."""
    tables = [table for table in versions if table.partition(",")[0] == stage]
    return versions[min(tables, key=len)] if tables else None


def _order(table: str) -> tuple[int, str]:
    """Tables in the order in which a text goes through their stages."""
    stage = table.partition(",")[0]
    return (list(TEXTS).index(stage) if stage in TEXTS else len(TEXTS), table)


def _detect(
    target: Target, reference: Target, table: str, found: Mapping[str, str], last: str
) -> str | None:
    texts = _texts_of(table)

    @cache
    def pinned(version: str) -> Target | Raised:
        return reference.at_stage_versions({**found, table: version})

    def probes(old: str, new: str) -> Iterator[tuple[str, object, object]]:
        before, after = pinned(old), pinned(new)
        if isinstance(before, Raised) or isinstance(after, Raised):
            return
        for text in texts(old, new):
            results = before.encode(text), after.encode(text)
            if results[0] != results[1] and not any(isinstance(one, Raised) for one in results):
                yield text, *results

    def share(old: str, new: str) -> float | None:
        return share_of_newer(target.encode, probes(old, new))

    if table.partition(",")[0] == CASE and not _agree(CAPITAL, target, reference):
        return None  # no letter, or other letters, change case
    known = min(reference.stage_versions[table], last, key=VERSIONS.index)
    before = _first_decided(share, reversed(_pairs(VERSIONS[0], known)))
    after = _first_decided(share, _pairs(known, last))
    if before is None and after is None:
        return None
    if (before is None or before >= AGREEMENT) and (after is None or after <= 1 - AGREEMENT):
        return known  # no other version has to be tried
    version = newest_agreeing_version(target.encode, probes, last)
    # A stage that is not applied at all leaves every later character as an old version does.
    return None if version == VERSIONS[0] else version


def _newest_kept(target: Target) -> str:
    """Return the newest version of whose new letters the target keeps some.

    A target that drops unassigned characters drops the letters and marks of later versions, as if
    it knew that the marks are marks.
    """
    if not _is_dropped(UNASSIGNED, target):
        return VERSIONS[-1]
    for old, new in pairwise(VERSIONS):
        letters = [
            char for char in changed_characters(old, new) if category_in(char, new)[0] == "L"
        ]
        if letters and all(_is_dropped(char, target) for char in letters):
            return old
    return VERSIONS[-1]


def _is_dropped(char: str, target: Target) -> bool:
    ids, others = target.encode(f"a{char}a"), target.encode("aa")
    return not isinstance(ids, Raised) and ids == others


def _agree(text: str, one: Target | Raised, other: Target | Raised) -> bool:
    """Whether two tokenizers give the same ids; False if one raises."""
    if isinstance(one, Raised) or isinstance(other, Raised):
        return False
    ids, others = one.encode(text), other.encode(text)
    return not isinstance(ids, Raised) and not isinstance(others, Raised) and ids == others


def _texts_of(table: str) -> Texts:
    return TEXTS.get(table.partition(",")[0], _split_texts)


def _pairs(first: str, last: str) -> list[tuple[str, str]]:
    between = VERSIONS[VERSIONS.index(first) : VERSIONS.index(last) + 1]
    return list(pairwise(between))


def _first_decided(
    share: Callable[[str, str], float | None], pairs: Iterable[tuple[str, str]]
) -> float | None:
    """Return the share of the first pair of versions for which a text decides."""
    return next((one for pair in pairs if (one := share(*pair)) is not None), None)


def _normalizer_texts(old: str, new: str) -> Iterator[str]:
    yield from mark_texts(old, new)
    for character in changed_characters(old, new):
        yield f"a{character}a"


def _case_texts(old: str, new: str) -> Iterator[str]:
    for character in changed_characters(old, new):
        if category_in(character, new)[0] == "L":
            yield f"a{character}a"


def _split_texts(old: str, new: str) -> Iterator[str]:
    yield from split_texts(old, new)
    for character in changed_characters(old, new):
        yield f"a{character}a"


TEXTS: dict[str, Texts] = {
    NORMALIZER: _normalizer_texts,
    CASE: _case_texts,
    SPLIT: _split_texts,
}
"""Texts that may show a difference between two versions, by the stage."""
