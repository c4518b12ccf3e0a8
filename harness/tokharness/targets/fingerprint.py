"""Detect the Unicode version of a target from its behavior.

Between two versions some code points change their general category, most of them from unassigned
to a letter. An explainer with the target's vocabulary encodes texts in which such a change affects
the split, at both versions. If its two results differ, the target's result shows the target's
version. The version of a declared normalizer is detected in the same way, with characters that are
new to the normalizer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from tokharness.outcome import Raised

if TYPE_CHECKING:
    from tokharness.model import Target

CONTEXTS = ("{}\\u", "{}.a", "{}'s", "_{}_init", "{}123")
AFTER_A_SPACE = " {}"
"""A context for vocabularies with tokens of a space and the first byte of a character."""

NUMBER_CONTEXTS = ("0{}00", "1{}10", "2{}20", "1{}19")
"""Contexts for small vocabularies in which no token crosses a new letter: only numbers differ."""

SUFFIXES = ("\\u", ".a", "'s")
LETTERS = "\u0250\u0531\u0915"
"""Letters of every version; if a target splits them differently, its version is undetectable."""

MAX_CODE_POINTS = 12
"""Code points for each pair of versions, evenly spread over all changed code points."""

OF_EACH_CHANGE = 4
"""Code points for each pair of versions and each change of category, evenly spread."""

AGREEMENT = 0.75
"""Least share of results that must agree with a version of a pair for it to be detected."""

Function = Callable[[str], object]
Probes = Iterable[tuple[str, object, object]]
"""Texts, each with the different results of an older and of a newer version."""


def detect_unicode_version(target: Target, explainer: Target) -> str | None:
    """Return the version of the pre-tokenizer; None if the target agrees with no single version.

    ``explainer`` must be able to change its Unicode version.
    """

    @cache
    def pinned(version: str) -> Target | Raised:
        return explainer.at_unicode_version(version)

    def probes(old: str, new: str) -> Probes:
        before, after = pinned(old), pinned(new)
        if isinstance(before, Raised) or isinstance(after, Raised):
            return []
        # Numbers only as a last resort: a target may split them differently for another reason.
        for texts in (split_texts(old, new), _number_texts(old, new)):
            results = [(text, before.encode(text), after.encode(text)) for text in texts]
            differing = [row for row in results if row[1] != row[2] and not _has_raised(row)]
            if differing:
                return differing
        return []

    texts = [context.format(letter) for letter in LETTERS for context in CONTEXTS]
    results = [(text, explainer.encode(text)) for text in texts]
    alike = sum(target.encode(text) == ids for text, ids in results if not isinstance(ids, Raised))
    return newest_agreeing_version(target.encode, probes) if alike > len(texts) / 2 else None


def detect_version_without_explainer(target: Target) -> str | None:
    """Return the version of the pre-tokenizer of a target without an explainer.

    A character is put before suffixes that are split differently after a letter than after an
    unassigned character. The ids of the suffix show how the target classifies the character.

    Returns None if the target agrees with no single version, or if the ids of a text do not begin
    with the ids of its first character.
    """

    def tail(text: str) -> object:
        character, suffix = text[0], text[1:]
        character_ids, ids = target.encode(character), target.encode(text)
        if isinstance(character_ids, Raised) or isinstance(ids, Raised):
            return Raised
        size = len(character_ids)
        return ids[size:] if ids[:size] == character_ids else (character, suffix)

    def probes(old: str, new: str) -> Probes:
        from tokharness.unicode.versions import STANDINS, category_in

        for character in _changed(old, new, MAX_CODE_POINTS):
            standins = (STANDINS[category_in(character, version)] for version in (old, new))
            old_standin, new_standin = standins
            for suffix in SUFFIXES:
                before, after = tail(old_standin + suffix), tail(new_standin + suffix)
                if before != after:
                    yield character + suffix, before, after

    first, *others = [[tail(letter + suffix) for suffix in SUFFIXES] for letter in LETTERS]
    alike = all(tails == first for tails in others)
    return newest_agreeing_version(tail, probes) if alike else None


def detect_normalizer_version(target: Target) -> str | None:
    """Return the version of the declared normal form; None without a form, or if none agrees."""
    from tokharness.unicode.normalization import FORMS

    if target.normalizer is None or target.normalizer.upper() not in FORMS:
        return None

    form = target.normalizer.upper()
    return detect_form_version(form, target.round_trip)


def detect_form_version(form: str, transform: Function) -> str | None:
    """Return the version of the normal form that ``transform`` applies; None if none agrees."""
    from tokharness.unicode.normalization import normalize

    def probes(old: str, new: str) -> Probes:
        for text in mark_texts(old, new):
            before, after = (normalize(form, text, version=version) for version in (old, new))
            if before != after:
                yield text, before, after

    return newest_agreeing_version(transform, probes)


def newest_agreeing_version(
    function: Function, probes: Callable[[str, str], Probes], last: str | None = None
) -> str | None:
    """Return the version up to which a function has the newer result of each pair of versions.

    ``last`` is the newest version that is tried. None if the function does not have the older
    result of each later pair, or if no probe decides.
    """
    from tokharness.unicode.versions import VERSIONS

    newest = VERSIONS[0]
    is_older = decided = False
    for old, new in pairwise(VERSIONS[: VERSIONS.index(last or VERSIONS[-1]) + 1]):
        share = share_of_newer(function, probes(old, new))
        if share is None:
            newest = newest if is_older else new
        elif share >= AGREEMENT and not is_older:
            newest, decided = new, True
        elif share <= 1 - AGREEMENT:
            is_older = decided = True
        else:
            return None
    return newest if decided else None


def share_of_newer(function: Function, probes: Probes) -> float | None:
    """Return the share of probes with the result of the newer version; None if no probe decides."""
    newer = deciding = 0
    for text, before, after in probes:
        result = function(text)
        deciding += result in (before, after)
        newer += result == after
    return newer / deciding if deciding else None


def _changed(old: str, new: str, most: int) -> Iterator[str]:
    """Yield about ``most`` characters whose general category changed, evenly spread."""
    from tokharness.unicode.versions import changed

    yield from map(chr, _sample(changed(old, new), most))


def changed_characters(old: str, new: str, most: int = OF_EACH_CHANGE) -> Iterator[str]:
    """Yield characters whose general category a version changed, some for each kind of change."""
    from tokharness.unicode.versions import category_in, changed

    kinds: dict[tuple[str, str], list[int]] = {}
    for point in changed(old, new):
        char = chr(point)
        kinds.setdefault((category_in(char, old), category_in(char, new)), []).append(point)
    for points in kinds.values():
        yield from map(chr, _sample(points, most))


def split_texts(old: str, new: str) -> Iterator[str]:
    """Yield texts in which the class of a changed character may change the split.

    A character of each change is among them: a split may use classes that few changes are of.
    """
    spread = (*_changed(old, new, MAX_CODE_POINTS), *changed_characters(old, new, 1))
    for character in dict.fromkeys(spread):
        for context in (*CONTEXTS, AFTER_A_SPACE):
            yield context.format(character)


def _number_texts(old: str, new: str) -> Iterator[str]:
    from tokharness.unicode.versions import category_in, changed

    numbers = [point for point in changed(old, new) if category_in(chr(point), new)[0] == "N"]
    for point in _sample(numbers, MAX_CODE_POINTS):
        for context in NUMBER_CONTEXTS:
            yield context.format(chr(point))


def _has_raised(probe: tuple[str, object, object]) -> bool:
    """Whether the explainer raised, as it does for a byte without a token."""
    return any(isinstance(result, Raised) for result in probe)


def _sample(code_points: Sequence[int], most: int) -> Sequence[int]:
    return code_points[:: max(len(code_points) // most, 1)]


def reclassified_texts(old: str, new: str) -> Iterator[str]:
    """Yield a text with all contexts for a sample of the characters that a version reclassified."""
    for character in _changed(old, new, MAX_CODE_POINTS):
        yield " ".join(context.format(character) for context in CONTEXTS)


def mark_texts(old: str, new: str) -> Iterator[str]:
    """Yield texts that new decompositions, compositions and combining classes change."""
    from tokharness.unicode.normalization import normalize
    from tokharness.unicode.properties import combining

    for character in _changed(old, new, 0x110000):
        decomposed = normalize("NFKD", character)
        if decomposed != character:
            yield from (character, normalize("NFD", character), decomposed)
        elif combining(character):
            yield from (f"a\u0315{character}", f"a{character}\u0316")
            # A small vocabulary shows whether a mark lets the next one be composed over it.
            yield from (f"a{character}\u0300", f"\u03b1{character}\u0345")
