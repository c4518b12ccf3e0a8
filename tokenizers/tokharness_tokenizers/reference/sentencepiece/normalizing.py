"""The normalizer of SentencePiece: the rules of a charsmap, and spaces.

Source: ``normalizer.cc`` and ``doc/special_symbols.md``. From the left, a user-defined piece is
kept, or the longest text that has a rule is replaced, or a character is kept. Each result is a
chunk; spaces at its start are removed if the text before it ends with a space.

A U+2581 of the text itself is treated like the mark of a space: it is lost at the end of a text,
and becomes a space in decoded text.

SentencePiece applies the charsmap of ``nmt_nfkc`` by default. It is in the file
``nmt_nfkc.charsmap.zlib``, since making it takes seconds; :mod:`.generate_nmt_nfkc` makes the file.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import dropwhile
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from tokharness_tokenizers.reference.normalizers.charsmap import Charsmap, LongestRules
from tokharness_tokenizers.reference.sentencepiece.vocabulary import MARK

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokharness_tokenizers.reference.aligned import Edit
    from tokharness_tokenizers.reference.sentencepiece.model_file import NormalizerSpec


SPACES = re.compile("  +")


class Rules(Protocol):
    """Replaces parts of a text."""

    @property
    def verbatim(self) -> tuple[str, ...]:
        """Texts that are kept as they are."""
        ...

    def normalize(self, text: str) -> str:
        """Return the text with all parts replaced."""
        ...

    def edits(self, text: str) -> Iterable[Edit]:
        """Return the replaced parts, in order, each with its replacement."""
        ...


@dataclass(frozen=True)
class Normalizing:
    """A normalizer.

    Attributes:
        spec: Its settings.
        rules: The rules of its charsmap, and the pieces that are kept as they are.
        space_is_suffix: Whether the space that is added is put last.

    """

    spec: NormalizerSpec
    rules: Rules = field(repr=False)
    space_is_suffix: bool = False

    @classmethod
    def of(
        cls, spec: NormalizerSpec, user_defined: tuple[str, ...] = (), *, space_is_suffix: bool
    ) -> Normalizing:
        """Make the normalizer of settings; raises ValueError for a damaged charsmap."""
        data = spec.precompiled_charsmap
        rules = LongestRules(Charsmap(data) if data else None, user_defined)
        return cls(spec, rules, space_is_suffix)

    @property
    def mark(self) -> str:
        """The mark of a space."""
        return MARK if self.spec.escape_whitespaces else " "

    def normalize(self, text: str) -> str:
        """Return the normalized text."""
        spec = self.spec
        replaced = self.rules.normalize(text)
        if spec.remove_extra_whitespaces:
            if self.has_long_spaces or (self.space_is_suffix and not replaced.strip(" ")):
                return self.with_starts(text)[0]
            replaced = SPACES.sub(" ", replaced.lstrip(" "))
        elif not text:
            return ""
        if spec.escape_whitespaces:
            replaced = replaced.replace(" ", MARK)
        adds = spec.add_dummy_prefix
        if adds and not self.space_is_suffix:
            replaced = self.mark + replaced
        if spec.remove_extra_whitespaces:
            replaced = replaced.rstrip(self.mark)
        return replaced + self.mark if adds and self.space_is_suffix else replaced

    def with_starts(self, text: str) -> tuple[str, list[int]]:
        """Return the normalized text, and where in the text the chunk of each character begins.

        There is one more place, the end. This is the algorithm to read.
        """
        spec, mark = self.spec, self.mark
        chunks = list(self._chunks(text))
        if spec.remove_extra_whitespaces:
            chunks = list(dropwhile(lambda chunk: chunk[2] == " ", chunks))
        if not chunks:
            return "", []
        added = spec.add_dummy_prefix
        new = [(chunks[0][0], mark)] if added and not self.space_is_suffix else []
        consumed = chunks[-1][1]
        if spec.remove_extra_whitespaces:
            chunks = list(_without_extra_spaces(chunks))
        new += [
            (start, mark if char == " " else char) for start, _, chunk in chunks for char in chunk
        ]
        if spec.remove_extra_whitespaces:
            while new and new[-1][1] == mark:
                consumed, _ = new.pop()
        if added and self.space_is_suffix:
            new.append((consumed, mark))
        return "".join(char for _, char in new), [*(start for start, _ in new), consumed]

    def _chunks(self, text: str) -> Iterator[Edit]:
        """Yield the chunks with the places of the text that they replace."""
        at = 0
        for start, end, new in self.rules.edits(text):
            yield from ((place, place + 1, text[place]) for place in range(at, start))
            yield start, end, new
            at = end
        yield from ((place, place + 1, text[place]) for place in range(at, len(text)))

    @cached_property
    def has_long_spaces(self) -> bool:
        """Whether a chunk may have two spaces, which both stay."""
        return b"  " in self.spec.precompiled_charsmap or any(
            "  " in piece for piece in self.rules.verbatim
        )


def _without_extra_spaces(chunks: Iterable[Edit]) -> Iterator[Edit]:
    """Yield chunks without the spaces at their start that follow a space, or begin the text."""
    after_space = True
    for start, end, chunk in chunks:
        kept = chunk.lstrip(" ") if after_space else chunk
        if kept:
            after_space = kept[-1] == " "
        yield start, end, kept


FILE: Final = Path(__file__).with_name("nmt_nfkc.charsmap.zlib")


@cache
def charsmap() -> bytes:
    """Return the rules, for :attr:`.model_file.NormalizerSpec.precompiled_charsmap`."""
    return zlib.decompress(FILE.read_bytes())
