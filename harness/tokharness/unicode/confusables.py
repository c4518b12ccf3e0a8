"""Confusable texts: the skeleton of UTS #39 section 4 and the script tests of section 5.

The pairs come from the data file of the package ``confusable-homoglyphs``; none of its code runs.
The file has the pairs of the standard's ``confusables.txt`` in both directions and marks no
prototypes, but each of its connected classes is a star with the prototype at its center. So the
prototype of a class is *the member with the most partners*, and the prototype of a pair is the
member listed second, since the standard's file lists a source before its prototype. This recovers
the prototypes of the standard.

This module is stricter than the standard in one respect: prototypes are mapped again until they no
longer change, so that ``skeleton(skeleton(x)) == skeleton(x)``.
"""

from __future__ import annotations

import json
from collections import defaultdict
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import TYPE_CHECKING

import regex

from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import SCRIPT_NAMES, script_extensions, script_extensions_of

if TYPE_CHECKING:
    from collections.abc import Iterable

DATA_SOURCE = "UTS #39 confusables of confusable-homoglyphs " + version("confusable-homoglyphs")
"""Name and version of the confusables data, for reports."""

_AUGMENTED = {
    "Hani": frozenset({"Hanb", "Jpan", "Kore"}),
    "Hira": frozenset({"Jpan"}),
    "Kana": frozenset({"Jpan"}),
    "Hang": frozenset({"Kore"}),
    "Bopo": frozenset({"Hanb"}),
}
_COMMON = frozenset({"Zyyy", "Zinh"})

ALL_SCRIPTS = frozenset(SCRIPT_NAMES).union(*_AUGMENTED.values()) - _COMMON
"""Resolved script set of a text without a script of its own, such as "123"."""

FREQUENT = range(0x3000)
"""Code points that are mapped faster if the map has them, even if mapped to themselves."""

_DEFAULT_IGNORABLE = regex.compile(r"\p{Default_Ignorable_Code_Point}+")


def skeleton(text: str) -> str:
    """Return the skeleton of a text; texts that look alike have the same skeleton.

    The skeleton is the NFD without default-ignorables, with each character mapped to its prototype,
    in NFD again. A skeleton is for comparison, not for display: the skeleton of "m" is "rn".
    """
    return _map(text, _prototypes())


def are_confusable(first: str, second: str) -> bool:
    """Whether two different texts have the same skeleton."""
    return first != second and skeleton(first) == skeleton(second)


def confusables_of(char: str) -> tuple[str, ...]:
    """Return the other texts of the data, of any length, that look like ``char``, sorted."""
    return tuple(text for text in _classes().get(skeleton(char), ()) if text != char)


def confusable_characters() -> list[str]:
    """Return the characters of the data, which look like another text, sorted."""
    texts = {text for similar in _classes().values() for text in similar}
    return sorted(text for text in texts if len(text) == 1)


def resolved_scripts(text: str) -> frozenset[str]:
    """Return the scripts in which every character of a text is used (UTS #39 section 5.1).

    Han, kana, Hangul and Bopomofo also count as the writing systems Hanb, Jpan and Kore. The set is
    empty for a mixed-script text, and :data:`ALL_SCRIPTS` for a text without a script of its own.
    """
    resolved = ALL_SCRIPTS
    for char in set(text):
        resolved &= _augmented(script_extensions(char))
    return resolved


def resolved_scripts_of(chars: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return :func:`resolved_scripts` of each character, much faster if there are thousands."""
    known: dict[frozenset[str], frozenset[str]] = {}
    extensions = script_extensions_of(chars)
    for scripts in extensions.values():
        if scripts not in known:
            known[scripts] = ALL_SCRIPTS & _augmented(scripts)
    return {char: known[scripts] for char, scripts in extensions.items()}


def is_whole_script_confusable(text: str, *scripts: str) -> bool:
    """Whether a text of one script could be a text of one of ``scripts`` (UTS #39 section 4).

    Every character needs a lookalike in the same other script; lookalikes without a script do not
    count. ``scripts`` are ISO 15924 codes, by default all. A text of mixed scripts, or without a
    script, is not confusable.
    """
    own = resolved_scripts(text)
    if not own or own == ALL_SCRIPTS:
        return False
    others = (frozenset(scripts) or ALL_SCRIPTS) - own
    for char in set(normalize("NFD", text)):
        if not _COMMON & script_extensions(char):
            others &= _scripts_of_lookalikes(char)
    return bool(others)


@cache
def _scripts_of_lookalikes(char: str) -> frozenset[str]:
    """Return the scripts of a character and of its lookalikes that have scripts."""
    lookalikes = confusables_of(char)
    scripts = resolved_scripts_of("".join(lookalikes))
    script_sets = (ALL_SCRIPTS.intersection(*map(scripts.__getitem__, text)) for text in lookalikes)
    # Mathematical letters are in all scripts and would make any word look like any script.
    return script_extensions(char).union(*(own for own in script_sets if own != ALL_SCRIPTS))


def _augmented(scripts: frozenset[str]) -> frozenset[str]:
    if scripts & _COMMON:
        return ALL_SCRIPTS
    return scripts.union(*(_AUGMENTED.get(code, ()) for code in scripts))


def _map(text: str, prototypes: dict[int, str]) -> str:
    visible = _DEFAULT_IGNORABLE.sub("", normalize("NFD", text))
    return normalize("NFD", visible.translate(prototypes))


def _map_each(texts: Iterable[str], prototypes: dict[int, str]) -> list[str]:
    """Map many texts without line feeds, which the map keeps, at once."""
    return _map("\n".join(texts), prototypes).split("\n")


@cache
def _pairs() -> dict[str, tuple[str, ...]]:
    source = files("confusable_homoglyphs").joinpath("confusables.json")
    data = json.loads(source.read_text(encoding="utf-8"))
    # The standard's file isolates right-to-left characters with U+200E, which the data still has.
    return {
        text.replace("\u200e", ""): tuple(entry["c"].replace("\u200e", "") for entry in partners)
        for text, partners in data.items()
    }


@cache
def _prototypes() -> dict[int, str]:
    pairs = _pairs()
    position = {text: index for index, text in enumerate(pairs)}

    def weight(text: str) -> tuple[int, int]:
        return len(pairs[text]), position[text]

    table = {
        ord(text): prototype
        for text, partners in pairs.items()
        if len(text) == 1 and weight(prototype := max(partners, key=weight)) > weight(text)
    }
    while (mapped := dict(zip(table, _map_each(table.values(), table), strict=True))) != table:
        table = mapped
    return {**{point: chr(point) for point in FREQUENT}, **table}


@cache
def _classes() -> dict[str, tuple[str, ...]]:
    classes: defaultdict[str, set[str]] = defaultdict(set)
    texts = _pairs()
    for text, key in zip(texts, _map_each(texts, _prototypes()), strict=True):
        classes[key].update((text, key))
    return {key: tuple(sorted(texts)) for key, texts in classes.items()}
