r"""Offsets do not say which part of the text a token comes from.

Why it matters: programs use offsets to find answers, names, redactions and highlights in the text.
Offsets that count bytes or UTF-16 code units are right for ASCII and wrong after the first emoji,
so the wrong word is redacted.

Oracle: invariant of one target. ``encode_with_offsets`` gives ids and, for each, a span ``(start,
end)`` of the original text, in code points. Spans follow one another without a gap from 0 to the
end of the text. A token that begins or ends inside a character covers all of the character, so
tokens that share a character overlap there; the span of a token of whole characters holds exactly
these characters. Under a declared normal form, the span of a token is inside the part of the text
that its text came from, and each code point that is composed with others is in a span. Another
declared normalizer may drop white space or other text, which leaves gaps; then only order and range
are checked. Special tokens may have any span.

Verdicts: *bug*. The cause names the error: another unit (UTF-16, bytes, grapheme clusters); a
shift, with its size; offsets of a normalized or stripped text; an inclusive end, or a length. If
none of these errors fits, the cause describes the span: a gap, an overlap, an empty span, out of
range. *Fact* if only tokens without text have the span of the token after them, such as the U+2581
that Hugging Face's library puts before a text, and if spans leave out the spaces around a token, as
the target declares (``trims_offsets``; ``trim_offsets`` in a tokenizer.json).

Example: offsets of a JavaScript tokenizer::

    TOK107 bug  offsets: UTF-16 code units   "\u{1f600}"

What to do: count code points of the text that was passed in, before any normalization.
"""

from __future__ import annotations

from itertools import groupby, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from tokharness.checks.wrong_offsets.offsets import (
    declared_form_of,
    expected_spans,
    explain_spans,
    explain_spans_of_a_form,
    parse_spans,
)
from tokharness.diagnosis.comparisons import BEFORE, DIFFERS, MAX_SHOWN, token_text
from tokharness.diagnosis.entry_points.affixes import affix_ids, text_slice
from tokharness.diagnosis.entry_points.contracts import entry_point_cause, has_special_text
from tokharness.diagnosis.ids.token_texts import is_outside_text, token_bytes
from tokharness.diagnosis.special.special_ids import has_special_id
from tokharness.diagnosis.state import state_cause
from tokharness.diagnosis.text.stage_losses import is_dropped_in_part
from tokharness.errors import TargetDeath
from tokharness.model import Batch, Cause, Verdict
from tokharness.outcome import Raised, call
from tokharness.targets.subject import is_scalar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.checks.wrong_offsets.offsets import Spans
    from tokharness.targets.subject import Subject

CODE = "TOK107"
NAME = "wrong-offsets"
METHOD = "encode_with_offsets"
MOST_DECODED = 256
"""Largest number of ids whose prefixes are decoded one by one, as evidence."""
MOST_SPLIT = 32
"""The same limit for deciding whether a span is wrong, which is done for many texts."""
MOST_FACTS = 20
"""Rows of a batch with spans that are by design."""
REQUIRES = (METHOD,)
COLUMNS = ()

__all__ = ["CODE", "COLUMNS", "NAME", "REQUIRES", "diagnose", "evidence", "failing"]


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows with a wrong span."""
    plain = subject.target.can("decode_single_token_bytes") and not any(affix_ids(subject, METHOD))
    rows, facts = [], 0
    for row in batch.sampled_rows:
        text = batch.texts[row]
        result = subject.target.call(METHOD, text)
        if plain and _is_exact(result, text, subject):
            continue
        if causes := _causes(text, result, subject):
            is_fact = all(cause.verdict is Verdict.FACT for cause in causes)
            facts += is_fact
            if not is_fact or facts <= MOST_FACTS:
                rows.append(row)
    return rows


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Return the causes that explain the wrong offsets of this text."""
    if subject.encode(text) is None:  # another check reports exceptions
        return []
    causes = _causes(text, subject.target.call(METHOD, text), subject)
    if causes and not _causes(text, subject.target.call(METHOD, text), subject):
        return [state_cause(subject)]
    return causes


