"""Where two tokenizers with one vocabulary cut a text differently, and which rule that breaks.

Both give the bytes of the text, so only the cuts differ. A token of the target that crosses the end
of a pre-token of the reference proves another pre-token split; a cut inside a character, or between
two ASCII letters of one case, proves another merge order, since no pattern cuts there. Other
cuts may be either, and are taken for a split unless the run has proved that merges differ.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

import regex

from tokharness.diagnosis.ids.reclassified import reclassified_causes
from tokharness.model import Cause
from tokharness.targets.subject import scalar_text

if TYPE_CHECKING:
    from tokharness.model import Target
    from tokharness.targets.subject import Subject

__all__ = ["explain_segmentation"]

KINDS = (
    ("contraction", regex.compile(r"(?i:.*['\u2019](?:s|t|re|ve|m|ll|d))", regex.DOTALL)),
    ("number", regex.compile(r"\P{N}?\p{N}+")),
    ("line break", regex.compile(r"\s*[\r\n]+\s*| ?[^\s\p{L}\p{N}]+[\r\n][\r\n/]*")),
    ("white space", regex.compile(r"\s+")),
    ("word", regex.compile(r"[^\p{L}\p{N}]?[\p{L}\p{M}]+")),
)
"""What the alternatives of the known patterns match, in the order in which they are told apart."""


MERGE_ORDER = Cause("merge order", message="the same pre-tokens are merged into other tokens")
PROVED = "merge order is proved"
APOSTROPHES, LONGEST_CONTRACTION = "'\u2018\u2019\u02bc\uff07`\u00b4", 3
LIKE_A_CONTRACTION = regex.compile(rf"[{APOSTROPHES}]\p{{L}}")
SMALL = regex.compile("[a-z]{2}")


def explain_segmentation(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """Causes of a difference in cuts; none where no explainer can show its pre-tokens."""
    explainer = subject.explainer
    if explainer is None or not explainer.can("pretokens"):
        return []
    cuts = {0, *accumulate(map(len, subject.token_bytes(ids)))}
    reclassified = reclassified_causes(text, cuts, subject)
    if reclassified and subject.expected_causes.issuperset(reclassified):
        return reclassified
    return [*reclassified, *_by_pieces(text, cuts, explainer, subject)]


def _by_pieces(text: str, cuts: set[int], explainer: Target, subject: Subject) -> list[Cause]:
    """Causes that the first pre-token shows which is cut otherwise."""
    start, previous = 0, ""
    for piece in explainer.tokenizer.pretokens(scalar_text(text)):
        end = start + len(piece.encode())
        splits = list(dict.fromkeys([*_splits(piece), *_splits(previous or piece)]))
        if start not in cuts or end not in cuts:
            return splits
        inside = {cut - start for cut in cuts if start <= cut <= end}
        if inside != _own_cuts(piece, explainer, subject):
            return _within(piece, inside, splits, explainer, subject)
        start, previous = end, piece
    return []


def _within(
    piece: str, cuts: set[int], splits: list[Cause], explainer: Target, subject: Subject
) -> list[Cause]:
    """Causes of other cuts within one pre-token.

    If the target cut it finer first, merging what lies between those of its cuts that a pattern
    may have made gives just its cuts. Otherwise it merges otherwise, and that is remembered.
    """
    data = piece.encode()
    ends = [0, *sorted(cuts & _possible_cuts(piece)), len(data)]
    merged = {
        start + cut
        for start, end in pairwise(ends)
        for cut in _own_cuts(data[start:end].decode(), explainer, subject)
    }
    if merged == cuts:
        return [MERGE_ORDER] if subject.memo.get(PROVED) else splits
    if not subject.memo.get(PROVED):
        subject.memo[PROVED] = True
        subject.learn()
    return [MERGE_ORDER]


def _splits(piece: str) -> list[Cause]:
    """Kinds of text that a pre-token is.

    Letters behind an apostrophe may be a contraction, and punctuation takes line ends along.
    """
    kind = next((name for name, pattern in KINDS if pattern.fullmatch(piece)), "punctuation")
    kinds = ["contraction", kind] if LIKE_A_CONTRACTION.search(piece) else [kind]
    kinds += ["punctuation"] if kind == "line break" and piece.strip() else []
    return [_split(one) for one in dict.fromkeys(kinds)]


def _split(kind: str) -> Cause:
    return Cause(
        "pre-token split",
        (("of", kind),),
        message=f"text of one kind, {kind}, is split otherwise before merging",
        weak=True,
    )


def _own_cuts(piece: str, explainer: Target, subject: Subject) -> set[int]:
    ids = list(explainer.encode(piece))
    return {0, *accumulate(map(len, subject.token_bytes(ids)))}


def _possible_cuts(piece: str) -> set[int]:
    """Where a pattern may cut: between characters, but not in a run of small ASCII letters.

    Behind an apostrophe a rule for contractions may; between capitals, one for capitals.
    """
    ends = accumulate(len(character.encode()) for character in piece)
    contraction = {
        place + after
        for place, character in enumerate(piece)
        if character in APOSTROPHES
        for after in range(1, LONGEST_CONTRACTION + 1)
    }
    return {
        end
        for place, end in enumerate(ends)
        if place in contraction or not SMALL.fullmatch(piece[place : place + 2])
    }
