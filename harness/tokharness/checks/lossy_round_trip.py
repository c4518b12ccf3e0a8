r"""The decoded text is not the text that was encoded.

Why it matters: text that is lost before the model reads it cannot be filtered, quoted, counted or
generated. Invisible characters that vanish carry an attack past a filter that looks for them; an
undeclared normal form makes two inputs one, and offsets point to the wrong place.

Oracle: invariant of one target. For a lossless tokenizer ``decode(encode(x)) == x``; for one that
declares a normalizer, the decoded text is exactly the declared form of ``x``.

Verdicts: *bug*; the cause explains the change: a normal form, case folding, characters that are
dropped or replaced, or the decoder, if the ids are those of the reference and only their text is
wrong. *By design*, reported once, if the target declares the normalizer, and for text outside the
vocabulary that becomes the unknown token. A surrogate is not a character: a target may replace each
lone one with U+FFFD, which is by design and reported once. Any other text for it is a bug.

Example: a tokenizer that composes its input turns ``e\u0301`` into ``\u00e9``::

    TOK101 bug  normalizer: NFC   "e\u{301}"

What to do: remove the normalizer, or declare it as ``normalizer``.
"""

from __future__ import annotations

from functools import partial

from tokharness.checks.special_id_from_plain_text import has_special_id, unknown_ids
from tokharness.diagnosis.ids.missing_bytes import explain_missing_bytes
from tokharness.diagnosis.state import STATE
from tokharness.diagnosis.text.changes import explain_change
from tokharness.diagnosis.text.normal_forms import NORMAL_FORMS
from tokharness.diagnosis.text.surrogates import surrogate_causes
from tokharness.model import Batch, Cause, Verdict
from tokharness.targets.subject import Subject, is_scalar, scalar_text
from tokharness.unicode.normalization import normalize

CODE = "TOK101"
NAME = "lossy-round-trip"
COLUMNS = ("decoded",)

__all__ = ["CODE", "COLUMNS", "NAME", "diagnose", "failing"]


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows whose text does not come back, or comes back without its declared form."""
    same = batch.decoded == batch.texts
    if same and subject.target.normalizer is None:
        return []
    rows = [
        row
        for row, (text, decoded) in enumerate(zip(batch.texts, batch.decoded, strict=True))
        if decoded != text
        and decoded is not None
        and not has_special_id(batch.ids[row] or [], subject)  # what that is, TOK103 tells
    ]
    if subject.target.normalizer is None:
        return rows
    changed = set(rows)
    return [
        row
        for row, decoded in enumerate(batch.decoded)
        if decoded is not None and (row in changed or subject.expected(batch.texts[row]) != decoded)
    ]


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Causes that explain what came back instead of this text."""
    gone = subject.try_round_trip(text)
    if gone is None:  # what raises is another check's to tell
        return []
    ids, seen = gone
    if seen == text and subject.target.normalizer is None:
        return []
    if not unknown_ids(subject).isdisjoint(ids):
        return [UNKNOWN]
    return _of_change(text, ids, seen, subject)


def _of_change(text: str, ids: list[int], seen: str, subject: Subject) -> list[Cause]:
    """Causes for what came back instead of this text, or as its declared form."""
    plain = scalar_text(text)
    expected = subject.expected(plain)
    if not is_scalar(text) and seen in (as_is := subject.expected(text), scalar_text(as_is)):
        expected = seen  # normalized before its surrogates were joined, or with them as they are
    if seen == expected:
        surrogates = [LONE_SURROGATES] if is_scalar(seen) and not is_scalar(text) else []
        return [*surrogates, _by_design(subject)] if seen != plain else surrogates
    if seen == plain:
        return [_not_applied(subject)]
    if _is_equivalent(seen, expected, subject):
        return [_another_form(subject)]
    if subject.try_encode(text) != ids:
        return [STATE]
    if plain != text and _comes_back(plain, subject):
        return surrogate_causes(text, seen)
    if missing := explain_missing_bytes(text, subject, lambda one: not _comes_back(one, subject)):
        return missing
    wanted = text if subject.target.normalizer is None else expected
    causes = explain_change(wanted, seen, subject, partial(_known, subject), "round trip")
    return (
        [_in_decoder(cause) for cause in causes] if _ids_are_right(text, ids, subject) else causes
    )


def _known(subject: Subject, text: str) -> str:
    """Text that comes back; raises LookupError where the target does not know all of it."""
    ids = subject.encode(text)
    if not unknown_ids(subject).isdisjoint(ids):
        raise LookupError(text)
    return subject.round_trip(text)


def _comes_back(text: str, subject: Subject) -> bool:
    gone = subject.try_round_trip(text)
    return gone is not None and gone[1] == subject.expected(text)


LONE_SURROGATES = Cause(
    "lone surrogates",
    (("become", "U+FFFD"),),
    Verdict.BY_DESIGN,
    "a lone surrogate, which is no character, comes back as U+FFFD",
)


UNKNOWN = Cause(
    "unknown token",
    (),
    Verdict.BY_DESIGN,
    "text outside the vocabulary becomes the unknown token, which is a special one",
)


def _by_design(subject: Subject) -> Cause:
    normalizer = str(subject.target.normalizer)
    version = subject.normalizer_version
    at = f" at Unicode {version}" if version else ""
    return Cause(
        "declared normalizer",
        (("form", normalizer),),
        Verdict.BY_DESIGN,
        f"text is changed exactly as the declared normalizer, {normalizer}{at}, says",
    )


def _is_equivalent(seen: str, expected: str, subject: Subject) -> bool:
    """Whether the declared form makes what came back and what is owed equal."""
    form = str(subject.target.normalizer).upper()
    return form in NORMAL_FORMS and normalize(form, seen) == normalize(form, expected)


def _another_form(subject: Subject) -> Cause:
    normalizer = str(subject.target.normalizer)
    message = f"the target declares {normalizer}, but what comes back is not quite that form"
    return Cause("declared normalizer not applied", (("form", normalizer),), message=message)


def _not_applied(subject: Subject) -> Cause:
    normalizer = str(subject.target.normalizer)
    return Cause(
        "declared normalizer not applied",
        (("form", normalizer),),
        message=f"the target declares {normalizer}, but text comes back unchanged",
    )


def _ids_are_right(text: str, ids: list[int], subject: Subject) -> bool:
    """Whether the ids stand for this text, so that only decoding them can be at fault."""
    reference = subject.reference
    if reference is None:
        return False
    try:
        return ids == list(reference.encode(text)) and reference.decode(ids) == scalar_text(text)
    except KeyboardInterrupt:
        raise
    except BaseException:  # the reference cannot say
        return False


def _in_decoder(cause: Cause) -> Cause:
    return Cause(
        "decoder",
        (("change", str(cause)),),
        message=f"the ids are right, but decoding them is not: {cause.message}",
        weak=cause.weak,
    )