def _is_exact(result: Any, text: str, subject: Subject) -> bool:
    """Whether the tokens have the bytes of the text and these spans, as usual; a fast test."""
    try:
        ids, spans = result
        pieces = list(map(token_bytes(subject).__getitem__, ids))
        return b"".join(pieces) == text.encode() and bool(spans == expected_spans(pieces))
    except (TypeError, ValueError):  # also for a text with surrogates
        return False


def evidence(text: str, cause: Cause, subject: Subject) -> dict[str, Any]:
    """Return the span of each token, what it covers, and the span that it should have."""
    parsed = call(parse_spans, subject.target.call(METHOD, text))
    if isinstance(parsed, Raised | str) or len(parsed[0]) != len(parsed[1]):
        return {}
    ids, spans = _own(parsed[0], parsed[1], subject)
    pieces = _pieces(text, ids, subject) if is_scalar(text) else None
    known = _spans_by_decoding(text, ids, subject) if pieces is None else expected_spans(pieces)
    expected: Sequence[Any] = known or [None] * len(ids)
    rows: list[dict[str, Any]] = [
        {
            "id": number,
            "token": token_text(number, subject),
            "span": f"{start}..{end}",
            "covers": text[start:end] if 0 <= start <= end else "",
            **({} if right is None else {"expected": "{}..{}".format(*right)}),
            **({DIFFERS: True} if right not in (None, (start, end)) else {}),
        }
        for number, (start, end), right in zip(ids, spans, expected, strict=True)
    ]
    wrong = next((place for place, row in enumerate(rows) if DIFFERS in row), 0)
    first = max(wrong - BEFORE, 0)
    record: dict[str, Any] = {"spans": rows[first : first + MAX_SHOWN]} if rows else {}
    if first:
        record["first shown position"] = first
    if rows and DIFFERS in rows[wrong]:
        row = rows[wrong]
        name = f"id {row['id']}" if "\ufffd" in row["token"] else row["token"]
        record["given"] = f"{name} at {row['span']}"
        record["expected"] = f"{name} at {row['expected']}"
    elif rows:  # the texts of tokens are unknown, but the spans cannot be right
        record["given"] = ", ".join(row["span"] for row in rows[:BEFORE])
        record["expected"] = "the place in the text that each token comes from, in code points"
    return record


def _spans_by_decoding(text: str, ids: Sequence[int], subject: Subject) -> Spans | None:
    """Return the span of each token by decoding longer and longer prefixes; None if unknown.

    A part of a character decodes to U+FFFD.
    """
    if len(ids) > MOST_DECODED or "\ufffd" in text:
        return None
    spans: Spans = []
    complete = 0
    for size in range(1, len(ids) + 1):
        decoded = subject.decode(ids[:size]) or ""
        whole = decoded.rstrip("\ufffd")
        if len(whole) < complete or not text.startswith(whole):
            return None
        spans.append((complete, len(whole) + (whole != decoded)))
        complete = len(whole)
    return spans if complete == len(text) else None


def _own(ids: list[int], spans: Spans, subject: Subject) -> tuple[list[int], Spans]:
    """Return the ids and spans of the text, without added and special ids."""
    own = text_slice(ids, subject, METHOD)
    ids, spans = ids[own], spans[own]
    inside = [place for place, out in enumerate(is_outside_text(ids, subject)) if not out]
    return [ids[place] for place in inside], [spans[place] for place in inside]


