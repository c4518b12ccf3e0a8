"""The ids differ from the reference's ids on the same vocabulary.

Why it matters: a model was trained on the ids of one implementation. Another implementation that
splits one number, one contraction or one new letter differently gives it text that it never saw in
training, and nothing raises.

Oracle: differential. The reference is an independent implementation that reads the same vocabulary
file: the target's automatic reference, or the reference that ``--against`` names.

Verdicts: *bug*, one for each cause, even if thousands of texts differ. The causes are *special
token*; *cuts long texts*; *normalizer*; *dropped* or *replaced characters*, with the characters;
*Unicode version*; *pre-token split*, with the kind of text; *merge order*; *unknown token*;
*vocabulary*, if the same id stands for different bytes; and *state*, if the target contradicts
itself. If the reference can be altered so that it gives the target's ids, the cause names the
*stage* (added tokens, normalizer, pre-tokenizer, model, post-processor, decoder) and the
alteration: a setting of the file or a rule of the pattern, such as *pre-tokenizer: Split: behavior
is Removed* and *pre-tokenizer: numbers are split into fours*; tokens that are not made, as in
*model: no token 'ing' is made*; or how an engine departs. If no alteration explains the ids, the
cause may name different borders of pre-tokens (*pre-tokenizer: no border between line ends and
U+0020 SPACE*), a further contraction, a limit of length, or another order of merges. The evidence
has the text after each stage. If ``--against`` names another file of the same format, the cause is
the edit that changes the ids: *model: merge 300 (' b', 'yt') is gone*; of files of two formats, the
merges and the scores of equal tokens are compared so. A *fact* lists all edits between two files of
one format, also edits that no text shows, such as another padding. A cause must predict: the
reference, altered as the cause says, gives the target's ids for the failing texts and for texts
that do not fail. A cause that does not predict is reported as a *symptom*. If the reference is the
side that departs from the file, the cause ends with *in the reference*. *Risk* for *model: equal
scores*: among segmentations with equal scores, the target takes a different one than the reference,
because it has rounded the scores; the format does not say which is right.

The automatic reference uses the Unicode version that the target follows (for a `tokenizer.json`,
the version of each stage), which is reported as a *fact*. If ``--against`` names the reference,
both must use the same Unicode version, and a different version is a bug. A lone surrogate on which
only one side raises is a *risk*, since it is not Unicode text. TOK102 reports other texts on which
the target raises and the reference does not; without TOK102 in the run, this check reports them as
bugs.

Example: numbers split into groups of four where the reference splits them into groups of three::

    TOK201 bug  pre-tokenizer: numbers are split into fours   "0000"

What to do: use the pattern, normalizer and Unicode version of the implementation that the model was
trained with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.checks import raises
from tokharness.checks.ids_differ_from_reference.explanations import EXPLANATIONS, Failed
from tokharness.checks.ids_differ_from_reference.one_side_raises import (
    NOT_RAISED,
    causes_where_one_raises,
    rows_where_one_raises,
)
from tokharness.checks.ids_differ_from_reference.predictions import (
    post_processor_failures,
    predicts,
)
from tokharness.checks.ids_differ_from_reference.segmentation import CUTS_LONG_TEXTS
from tokharness.diagnosis.comparisons import compared_call
from tokharness.diagnosis.entry_points.affixes import reference_affixes
from tokharness.diagnosis.explanations import first_causes
from tokharness.diagnosis.ids.distant_text import FAR
from tokharness.diagnosis.ids.edited_files import file_difference
from tokharness.diagnosis.ids.equal_added_tokens import equal_added_failures
from tokharness.diagnosis.ids.stage_versions import unicode_facts
from tokharness.diagnosis.probes.cache_collisions import earlier_text
from tokharness.model import Batch, Cause, Failure, Verdict
from tokharness.targets.subject import Subject, is_scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

CODE = "TOK201"
NAME = "ids-differ-from-reference"
REQUIRES = ("reference",)
COLUMNS = ("reference_ids",)
OWNED_CAUSES = (CUTS_LONG_TEXTS.kind, FAR.kind)
"""Causes that TOK116 finds, too."""

__all__ = [
    "CODE",
    "COLUMNS",
    "NAME",
    "OWNED_CAUSES",
    "REQUIRES",
    "audit",
    "diagnose",
    "evidence",
    "failing",
    "predicts",
]

UNEXPLAINED = Cause("unexplained", message="the ids differ, and no known cause explains it")


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows whose ids differ from the reference's ids, and rows that only one side refuses."""
    if batch.reference_ids is None or batch.ids == batch.reference_ids:
        return []
    rows = rows_where_one_raises(batch, subject) + _refused_rows(batch, subject)
    return rows + [
        row
        for row, (ids, wanted) in enumerate(zip(batch.ids, batch.reference_ids, strict=True))
        if ids != wanted and ids is not None and wanted is not None
    ]


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Return the causes that may explain why this text's ids differ, the most specific first."""
    ids, wanted = subject.encode(text), subject.reference_ids(text)
    if ids is None or wanted is None:
        return _causes_where_one_raises(text, subject)
    if ids == wanted:
        return []
    failed = Failed(text, reference_affixes(subject).without(ids), ids, wanted, subject)
    return first_causes(EXPLANATIONS, failed, subject.state.refuted_causes) or [UNEXPLAINED]


def evidence(text: str, cause: Cause, subject: Subject) -> dict[str, Any]:
    """Return the ids of a text from target and reference, or what one side raises."""
    if subject.reference is None or cause.verdict is Verdict.FACT:
        return {}
    given = subject.target.encode(text)
    expected = subject.reference.encode(subject.text_for_reference(text))
    if given == expected:
        return {}
    shown = compared_call(subject.target.entry_point, given, expected, subject)
    return {**shown, **earlier_text(text, cause, subject)}


def _refused_rows(batch: Batch, subject: Subject) -> list[int]:
    """Rows without surrogates on which only the target raises, if TOK102 does not run."""
    if raises.CODE in subject.checks or batch.reference_ids is None:
        return []
    return [
        row
        for row, error in batch.errors.items()
        if batch.ids[row] is None and batch.reference_ids[row] is not None
        if not isinstance(error, NOT_RAISED) and is_scalar(batch.texts[row])
    ]


def _causes_where_one_raises(text: str, subject: Subject) -> list[Cause]:
    """Causes of a text that one side refuses: TOK102's, unless surrogates are refused by design."""
    if raises.CODE not in subject.checks and is_scalar(text) and subject.encode(text) is None:
        return [] if subject.reference_ids(text) is None else raises.diagnose(text, subject)
    causes = causes_where_one_raises(text, subject)
    if causes and subject.encode(text) is None:
        reported = raises.diagnose(text, subject)
        return causes if [cause.kind for cause in reported] == ["lone surrogates"] else reported
    return causes


def audit(subject: Subject) -> Iterator[Failure]:
    """Report the stages' Unicode versions, the post-processor, and how two files differ."""
    yield from post_processor_failures(subject)
    yield from equal_added_failures(subject)
    yield from file_difference(subject)
    for cause in unicode_facts(subject):
        yield Failure(cause)
