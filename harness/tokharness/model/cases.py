"""What a case family makes, and what it may know about the target."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True, slots=True)
class Case:
    """One text to test.

    Attributes:
        text: The text, which may hold lone surrogates.
        why: What is hostile about it, in a few words.
        twin: The plain text that it was made from, if there is one.

    """

    text: str
    why: str
    twin: str | None = None


@dataclass(frozen=True, slots=True)
class TargetFacts:
    """What a case family may know about the target and the run.

    Attributes:
        special_tokens: The texts of the target's special tokens and of its other added tokens.
        pattern: The regular expression of its pre-tokenizer, if it is known.
        profile: How thorough the run is: ``quick``, ``standard`` or ``thorough``.
        regressions: Texts that failed before and are kept by the project, each with the reason.
        tokens: Returns the tokens of the target's vocabulary that are text by themselves, in the
            order of their ids, without repetition; none if they are unknown. The first call may
            take seconds.
        merges: Returns the merges of the target and, if they are others, those of a reference that
            the user named: pairs of bytes, as they stand in a text, first ones first. They are
            those of the automatic reference if the target shows none, and an even sample of very
            many. None if they are unknown.
        scores: Returns the pieces of a Unigram model with their scores, in the same way.

    """

    special_tokens: tuple[str, ...] = ()
    pattern: str | None = None
    profile: str = "standard"
    regressions: tuple[tuple[str, str], ...] = ()
    tokens: Callable[[], Sequence[str]] = field(default=tuple, compare=False, repr=False)
    merges: Callable[[], Sequence[Sequence[tuple[bytes, bytes]]]] = field(
        default=tuple, compare=False, repr=False
    )
    scores: Callable[[], Sequence[Sequence[tuple[bytes, float]]]] = field(
        default=tuple, compare=False, repr=False
    )
