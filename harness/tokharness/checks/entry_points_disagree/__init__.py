"""The entry points of one library give different ids for the same plain text.

Why it matters: training encodes a corpus in batches, the server encodes one request at a time, and
the bill is computed with ``count``. If a fast path pads, sorts or splits differently, the model is
trained on different ids than it gets in production, and no error shows it.

Oracle: invariant of one target. All entry points that the target has agree on plain text, which is
text without a special token: ``encode``, ``encode_ordinary``, ``encode_batch``, ``encode_special``,
``encode_with_offsets``, ``encode_bytes``, ``count`` and ``decode_bytes``. A batch gives the ids
that its texts get alone, in their order, and ``decode_batch`` the texts that ``decode`` gives; ids
that ``decode`` refuses, ``decode_batch`` refuses too. The batches are empty, or have one text, an
empty text, duplicates, long texts next to short texts, a thousand texts, or two texts that differ
only in case, normal form, white space or an invisible character, which a careless cache key
confuses; every other entry point gets such twins in successive calls. ``encode_variants`` and
``decode_variants`` call a library's further entry points, such as ``encode_to_numpy``,
``ParallelEncode`` or a call with padding, and each gives these ids and texts, too. For text around
a special token ``encode_special`` gives the ids of the text before it, the special id, and the ids
of the text after it; text that only resembles a special token, in other case or with a character
added or removed, is plain text for ``encode_special``.

Verdicts: *bug*, one for each entry point, also for lost text around a special token. *Risk* if text
around a special token is only split differently. A lone surrogate may raise or become U+FFFD, but
must do the same at every entry point; it is a *risk* if a further entry point of the library raises
where the entry point for plain text does not. It is a *risk*, too, if a further entry point gives
pieces, and text without a token is a piece of its own: where it is the text of a special token, the
piece has the id of that token.

Ids that ``encode`` or ``encode_special`` adds to every text, such as a start token, are ignored
there and in the entry points built on these two; ``encode_bytes`` may leave them out. These ids are
reported once: as a *fact* if they are declared special tokens, as a *risk* if they are undeclared
and decode to nothing or to a text like ``<s>``. Any other id that every text gets is a *bug*. If a
target has ``encode_ordinary``, its ``encode`` may refuse or read the text of a special token, as it
is or in the declared form; this is by design, and so is a batch, a ``count`` or an
``encode_with_offsets`` that does the same.

Example: a batch that sorts its texts by length and does not restore their order::

    TOK110 bug  entry points: encode_batch   "a"

What to do: build all entry points on one function, or use the same entry point for training and
serving.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.boundary.entry_points import BY_NAME, Argument, Result
from tokharness.checks.entry_points_disagree.variants import (
    UNKNOWN_TEXT,
    near_miss_failures,
    twin_failures,
    variant_causes,
    variant_evidence,
    variant_failures,
    variant_rows,
)
from tokharness.diagnosis.comparisons import MAX_SHOWN, compared, compared_call
from tokharness.diagnosis.entry_points.batch_rows import difference_of_rows, named_difference
from tokharness.diagnosis.entry_points.bos_eos import added_ids_causes, allowed_ids
from tokharness.diagnosis.entry_points.contracts import (
    batch_agrees,
    batch_ids,
    contracts,
    disagreement_causes,
    entry_point_cause,
    has_special_text,
)
from tokharness.diagnosis.entry_points.decode_batches import (
    DECODE_BATCH,
    decode_batch_causes,
    decode_batch_failures,
    decode_batch_rows,
    decode_batch_rows_of,
)
from tokharness.diagnosis.probes.calls import BATCH, encode_all
from tokharness.diagnosis.special.surroundings import surroundings_failures
from tokharness.diagnosis.state import RANDOM_SEGMENTATION, random_causes
from tokharness.model import Batch, Cause, Failure
from tokharness.outcome import Raised
from tokharness.targets.subject import is_scalar, scalar_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.targets.subject import Subject

CODE = "TOK110"
NAME = "entry-points-disagree"
COLUMNS = ("decoded",)

__all__ = ["CODE", "COLUMNS", "NAME", "audit", "diagnose", "evidence", "failing"]

LONG = "the quick brown fox jumps over the lazy dog. " * 40
PLAIN = (
    *("a", "", "word", " two words", "1234567", "\n\n  x", "don't", "a", "caf\u00e9", "e\u0301"),
    *("\u4e2d\u6587", "\U0001f468\u200d\U0001f469", "\u200b", "\x00", LONG, "z"),
)
EXPANDING = "\ufdfa" * 65
"""Each character is 18 in NFKC, so that windows of normalized text are not windows of the text."""
SURROGATES = ("a\ud800b", "\udc00", "\ude00\ud83d", "\ud83d\ude00")
STRIDE = 5
"""Only every fifth of the sampled rows is checked: all entry points cost as much as ten calls."""

LARGEST_BATCH = 1031
"""Texts of the largest batch: more than 1,024, and not a round number, so that the last share of
each thread differs."""


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows on which another entry point disagrees, among every fifth sampled row."""
    rows = batch.sampled_rows[::STRIDE]
    disagreeing = {
        row for row in rows if disagreement_causes(batch.texts[row], batch.ids[row] or [], subject)
    }
    disagreeing.update(decode_batch_rows(batch, rows, subject))
    disagreeing.update(variant_rows(batch, rows, subject))
    if subject.target.can(BATCH):
        texts = [batch.texts[row] for row in rows]
        if not batch_agrees(texts, [batch.ids[row] for row in rows], subject):
            disagreeing.update(row for row in rows if _batch_causes(batch.texts[row], subject))
    return sorted(disagreeing)


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Return a cause for each entry point that disagrees on this text."""
    ids = subject.encode(text)
    if ids is None:
        return []
    if random := random_causes(text, subject):
        return random
    return [
        *disagreement_causes(text, ids, subject),
        *_batch_causes(text, subject),
        *decode_batch_causes(ids, subject),
        *variant_causes(text, subject),
    ]


def evidence(text: str, cause: Cause, subject: Subject) -> dict[str, Any]:
    """Return what the entry point of the cause gives, and what the plain-text entry point gives."""
    name = dict(cause.parameters).get("differ", "")
    ids = subject.encode(text)
    if ids is None or cause.kind not in ("entry points", "lone surrogates", UNKNOWN_TEXT):
        return {}
    if name == BATCH:
        return _batch_evidence(text, ids, subject)
    if name not in (*contracts(subject), DECODE_BATCH):
        return variant_evidence(name, text, subject)
    if name == DECODE_BATCH:
        batch, given, expected = decode_batch_rows_of(ids, subject)
    elif name == "decode_bytes":
        batch, expected = [], subject.expected_text(text).encode("utf-8", "surrogatepass")
        given = subject.target.call(name, ids)
    elif name == "count":
        batch, given, expected = [], subject.target.call(name, text), len(ids)
    elif BY_NAME[name].gives not in (Result.IDS, Result.SPANS):
        return {"entry point": name, "ids": ids[:MAX_SHOWN]}
    else:
        batch, (given,) = [], encode_all([text], subject, name)
        expected = allowed_ids(text, ids, name, subject)[0]
    if given == expected:  # the result differs only after other calls
        return {}
    record = {"ids": ids[:MAX_SHOWN]} if name in (DECODE_BATCH, "decode_bytes") else {}
    record |= {"sequences of the batch": batch} if batch else {}
    return {"entry point": name, **record, **compared(given, expected, subject)}


def _batch_evidence(text: str, ids: list[int], subject: Subject) -> dict[str, Any]:
    """Return the first row of a batch with the text that is not what its own text gets alone."""
    for texts in _small_batches(text):
        rows = batch_ids(texts, subject)
        alone = encode_all(texts, subject)
        if isinstance(rows, Raised) or len(rows) != len(texts):
            given = rows if isinstance(rows, Raised) else f"{len(rows)} rows for {len(texts)} texts"
            return {"entry point": BATCH, "batch": texts, **compared(given, ids, subject)}
        for one, row, expected in zip(texts, rows, alone, strict=True):
            if isinstance(expected, Raised) or row in allowed_ids(one, expected, BATCH, subject):
                continue
            if one != text and not _is_right_alone(one, subject):
                continue
            record = {"entry point": BATCH, "batch": texts, "text in the batch": one}
            return record | compared(row, allowed_ids(one, expected, BATCH, subject)[0], subject)
    return {}


def audit(subject: Subject) -> Iterator[Failure]:
    """Compare on plain texts, batches of all shapes, surrogates and around special tokens."""
    reported: set[Cause] = set()
    for text in (*PLAIN, EXPANDING, *SURROGATES):
        for cause in diagnose(text, subject):
            if cause not in reported:
                reported.add(cause)
                yield Failure(cause, text=text)
    if RANDOM_SEGMENTATION in reported:
        return
    if subject.target.can(BATCH) and entry_point_cause(BATCH) not in reported:
        for failure in _batch_failures(subject):
            reported.add(failure.cause)
            yield failure
    if entry_point_cause("encode_special") not in reported:
        for failure in near_miss_failures(subject):
            reported.add(failure.cause)
            yield failure
    yield from twin_failures(reported, subject)
    if entry_point_cause(DECODE_BATCH) not in reported:
        yield from decode_batch_failures(PLAIN, subject)
    yield from variant_failures(PLAIN, reported, subject)
    names = [name for name in contracts(subject) if BY_NAME[name].takes is not Argument.IDS]
    names += [BATCH] if subject.target.can(BATCH) else []
    yield from map(Failure, added_ids_causes(names, subject))
    yield from _surrogate_failures(subject)
    yield from surroundings_failures(subject)


def _batch_causes(text: str, subject: Subject) -> list[Cause]:
    """Cause that names the batch, if this text gets different ids in a batch of one or more."""
    if not subject.target.can(BATCH) or _treats_special_text_like_encode(text, subject):
        return []
    surrogates = not is_scalar(text)
    for texts in _small_batches(text):
        alone = encode_all(texts, subject)
        raised = any(isinstance(ids, Raised) for ids in alone)
        if not raised and not _batch_is_right(texts, alone, text, subject):
            plain = surrogates and bool(_batch_causes(scalar_text(text), subject))
            rows = batch_ids(texts, subject)
            named = "" if isinstance(rows, Raised) else named_difference(rows, alone)
            message = f"encode_batch {named}" if named else ""
            return [entry_point_cause(BATCH, message, surrogates=surrogates and not plain)]
    return []


def _batch_is_right(texts: list[str], alone: list[Any], text: str, subject: Subject) -> bool:
    """Whether a batch gives right ids, but for texts next to ``text`` that it never gives right."""
    if batch_agrees(texts, alone, subject):
        return True
    kept = [one for one in texts if one == text or _is_right_alone(one, subject)]
    return len(kept) < len(texts) and batch_agrees(kept, encode_all(kept, subject), subject)


def _is_right_alone(text: str, subject: Subject) -> bool:
    return batch_agrees([text], encode_all([text], subject), subject)


def _small_batches(text: str) -> tuple[list[str], list[str]]:
    """Return a batch of the text alone, and a batch of the text among others."""
    return [text], ["a", text, "", text]


def _treats_special_text_like_encode(text: str, subject: Subject) -> bool:
    """Whether a batch treats the text of a special token as ``encode`` does, which is by design.

    If ``encode`` is the entry point for plain text, the batch must give its ids.
    """
    if not subject.target.can("encode_ordinary") or not has_special_text(text, subject):
        return False
    in_batch, (encoded,) = batch_ids([text], subject), encode_all([text], subject, "encode")
    if isinstance(in_batch, Raised):
        return isinstance(encoded, Raised)
    return in_batch == [encoded]


def _batch_failures(subject: Subject) -> Iterator[Failure]:
    """Report the first batch that fails because of its size or of the other texts in it."""
    for texts in _batches(subject):
        argument = list(texts)
        result = subject.target.call(BATCH, argument)
        if result is not None and argument != texts:
            message = "encode_batch changes the list of texts that it is called with"
            given, wanted = f"{len(argument)} texts after the call", f"{len(texts)} texts as before"
            evidence = compared_call(BATCH, given, wanted, subject)
            yield Failure(entry_point_cause(BATCH, message), evidence=evidence)
            return
        alone = encode_all(texts, subject)
        if any(isinstance(ids, Raised) for ids in alone):
            continue
        if not batch_agrees(texts, alone, subject):
            difference = difference_of_rows(batch_ids(texts, subject), alone)
            message = f"encode_batch with {len(texts):,} texts {difference}"
            evidence = _first_other_row(texts, alone, subject)
            yield Failure(entry_point_cause(BATCH, message), evidence=evidence)
            return


def _first_other_row(texts: list[str], alone: Sequence[Any], subject: Subject) -> dict[str, Any]:
    """Return the first row of a batch that differs from what its text gets alone."""
    rows = batch_ids(texts, subject)
    record: dict[str, Any] = {"texts": len(texts)}
    if isinstance(rows, Raised) or len(rows) != len(texts):
        given = rows if isinstance(rows, Raised) else f"{len(rows)} rows"
        return {**compared_call(BATCH, given, f"{len(texts)} rows", subject), **record}
    for text, row, ids in zip(texts, rows, alone, strict=True):
        if row not in (allowed := allowed_ids(text, ids, BATCH, subject)):
            return {**compared_call(BATCH, row, allowed[0], subject, text), **record}
    return record


def _batches(subject: Subject) -> list[list[str]]:
    """Batches of different sizes and shapes, of texts that can be encoded."""
    texts = [text for text in PLAIN if subject.encode(text) is not None]
    many = [f"{number} {texts[number % len(texts)]}" for number in range(LARGEST_BATCH) if texts]
    return [[], texts, texts[::-1], [LONG, "a"], ["a", LONG], ["a"] * 9, [""] * 3, many]


def _surrogate_failures(subject: Subject) -> Iterator[Failure]:
    """Report entry points that accept a lone surrogate that the plain-text entry point refuses."""
    refused = [text for text in SURROGATES if _is_refused(text, subject)]
    for name in contracts(subject):
        if name in ("encode_bytes", "decode_bytes"):
            continue
        text = next((t for t in refused if not _raises(name, t, subject)), None)
        if text is not None:
            yield _accepted_surrogates(name, encode_all([text], subject, name)[0], text, subject)
    if refused and subject.target.can(BATCH):
        text = next((t for t in refused if not isinstance(batch_ids([t], subject), Raised)), None)
        if text is not None:
            yield _accepted_surrogates(BATCH, batch_ids([text], subject), text, subject)


def _accepted_surrogates(name: str, given: object, text: str, subject: Subject) -> Failure:
    evidence = compared_call(name, given, subject.target.encode(text), subject)
    return Failure(entry_point_cause(name, surrogates=True), text=text, evidence=evidence)


def _is_refused(text: str, subject: Subject) -> bool:
    result = subject.target.encode(text)
    return isinstance(result, Raised) and isinstance(result.error, Exception)


def _raises(entry_point: str, text: str, subject: Subject) -> bool:
    return isinstance(subject.target.call(entry_point, text), Raised)
