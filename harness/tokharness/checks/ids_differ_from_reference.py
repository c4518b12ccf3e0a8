"""The ids differ from those of the reference on the same vocabulary.

Why it matters: a model was trained on the ids of one implementation. Another implementation that
splits one number, one contraction or one new letter differently gives it text that it never saw in
training, and nothing raises.

Oracle: differential. The reference is an independent implementation that reads the same vocabulary
file: the target's automatic reference, or the one that ``--against`` names.

Verdicts: *bug*, one for each cause, even if thousands of texts differ. The causes are *special
token*; *normalizer*; *dropped* or *replaced characters*, with the characters; *Unicode version*;
*pre-token split*, with the kind of text; *merge order*; *vocabulary*, if the same id stands for
other bytes; and *state*, if the target contradicts itself. The automatic reference is set to the
Unicode version that the target follows, which is reported as a fact (*by design*). With an explicit
reference the Unicode version is a cause like the others, since parity was claimed.

Example: numbers split into groups of four where the reference splits them into groups of three::

    TOK201 bug  pre-token split: number   a number is split differently before merging   "0000"

What to do: use the pattern, normalizer and Unicode version of the implementation that the model was
trained with.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tokharness.checks.special_id_from_plain_text import special_causes
from tokharness.diagnosis.ids.missing_bytes import explain_missing_bytes
from tokharness.diagnosis.ids.segmentation import explain_segmentation
from tokharness.diagnosis.ids.version_differences import version_difference_causes
from tokharness.diagnosis.state import STATE
from tokharness.diagnosis.text.changes import explain_change
from tokharness.diagnosis.text.surrogates import surrogate_causes
from tokharness.model import Batch, Cause, Failure, Target, Verdict
from tokharness.targets.subject import Subject, scalar_text
from tokharness.unicode.properties import label

if TYPE_CHECKING:
    from collections.abc import Iterator

CODE = "TOK201"
NAME = "ids-differ-from-reference"
REQUIRES = ("reference",)
COLUMNS = ("reference_ids",)

__all__ = ["CODE", "COLUMNS", "NAME", "REQUIRES", "audit", "diagnose", "failing"]

WORDS = ("word", "the", "and", "number", "time", "under", "make", "people", "first", "which")
UNEXPLAINED = Cause("unexplained", message="ids differ, and no known cause explains it")
VOCABULARY = Cause("vocabulary", message="the same ids stand for other bytes than in the reference")


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows whose ids differ from the reference's, where both gave some."""
    if batch.reference_ids is None or batch.ids == batch.reference_ids:
        return []
    return [
        row
        for row, (ids, other) in enumerate(zip(batch.ids, batch.reference_ids, strict=True))
        if ids != other and ids is not None and other is not None
    ]


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Causes that may explain why this text's ids differ."""
    try:
        ids, wanted = subject.encode(text), subject.reference_ids(text)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return []
    if ids == wanted:
        return []
    if subject.try_encode(text) != ids:
        return [STATE]
    framed, ids = ids, _frame(subject).without(ids)
    if ids == wanted and framed != ids:
        return [_frame(subject).cause]
    return (
        special_causes(text, ids, subject)
        or ([VOCABULARY] if _is_other_vocabulary(subject) else [])
        or _surrogate_causes(text, ids, subject)
        or explain_missing_bytes(text, subject, partial(_differs, subject))
        or _text_causes(text, ids, subject)
        or _version_or_cuts(text, ids, subject)
        or [UNEXPLAINED]
    )


def _differs(subject: Subject, text: str) -> bool:
    return _frame(subject).without(subject.encode(text)) != subject.reference_ids(text)


@dataclass(frozen=True, slots=True)
class _Frame:
    """Ids that the target puts around those of every text, and the reference does not."""

    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()

    def without(self, ids: list[int]) -> list[int]:
        """Give the ids inside the frame; all of them, if it is not around them."""
        start, end = len(self.before), len(ids) - len(self.after)
        if start > end or (*ids[:start], *ids[end:]) != (*self.before, *self.after):
            return ids
        return ids[start:end]

    @property
    def cause(self) -> Cause:
        parameters = (("before", str(list(self.before))), ("after", str(list(self.after))))
        message = "every text gets ids more than the reference gives, before or after its own"
        return Cause("ids around every text", parameters, message=message)


def _frame(subject: Subject) -> _Frame:
    """What is around the ids of two different words, and the same both times."""

    def found() -> _Frame:
        frames = {
            _around(subject.try_encode(word) or [], subject.reference_ids(word))
            for word in WORDS[:2]
        }
        return frames.pop() if len(frames) == 1 else _Frame()

    return subject.remember("frame", found)