def _causes(text: str, result: Any, subject: Subject) -> list[Cause]:
    parsed = result if isinstance(result, Raised) else call(parse_spans, result)
    if isinstance(parsed, Raised):
        return _exception_causes(parsed.error, text, subject)
    if isinstance(parsed, str):
        return [_cause(parsed, f"encode_with_offsets does not return ids and spans: {parsed}")]
    ids, spans = parsed
    same_number = len(ids) == len(spans)
    own = ids[text_slice(ids, subject, METHOD)] if same_number else ids
    if not is_scalar(text) or has_special_id(own, subject):
        return []
    if not same_number:
        problem = f"{'fewer' if len(spans) < len(ids) else 'more'} than ids"
        return [_cause(problem, f"number of spans: {len(spans)}; number of ids: {len(ids)}")]
    inside, spans = _own(ids, spans, subject)
    pieces = _pieces(text, inside, subject)
    lossless = pieces is not None or (
        subject.target.normalizer is None and subject.decode(inside) == text
    )
    if lossless and pieces is None:
        decoded = _pieces_by_decoding(text, inside, subject)
        is_right = decoded is not None and all(
            span == right for span, right in _in_runs(spans, expected_spans(decoded))
        )
        pieces = None if is_right else decoded
    # If a part of the text is lost although not declared, the spans may be right for the rest.
    if not lossless and subject.target.normalizer is None and _fit_tokens(inside, spans, subject):
        return []
    if pieces is not None and (by_design := _by_design(text, spans, pieces, subject)):
        return by_design
    faults = explain_spans(text, spans, pieces, subject, lossless=lossless)
    if pieces is None and (normalized := _pieces_of_the_form(text, inside, subject)) is not None:
        exact = explain_spans_of_a_form(text, spans, normalized, subject)
        if exact is not None:
            units = [fault for fault in faults if not fault[0].startswith("of the ")]
            faults = list(dict(exact + units).items()) if exact else []
    is_taken = pieces is None and not faults and _takes_of_a_neighbour(text, inside, spans, subject)
    faults = _narrowed(text, [OF_A_NEIGHBOUR] if is_taken else faults, subject)
    return [_cause(problem, message) for problem, message in faults]


WITHOUT_TOKEN = (
    "without what has no token",
    "offsets do not count characters without a token; the spans of the other text alone are right",
)


def _narrowed(text: str, faults: list[tuple[str, str]], subject: Subject) -> list[tuple[str, str]]:
    """Return the one fault that dropped characters are, if it is proved, and else the faults."""
    return [WITHOUT_TOKEN] if faults and _are_right_without_dropped(text, subject) else faults


def _are_right_without_dropped(text: str, subject: Subject) -> bool:
    """Whether a text has characters without a token, and has right spans without them."""
    rest = text
    for char in [char for char in dict.fromkeys(text) if is_dropped_in_part(char, subject)]:
        rest = rest.replace(char, "")
    if rest == text:
        return False
    causes = _causes(rest, subject.target.call(METHOD, rest), subject)
    return all(cause.verdict is Verdict.FACT for cause in causes)


OF_A_NEIGHBOUR = ("other characters", "a span does not cover the text of its token")


def _takes_of_a_neighbour(text: str, ids: list[int], spans: Spans, subject: Subject) -> bool:
    """Whether a span lacks the text that its token adds to a decoded text that comes back.

    If a decoder puts a space before a token, the span may include this space, but no other
    character. A token that adds no text may have any span.
    """
    if len(ids) > MOST_SPLIT or subject.decode(ids) != text:
        return False
    added = _spans_by_decoding(text, ids, subject)
    if added is None or any(end != start for (_, end), (start, _) in pairwise(added)):
        return False
    return any(
        text[slice(*right)].strip() and _without_space(text, span) != _without_space(text, right)
        for span, right in _in_runs(spans, added)
    )


def _in_runs(spans: Spans, rights: Spans) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the span of each run of tokens with equal spans, and the right span of the run.

    A library may give one span to the bytes of an unknown character, or of several.
    """
    for span, run in groupby(zip(spans, rights, strict=True), key=itemgetter(0)):
        (_, first), *others = run
        _, last = others[-1] if others else (span, first)
        yield span, (first[0], last[1])


def _without_space(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """Return a span without the white space at its edges."""
    start, end = span
    inside = text[start:end]
    return end - len(inside.lstrip()), start + len(inside.rstrip())


def _pieces_of_the_form(text: str, ids: list[int], subject: Subject) -> list[bytes] | None:
    """Bytes of the tokens of a text that the declared normal form changes, if they are known."""
    form = declared_form_of(text, subject)
    return None if form is None else _pieces(form, ids, subject)


def _differ_where_inserted(spans: Spans, pieces: Sequence[bytes]) -> bool:
    """Whether only tokens without text have wrong spans: the next token's span, or its start."""
    expected = expected_spans(pieces)
    wrong = [place for place, span in enumerate(spans) if span != expected[place]]
    for place in wrong:
        following = [expected[later] for later in range(place + 1, len(pieces)) if pieces[later]]
        start, end = spans[place]
        if pieces[place] or not following or start != following[0][0]:
            return False
        if not start < end <= following[0][1]:
            return False
    return bool(wrong)


