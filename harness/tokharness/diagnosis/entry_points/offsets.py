"""Spans of tokens in a text: the right ones, and what wrong ones are."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from itertools import accumulate, pairwise
from operator import add, sub
from typing import TYPE_CHECKING, Any, TypeAlias

import regex

from tokharness.outcome import called
from tokharness.targets.subject import as_ids
from tokharness.unicode.graphemes import graphemes
from tokharness.unicode.normalization import FORMS, normalize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.targets.subject import Subject

__all__ = ["Spans", "call_with_offsets", "expected_spans", "explain_spans", "parse_spans"]

Spans: TypeAlias = list[tuple[int, int]]

IGNORABLE = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{Cf}]")

PARTS = bytes(range(0x80, 0xC0))
"""Bytes that do not begin a character."""


def call_with_offsets(encode_with_offsets: Any, text: str) -> Any:
    """Ids and spans, or what there is in their place; read now, since some can be read only once.

    What is raised in reading is an answer too.
    """

    def read() -> Any:
        answer = encode_with_offsets(text)
        if not isinstance(answer, Iterable):
            return answer
        return [list(part) if isinstance(part, Iterable) else part for part in answer]

    return called(read)


def parse_spans(answer: Any) -> tuple[list[int], Spans] | str:
    """Ids and spans of an answer, or what it is instead."""
    try:
        ids, spans = answer
        ids, pairs = as_ids(ids), [tuple(span) for span in spans]
    except (TypeError, ValueError):
        return "not ids and spans"
    if any(len(pair) != 2 for pair in pairs):
        return "not pairs"
    try:
        return ids, [(operator.index(start), operator.index(end)) for start, end in pairs]
    except TypeError:
        return "not integers"


def expected_spans(pieces: Sequence[bytes]) -> Spans:
    """Span, in code points, of each piece of a text's UTF-8; a part of a character covers it."""
    begun = [len(piece.translate(None, PARTS)) for piece in pieces]  # characters that begin in it
    shared = [bool(piece) and piece[:1] in PARTS for piece in pieces]
    ends = [0, *accumulate(begun)]
    return list(zip(map(sub, ends, shared), ends[1:], strict=True))


def explain_spans(
    text: str, spans: Spans, pieces: Sequence[bytes] | None, subject: Subject, *, lossless: bool
) -> list[tuple[str, str]]:
    """Names, each with a sentence, of what wrong spans are; empty if nothing says they are wrong.

    First what explains all of the spans, then what is merely wrong with some. All that fits is
    named, since one text may show several faults alike, and only many texts tell which it is.

    ``pieces`` are the bytes of the tokens where these, joined, are the text's, and then each span
    is known. Otherwise a span may be anywhere in order; only of a ``lossless`` target, whose tokens
    hold all of the text, is it known then that there is no gap.
    """
    wanted = None if pieces is None else expected_spans(pieces)
    if spans == wanted:
        return []
    wrong = _wrong(text, spans) if lossless else _disorder(text, spans)
    # A letter or digit of ASCII is kept by every form; what else a text ends with may not be.
    ends_well = lossless or (text[-1:].isascii() and text[-1:].isalnum())
    other = _of_other_text(text, spans, subject) if ends_well else []
    if wanted is not None:
        wrong = wrong or [("other characters", "a span does not hold its token's text")]
    if not (wrong or other):
        return []
    written = _otherwise_written(text, spans, wanted) if lossless else []
    return [*_other_unit(text, spans), *written, *other, *wrong]


def _wrong(text: str, spans: Spans) -> list[tuple[str, str]]:
    """What is wrong with spans that are to cover all of the text in order."""
    return [*_empty(text, spans), *(_disorder(text, spans) or _uncovered(text, spans))]


def _empty(text: str, spans: Spans) -> list[tuple[str, str]]:
    # The first may be a mark for the start, unless there is nothing but such marks.
    if any(start == end for start, end in spans[1:]) or (
        text and spans and all(start == end for start, end in spans)
    ):
        return [("empty span", "a token that holds text has an empty span")]
    return []


