"""Where two tokenizers with one vocabulary cut a text differently, and which rule that breaks.

Both give the bytes of the text, so only the cuts differ. A token of the target that crosses the end
of a pre-token of the reference proves another pre-token split. A pre-token that is only cut finer
may be a finer split or another merge order: both are offered, and what all failures of a run
have in common decides between them.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from random import Random
from string import ascii_lowercase

import regex

from tokharness.model import Cause, Target
from tokharness.subject import Subject, scalar_text

__all__ = ["explain_cuts"]

KINDS = (
    ("contraction", regex.compile(r"(?i:.*['\u2019](?:s|t|re|ve|m|ll|d))", regex.DOTALL)),
    ("number", regex.compile(r"\P{N}?\p{N}+")),
    ("line break", regex.compile(r"\s*[\r\n]+\s*|[^\s\p{L}\p{N}]+[\r\n][\r\n/]*")),
    ("white space", regex.compile(r"\s+")),
    ("word", regex.compile(r"[^\p{L}\p{N}]?[\p{L}\p{M}]+")),
)
"""What the alternatives of the known patterns match, in the order in which they are told apart."""


def explain_cuts(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """Causes of a difference in cuts; none where no explainer can show its pre-tokens."""
    explainer = subject.explainer
    if explainer is None or not explainer.can("pretokens"):
        return []
    cuts = {0, *accumulate(map(len, subject.token_bytes(ids)))}
    start, previous = 0, ""
    for piece in explainer.tokenizer.pretokens(scalar_text(text)):
        end = start + len(piece.encode())
        splits = list(dict.fromkeys([_split(piece), _split(previous or piece)]))
        if start not in cuts or end not in cuts:
            return splits
        inside = [cut - start for cut in sorted(cuts) if start <= cut <= end]
        if inside != _own_cuts(piece, explainer, subject):
            if subject.remember("merges agree", lambda: _merges_agree(subject, explainer)):
                return splits if _cut_in_characters(piece, inside) else [MERGE_ORDER]
            finer = splits if _is_finer_split(piece, inside, explainer, subject) else []
            return [*finer, MERGE_ORDER]
        start, previous = end, piece
    return []


def _merges_agree(subject: Subject, explainer: Target) -> bool:
    """Whether the target merges words of small ASCII letters, which no pattern cuts, alike."""
    random = Random(0)
    words = ["".join(random.choices(ascii_lowercase, k=2 + n % 11)) for n in range(300)]
    try:
        return all(subject.encode(word) == list(explainer.encode(word)) for word in words)
    except KeyboardInterrupt:
        raise
    except BaseException:  # what raises is another check's to tell
        return False


def _cut_in_characters(piece: str, cuts: list[int]) -> bool:
    """Whether a cut of these lies between two characters, where a pattern may have made it."""
    between = set(accumulate(len(char.encode()) for char in piece[:-1]))
    return not between.isdisjoint(cuts)


MERGE_ORDER = Cause("merge order", message="the same pre-tokens are merged into other tokens")


def _split(piece: str) -> Cause:
    kind = next((name for name, pattern in KINDS if pattern.fullmatch(piece)), "punctuation")
    return Cause(
        "pre-token split",
        (("of", kind),),
        message=f"text of one kind, {kind}, is split otherwise before merging",
    )


def _own_cuts(piece: str, explainer: Target, subject: Subject) -> list[int]:
    ids = list(explainer.encode(piece))
    return [0, *accumulate(map(len, subject.token_bytes(ids)))]


def _is_finer_split(piece: str, cuts: list[int], explainer: Target, subject: Subject) -> bool:
    """Whether merging between cuts that a pattern could make gives just these cuts.

    A pattern tells characters apart by class, so it may cut where the class changes, between
    digits, and in punctuation and white space, but not inside a run of letters of one case.
    """
    at = list(accumulate((len(char.encode()) for char in piece), initial=0))
    possible = {at[i] for i in range(1, len(piece)) if not _one_run(piece[i - 1], piece[i])} & set(
        cuts
    )
    ends = [0, *sorted(possible), at[-1]]
    data = piece.encode()
    merged = {0}
    for start, end in pairwise(ends):
        part = data[start:end].decode()
        merged.update(start + cut for cut in _own_cuts(part, explainer, subject))
    return bool(possible) and sorted(merged) == cuts


def _one_run(left: str, right: str) -> bool:
    return left.isalpha() and right.isalpha() and left.isupper() == right.isupper()
