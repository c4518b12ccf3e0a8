"""The ids differ from those of the reference on the same vocabulary.

Why it matters: a model was trained on the ids of one implementation. Another implementation that
splits one number, one contraction or one new letter differently gives it text that it never saw in
training, and nothing raises.

Oracle: differential. The reference is an independent implementation that reads the same vocabulary
file: the target's automatic reference, or the one that ``--against`` names.

Verdicts: *bug*, one for each cause, even if thousands of texts differ. The causes are *special
token*; *normalizer*; *dropped* or *replaced characters*, with the characters; *Unicode version*;
*pre-token split*, with the kind of text; *merge order*; *vocabulary*, if the same id stands for
different bytes; and *state*, if the target contradicts itself. The automatic reference is set to
the Unicode version that the target follows, which is reported as a *fact*. If ``--against`` names
the reference, both must use one Unicode version, and another version is a bug.

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
UNEXPLAINED = Cause("unexplained", message="the ids differ, and no known cause explains it")
VOCABULARY = Cause(
    "vocabulary", message="the same ids stand for different bytes than in the reference"
)


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows whose ids differ from the reference's, if both encoded the text."""
    if batch.reference_ids is None or batch.ids == batch.reference_ids:
        return []
    return [
        row
        for row, (ids, wanted) in enumerate(zip(batch.ids, batch.reference_ids, strict=True))
        if ids != wanted and ids is not None and wanted is not None
    ]


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Return the causes that may explain why this text's ids differ, the most specific first."""
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
    all_ids, ids = ids, _affixes(subject).without(ids)
    if ids == wanted and all_ids != ids:
        return [_affixes(subject).cause]
    return (
        special_causes(text, ids, subject)
        or ([VOCABULARY] if _is_other_vocabulary(subject) else [])
        or _surrogate_causes(text, ids, subject)
        or explain_missing_bytes(text, subject, partial(_differs, subject))
        or _text_causes(text, ids, subject)
        or _version_or_segmentation_causes(text, ids, subject)
        or [UNEXPLAINED]
    )


def _differs(subject: Subject, text: str) -> bool:
    return _affixes(subject).without(subject.encode(text)) != subject.reference_ids(text)


@dataclass(frozen=True, slots=True)
class _Affixes:
    """Ids that the target adds to every text, and the reference does not."""

    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()

    def without(self, ids: list[int]) -> list[int]:
        """Remove the affixes; if they are not around the ids, return all ids."""
        start, end = len(self.before), len(ids) - len(self.after)
        if start > end or (*ids[:start], *ids[end:]) != (*self.before, *self.after):
            return ids
        return ids[start:end]

    @property
    def cause(self) -> Cause:
        parameters = (("before", str(list(self.before))), ("after", str(list(self.after))))
        message = "every text gets ids before or after its own that the reference does not add"
        return Cause("ids around every text", parameters, message=message)


def _affixes(subject: Subject) -> _Affixes:
    """Ids around those of two different words, if they are the same for both."""

    def compute() -> _Affixes:
        affixes = {
            _affixes_of_word(subject.try_encode(word) or [], subject.reference_ids(word))
            for word in WORDS[:2]
        }
        return affixes.pop() if len(affixes) == 1 else _Affixes()

    return subject.cache.get_or_compute("ids around every text", compute)


def _affixes_of_word(ids: list[int], wanted: list[int]) -> _Affixes:
    for start in range(len(ids) - len(wanted) + 1):
        if ids[start : start + len(wanted)] == wanted:
            return _Affixes(tuple(ids[:start]), tuple(ids[start + len(wanted) :]))
    return _Affixes()


def _is_other_vocabulary(subject: Subject) -> bool:
    """Whether the reference decodes the ids of most common words to other text."""

    def decodes_differently(word: str) -> bool:
        ids = subject.try_encode(word) or []
        decoded = _decode(subject.reference, _affixes(subject).without(ids))
        # Text that is added before every word has a cause of its own.
        return _decode(subject.target, ids) == word and not (decoded or "").endswith(word)

    def compute() -> bool:
        return sum(map(decodes_differently, WORDS)) > len(WORDS) // 2

    return subject.cache.get_or_compute("other vocabulary", compute)


