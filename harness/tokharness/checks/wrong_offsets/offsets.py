"""Correct spans of tokens in a text, and the faults of wrong spans."""

from __future__ import annotations

import operator
from bisect import bisect_left, bisect_right
from functools import partial
from itertools import accumulate, pairwise
from operator import add, sub
from typing import TYPE_CHECKING, Any, TypeAlias

import regex

from tokharness.diagnosis.special.special_ids import unknown_ids
from tokharness.unicode.normalization import FORMS, normalize
from tokharness.unicode.properties import combining, graphemes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokharness.targets.subject import Subject

Spans: TypeAlias = list[tuple[int, int]]

IGNORABLE = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{Cf}]")

PARTS = bytes(range(0x80, 0xC0))
"""Continuation bytes of UTF-8."""


def parse_spans(result: Any) -> tuple[list[int], Spans] | str:
    """Ids and spans of a result, or a few words that describe another result."""
    try:
        ids, spans = result
        pairs = [tuple(span) for span in spans]
    except (TypeError, ValueError):
        return "not ids and spans"
    if any(len(pair) != 2 for pair in pairs):
        return "not pairs"
    try:
        return ids, [(operator.index(start), operator.index(end)) for start, end in pairs]
    except TypeError:
        return "not integers"


def expected_spans(token_bytes: Sequence[bytes]) -> Spans:
    """Span of each token, in code points; a token with a part of a character covers all of it."""
    starting = [len(data.translate(None, PARTS)) for data in token_bytes]  # characters that start
    shared = [bool(data) and data[:1] in PARTS for data in token_bytes]
    ends = [0, *accumulate(starting)]
    return list(zip(map(sub, ends, shared), ends[1:], strict=True))


def explain_spans(
    text: str,
    spans: Spans,
    token_bytes: Sequence[bytes] | None,
    subject: Subject,
    *,
    lossless: bool,
) -> list[tuple[str, str]]:
    """Faults of wrong spans, each a name and a sentence; empty if they cannot be proved wrong.

    Faults that explain all spans come first, then faults that describe some spans. All faults that
    fit are returned: several may explain one text, and only many texts show which one is right.

    ``token_bytes`` are the bytes of the tokens, if they join to the bytes of the text; then each
    span is known. Otherwise spans may be anywhere in order, and gaps are faults only of a
    ``lossless`` target, whose tokens hold all of the text.
    """
    expected = None if token_bytes is None else expected_spans(token_bytes)
    if spans == expected:
        return []
    wrong = _wrong(text, spans) if lossless else _disorder(text, spans)
    is_known = lossless or (_is_kept(text[-1:], subject) and not _is_cut_off(text, spans, subject))
    other = _of_other_text(text, spans, subject) if is_known and spans else []
    if expected is not None:
        wrong = wrong or [("other characters", "a span does not cover the text of its token")]
    if not (wrong or other):
        return []
    notations = _other_notations(text, spans, expected) if lossless else []
    searched = _of_a_search(text, spans, expected)
    return [*searched, *_other_units(text, spans), *notations, *other, *wrong]


def _is_kept(char: str, subject: Subject) -> bool:
    """Whether the end of a text with this last character is the end of the last token.

    Every form keeps an ASCII letter or digit, unless the vocabulary does not know it.
    """
    if not (char.isascii() and char.isalnum()):
        return False
    ids = subject.encode(char)
    return bool(ids) and unknown_ids(subject).isdisjoint(ids or ())


def _is_cut_off(text: str, spans: Spans, subject: Subject) -> bool:
    """Whether the end of a text has no tokens: without it, the text has the same ids."""
    end = max((end for _, end in spans), default=0)
    return end < len(text) and subject.encode(text[:end]) == subject.encode(text)


def _wrong(text: str, spans: Spans) -> list[tuple[str, str]]:
    """Faults of spans that must cover all of the text in order."""
    return [*_empty(text, spans), *(_disorder(text, spans) or _uncovered(text, spans))]


def _empty(text: str, spans: Spans) -> list[tuple[str, str]]:
    # The first token may be a start token without text, unless all spans are empty.
    if any(start == end for start, end in spans[1:]) or (
        text and spans and all(start == end for start, end in spans)
    ):
        return [("empty span", "a token that has text has an empty span")]
    return []


def _disorder(text: str, spans: Spans) -> list[tuple[str, str]]:
    size = len(text)
    if any(place < 0 or place > size for span in spans for place in span):
        return [("out of range", "a span starts before the text or ends after it")]
    if any(end < start for start, end in spans):
        return [("end before start", "a span ends before it starts")]
    if any(a[0] > b[0] or a[1] > b[1] for a, b in pairwise(spans)):
        return [("descending", "the span of a token is before the span of the previous token")]
    return []


def _uncovered(text: str, spans: Spans) -> list[tuple[str, str]]:
    """Faults of spans in order that must cover all of the text."""
    whole = [(0, 0), *spans, (len(text), len(text))]
    gaps = [text[end:start] for (_, end), (start, _) in pairwise(whole) if end < start]
    if gaps:
        names = ["gap"] if "".join(gaps).strip() else ["gap of white space", "gap"]
        return [(name, "a part of the text is in no span") for name in names]
    if any(start < end - 1 for (_, end), (start, _) in pairwise(spans)):
        return [("overlap", "spans overlap by more than one character")]
    return []


