"""What a case family makes, what it may know about the target, and the results of the target."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tokharness.boundary.id_columns import IdColumn


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


@dataclass(frozen=True, slots=True)
class Batch:
    """The results of a target, and of its reference, for texts of one family, as columns.

    Row *i* of every column belongs to ``texts[i]``.

    Attributes:
        family: The name of the family.
        texts: The texts.
        ids: The ids of each text; None where the target raised.
        decoded: The round trip of each text; None where encoding or decoding raised.
        errors: By row, what the target raised.
        reference_ids: The ids of the reference; None without a reference. A row is None where the
            reference raised or ended its process.
        not_compared: The number of those rows for which the target has ids.
        reference_errors: By row, what the reference raised.
        recheck_every: The distance of the rows for checks that call the target again; 0 for none.
        facts: Whether rows fail that show only what is by design. A packed text does not: for a
            fact it is not worth to run all of its parts.
        all_ids: The ids of all texts in a row, if they are exact integers; None if that is unknown.

    """

    family: str
    texts: Sequence[str]
    ids: Sequence[list[int] | None]
    decoded: Sequence[str | None]
    errors: Mapping[int, BaseException]
    reference_ids: Sequence[list[int] | None] | None = None
    not_compared: int = 0
    recheck_every: int = 1
    all_ids: IdColumn | None = None
    reference_errors: Mapping[int, BaseException] = field(default_factory=dict)
    facts: bool = True

    @property
    def rechecked_rows(self) -> range:
        """Rows for a check that calls the target again: every ``recheck_every``-th."""
        return range(0, len(self.texts), self.recheck_every) if self.recheck_every else range(0)

    @property
    def sampled_rows(self) -> list[int]:
        """The rechecked rows that have ids."""
        return [row for row in self.rechecked_rows if self.ids[row] is not None]
