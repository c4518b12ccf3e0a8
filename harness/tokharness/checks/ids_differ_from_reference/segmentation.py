"""Why two tokenizers with one vocabulary segment a text differently.

The tokens of both tokenizers have the bytes of the text, so only the boundaries differ. A token of
the target across the end of a pre-token of the reference proves a different pre-token split. A
boundary inside a character, or between two lowercase ASCII letters, proves a different merge order,
since no pattern splits there. Other boundaries may be either; they are reported as a split unless
the run has proved that merges differ.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import regex

from tokharness.checks.ids_differ_from_reference.reclassified import reclassified_causes
from tokharness.diagnosis.entry_points.affixes import reference_affixes
from tokharness.diagnosis.text.pretokens import words_in_text
from tokharness.model import Cause
from tokharness.outcome import Raised
from tokharness.targets.subject import scalar_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

KINDS = (
    ("contraction", regex.compile(r"(?i:.*['\u2019](?:s|t|re|ve|m|ll|d))", regex.DOTALL)),
    ("number", regex.compile(r"\P{N}?\p{N}+")),
    ("line break", regex.compile(r"\s*[\r\n]+\s*| ?[^\s\p{L}\p{N}]+[\r\n][\r\n/]*")),
    ("white space", regex.compile(r"\s+")),
    ("word", regex.compile(r"[^\p{L}\p{N}]?[\p{L}\p{M}]+")),
)
"""What the alternatives of the known patterns match; the first match is used."""

MERGE_ORDER = Cause("merge order", message="the same pre-tokens are merged into different tokens")
APOSTROPHES, LONGEST_CONTRACTION = "'\u2018\u2019\u02bc\uff07`\u00b4", 3
LIKE_A_CONTRACTION = regex.compile(rf"[{APOSTROPHES}]\p{{L}}")
LOWERCASE_PAIR = regex.compile("[a-z]{2}")


def class_causes(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """Causes that change the class of characters; none without an explainer's pre-tokens."""
    explainer, pieces = subject.explainer, subject.token_bytes(ids)
    if explainer is None or not explainer.can("pretokens") or pieces is None:
        return []
    text = subject.expected_text(text)
    return reclassified_causes(text, {0, *accumulate(map(len, pieces))}, subject)


