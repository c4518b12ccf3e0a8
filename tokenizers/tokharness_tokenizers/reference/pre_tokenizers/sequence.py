"""Pre-tokenizers that cut at matches (Split, CharDelimiterSplit, FixedLength), and sequences."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import chain, groupby
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from tokharness_tokenizers.reference.aligned import Aligned
from tokharness_tokenizers.reference.components import refuse_growth
from tokharness_tokenizers.reference.pre_tokenizers.metaspace import ByteLevel, Metaspace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokharness_tokenizers.reference.aligned import Span
    from tokharness_tokenizers.reference.components import PreTokenizer
    from tokharness_tokenizers.reference.searching import Find, Pieces


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


# The five behaviors, which decide about the matches of a pattern that splits a text.

Behavior: TypeAlias = Literal[
    "Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"
]
BEHAVIORS: Final[tuple[Behavior, ...]] = (
    "Removed",
    "Isolated",
    "MergedWithPrevious",
    "MergedWithNext",
    "Contiguous",
)

_Segment: TypeAlias = "tuple[int, int, bool]"  # start, end, whether it is a match


def split_spans(
    length: int, matches: Iterable[Span], behavior: Behavior, *, invert: bool = False
) -> list[Span]:
    """Return the spans into which matches split a text of ``length`` characters.

    ``-`` splits ``the-final--countdown`` as the documentation of ``tokenizers`` says:

    ====================  ==================================
    Removed               the | final | countdown
    Isolated              the | - | final | - | - | countdown
    MergedWithPrevious    the- | final- | - | countdown
    MergedWithNext        the | -final | - | -countdown
    Contiguous            the | - | final | -- | countdown
    ====================  ==================================

    ``invert`` exchanges matches and the text between them. An empty match splits, too.
    """
    segments = [(a, b, found is not invert) for a, b, found in _segments(length, matches)]
    if behavior == "Removed":
        spans = [(start, end) for start, end, is_match in segments if not is_match]
    elif behavior == "MergedWithPrevious":
        spans = _merged(segments)
    elif behavior == "MergedWithNext":
        mirrored = [(length - end, length - start, found) for start, end, found in segments[::-1]]
        spans = [(length - end, length - start) for start, end in _merged(mirrored)[::-1]]
    elif behavior == "Contiguous":
        runs = [list(run) for _, run in groupby(segments, key=lambda segment: segment[2])]
        spans = [(run[0][0], run[-1][1]) for run in runs]
    else:
        spans = [(start, end) for start, end, _ in segments]
    return [(start, end) for start, end in spans if start < end]


def _segments(length: int, matches: Iterable[Span]) -> Iterator[_Segment]:
    done = 0
    for start, end in matches:
        if done < start:
            yield done, start, False
        yield start, end, True
        done = end
    if done < length:
        yield done, length, False


def _merged(segments: list[_Segment]) -> list[Span]:
    """Join each match to the segment before it, unless this is a match too."""
    spans: list[Span] = []
    after_match = False
    for start, end, is_match in segments:
        if is_match and not after_match and spans:
            spans[-1] = spans[-1][0], end
        else:
            spans.append((start, end))
        after_match = is_match
    return spans


class Cutter(ABC):
    """A pre-tokenizer that cuts a text at the same places, even if it is not at the start."""

    __slots__ = ()

    @abstractmethod
    def words(self, text: str) -> list[str]:
        """Return the pre-tokens of a text."""

    @abstractmethod
    def spans(self, text: str) -> Iterable[Span]:
        """Return the place of each of these pre-tokens."""

    def pieces(self, text: str, *, at_start: bool) -> list[str]:  # noqa: ARG002
        """Return the pre-tokens of a text."""
        return self.words(text)

    def split(self, text: Aligned, *, at_start: bool) -> list[Aligned]:  # noqa: ARG002
        """Return the pre-tokens of an aligned text."""
        return [text[start:end] for start, end in self.spans(text.text)]


# The pre-tokenizer Split: split a text at the matches of a pattern.


@dataclass(frozen=True, slots=True)
class Split(Cutter):
    """Split a text at matches, which the behavior keeps, removes or joins.

    ``isolated`` is a faster function for the behavior Isolated with the same matches.
    """

    find: Find
    behavior: Behavior = "Isolated"
    invert: bool = False
    isolated: Pieces | None = None

    def words(self, text: str) -> list[str]:
        """Return the pre-tokens of a text."""
        # Isolated keeps all parts, whether or not they are matches.
        if self.isolated is not None and self.behavior == "Isolated":
            return self.isolated(text)
        return [text[start:end] for start, end in self.spans(text)]

    def spans(self, text: str) -> list[Span]:
        """Return the place of each of these pre-tokens."""
        return split_spans(len(text), self.find(text), self.behavior, invert=self.invert)


# Pre-tokenizers without Unicode data: CharDelimiterSplit and FixedLength.


@dataclass(frozen=True, slots=True)
class CharDelimiterSplit(Cutter):
    """Split a text at a character, and remove it."""

    delimiter: str

    def words(self, text: str) -> list[str]:
        """Return the pre-tokens of a text."""
        return list(filter(None, text.split(self.delimiter)))

    def spans(self, text: str) -> Iterator[Span]:
        """Return the place of each of these pre-tokens."""
        start = 0
        for part in text.split(self.delimiter):
            if part:
                yield start, start + len(part)
            start += len(part) + 1


@dataclass(frozen=True, slots=True)
class FixedLength(Cutter):
    """Split a text into pieces of ``length`` code points; the last piece may be shorter.

    Raises:
        ValueError: the length is 0. (``tokenizers`` 0.23.3 ends with a panic when it encodes, 1.0
            does not split the text.)

    """

    length: int = 5

    def __post_init__(self) -> None:
        if self.length < 1:
            raise ValueError(f"the length of pre-tokens is {self.length}")

    def words(self, text: str) -> list[str]:
        """Return the pre-tokens of a text."""
        size = self.length
        return [text[at : at + size] for at in range(0, len(text), size)]

    def spans(self, text: str) -> list[Span]:
        """Return the place of each of these pre-tokens."""
        size = self.length
        return [(at, at + size) for at in range(0, len(text), size)]
