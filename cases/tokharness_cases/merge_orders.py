r"""Texts that depend on the rank of each merge, or the score of each piece, and ordinary words.

A vocabulary may keep all its tokens and have its merges in another order: a line was moved, two
lines have changed places, a line stands twice, or a merge is gone whose token another merge makes,
too. Then each token's own text is still encoded as this token, but ``=requirements`` gets different
ids. Texts in which two merges overlap show the order: in ``x y z``, the merge that is first in the
list takes y. The pieces of a Unigram model overlap in the same way, and their scores decide.

The merges and the scores come from the target or, if it does not show them, from its reference. If
``--against`` names a reference with other merges or scores, such as the file before a change, each
merge that was moved, dropped or added is tried with every merge that it overlaps and has passed,
and each piece with another score with every piece that it overlaps. If neither side shows merges or
scores, the family is empty.

A quick run tries every merge, or piece, that overlaps another, with its nearest successor in the
list; of more than 65,536 merges it tries an even sample, unless both sides show their merges or
scores. It also tries the words of CLDR's names in all languages, and of the sentences and the code
of this package, whole and with the space before them. A standard run tries every merge with its
nearest neighbour on either side, and more names; a thorough run tries three neighbours. A case
joins sixteen such strings.

Source: the vocabulary of the target; Sennrich et al. 2016; Kudo 2018; CLDR.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.languages import parallel_names, parallel_texts
from tokharness_cases._case_file import curated_cases
from tokharness_cases._changed_order import changed_texts
from tokharness_cases._family import NO_FACTS, PLAIN_PIECES
from tokharness_cases._overlaps import (
    overlaps_of_merges,
    overlaps_of_scores,
    texts_of,
)
from tokharness_cases._packed import PackedTexts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hypothesis.strategies import SearchStrategy

    from tokharness_cases._overlaps import Overlaps, Pair

__all__ = ["EXHAUSTIVE", "cases", "strategy", "texts"]

EXHAUSTIVE = True

NEIGHBOURS = {"quick": 0, "standard": 1, "thorough": 3}
"""Neighbours of higher and of lower rank, each; with none, each merge is in one text."""

TEXTS_PER_CASE = 16
WORD = re.compile(r"\s?\S+")


@dataclass(frozen=True, slots=True)
class _Part:
    """Texts to pack, each in a line or behind one another."""

    why: str
    pieces: Sequence[str]
    in_lines: bool = True

    def __len__(self) -> int:
        return (len(self.pieces) + TEXTS_PER_CASE - 1) // TEXTS_PER_CASE

    def texts(self, start: int, stop: int) -> list[str]:
        """Return the texts from number ``start`` to before ``stop``."""
        end = min(stop, len(self)) * TEXTS_PER_CASE
        places = range(start * TEXTS_PER_CASE, end, TEXTS_PER_CASE)
        packs = (self.pieces[place : place + TEXTS_PER_CASE] for place in places)
        if self.in_lines:
            return ["\n" + " \n".join(pack) + " " for pack in packs]
        return list(map("".join, packs))


def _parts(facts: TargetFacts) -> Sequence[_Part]:
    return _parts_of_tables(facts.merges, facts.scores, facts.profile)


@lru_cache(maxsize=1)  # its texts are made for units, and its cases for audits
def _parts_of_tables(
    merges: Callable[[], Sequence[Sequence[Pair]]],
    scores: Callable[[], Sequence[Sequence[tuple[bytes, float]]]],
    profile: str,
) -> Sequence[_Part]:
    tables = [*map(overlaps_of_merges, merges()), *map(overlaps_of_scores, scores())]
    if not tables:
        return ()
    return (
        _Part("what a change of the order decides", _changed(tables)),
        _Part("words", _words(profile), in_lines=False),
        _Part("merges or pieces that overlap", _overlapping(tables, profile)),
    )


def _changed(tables: Sequence[Overlaps]) -> list[str]:
    first, others = tables[0], tables[1:]
    return list(dict.fromkeys(text for other in others for text in changed_texts(other, first)))


def _overlapping(tables: Sequence[Overlaps], profile: str) -> list[str]:
    found = (text for table in tables for text in texts_of(table, NEIGHBOURS[profile]))
    return list(dict.fromkeys(found))


@cache
def _words(profile: str) -> list[str]:
    bodies = [text for text, _ in parallel_texts().values()]
    if profile != "quick":
        bodies += [text for text, _ in parallel_names().values()]
    for name in ("sentences", "code"):
        bodies += [case.text for case in curated_cases(name)]
    return list(dict.fromkeys(word for text in bodies for word in WORD.findall(f" {text}")))


def texts(facts: TargetFacts = NO_FACTS) -> Sequence[str]:
    """Return the texts of the cases, in their order."""
    parts = _parts(facts)
    return PackedTexts(parts) if parts else ()


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Texts of a change, words, and texts of overlaps, in a fixed order."""
    for part in _parts(facts):
        for text in part.texts(0, len(part)):
            yield Case(text, part.why)


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Pieces of the first merges in any sequence; plain pieces if none are known."""
    from hypothesis import strategies as st

    known = [row[0] for table in (*facts.merges(), *facts.scores()) for row in table[:20_000]]
    pieces = [text for data in known if (text := data.decode(errors="ignore"))]
    return st.lists(st.sampled_from(pieces or PLAIN_PIECES), min_size=1, max_size=8).map("".join)