def _other_units(text: str, spans: Spans) -> list[tuple[str, str]]:
    """Units in which the last span ends at the end of the text."""
    end = max((end for _, end in spans), default=0)
    sizes = {
        "UTF-16 code units": len(text.encode("utf-16-le")) // 2,
        "bytes of UTF-8": len(text.encode()),
    }
    return [
        (name, f"offsets are in {name}, not in code points")
        for name, size in sizes.items()
        if end == size != len(text)
    ]


def _of_a_search(text: str, spans: Spans, expected: Spans | None) -> list[tuple[str, str]]:
    """Searches for the text of each token in the whole text, which give all of the spans."""
    words = [text[start:end] for start, end in expected or spans]
    if expected is None and not _are_in_order(words, text):
        return []
    faults = []
    for place, find in (("first", text.find), ("last", text.rfind)):
        if spans == [(at, at + len(word)) for word in words for at in (find(word),)]:
            message = f"a span is the {place} place in the text with the characters of its token"
            faults.append((f"of the {place} equal text", message))
    return faults


def _are_in_order(words: Sequence[str], text: str) -> bool:
    """Whether the texts of tokens are a text; two tokens may share a character."""
    at = 0
    for word in words:
        start = next((one for one in (at, at - 1) if one >= 0 and text.startswith(word, one)), None)
        if start is None:
            return False
        at = start + len(word)
    return at == len(text)


def _other_notations(text: str, spans: Spans, expected: Spans | None) -> list[tuple[str, str]]:
    """Notations in which all of the spans are, or may be, correct."""
    shift = spans[0][0] if spans else 0
    notations = {
        f"shifted by {shift:+}": [(start - shift, end - shift) for start, end in spans],
        "end inclusive": [(start, end + 1) for start, end in spans],
        "start and length": [(start, start + length) for start, length in spans],
    }
    if not any(start for start, _ in spans):
        lengths = [end for _, end in spans]
        starts = _starts(text, lengths) if expected is None else [start for start, _ in expected]
        ends = map(add, starts, lengths)
        notations["counted from each token"] = list(zip(starts, ends, strict=True))
    return [
        (name, f"spans are correct in a different notation: {name}")
        for name, read in notations.items()
        if (read == expected if expected is not None else not _wrong(text, read))
    ]


def _starts(text: str, lengths: Sequence[int]) -> list[int]:
    """Where tokens may start if neighbours share the surplus characters of the lengths."""
    shared = sum(lengths) - len(text)
    places = accumulate(lengths, initial=0)
    return [at - min(number, shared) for number, at in enumerate(places)][: len(lengths)]


def _of_other_text(text: str, spans: Spans, subject: Subject) -> list[tuple[str, str]]:
    """Changed texts at whose end the spans end, if the spans do not end at the end of the text."""
    end = max((end for _, end in spans), default=0)
    if end == len(text):
        return []
    sizes = {
        "of the normalized text": {len(subject.expected_text(text))},
        "of the stripped text": {len(text.strip()), len(text.lstrip()), len(text.rstrip())},
        "with CR LF as one": {len(text.replace("\r\n", "\n"))},
        "without what does not show": {len(IGNORABLE.sub("", text))},
        **{f"of the text in {form}": {len(normalize(form, text))} for form in FORMS},
    }
    faults = [
        (name, f"offsets are those {name}, not those of the given text")
        for name, lengths in sizes.items()
        if end in lengths
    ]
    # Last, since a letter with a mark is also one letter in NFC, and CR LF is one cluster.
    if end == len(graphemes(text)):
        message = "offsets are in grapheme clusters, not in code points"
        faults.append(("grapheme clusters", message))
    return faults


# Spans of tokens in a text that a declared normal form changes.
#
# A text is cut into the smallest parts that are normalized alone and are whole grapheme clusters:
# ``e\u0301`` is one, as NFC composes it. So each token of the normal form belongs to some parts,
# and its span is inside them; and each code point of a part is in a span of a token.

VOWEL, FINAL = "\u1160", "\u11ff"
"""The first and the last conjoining vowel or final consonant of Hangul."""

LONGEST = 2000
"""Longest text that is cut into parts, in code points."""


def declared_form_of(text: str, subject: Subject) -> str | None:
    """Return the declared normal form of a text that it changes; None if unknown or equal.

    Added tokens are not normalized, so the form of a text with an added token is not known.
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

    A vowel or a final consonant of Hangul belongs to the part before it, even if it does not
    compose with that part.
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
        if first == last:  # the token stands for no text
            continue
        least = bounds[bisect_right(ends, first) - 1]
        most = bounds[bisect_left(ends, last)]
        is_outside = is_outside or not least <= start < end <= most
        covered[max(start, 0) : end] = [True] * len(covered[max(start, 0) : end])
    faults = []
    if is_outside:
        faults.append(("other characters", "a span does not cover the text of its token"))
    if not all(covered):
        faults.append(_name_of_uncovered(covered.index(False), bounds))
    return faults


def _name_of_uncovered(place: int, bounds: list[int]) -> tuple[str, str]:
    """Name the text in no span: a part of a sequence that is composed, or other text."""
    at = bisect_right(bounds, place) - 1
    if bounds[at + 1] - bounds[at] > 1:
        message = "a code point that the declared normal form composes with others is in no span"
        return "without what is composed", message
    return "gap", "a part of the text is in no span"