INSERTED = Cause(
    "offsets",
    (("are", "those of the next token"),),
    Verdict.FACT,
    "a token that stands for no text, as it is inserted before it, has the span of the text after "
    "it, not an empty one",
)


def _by_design(text: str, spans: Spans, pieces: Sequence[bytes], subject: Subject) -> list[Cause]:
    if _differ_where_inserted(spans, pieces):
        return [INSERTED]
    return [TRIMMED] if _are_trimmed(text, spans, expected_spans(pieces), subject) else []


def _are_trimmed(text: str, spans: Spans, rights: Spans, subject: Subject) -> bool:
    """Whether spans leave out spaces as declared, but perhaps one that is put before the text."""
    if not subject.target.trims_offsets or spans == rights:
        return False
    return all(
        span == right or span in _trimmed(text, right)
        for span, right in zip(spans, rights, strict=True)
    )


def _trimmed(text: str, span: tuple[int, int]) -> list[tuple[int, int]]:
    start, end = span
    part = text[start:end]
    before, after = (len(part) - len(strip(" ")) for strip in (part.lstrip, part.rstrip))
    return [(one, max(one, end - after)) for one in (start + before, start + max(before - 1, 0))]


TRIMMED = Cause(
    "offsets",
    (("are", "without the spaces around a token"),),
    Verdict.FACT,
    "the span of a token leaves out the spaces around it, as the post-processor declares",
)


def _exception_causes(error: BaseException, text: str, subject: Subject) -> list[Cause]:
    """Causes for an exception; surrogates and the text of special tokens may be refused."""
    how = f"raises {type(error).__name__}"
    if isinstance(error, TargetDeath):
        how = f"crashes or hangs ({error.reason})"
    elif has_special_text(text, subject) and isinstance(error, Exception):
        return []
    message = f"encode_with_offsets {how} on a text that encode accepts"
    return [entry_point_cause(METHOD, message)] if is_scalar(text) else []


def _pieces(text: str, ids: Sequence[int], subject: Subject) -> list[bytes] | None:
    """Bytes of each token, or of its decoded id alone, if they join to the text; else None."""
    data = text.encode()
    table = token_bytes(subject)
    if subject.target.can("decode_single_token_bytes"):
        pieces = [table[number] for number in ids]
        if b"".join(pieces) == data:
            return pieces
    pieces = [(subject.decode([number]) or "").encode("utf-8", "replace") for number in ids]
    return pieces if b"".join(pieces) == data else None


def _pieces_by_decoding(text: str, ids: Sequence[int], subject: Subject) -> list[bytes] | None:
    """Bytes that each token adds to a decoded text; None if unknown, or if tokens share characters.

    A decoder that strips what a normalizer prepends gives no text for that token alone.
    """
    spans = _spans_by_decoding(text, ids, subject) if len(ids) <= MOST_SPLIT else None
    if spans is None or any(end != start for (_, end), (start, _) in pairwise(spans)):
        return None
    return [text[start:end].encode() for start, end in spans]


def _fit_tokens(ids: Sequence[int], spans: Spans, subject: Subject) -> bool:
    """Whether the spans fit the bytes of the tokens, even if the bytes are not the text's."""
    if not subject.target.can("decode_single_token_bytes"):
        return False
    table = token_bytes(subject)
    return spans == expected_spans([table[number] for number in ids])


def _cause(problem: str, message: str) -> Cause:
    return Cause("offsets", (("are", problem),), message=message)
