"""Confusable texts: the skeleton of UTS #39 section 4 and the script tests of section 5.

The pairs come from the data file of the package ``confusable-homoglyphs``; none of its code runs.
The file keeps the pairs of the standard's ``confusables.txt`` both ways round and names no
prototype, but each of its connected classes is a star whose centre is the prototype. So the
prototype of a class is *the member with the most partners*, and of a pair the one listed second,
as a source stands before its prototype in the standard's file. That gives back the prototypes of
the standard.

One thing is stricter than the standard: prototypes are mapped until nothing in them maps any
further, so that ``skeleton(skeleton(x)) == skeleton(x)``.
"""

from __future__ import annotations

import json
from collections import defaultdict
from functools import cache
from importlib.metadata import version
from importlib.resources import files

import regex

from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import script_extensions
from tokharness.unicode.scripts import SCRIPT_NAMES

__all__ = [
    "ALL_SCRIPTS",
    "DATA_SOURCE",
    "are_confusable",
    "confusables_of",
    "is_mixed_script",
    "is_whole_script_confusable",
    "resolved_scripts",
    "skeleton",
]

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
"""Resolved script set of a text that belongs to no script in particular, "123" for instance."""

_DEFAULT_IGNORABLE = regex.compile(r"\p{Default_Ignorable_Code_Point}+")


def skeleton(text: str) -> str:
    """Skeleton of a text: two texts that look alike have the same one.

    NFD, without default-ignorables, each character mapped to its prototype, NFD again. A skeleton
    is for comparing, not for showing: that of "m" is "rn".
    """
    return _mapped(text, _prototypes())


def are_confusable(one: str, other: str) -> bool:
    """Whether two different texts have the same skeleton."""
    return one != other and skeleton(one) == skeleton(other)


def confusables_of(char: str) -> tuple[str, ...]:
    """Texts of the data, of one or more characters, that look like ``char``; sorted, without it."""
    return tuple(text for text in _classes().get(skeleton(char), ()) if text != char)


def resolved_scripts(text: str) -> frozenset[str]:
    """Scripts that every character of a text is used in (UTS #39 section 5.1).

    Han, kana, Hangul and Bopomofo also count as the writing systems Hanb, Jpan and Kore. Empty
    for a mixed-script text, :data:`ALL_SCRIPTS` for one without any script of its own.
    """
    resolved = ALL_SCRIPTS
    for char in set(text):
        resolved &= _augmented(char)
    return resolved


def is_mixed_script(text: str) -> bool:
    """Whether no one script (or writing system) covers a text."""
    return not resolved_scripts(text)


def is_whole_script_confusable(text: str, *scripts: str) -> bool:
    """Whether a text of one script could be a text of one of ``scripts`` (UTS #39 section 4).

    Every character has to have a lookalike in the same one other script, and lookalikes of no
    script do not count; ``scripts`` are ISO 15924 codes, any when none is given. A text of mixed
    scripts, or of none, is not confusable.
    """
    own = resolved_scripts(text)
    if not own or own == ALL_SCRIPTS:
        return False
    others = (frozenset(scripts) or ALL_SCRIPTS) - own
    for char in set(normalize("NFD", text)):
        if not _COMMON & script_extensions(char):
            # Mathematical letters belong to all scripts and would turn any word into any script.
            written = (resolved_scripts(other) for other in confusables_of(char))
            lookalikes = (scripts for scripts in written if scripts != ALL_SCRIPTS)
            others &= script_extensions(char).union(*lookalikes)
    return bool(others)


def _augmented(char: str) -> frozenset[str]:
    found = script_extensions(char)
    if found & _COMMON:
        return ALL_SCRIPTS
    return found.union(*(_AUGMENTED.get(code, ()) for code in found))


def _mapped(text: str, prototypes: dict[int, str]) -> str:
    visible = _DEFAULT_IGNORABLE.sub("", normalize("NFD", text))
    return normalize("NFD", visible.translate(prototypes))


@cache
def _pairs() -> dict[str, tuple[str, ...]]:
    source = files("confusable_homoglyphs").joinpath("confusables.json")
    data = json.loads(source.read_text(encoding="utf-8"))
    # The standard's file isolates right-to-left characters with U+200E, and the marks got in here.
    return {
        text.replace("\u200e", ""): tuple(entry["c"].replace("\u200e", "") for entry in partners)
        for text, partners in data.items()
    }


@cache
def _prototypes() -> dict[int, str]:
    pairs = _pairs()
    listed = {text: place for place, text in enumerate(pairs)}

    def weight(text: str) -> tuple[int, int]:
        return len(pairs[text]), listed[text]

    table = {
        ord(text): prototype
        for text, partners in pairs.items()
        if len(text) == 1 and weight(prototype := max(partners, key=weight)) > weight(text)
    }
    while further := {
        point: mapped
        for point, prototype in table.items()
        if (mapped := _mapped(prototype, table)) != prototype
    }:
        table.update(further)
    return table


@cache
def _classes() -> dict[str, tuple[str, ...]]:
    classes: defaultdict[str, set[str]] = defaultdict(set)
    for text in _pairs():
        classes[skeleton(text)].update((text, skeleton(text)))
    return {key: tuple(sorted(texts)) for key, texts in classes.items()}
