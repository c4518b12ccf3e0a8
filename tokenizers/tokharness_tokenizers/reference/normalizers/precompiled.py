"""The normalizer Precompiled: the rules of a SentencePiece model, as ``tokenizers`` applies them.

SentencePiece replaces, from left to right, the longest text that has a rule
(:mod:`~.charsmap`). ``tokenizers`` departs from that (its source says that this "seems
broken"):

- it looks at each grapheme cluster (UAX #29). If a cluster of less than six bytes *begins* with a
  text that has a rule, the shortest such text decides, and its replacement takes the place of the
  whole cluster. The rest of the cluster is lost, such as U+0301 after U+FB01,
- a larger cluster, or a cluster that begins with no such text, is replaced character by character.
  Rules for several characters do not apply in it.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

import regex

from tokharness.unicode.properties import members
from tokharness.unicode.versions import VERSIONS, assigned_after, canonical
from tokharness_tokenizers.reference.normalizers.charsmap import Charsmap
from tokharness_tokenizers.reference.normalizers.mapping import CharacterMap, quick_class, run_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness_tokenizers.reference.aligned import Aligned, Edit, Span

# Grapheme clusters (UAX #29) of several characters, as a Unicode version has them.
#
# ``\X`` of ``regex`` joins a linker and the consonant after it even if no consonant is before them
# (U+0061 U+094D U+0915), against rule GB9c. So a pattern finds the clusters here, which has the
# form of table 1c of the standard.

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
"""Values of Grapheme_Cluster_Break, one of which occurs in every cluster of several characters."""

_PLAIN: Final = ord("x")
"""A character that joins no other character."""

_PREPENDED: Final = 0x0600
"""A character with the value Prepend."""

_LATE_PREPENDED: Final = 0x11A3A
"""A character that has had the value Prepend in Unicode 10.0 to 16.0."""


def long_clusters(text: str, version: str | None) -> Iterator[Span]:
    """Return the spans of the clusters of several characters (None: of the current version).

    Only characters around joining characters are examined: there is a boundary between any two
    other characters. A character that the version does not know joins no other character.
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
    extends the first, or the first is prepended to the second. (In other clusters, such as Hangul
    clusters, the first two have six bytes or more.)
    """
    if text.isascii():
        return "\r\n" in text
    return _find_short()(text) is not None


@cache
def _find_runs() -> Callable[[str], Iterator[re.Match[str]]]:
    """Return a search for runs in which any two adjacent characters include a joining character."""
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


_MAX_BYTES: Final = 5
"""The size of the largest clusters that are replaced as a whole."""


@dataclass(frozen=True)
class Precompiled:
    """Apply the rules of a charsmap, which is written as base64.

    ``version`` is the Unicode version of the grapheme clusters (None: the current version).
    """

    precompiled_charsmap: str
    version: str | None = None

    def normalize(self, text: str) -> str:
        """Return the text with all rules applied."""
        new = self._characters.normalize
        parts: list[str] = []
        at = 0
        for start, end, replacement in self._whole_clusters(text):
            parts += (new(text[at:start]), replacement)
            at = end
        return new(text) if at == 0 else "".join((*parts, new(text[at:])))

    def apply(self, text: Aligned) -> Aligned:
        """Apply the rules to an aligned text; a replacement has the span of all it replaces."""
        singles = self._charsmap.singles
        edits: list[Edit] = []
        at = 0
        for cluster in (*self._whole_clusters(text.text), (len(text.text), len(text.text), "")):
            characters = enumerate(text.text[at : cluster[0]], at)
            edits += [(p, p + 1, singles[char]) for p, char in characters if char in singles]
            edits.append(cluster)
            at = cluster[1]
        return text.edit(edits)

    def removed_at_start(self, text: str) -> int:
        """Return how many characters at the start of a text are removed."""
        singles = self._charsmap.singles
        return next((n for n, char in enumerate(text) if singles.get(char) != ""), len(text))

    def _whole_clusters(self, text: str) -> Iterator[Edit]:
        """Return the clusters that are replaced as a whole, with their replacements."""
        if not may_have_short_clusters(text):
            return
        for start, end in long_clusters(text, self.version):
            cluster = text[start:end]
            if end - start <= _MAX_BYTES and len(cluster.encode()) <= _MAX_BYTES:
                for _, _, replacement in islice(self._charsmap.matches(cluster), 1):
                    yield start, end, replacement

    @cached_property
    def _charsmap(self) -> Charsmap:
        return Charsmap(base64.b64decode(self.precompiled_charsmap, validate=True))

    @cached_property
    def _characters(self) -> CharacterMap:
        singles = self._charsmap.singles
        return CharacterMap(lambda char: singles.get(char, char), map(ord, singles))