def explain_segmentation(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """Causes of different token boundaries; none without an explainer that shows pre-tokens."""
    explainer = subject.explainer
    if explainer is None or not explainer.can("pretokens"):
        return []
    pieces = subject.token_bytes(ids)
    if pieces is None:
        return []
    boundaries = {0, *accumulate(map(len, pieces))}
    reclassified = reclassified_causes(text, boundaries, subject)
    if reclassified and subject.expected_causes.issuperset(reclassified):
        return reclassified
    return [*reclassified, *_pretoken_causes(text, boundaries, explainer, subject)]


def _pretoken_causes(
    text: str, boundaries: set[int], explainer: Target, subject: Subject
) -> list[Cause]:
    """Causes that the first differently segmented pre-token shows."""
    start, previous = 0, ""
    plain = scalar_text(text)
    pretokens = words_in_text(plain, explainer) or explainer.call("pretokens", plain)
    for pretoken in () if isinstance(pretokens, Raised) else pretokens:
        end = start + len(pretoken.encode())
        splits = list(dict.fromkeys([*_splits(pretoken), *_splits(previous or pretoken)]))
        if start not in boundaries or end not in boundaries:
            return splits
        inside = {at - start for at in boundaries if start <= at <= end}
        if inside != _explainer_boundaries(pretoken, explainer, subject):
            return _split_or_merge(pretoken, inside, splits, explainer, subject)
        start, previous = end, pretoken
    return []


def _split_or_merge(
    pretoken: str, boundaries: set[int], splits: list[Cause], explainer: Target, subject: Subject
) -> list[Cause]:
    """Causes of different boundaries inside one pre-token.

    The cause is a split if merging the parts between boundaries that a pattern may have made gives
    exactly the target's boundaries. Otherwise merges differ, which is recorded for the run.
    """
    data = pretoken.encode()
    ends = [0, *sorted(boundaries & _possible_splits(pretoken)), len(data)]
    merged = {
        start + at
        for start, end in pairwise(ends)
        for at in _explainer_boundaries(data[start:end].decode(), explainer, subject)
    }
    if merged == boundaries:
        return [MERGE_ORDER] if subject.discoveries.merge_order_differs else splits
    if not subject.discoveries.merge_order_differs:
        subject.discoveries.merge_order_differs = True
        subject.diagnosis_pass.learned = True
    return [MERGE_ORDER]


def _splits(pretoken: str) -> list[Cause]:
    """Causes for the kinds of text that a pre-token may be.

    Letters after an apostrophe may be a contraction, and punctuation may include line ends.
    """
    kind = next((name for name, pattern in KINDS if pattern.fullmatch(pretoken)), "punctuation")
    kinds = ["contraction", kind] if LIKE_A_CONTRACTION.search(pretoken) else [kind]
    kinds += ["punctuation"] if kind == "line break" and pretoken.strip() else []
    return [_split(kind) for kind in dict.fromkeys(kinds)]


def _split(kind: str) -> Cause:
    return Cause(
        "pre-token split",
        (("of", kind),),
        message=f"the pre-tokenizer splits text of this kind differently: {kind}",
        weak=True,
    )


def _explainer_boundaries(pretoken: str, explainer: Target, subject: Subject) -> set[int]:
    ids = explainer.encode(pretoken)
    pieces = None if isinstance(ids, Raised) else subject.token_bytes(ids)
    return {0, *accumulate(map(len, pieces or ()))}


def _possible_splits(pretoken: str) -> set[int]:
    """Where a pattern may split: between characters, but not between lowercase ASCII letters.

    After an apostrophe a rule for contractions may split these too.
    """
    ends = accumulate(len(character.encode()) for character in pretoken)
    contraction = {
        place + after
        for place, character in enumerate(pretoken)
        if character in APOSTROPHES
        for after in range(1, LONGEST_CONTRACTION + 1)
    }
    return {
        end
        for place, end in enumerate(ends)
        if place in contraction or not LOWERCASE_PAIR.fullmatch(pretoken[place : place + 2])
    }


# Long texts.

LONG, AROUND = 1_000, 200
"""Least characters of a long text, and characters at each side of a cut that are no long text."""

STARTS = 8
"""Characters at which a text around a cut begins, each in turn."""

MOST_PLACES, ENOUGH = 8, 16
"""Most tokens behind the first difference at whose ends a text may be cut, and how many tokens
behind a cut are enough, since a text may be cut again."""

MOST_ROUND = 64
"""Most cuts at a round number of characters, a multiple of a thousand or a power of two."""

HALVES = 1.25
"""Least ratio of the lengths of two parts that are no halves of a text."""

CUTS_LONG_TEXTS = Cause(
    "cuts long texts", message="a long text is cut inside a token, and each part is encoded alone"
)


def long_text_causes(
    text: str, ids: Sequence[Any], wanted: Sequence[Any], subject: Subject
) -> list[Cause]:
    """Return a cause if the ids of a text are the ids of its parts, each part encoded right."""
    if len(text) < LONG or _are_of_a_start(text, ids, subject):
        return []
    first = _number_of_equal(ids, wanted)
    for end in _possible_cuts(ids, first, subject):
        head = subject.reference_text(ids[:end]) or ""
        if not head or not text.startswith(head) or subject.reference_ids(head) != ids[:end]:
            continue
        rest = subject.reference_ids(text[len(head) :]) or []
        same = _number_of_equal(rest, ids[end:])
        enough = max(first - end, 0) + ENOUGH
        if same < min(len(rest) or 1, enough) or not _is_right_alone(text, len(head), subject):
            continue
        again = len(head) + len(subject.reference_text(rest[:same]) or "")
        is_last = list(ids[end:]) == rest
        if _is_part(text, ids, rest, subject) if is_last else _is_right_alone(text, again, subject):
            return [CUTS_LONG_TEXTS]
    return []


def _are_of_a_start(text: str, ids: Sequence[Any], subject: Subject) -> bool:
    """Whether these are the ids of the text without its end, which is lost then."""
    start = subject.reference_text(ids) or text
    is_start = len(start) < len(text) and text.startswith(start)
    return is_start and subject.reference_ids(start) == list(ids)


def _is_part(text: str, ids: Sequence[Any], rest: Sequence[Any], subject: Subject) -> bool:
    """Whether a text ends with a part that is encoded alone, and whose start is a matter of size.

    If the tokens of a long pre-token are merged in another order, its end has different ids alone,
    or the cut stays where it is with a single token of the text before it. Of two halves, each may
    be long.
    """
    end = len(ids) - len(rest)
    cut = len(subject.reference_text(ids[:end]) or "")
    after, shorter = text[cut:], text[len(subject.reference_text(ids[: end - 1]) or "") :]
    own = _own_ids(shorter, subject)
    if own == list(ids[end - 1 :]) and own != subject.reference_ids(shorter):
        return False
    is_half = HALVES * min(cut, len(after)) > max(cut, len(after))
    return is_half or _own_ids(after, subject) == list(rest)


def _own_ids(text: str, subject: Subject) -> list[Any] | None:
    ids = subject.encode(text)
    return None if ids is None else list(reference_affixes(subject).without(ids))


def _is_right_alone(text: str, cut: int, subject: Subject) -> bool:
    """Whether texts around a cut, of which none is long, have the ids of the reference.

    They begin at different characters: a fault at the end of a run may need an even number of them.
    """
    for start in range(max(cut - AROUND, 0), max(cut - AROUND + STARTS, 1)):
        around = text[start : cut + AROUND]
        if _own_ids(around, subject) != subject.reference_ids(around):
            return False
    return True


def _number_of_equal(ids: Sequence[Any], others: Sequence[Any]) -> int:
    pairs = enumerate(zip(ids, others, strict=False))
    return next((at for at, (own, other) in pairs if own != other), min(len(ids), len(others)))


def _possible_cuts(ids: Sequence[Any], first: int, subject: Subject) -> Iterator[int]:
    """Yield numbers of ids before a cut: behind the first difference, and at round lengths.

    In a run of one character the ids may differ from its start on.
    """
    yield from range(first + 1, min(first + MOST_PLACES, len(ids)) + 1)
    lengths = {one: len(subject.reference_text([one]) or "") for one in set(ids)}
    ends = enumerate(accumulate(map(lengths.__getitem__, ids)), start=1)
    at_round = [end for end, size in ends if size % 1_000 == 0 or not size & (size - 1)]
    yield from reversed(at_round[-MOST_ROUND:])
