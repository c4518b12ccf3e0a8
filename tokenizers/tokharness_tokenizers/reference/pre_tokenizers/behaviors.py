"""What becomes of the matches of a pattern that splits a text: the five behaviors."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokharness_tokenizers.reference.aligned import Span

__all__ = ["BEHAVIORS", "Behavior", "split_spans"]

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
    """Join each match to what is before it, if that is no match."""
    spans: list[Span] = []
    after_match = False
    for start, end, is_match in segments:
        if is_match and not after_match and spans:
            spans[-1] = spans[-1][0], end
        else:
            spans.append((start, end))
        after_match = is_match
    return spans
