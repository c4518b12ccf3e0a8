"""Tokens between which a tokenizer may choose: equal once normalized, or equal in score.

The choice may depend on the order of a hash table, and therefore differ between processes.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.entry_points.affixes import reference_affixes
from tokharness.diagnosis.ids.stages import MODEL
from tokharness.diagnosis.text.normal_forms import FORMS
from tokharness.diagnosis.vocabulary import shared_ids
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

# Texts with several segmentations of the same score: each side takes a different segmentation.

PRECISION = 1e-12
"""Largest relative difference between sums of the same numbers in different orders."""

MOST_SCORES = 400
"""Ids whose scores show whether a file has scores."""

EQUAL_SCORES = Cause(
    MODEL,
    (("differs", "equal scores"),),
    Verdict.RISK,
    "of several segmentations with the same score the target takes another one, as a library does "
    "that rounds the scores when it reads the file; which one is not defined",
)


def equal_score_causes(text: str, ids: Sequence[Any], subject: Subject) -> list[Cause]:
    """Return the cause if the ids of both sides spell the same text with the same score."""
    wanted = subject.reference_ids(text)
    # A class of the user may have a method of this name, with another meaning.
    sides = (subject.reference, subject.explainer, subject.target)
    scorers = (one for one in sides if one is not None and one.can("score"))
    scorer = next((one for one in scorers if one.can("token_text")), None)
    if scorer is None or wanted is None:
        return []
    if not subject.cache.get_or_compute("has scores", lambda: _has_scores(scorer)):
        return []
    ours, theirs = (_spelled_and_score(row, scorer) for row in (ids, wanted))
    if ours is None or theirs is None or ours[0] != theirs[0]:
        return []
    return [EQUAL_SCORES] if math.isclose(ours[1], theirs[1], rel_tol=PRECISION) else []


def _has_scores(scorer: Target) -> bool:
    """Whether tokens have different scores; all ways are equal if a file has lost its scores.

    The unknown token and unused ones may have a score of their own.
    """
    size = scorer.n_vocab or 0
    rows = [[number] for number in range(0, size, -(-size // MOST_SCORES) or 1)]
    scores = {one for one in scorer.call_each("score", rows) if isinstance(one, float | int)}
    return len(scores) > min(2, size - 1)


def _spelled_and_score(ids: Sequence[Any], scorer: Target) -> tuple[str, float] | None:
    texts = scorer.call_each("token_text", ids)
    score = scorer.call("score", list(ids))
    if not isinstance(score, float | int) or not all(isinstance(text, str) for text in texts):
        return None
    return "".join(texts), float(score)


KIND, EQUAL = "added tokens", "equal once normalized"


def equal_added_causes(ids: Sequence[Any], wanted: Sequence[Any], subject: Subject) -> list[Cause]:
    """Return the pairs of equal added tokens that are exchanged, if only these ids differ."""
    if len(ids) != len(wanted) or len(subject.target.added_tokens) < 2:
        return []
    differing = {frozenset(pair) for pair in zip(ids, wanted, strict=True) if pair[0] != pair[1]}
    known = _pairs(subject)
    return [known[pair] for pair in differing] if differing <= known.keys() else []


def is_decided_in_each_process(cause: Cause) -> bool:
    """Whether the cause may differ by chance between processes, without any state of the target."""
    return cause.kind == shared_ids.KIND or (cause.kind == KIND and EQUAL in dict(cause.parameters))


def equal_added_failures(subject: Subject) -> Iterator[Failure]:
    """Report each pair of equal added tokens, and the token whose own text does not give its id."""
    for pair, cause in _pairs(subject).items():
        texts = {n: text for text, n in subject.target.added_tokens.items() if n in pair}
        lost = next((n for n, text in texts.items() if _id_of(text, subject) != n), None)
        if lost is not None:
            yield Failure(cause, text=texts[lost], evidence={"ids": sorted(pair), "lost": lost})


def _pairs(subject: Subject) -> dict[frozenset[int], Cause]:
    """Return the causes of all pairs of added tokens whose texts get the same id."""
    return subject.cache.get_or_compute("equal added tokens", lambda: dict(_equal(subject)))


def _equal(subject: Subject) -> Iterator[tuple[frozenset[int], Cause]]:
    for texts in _candidates(subject):
        for one, other in combinations(texts, 2):
            ids = frozenset(subject.target.added_tokens[text] for text in (one, other))
            given = {_id_of(text, subject) for text in (one, other)}
            if len(ids) == 2 and len(given) == 1 and given <= ids:
                yield ids, _cause(one, other)


def _candidates(subject: Subject) -> Iterator[tuple[str, ...]]:
    """Yield groups of added tokens whose texts are equal in a normal form."""
    seen = set()
    for form in FORMS.values():
        groups: dict[str, list[str]] = {}
        for text in subject.target.added_tokens:
            groups.setdefault(form(text), []).append(text)
        for texts in groups.values():
            if len(texts) > 1 and (key := tuple(sorted(texts))) not in seen:
                seen.add(key)
                yield key


def _id_of(text: str, subject: Subject) -> Any:
    """Return the only id of a text; None if it has several or none."""
    ids = reference_affixes(subject).without(subject.encode(text) or [])
    return ids[0] if len(ids) == 1 else None


def _cause(one: str, other: str) -> Cause:
    message = (
        f"the added tokens {one} and {other} are {EQUAL}, so that both texts get the id of one of "
        "them, which may be another one in each process"
    )
    return Cause(KIND, ((EQUAL, f"{one} and {other}"),), message=message)
