"""The entry points of one library give different ids for one plain text.

Oracle: invariant of one target. Whatever it has of ``encode`` and ``encode_ordinary``,
``encode_batch``, ``encode_special``, ``encode_with_offsets``, ``encode_bytes``, ``count`` and
``decode_bytes`` agrees on plain text: text that holds no special token.

Why it matters: training reads a corpus with the batch, the server encodes one request at a time,
the bill is made with ``count``. A fast path that pads, sorts, or splits otherwise trains a model on
other ids than it is asked with, and nobody sees it.

A batch owes what its texts give alone, in their order: an empty one, one text, an empty text,
duplicates, long beside short, some hundreds. ``encode_special`` owes, for text around a special
token, the ids of what is before, the special id, and those of what is after.

The verdict is *bug*, one for each entry point. Marks that ``encode`` or ``encode_special`` adds to
every text, such as one for its start, are left out, there and at what is made of these, and told
once: as by design where they are declared special tokens, as a *risk* where they decode to nothing
or to a text like ``<s>``, undeclared. Any other id that every text gets is a bug.

That an ``encode`` beside ``encode_ordinary`` refuses, or reads, the text of a special token is by
design, and so is a batch, a ``count`` or an ``encode_with_offsets`` that does as it does. Text
around a special token that is only split otherwise is a *risk*; text that is lost is a bug. A lone
surrogate may raise or become U+FFFD, but at every entry point in the same way.

Example: a batch that sorts its texts by length and forgets to put them back::

    TOK110 bug  entry points: encode_batch   "a"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.entry_points.bos_eos import adding_ids
from tokharness.diagnosis.entry_points.contracts import (
    batch_agrees,
    batch_ids,
    disagreeing,
    entry_point,
    has_special_text,
    points,
)
from tokharness.diagnosis.probes.calls import BATCH, encoded_each
from tokharness.diagnosis.probes.raising_stage import Raised, called
from tokharness.diagnosis.special.surroundings import around_special
from tokharness.model import Batch, Cause, Failure
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
    found = {row for row in rows if disagreeing(batch.texts[row], batch.ids[row] or [], subject)}
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
    return [*disagreeing(text, ids, subject), *_batch_causes(text, subject)]


def audit(subject: Subject) -> Iterator[Failure]:
    """Compare on some plain texts, batches of all shapes, surrogates and around special tokens."""
    told: set[Cause] = set()
    for text in (*PLAIN, *SURROGATES):
        for cause in diagnose(text, subject):
            if cause not in told:
                told.add(cause)
                yield Failure(cause, text=text)
    if subject.target.can(BATCH) and entry_point(BATCH) not in told:
        yield from _batches(subject)
    names = [name for name in points(subject) if name != "decode_bytes"]
    names += [BATCH] if subject.target.can(BATCH) else []
    yield from map(Failure, adding_ids(names, subject))
    yield from _refused_surrogates(subject)
    yield from around_special(subject)


def _batch_causes(text: str, subject: Subject) -> list[Cause]:
    """Name the batch if this text, alone or among others, has other ids in it."""
    if not subject.target.can(BATCH) or _reads_special(text, subject):
        return []
    surrogates = not is_scalar(text)
    for texts in ([text], ["a", text, "", text]):
        alone = encoded_each(texts, subject)
        raised = any(isinstance(ids, Raised) for ids in alone)
        if not raised and not batch_agrees(texts, alone, subject):
            plain = surrogates and bool(_batch_causes(scalar_text(text), subject))
            return [entry_point(BATCH, surrogates=surrogates and not plain)]
    return []


def _reads_special(text: str, subject: Subject) -> bool:
    """Whether a batch gives for the text of a special token what ``encode`` does, by design.

    Where ``encode`` is the entry point for plain text, the batch owes its ids.
    """
    if not subject.target.can("encode_ordinary") or not has_special_text(text, subject):
        return False
    got, (encoded,) = batch_ids([text], subject), encoded_each([text], subject, "encode")
    return isinstance(encoded, Raised) if isinstance(got, Raised) else got == [encoded]


def _batches(subject: Subject) -> Iterator[Failure]:
    """Tell a batch that goes wrong by its size or by what stands beside a text."""
    for texts in _shapes(subject):
        given = list(texts)
        if called(subject.target.tokenizer.encode_batch, given) is not None and given != texts:
            message = "encode_batch changes the list of texts that it is given"
            yield Failure(entry_point(BATCH, message), evidence={"texts": len(texts)})
            return
        alone = encoded_each(texts, subject)
        if any(isinstance(ids, Raised) for ids in alone):
            continue
        if not batch_agrees(texts, alone, subject):
            what = _difference(batch_ids(texts, subject), alone)
            message = f"a batch of {len(texts):,} texts {what}"
            yield Failure(entry_point(BATCH, message), evidence={"texts": len(texts)})
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
    tokenizer, names = subject.target.tokenizer, [*points(subject)]
    for name in names:
        if name in ("encode_bytes", "decode_bytes"):
            continue
        text = next((t for t in refused if not _raises(getattr(tokenizer, name), t)), None)
        if text is not None:
            yield Failure(entry_point(name, surrogates=True), text=text)
    if refused and subject.target.can(BATCH):
        text = next((t for t in refused if not isinstance(batch_ids([t], subject), Raised)), None)
        if text is not None:
            yield Failure(entry_point(BATCH, surrogates=True), text=text)


def _refuses(text: str, subject: Subject) -> bool:
    got = called(subject.target.encode, text)
    return isinstance(got, Raised) and isinstance(got.error, Exception)


def _raises(function: object, text: str) -> bool:
    return isinstance(called(function, text), Raised)  # type: ignore[arg-type]
