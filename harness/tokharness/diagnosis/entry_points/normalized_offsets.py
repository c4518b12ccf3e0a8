r"""Spans of tokens in a text that a declared normal form changes.

A text is cut into the smallest parts that are normalized alone and are whole grapheme clusters:
``e\u0301`` is one, as NFC composes it. So each token of the normal form belongs to some parts, and
its span is inside them; and each code point of a part is in a span of a token.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import partial
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from tokharness.diagnosis.entry_points.offsets import expected_spans
from tokharness.unicode.graphemes import graphemes
from tokharness.unicode.normalization import FORMS, normalize
from tokharness.unicode.properties import combining

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokharness.diagnosis.entry_points.offsets import Spans
    from tokharness.targets.subject import Subject

__all__ = ["declared_form_of", "explain_spans_of_a_form"]

VOWEL, FINAL = "\u1160", "\u11ff"
"""The first and the last of the conjoining vowels and final consonants of Hangul."""

LONGEST = 2000
"""Longest text that is cut into parts, in code points."""


def declared_form_of(text: str, subject: Subject) -> str | None:
    """Return the declared normal form of a text that it changes; None if none is known.

    Added tokens are not normalized, so a text with one is not known.
    """
    target = subject.target
    if (target.normalizer or "").upper() not in FORMS or len(text) > LONGEST:
        return None
    if any(token in text for token in target.added_tokens):
        return None
    form = _form(subject)(text)
    return None if form == text else form


def explain_spans_of_a_form(
    text: str, spans: Spans, token_bytes: Sequence[bytes], subject: Subject
) -> list[tuple[str, str]] | None:
    """Faults of spans of the tokens of a declared normal form, each a name and a sentence.

    None if the parts of the text are not known. ``token_bytes`` join to the bytes of the form.
    Faults that explain all spans come first.
    """
    form = _form(subject)
    starts = _parts(text, form)
    parts = [text[start:end] for start, end in pairwise([*starts, len(text)])]
    normalized = list(map(form, parts))
    if "".join(normalized) != form(text):
        return None
    faults = _faults(text, spans, token_bytes, starts, normalized)
    if faults and spans == expected_spans(token_bytes):
        message = "offsets are those of the normalized text, not those of the given text"
        return [("of the normalized text", message), *faults]
    return faults


def _form(subject: Subject) -> Callable[[str], str]:
    name = str(subject.target.normalizer).upper()
    return partial(normalize, name, version=subject.normalizer_version)


def _parts(text: str, form: Callable[[str], str]) -> list[int]:
    """Return the starts of the smallest parts of whole grapheme clusters.

    A vowel or a final consonant of Hangul belongs to what is before it, also if it does not compose
    with that.
    """
    starts = [0] if text else []
    for at in list(accumulate(map(len, graphemes(text))))[:-1]:
        if combining(text[at]) or VOWEL <= text[at] <= FINAL:
            continue
        end = at + 1
        while end < len(text) and combining(text[end]):
            end += 1
        here = starts[-1]
        if form(text[here:at]) + form(text[at:end]) == form(text[here:end]):
            starts.append(at)
    return starts


def _faults(
    text: str,
    spans: Spans,
    token_bytes: Sequence[bytes],
    starts: list[int],
    normalized: list[str],
) -> list[tuple[str, str]]:
    ends = list(accumulate(map(len, normalized), initial=0))
    bounds = [*starts, len(text)]
    covered = [False] * len(text)
    is_outside = False
    for (start, end), (first, last) in zip(spans, expected_spans(token_bytes), strict=True):
        if first == last:  # it stands for no text
            continue
        least = bounds[bisect_right(ends, first) - 1]
        most = bounds[bisect_left(ends, last)]
        is_outside = is_outside or not least <= start < end <= most
        covered[max(start, 0) : end] = [True] * len(covered[max(start, 0) : end])
    faults = []
    if is_outside:
        faults.append(("other characters", "a span does not cover the text of its token"))
    if not all(covered):
        faults.append(_uncovered(covered.index(False), bounds))
    return faults


def _uncovered(place: int, bounds: list[int]) -> tuple[str, str]:
    """Name what is in no span: a part of a sequence that is composed, or other text."""
    at = bisect_right(bounds, place) - 1
    if bounds[at + 1] - bounds[at] > 1:
        message = "a code point that the declared normal form composes with others is in no span"
        return "without what is composed", message
    return "gap", "a part of the text is in no span"
