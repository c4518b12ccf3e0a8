"""Pre-tokenizers one after the other, and their components."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.aligned import Aligned
from tokharness_tokenizers.reference.growth import refuse_growth
from tokharness_tokenizers.reference.pre_tokenizers.metaspace import ByteLevel, Metaspace

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.components import PreTokenizer


@dataclass(frozen=True, slots=True)
class Sequence:
    """Apply each pre-tokenizer to the pieces of the previous pre-tokenizer.

    A piece is at the start if no text precedes it. (``tokenizers`` uses the place in the original
    text instead: if a normalizer has made the first character longer, all its pieces begin there.)
    If ``bounded``, a text that becomes too long raises LargeError.
    """

    components: tuple[PreTokenizer, ...]
    bounded: bool = False

    def pieces(self, text: str, *, at_start: bool) -> list[str]:
        """Return the pre-tokens of a text."""
        if at_start and any(map(depends_on_start, self.components[1:])):
            return [part.text for part in self._parts(Aligned.of(text), at_start=True)]
        words = [text] if text else []
        for component in self.components:
            new = (component.pieces(word, at_start=at_start) for word in words)
            words = list(chain.from_iterable(new))
            if self.bounded:
                refuse_growth(len(text), sum(map(len, words)))
        return words

    def split(self, text: Aligned, *, at_start: bool) -> list[Aligned]:
        """Return the pre-tokens of an aligned text."""
        parts = self._parts(Aligned.of(text.text), at_start=at_start)
        if text.spans is None:
            return [Aligned(part.text) for part in parts]
        return [
            Aligned(part.text, tuple(text.span(*span) for span in part.spans or ()))
            for part in parts
        ]

    def _parts(self, text: Aligned, *, at_start: bool) -> list[Aligned]:
        """Return the pre-tokens of a text in which the spans are places."""
        parts = [text] if text.text else []
        for component in self.components:
            split = component.split
            new = (split(part, at_start=at_start and part.span(0, 0)[0] == 0) for part in parts)
            parts = list(chain.from_iterable(new))
            if self.bounded:
                refuse_growth(len(text.text), sum(len(part.text) for part in parts))
        return parts


def depends_on_start(component: PreTokenizer) -> bool:
    """Whether a pre-tokenizer treats the start of the whole text in its own way."""
    if isinstance(component, Sequence):
        return any(map(depends_on_start, component.components))
    return isinstance(component, Metaspace) and component.prepend_scheme == "first"


def components_of(pre_tokenizer: PreTokenizer | None) -> tuple[PreTokenizer, ...]:
    """Return the components of a pre-tokenizer, in their order."""
    if pre_tokenizer is None:
        return ()
    if isinstance(pre_tokenizer, Sequence):
        return tuple(one for part in pre_tokenizer.components for one in components_of(part))
    return (pre_tokenizer,)


def ends_in_bytes(pre_tokenizer: PreTokenizer | None) -> bool:
    """Whether the last component writes the bytes of a word as characters."""
    return any(isinstance(one, ByteLevel) for one in components_of(pre_tokenizer)[-1:])