def _decode(target: Target | None, ids: list[int]) -> str | None:
    """Text of some ids; None without a target, or for ids that it does not know."""
    try:
        return None if target is None else target.decode(ids)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return None


def _surrogate_causes(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """Causes for surrogates, if target and reference agree on the text with U+FFFD instead."""
    plain = scalar_text(text)
    if plain == text or subject.reference is None:
        return []
    if subject.try_encode(plain) != subject.reference_ids(plain):
        return []
    return surrogate_causes(text, _decode(subject.reference, ids) or "")


def _text_causes(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """Causes for a changed text, if the ids stand for another text."""
    reference = subject.reference
    if reference is None:
        return []
    wanted = subject.expected_text(text)
    decoded = _decode(reference, ids)
    if decoded is None:
        return [VOCABULARY]
    if decoded == scalar_text(wanted):
        return []

    def decode_by_reference(text: str) -> str:
        return reference.decode(_affixes(subject).without(subject.encode(text)))

    plain = scalar_text(wanted)
    if subject.target.decode(ids) == plain and decoded.endswith(plain):
        before = decoded[: len(decoded) - len(plain)]
        if before and decode_by_reference(WORDS[0]) == before + WORDS[0]:
            return [_prefix_cause(before)]
    causes = explain_change(wanted, decoded, subject, decode_by_reference, "ids")
    if causes[0].weak and subject.target.decode(ids) == scalar_text(wanted):
        return [VOCABULARY, *causes]  # the target itself gives the text back
    return causes


def _prefix_cause(text: str) -> Cause:
    characters = " ".join(map(label, text))
    message = f"encoding adds {characters} before every text, and decoding removes it again"
    return Cause("added before every text", (("characters", characters),), message=message)


def _version_or_segmentation_causes(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    versions = _version_causes(text, ids, subject)
    expected = [cause for cause in versions if cause in subject.expected_causes]
    return expected or [*versions, *_segmentation_causes(text, ids, subject)]


def _version_causes(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """Unicode versions at which the explainer gives the target's ids, the newest first.

    A text may fit a version by accident, so the causes of its split follow; the cause that most
    failures share wins.
    """
    explainer = subject.explainer
    if explainer is None:
        return version_difference_causes(text, subject)
    if not explainer.can("with_unicode_version") or text.isascii():
        return []
    from tokharness.unicode.versions import VERSIONS, changed

    reclassified = subject.cache.get_or_compute(
        "reclassified", lambda: frozenset(map(chr, changed(VERSIONS[0], VERSIONS[-1])))
    )
    if reclassified.isdisjoint(text):
        return []
    pinned = subject.cache.get_or_compute(
        "explainers", lambda: {v: explainer.tokenizer.with_unicode_version(v) for v in VERSIONS}
    )
    wanted = subject.expected_text(text)
    causes = []
    # Where the version was inferred from outside, a text that fits another one is an accident.
    for version in [subject.unicode_version] if subject.unicode_version else reversed(VERSIONS):
        if pinned[version].encode_ordinary(wanted) == ids:
            message = (
                f"the target classifies characters as Unicode {version} does, and the reference "
                "does not"
            )
            causes.append(Cause("Unicode version", (("is", version),), message=message))
    return causes


def _segmentation_causes(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    try:
        return explain_segmentation(subject.expected_text(text), ids, subject)
    except (LookupError, UnicodeError):
        return []


def audit(subject: Subject) -> Iterator[Failure]:
    """Report the Unicode version by which the target splits."""
    version = subject.unicode_version
    if version is not None:
        yield Failure(
            Cause(
                "Unicode version of the split",
                (("is", version),),
                Verdict.FACT,
                f"the target classifies characters as Unicode {version} does",
            )
        )
