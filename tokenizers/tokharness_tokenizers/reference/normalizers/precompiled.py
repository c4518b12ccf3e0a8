"""The normalizer Precompiled: the rules of a SentencePiece model, as ``tokenizers`` applies them.

SentencePiece replaces, from left to right, the longest text that has a rule
(:mod:`~.longest_rules`). ``tokenizers`` departs from that (its source says that this "seems
broken"):

- it looks at each grapheme cluster (UAX #29). If a cluster of less than six bytes *begins* with a
  text that has a rule, the shortest such text decides, and its replacement takes the place of the
  whole cluster. What follows in the cluster is lost, such as U+0301 after U+FB01,
- a larger cluster, and one that begins with no such text, is replaced character by character.
  Rules for several characters do not apply in it.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.normalizers.charsmap import Charsmap
from tokharness_tokenizers.reference.normalizers.clusters import (
    long_clusters,
    may_have_short_clusters,
)
from tokharness_tokenizers.reference.normalizers.mapping import CharacterMap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness_tokenizers.reference.aligned import Aligned, Edit

__all__ = ["Precompiled"]

_MAX_BYTES: Final = 5
"""The size of the largest clusters that are replaced as a whole."""


@dataclass(frozen=True)
class Precompiled:
    """Apply the rules of a charsmap, which is written as base64.

    ``version`` is the Unicode version of the grapheme clusters (None: the current one).
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