def _disorder(text: str, spans: Spans) -> list[tuple[str, str]]:
    size = len(text)
    if any(place < 0 or place > size for span in spans for place in span):
        return [("out of range", "a span begins before the text or ends after it")]
    if any(end < start for start, end in spans):
        return [("end before start", "a span ends before it begins")]
    if any(one[0] > two[0] or one[1] > two[1] for one, two in pairwise(spans)):
        return [("descending", "a token's span is before that of the token before it")]
    return []


def _uncovered(text: str, spans: Spans) -> list[tuple[str, str]]:
    """What is wrong with spans in order, if they are to cover all of the text."""
    whole = [(0, 0), *spans, (len(text), len(text))]
    gaps = [text[one[1] : two[0]] for one, two in pairwise(whole) if one[1] < two[0]]
    if gaps:
        names = ["gap"] if "".join(gaps).strip() else ["gap of white space", "gap"]
        return [(name, "a part of the text is in no token's span") for name in names]
    if any(two[0] < one[1] - 1 for one, two in pairwise(spans)):
        return [("overlap", "spans overlap by more than one character")]
    return []


def _other_unit(text: str, spans: Spans) -> list[tuple[str, str]]:
    """Units in which the last span would end with the text."""
    end = max((end for _, end in spans), default=0)
    sizes = {
        "UTF-16 code units": len(text.encode("utf-16-le")) // 2,
        "bytes of UTF-8": len(text.encode()),
    }
    return [
        (name, f"offsets count {name}, not code points")
        for name, size in sizes.items()
        if end == size != len(text)
    ]


def _otherwise_written(text: str, spans: Spans, wanted: Spans | None) -> list[tuple[str, str]]:
    """Ways to write spans that explain all of these: read so they are right, or may be."""
    shift = spans[0][0] if spans else 0
    read = {
        f"shifted by {shift:+}": [(start - shift, end - shift) for start, end in spans],
        "end inclusive": [(start, end + 1) for start, end in spans],
        "start and length": [(start, start + length) for start, length in spans],
    }
    if not any(start for start, _ in spans):
        lengths = [end for _, end in spans]
        starts = _starts(text, lengths) if wanted is None else [start for start, _ in wanted]
        ends = map(add, starts, lengths)
        read["counted from each token"] = list(zip(starts, ends, strict=True))
    return [
        (name, f"spans are right but for how they are written: {name}")
        for name, found in read.items()
        if (found == wanted if wanted is not None else not _wrong(text, found))
    ]


def _starts(text: str, lengths: Sequence[int]) -> list[int]:
    """Where tokens may begin, if too many characters are shared by neighbours."""
    shared = sum(lengths) - len(text)
    places = accumulate(lengths, initial=0)
    return [at - min(number, shared) for number, at in enumerate(places)][: len(lengths)]


def _of_other_text(text: str, spans: Spans, subject: Subject) -> list[tuple[str, str]]:
    """Changed texts with the length that the spans end at, where that is not the text's own."""
    end = max((end for _, end in spans), default=0)
    if end == len(text):
        return []
    sizes = {
        "of the normalized text": {len(subject.expected(text))},
        "of the stripped text": {len(text.strip()), len(text.lstrip()), len(text.rstrip())},
        "with CR LF as one": {len(text.replace("\r\n", "\n"))},
        "without what does not show": {len(IGNORABLE.sub("", text))},
        **{f"of the text in {form}": {len(normalize(form, text))} for form in FORMS},
    }
    found = [
        (name, f"offsets are right for another text than the one given: {name}")
        for name, some in sizes.items()
        if end in some
    ]
    # Last: a letter with one mark is a letter of NFC too, and CR LF is one cluster.
    if end == len(graphemes(text)):
        found.append(("grapheme clusters", "offsets count grapheme clusters, not code points"))
    return found