def _around(ids: list[int], wanted: list[int]) -> _Frame:
    for start in range(len(ids) - len(wanted) + 1):
        if ids[start : start + len(wanted)] == wanted:
            return _Frame(tuple(ids[:start]), tuple(ids[start + len(wanted) :]))
    return _Frame()


def _is_other_vocabulary(subject: Subject) -> bool:
    """Whether the ids of most common words stand for something else to the reference."""

    def means_another(word: str) -> bool:
        ids = subject.try_encode(word) or []
        read = _reads(subject.reference, _frame(subject).without(ids))
        # What stands before every text is another matter.
        return _reads(subject.target, ids) == word and not (read or "").endswith(word)

    def found() -> bool:
        return sum(map(means_another, WORDS)) > len(WORDS) // 2

    return subject.remember("other vocabulary", found)


def _reads(reader: Target | None, ids: list[int]) -> str | None:
    try:
        return None if reader is None else reader.decode(ids)
    except KeyboardInterrupt:
        raise
    except BaseException:  # an id it does not know
        return None


def _surrogate_causes(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """What became of surrogates, if the target agrees where U+FFFD stands in their place."""
    plain = scalar_text(text)
    if plain == text or subject.reference is None:
        return []
    if subject.try_encode(plain) != subject.reference_ids(plain):
        return []
    return surrogate_causes(text, _reads(subject.reference, ids) or "")


def _text_causes(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """What happened to the text, if the ids stand for another one."""
    reference = subject.reference
    if reference is None:
        return []
    wanted = subject.expected(text)
    seen = _reads(reference, ids)
    if seen is None:
        return [VOCABULARY]
    if seen == scalar_text(wanted):
        return []

    def as_reference_reads(other: str) -> str:
        return reference.decode(_frame(subject).without(subject.encode(other)))

    plain = scalar_text(wanted)
    if subject.target.decode(ids) == plain and seen.endswith(plain):
        before = seen[: len(seen) - len(plain)]
        if before and as_reference_reads(WORDS[0]) == before + WORDS[0]:
            return [_put_before(before)]
    causes = explain_change(wanted, seen, subject, as_reference_reads, "ids")
    if causes[0].weak and subject.target.decode(ids) == scalar_text(wanted):
        return [VOCABULARY, *causes]  # the text is not changed for the target itself
    return causes


def _put_before(text: str) -> Cause:
    named = " ".join(map(label, text))
    message = f"{named} is put before every text, and taken away again in decoding"
    return Cause("added before every text", (("characters", named),), message=message)


def _version_or_cuts(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    versions = _version_causes(text, ids, subject)
    expected = [cause for cause in versions if cause in subject.expected_causes]
    return expected or [*versions, *_cuts(text, ids, subject)]


def _version_causes(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """Unicode versions at which the explainer gives the target's ids, the newest first.

    A text may fit a version by accident, so the cuts are told beside them; the cause that most
    failures share wins.
    """
    explainer = subject.explainer
    if explainer is None:
        return version_difference_causes(text, subject)
    if not explainer.can("with_unicode_version") or text.isascii():
        return []
    from tokharness.unicode.versions import VERSIONS, changed

    reclassified = subject.remember(
        "reclassified", lambda: frozenset(map(chr, changed(VERSIONS[0], VERSIONS[-1])))
    )
    if reclassified.isdisjoint(text):
        return []
    pinned = subject.remember(
        "explainers", lambda: {v: explainer.tokenizer.with_unicode_version(v) for v in VERSIONS}
    )
    wanted = subject.expected(text)
    causes = []
    # A version that was told from outside is not told otherwise by accident.
    for version in [subject.unicode_version] if subject.unicode_version else reversed(VERSIONS):
        if pinned[version].encode_ordinary(wanted) == ids:
            message = f"characters are classified as in Unicode {version}, the reference's not"
            causes.append(Cause("Unicode version", (("is", version),), message=message))
    return causes


def _cuts(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    try:
        return explain_segmentation(subject.expected(text), ids, subject)
    except (LookupError, UnicodeError):
        return []


def audit(subject: Subject) -> Iterator[Failure]:
    """Tell which Unicode version the target was found to split by."""
    version = subject.unicode_version
    if version is not None:
        yield Failure(
            Cause(
                "Unicode version of the split",
                (("is", version),),
                Verdict.BY_DESIGN,
                f"characters are classified as in Unicode {version}",
            )
        )
