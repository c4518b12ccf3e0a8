r"""Grapheme clusters (UAX #29) of several characters, as a Unicode version has them.

``\X`` of ``regex`` joins a linker and the consonant after it also if no consonant is before them
(U+0061 U+094D U+0915), against rule GB9c. So the clusters are those of a pattern here, which has
the form of table 1c of the standard.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Final

import regex

from tokharness.unicode.properties import members
from tokharness.unicode.versions import VERSIONS, assigned_after, canonical
from tokharness_tokenizers.reference.normalizers.mapping import quick_class, run_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness_tokenizers.reference.aligned import Span

__all__ = ["long_clusters", "may_have_short_clusters"]

_CLUSTER: Final = regex.compile(
    r"""
    \r\n | [\p{GCB=Control}\r\n]
    | \p{GCB=Prepend}*
      (?: \p{GCB=L}* (?: \p{GCB=V}+ | \p{GCB=LV} \p{GCB=V}* | \p{GCB=LVT} ) \p{GCB=T}*
        | \p{GCB=L}+ | \p{GCB=T}+
        | \p{GCB=RI}{2}
        | \p{Extended_Pictographic} (?: \p{GCB=Extend}* \p{GCB=ZWJ} \p{Extended_Pictographic} )*
        | \p{InCB=Consonant}
          (?: \p{InCB=Extend}* \p{InCB=Linker} [\p{InCB=Extend}\p{InCB=Linker}]*
              \p{InCB=Consonant} )*
        | [^\p{GCB=Control}\r\n] )
      [\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*
    """,
    regex.VERBOSE,
)
_JOINING: Final = ("Extend", "ZWJ", "SpacingMark", "Prepend", "L", "V", "T", "RI", "CR", "LF")
"""Grapheme_Cluster_Break of the characters that every cluster of several characters has one of."""

_PLAIN: Final = ord("x")
"""A character that joins no other one."""

_PREPENDED: Final = 0x0600
"""A character with the value Prepend."""

_LATE_PREPENDED: Final = 0x11A3A
"""A character that has had the value Prepend in Unicode 10.0 to 16.0."""


def long_clusters(text: str, version: str | None) -> Iterator[Span]:
    """Return the spans of the clusters of several characters (None: of the current version).

    Only the characters around joining ones are looked at: there is a boundary between any two
    others. A character that the version does not know joins no other one.
    """
    for run in _find_runs()(text):
        at = max(run.start() - 1, 0)
        found = text[at : run.end()]
        if version is not None:
            found = found.translate(_unknown(version))
        for cluster in _CLUSTER.findall(found):
            if len(cluster) > 1:
                yield at, at + len(cluster)
            at += len(cluster)


def may_have_short_clusters(text: str) -> bool:
    """Whether a text may have a cluster of several characters and less than six bytes.

    One of its first two characters is below U+0800, has at most two bytes, and either the second
    one extends the first, or the first is prepended to the second. (In other clusters, such as
    those of Hangul, the first two have six bytes or more.)
    """
    if text.isascii():
        return "\r\n" in text
    return _find_short()(text) is not None


@cache
def _find_runs() -> Callable[[str], Iterator[re.Match[str]]]:
    """Return a search for runs in which of any two characters in a row one is joining."""
    one = quick_class(_members(*_JOINING))
    other = f"[^{one[1:]}"
    return re.compile(f"{run_of(one)}{other}?(?:{one}+{other}?)*").finditer


@cache
def _find_short() -> Callable[[str], re.Match[str] | None]:
    extending = _members("Extend", "ZWJ", "SpacingMark")
    prepended = {*_members("Prepend"), _LATE_PREPENDED}
    either = quick_class({*extending, *prepended, ord("\r")})
    low = "[\\0-\u07ff]"
    return re.compile(
        f"{either}(?:(?<={low}.)|(?<={low})|(?<={quick_class(prepended)})(?={low}))", re.DOTALL
    ).search


def _members(*values: str) -> tuple[int, ...]:
    return members("[" + "".join(rf"\p{{GCB={value}}}" for value in values) + "]")


@cache
def _unknown(version: str) -> dict[int, int]:
    """Return a table that gives characters the properties that they have in a version.

    Those that were assigned later become plain, unless they were reserved for pictographs or
    default-ignorable, and had their properties before. From 16.0 to 18.0 no other property changed
    that matters here.
    """
    later = chain.from_iterable(assigned_after(version))
    had = members(r"[\p{Extended_Pictographic}\p{Default_Ignorable_Code_Point}]")
    table = dict.fromkeys(set(later).difference(had), _PLAIN)
    if VERSIONS.index(canonical(version)) < VERSIONS.index("17.0"):
        table[_LATE_PREPENDED] = _PREPENDED
    return table
