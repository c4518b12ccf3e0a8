"""The entry points of one library give different ids for the same plain text.

Why it matters: training encodes a corpus in batches, the server encodes one request at a time, and
the bill is computed with ``count``. A fast path that pads, sorts or splits differently trains a
model on other ids than it is served with, and no error shows it.

Oracle: invariant of one target. Those of ``encode``, ``encode_ordinary``, ``encode_batch``,
``encode_special``, ``encode_with_offsets``, ``encode_bytes``, ``count`` and ``decode_bytes`` that
the target has agree on plain text: text without a special token. A batch gives what its texts give
alone, in their order: an empty batch, one text, an empty text, duplicates, long texts next to short
ones, some hundreds. For text around a special token ``encode_special`` gives the ids of the text
before it, the special id, and the ids of the text after it.

Verdicts: *bug*, one for each entry point, also for lost text around a special token. *Risk* if text
around a special token is only split differently. A lone surrogate may raise or become U+FFFD, but
must do the same at every entry point.

Ids that ``encode`` or ``encode_special`` adds to every text, such as a start token, are ignored
there and in the entry points built on these two, and are reported once: *by design* if they are
declared special tokens, *risk* if they are undeclared and decode to nothing or to a text like
``<s>``. Any other id that every text gets is a *bug*. A target with ``encode_ordinary`` may have an
``encode`` that refuses or reads the text of a special token; this is by design, and so is a batch,
a ``count`` or an ``encode_with_offsets`` that does the same.

Example: a batch that sorts its texts by length and does not restore their order::

    TOK110 bug  entry points: encode_batch   "a"

What to do: build all entry points on one function, or use the same one for training and serving.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.entry_points.bos_eos import added_ids_causes
from tokharness.diagnosis.entry_points.contracts import (
    batch_agrees,
    batch_ids,
    contracts,
    disagreement_causes,
    entry_point_cause,
    has_special_text,
)
from tokharness.diagnosis.probes.calls import BATCH, encode_all
from tokharness.diagnosis.special.surroundings import surroundings_failures
from tokharness.model import Batch, Cause, Failure
from tokharness.outcome import Raised, called
from tokharness.targets.subject import is_scalar, scalar_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.targets.subject import Subject

CODE = "TOK110"
NAME = "entry-points-disagree"
COLUMNS = ()

__all__ = ["CODE", "COLUMNS", "NAME", "audit", "diagnose", "failing"]

LONG = "the quick brown fox jumps over the lazy dog. " * 40
PLAIN = (
    *("a", "", "word", " two words", "1234567", "\n\n  x", "don't", "a", "caf\u00e9", "e\u0301"),
    *("\u4e2d\u6587", "\U0001f468\u200d\U0001f469", "\u200b", "\x00", LONG, "z"),
)
SURROGATES = ("a\ud800b", "\udc00", "\ude00\ud83d", "\ud83d\ude00")
STRIDE = 5
"""Of the sampled rows so many are left out each time: all entry points cost ten times one call."""

MANY = 517
"""Texts of the largest batch: no round number, so that the last share of each thread is smaller."""


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Some of the sampled rows, on which another entry point disagrees."""
    rows = batch.sampled[::STRIDE]
    found = {row for row in rows if disagreement_causes(batch.texts[row], batch.ids[row] or [], subject)}
    if subject.target.can(BATCH):
        texts = [batch.texts[row] for row in rows]
        if not batch_agrees(texts, [batch.ids[row] for row in rows], subject):
            found.update(row for row in rows if _batch_causes(batch.texts[row], subject))
    return sorted(found)


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Name the entry points that disagree on this text."""
    ids = subject.try_encode(text)
    if ids is None:
        return []
    return [*disagreement_causes(text, ids, subject), *_batch_causes(text, subject)]


def audit(subject: Subject) -> Iterator[Failure]:
    """Compare on some plain texts, batches of all shapes, surrogates and around special tokens."""
    told: set[Cause] = set()
    for text in (*PLAIN, *SURROGATES):
        for cause in diagnose(text, subject):
            if cause not in told:
                told.add(cause)
                yield Failure(cause, text=text)
    if subject.target.can(BATCH) and entry_point_cause(BATCH) not in told:
        yield from _batches(subject)
    names = [name for name in contracts(subject) if name != "decode_bytes"]
    names += [BATCH] if subject.target.can(BATCH) else []
    yield from map(Failure, added_ids_causes(names, subject))
    yield from _refused_surrogates(subject)
    yield from surroundings_failures(subject)


def _batch_causes(text: str, subject: Subject) -> list[Cause]:
    """Name the batch if this text, alone or among others, has other ids in it."""
    if not subject.target.can(BATCH) or _reads_special(text, subject):
        return []
    surrogates = not is_scalar(text)
    for texts in ([text], ["a", text, "", text]):
        alone = encode_all(texts, subject)
        raised = any(isinstance(ids, Raised) for ids in alone)
        if not raised and not batch_agrees(texts, alone, subject):
            plain = surrogates and bool(_batch_causes(scalar_text(text), subject))
            return [entry_point_cause(BATCH, surrogates=surrogates and not plain)]
    return []


def _reads_special(text: str, subject: Subject) -> bool:
    """Whether a batch gives for the text of a special token what ``encode`` does, by design.

    Where ``encode`` is the entry point for plain text, the batch owes its ids.
    """
    if not subject.target.can("encode_ordinary") or not has_special_text(text, subject):
        return False
    got, (encoded,) = batch_ids([text], subject), encode_all([text], subject, "encode")
    return isinstance(encoded, Raised) if isinstance(got, Raised) else got == [encoded]


def _batches(subject: Subject) -> Iterator[Failure]:
    """Tell a batch that goes wrong by its size or by what stands beside a text."""
    for texts in _shapes(subject):
        given = list(texts)
        if called(subject.target.tokenizer.encode_batch, given) is not None and given != texts:
            message = "encode_batch changes the list of texts that it is given"
            yield Failure(entry_point_cause(BATCH, message), evidence={"texts": len(texts)})
            return
        alone = encode_all(texts, subject)
        if any(isinstance(ids, Raised) for ids in alone):
            continue
        if not batch_agrees(texts, alone, subject):
            what = _difference(batch_ids(texts, subject), alone)
            message = f"a batch of {len(texts):,} texts {what}"
            yield Failure(entry_point_cause(BATCH, message), evidence={"texts": len(texts)})
            return


def _shapes(subject: Subject) -> list[list[str]]:
    texts = [text for text in PLAIN if subject.try_encode(text) is not None]
    many = [f"{number} {texts[number % len(texts)]}" for number in range(MANY)] if texts else []
    return [[], texts, texts[::-1], [LONG, "a"], ["a", LONG], ["a"] * 9, [""] * 3, many]


def _difference(got: Sequence[object] | Raised, alone: Sequence[object]) -> str:
    if isinstance(got, Raised):
        return f"raises {type(got.error).__name__}"
    if len(got) != len(alone):
        return f"has {len(got):,} results"
    if sorted(map(str, got)) == sorted(map(str, alone)):
        return "has its results in another order"
    return "has other ids than its texts have alone"


def _refused_surrogates(subject: Subject) -> Iterator[Failure]:
    """Tell entry points that give ids where the one for plain text refuses a lone surrogate."""
    refused = [text for text in SURROGATES if _refuses(text, subject)]
    tokenizer, names = subject.target.tokenizer, [*contracts(subject)]
    for name in names:
        if name in ("encode_bytes", "decode_bytes"):
            continue
        text = next((t for t in refused if not _raises(getattr(tokenizer, name), t)), None)
        if text is not None:
            yield Failure(entry_point_cause(name, surrogates=True), text=text)
    if refused and subject.target.can(BATCH):
        text = next((t for t in refused if not isinstance(batch_ids([t], subject), Raised)), None)
        if text is not None:
            yield Failure(entry_point_cause(BATCH, surrogates=True), text=text)


def _refuses(text: str, subject: Subject) -> bool:
    got = called(subject.target.encode, text)
    return isinstance(got, Raised) and isinstance(got.error, Exception)


def _raises(function: object, text: str) -> bool:
    return isinstance(called(function, text), Raised)  # type: ignore[arg-type]
