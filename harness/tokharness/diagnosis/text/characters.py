"""Which characters a target drops or replaces, found by probing each character by itself.

Surrogates have faults of their own: they become something else than they should by design.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable
from itertools import chain, pairwise

from tokharness.model import Cause
from tokharness.outcome import Raised
from tokharness.targets.subject import scalar_text
from tokharness.unicode import properties, versions
from tokharness.unicode.versions import category_in

Transform = Callable[[str], "str | None"]

CLASSES = {
    "Bidi_Control": r"\p{Bidi_Control}",
    "Join_Control": r"\p{Join_Control}",
    "Variation_Selector": r"\p{Variation_Selector}",
    "noncharacters": r"\p{Noncharacter_Code_Point}",
    "private use of the BMP": r"[\uE000-\uF8FF]",
    "tag characters": r"[\U000E0020-\U000E007F]",
    "controls (Cc)": r"\p{Cc}",
    "controls but tab and line ends": r"(?![\t\n\r])\p{Cc}",
    "format characters (Cf)": r"\p{Cf}",
    "assigned Default_Ignorable_Code_Point": r"(?!\p{Cn})\p{Default_Ignorable_Code_Point}",
    "Default_Ignorable_Code_Point": r"\p{Default_Ignorable_Code_Point}",
    "format characters and controls": r"[\p{Cf}\p{Cc}]",
    "separators but space (Z)": r"(?! )\p{Z}",
    "nonspacing marks (Mn)": r"\p{Mn}",
    "marks (M)": r"\p{M}",
}
"""Character classes that filters and normalizers use, the narrowest first."""

HIGH, LOW = frozenset(range(0xD800, 0xDC00)), frozenset(range(0xDC00, 0xE000))
"""Surrogates. Some targets read a few lone low surrogates as bytes."""

UNASSIGNED = "unassigned code points (Cn)"
LARGE = {
    UNASSIGNED: r"\p{Cn}",
    "characters beyond the BMP": r"[\U00010000-\U0010FFFF]",
    "characters beyond Latin-1": r"[^\x00-\xFF\p{Cs}]",
    "characters beyond ASCII": r"[^\x00-\x7F\p{Cs}]",
}
"""Classes too large to probe in full; evenly spread members are probed."""

SAMPLED = (
    r"[\p{Cc}\p{Cf}\p{Z}\p{M}\p{Sk}\p{Pd}\p{Pi}\p{Pf}"
    r"\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\uE000-\uF8FF\u2581\u0120]"
)
SPREAD = 1009
"""Step between the code points of large classes that are probed."""

OF_EACH_AGE = 24
"""Size of a sample of characters that a version changed, or that no version has assigned."""

LEAST_UNASSIGNED = 20
"""Least unassigned characters that are named by a Unicode version; fewer are named one by one."""

GAP = 32
"""Unchanged characters in a row after which the search for changed neighbours stops."""

MAX_NEIGHBOURS = 12_000
"""Most changed neighbours: more than the number of Hangul syllables."""

MAX_RANGES, MAX_COUNTED = 8, 2000

MAX_CATEGORIES, UNNAMED, FIRST_AFTER_ASCII = 4, frozenset(("Cn", "Cs")), 0x80
"""Most general categories that name characters, and those whose members have other names."""


def probe_characters() -> list[str]:
    """Characters to probe: ASCII, and those that filters and normalizers change or reject."""
    spread = (point for point in range(0x80, 0x110000, SPREAD) if not 0xD800 <= point < 0xE000)
    return list(map(chr, sorted({*range(0x80), *properties.members(SAMPLED), *spread})))


def changed_characters(transform: Transform) -> dict[str, str]:
    """Replacement of each probed character that ``a<c>b`` loses; "" if the character is dropped."""
    changed = {}
    for character in probe_characters():
        new = replacement_of(character, transform)
        if new is not None:
            changed[character] = new
    return changed


def changed_neighbours(
    character: str, transform: Transform, known: Collection[str]
) -> dict[str, str]:
    """Replacements of the code points before and after a changed one, until they stay unchanged.

    With these neighbours, the name of a class does not depend on the characters that the run tried.
    """
    replacements: dict[str, str] = {}
    for step in (-1, 1):
        point, unchanged = ord(character) + step, 0
        while 0x20 < point < 0x110000 and unchanged < GAP and len(replacements) < MAX_NEIGHBOURS:
            neighbour = chr(point)
            new = None if 0xD800 <= point < 0xE000 else replacement_of(neighbour, transform)
            if new is not None and neighbour not in known:
                replacements[neighbour] = new
            unchanged = unchanged + 1 if new is None else 0
            point += step
    return replacements


def replacement_of(character: str, transform: Transform) -> str | None:
    """Replacement of a character between two letters; None if it stays, or the letters change.

    A character on which the target raises counts as unchanged: another check reports exceptions.
    """
    text = between_letters(character)
    result = transform(text)
    if result is None or result == text or len(result) < 2:
        return None
    if result[0] != "a" or result[-1] != "b":
        return None
    return result[1:-1]


def between_letters(character: str) -> str:
    """Return the text that shows what becomes of a character."""
    return f"a{character}b"


def raising_characters(
    function: Callable[[str], object], characters: Iterable[str]
) -> dict[str, str]:
    """Name of the exception that the text ``a<c>b`` raises, for each character that raises one.

    ``function`` is a guarded call: it returns :class:`~tokharness.outcome.Raised`.
    """
    results = (
        (character, function(between_letters(character))) for character in sorted(characters)
    )
    return {
        character: type(result.error).__name__
        for character, result in results
        if isinstance(result, Raised)
    }


def describe_by_replacement(changed: dict[str, str]) -> dict[str, str]:
    """Describe the characters of each replacement ("" if dropped) by a class or by ranges."""
    olds: dict[str, set[int]] = {}
    for old, new in changed.items():
        olds.setdefault(new, set()).add(ord(old))
    return {new: _class_or_ranges(frozenset(olds[new])) for new in sorted(olds)}


@functools.cache
def _class_or_ranges(code_points: frozenset[int]) -> str:
    """Name of the class whose probed members are all among these, otherwise their ranges."""
    if len(code_points) == 1:
        return properties.label(chr(min(code_points)))
    if code_points <= HIGH | LOW and code_points & HIGH and code_points & LOW:
        return "surrogates (Cs)"  # no run probes all surrogates
    for name, expression in (CLASSES | LARGE).items():
        if _probed_members(expression) <= code_points and _has_all(expression, code_points):
            return name
    for name, expression in CLASSES.items():
        if _has_all(expression, code_points) and (version := _as_of(code_points, expression)):
            return f"{name} as of Unicode {version}"
    if version := _unassigned_as_of(code_points):
        return unassigned_name(version)
    if len(code_points) >= LEAST_UNASSIGNED and (name := _categories(code_points)):
        return name
    return _ranges_or_runs(code_points)


def _ranges_or_runs(code_points: frozenset[int]) -> str:
    shown = properties.ranges(code_points).split(", ")
    if len(shown) <= MAX_RANGES and len(code_points) <= MAX_NEIGHBOURS:
        return ", ".join(shown)
    if len(code_points) <= MAX_COUNTED or not (runs := _sampled_runs(code_points)):
        return f"{', '.join(shown[:MAX_RANGES])} and more: {len(code_points):,} in all"
    more = " and more" if len(runs) > MAX_RANGES else ""
    return f"{', '.join(runs[:MAX_RANGES])}{more}, of which some were asked about"


def _categories(code_points: frozenset[int]) -> str:
    """Name the general categories whose probed members beyond ASCII are just these; "" if none are.

    A target with an older version of Unicode does not know the categories of newer characters.
    """
    asked = [chr(point) for point in code_points | _probed() if point >= FIRST_AFTER_ASCII]
    for version in reversed(versions.VERSIONS):
        found = {category_in(chr(point), version) for point in code_points}
        if UNNAMED & found or len(found) > MAX_CATEGORIES or min(code_points) < FIRST_AFTER_ASCII:
            continue
        if all((category_in(one, version) in found) is (ord(one) in code_points) for one in asked):
            newest = "" if version == versions.VERSIONS[-1] else f", as of Unicode {version}"
            return f"{', '.join(sorted(found))} beyond ASCII{newest}"
    return ""


def _sampled_runs(code_points: frozenset[int]) -> list[str]:
    """Ranges of a set too large to probe in full, made from the characters that are always probed.

    Therefore the name does not depend on other characters that the run tried.
    """
    runs: list[list[int]] = []
    inside = False
    for point in sorted(_probed()):
        if point not in code_points:
            inside = False
        elif inside:
            runs[-1][1] = point
        else:
            runs.append([point, point])
            inside = True
    return [f"U+{a:04X}..U+{b:04X}" if a < b else f"U+{a:04X}" for a, b in runs]


def _as_of(code_points: frozenset[int], expression: str) -> str | None:
    """Return the Unicode version at which a class had exactly these members; tables may be old."""
    ages = _ages(expression)
    order = {version: place for place, version in enumerate(versions.VERSIONS)}
    for version, newest in order.items():
        if code_points == {p for p, age in ages.items() if age and order[age] <= newest}:
            return version
    return None


def unassigned_name(version: str) -> str:
    """Return the name for the characters that a version of Unicode has not assigned."""
    is_newest = version == versions.VERSIONS[-1]
    return UNASSIGNED if is_newest else f"{UNASSIGNED} as of Unicode {version}"


@functools.cache
def unassigned_sample() -> list[str]:
    """Characters that show what a target does with unassigned ones, and as of which version.

    They include characters that no version has assigned, and characters that each version changed.
    """
    changed = [versions.changed(old, new) for old, new in pairwise(versions.VERSIONS)]
    rows = [*changed, list(chain.from_iterable(properties.runs_of_members(LARGE[UNASSIGNED])))]
    return [chr(point) for row in rows for point in row[:: -(-len(row) // OF_EACH_AGE) or 1]]


def is_unassigned(char: str, version: str | None) -> bool:
    """Whether a Unicode version, if there is one, has not assigned a character."""
    return version is not None and category_in(char, version) == "Cn"


def unassigned_as_of(dropped: Collection[str], transform: Transform) -> str | None:
    """Return the Unicode version whose unassigned characters are dropped; None without one.

    Each character that this version has not assigned is dropped, be it declared or not, and some
    character that the version before has not assigned stays.
    """
    newest = versions.VERSIONS[-1]
    if not any(is_unassigned(char, newest) for char in dropped):
        return None
    return earliest_version(
        char for char in unassigned_sample() if replacement_of(char, transform) != ""
    )


def earliest_version(kept: Iterable[str]) -> str | None:
    """Return the first Unicode version that has assigned all of some characters, and not none."""
    kept = set(kept)
    found = [v for v in versions.VERSIONS if not any(is_unassigned(char, v) for char in kept)]
    return found[0] if kept and found else None


def _unassigned_as_of(code_points: frozenset[int]) -> str | None:
    """Return the Unicode version in which exactly these of the probed characters are unassigned."""
    if not code_points & _probed() or len(code_points) < LEAST_UNASSIGNED:
        return None
    ages = {point: versions.age(chr(point)) for point in code_points | _probed()}
    for number, version in enumerate(versions.VERSIONS):
        later = {None, *versions.VERSIONS[number + 1 :]}
        if all((age in later) is (point in code_points) for point, age in ages.items()):
            return version
    return None


@functools.cache
def _ages(expression: str) -> dict[int, str | None]:
    return {point: versions.age(chr(point)) for point in properties.members(expression)}


@functools.cache
def _probed() -> frozenset[int]:
    return frozenset(map(ord, probe_characters()))


def _members(expression: str, code_points: Collection[int]) -> frozenset[int]:
    """Return the given members of a class; a set of all members may take 70 MB."""
    runs = properties.runs_of_members(expression)
    starts = [run.start for run in runs]
    places = ((point, bisect_right(starts, point) - 1) for point in code_points)
    return frozenset(point for point, place in places if place >= 0 and point in runs[place])


@functools.cache
def _probed_members(expression: str) -> frozenset[int]:
    return _members(expression, _probed())


def _has_all(expression: str, code_points: Collection[int]) -> bool:
    return len(_members(expression, code_points)) == len(code_points)


SURROGATE = re.compile("[\ud800-\udfff]")

_IN_WORDS = {"other ids": "different ids", "other text": "a different text"}
"""Words of the message for values of the cause, which are part of its fingerprint."""


def surrogate_causes(text: str, result: str) -> list[Cause]:
    """Causes of a text that fails only with its surrogates, not with U+FFFD in their place.

    By design a pair is joined and each lone surrogate becomes U+FFFD.
    """
    dropped = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    become = ["other text"]
    if result == scalar_text(text):
        become = ["other ids"]
    elif result == dropped:
        become.insert(0, "nothing")
    elif result == SURROGATE.sub("\ufffd", text):
        become.insert(0, "U+FFFD, also in pairs")
    return [
        Cause(
            "surrogates",
            (("become", what),),
            message=f"surrogates become {_IN_WORDS.get(what, what)}; a pair should be joined, and "
            "a lone surrogate should raise or become U+FFFD",
        )
        for what in become
    ]
