r"""The decoded text is not the text that was encoded.

Why it matters: text that is lost before the model reads it cannot be filtered, quoted, counted or
generated. If a tokenizer drops invisible characters, a word that they split passes a filter and
reaches the model whole. An undeclared normal form gives two inputs the same ids, and offsets point
to the wrong place.

Oracle: invariant of one target. For a lossless tokenizer ``decode(encode(x)) == x``; for one that
declares a normalizer, the decoded text is exactly the declared form of ``x``. If the stages of the
file are known, the decoded text goes through them again: if it has the pre-tokens of ``x``, the
loss was before the model; otherwise it is the decoder's.

Verdicts: *bug*; the cause explains the change: a normal form, case folding, characters that are
dropped or replaced, the decoder (if the ids equal the reference's and only their text is wrong), or
the stage that gives the same ids when it is altered in the reference. A decoder of the file that
does not undo the stages before it is a bug, too: the tokens hold the text, and it does not come
back. *Risk* for white space that an added token takes, or that the pre-tokenizer is set to insert,
as by ``add_prefix_space``, and the decoder leaves. *Fact*, reported once, for changes by the
declared normalizer; for text that the pre-tokenizer removes, or makes equal to other text, so that
no decoder can give it back; and for text outside the vocabulary that becomes the unknown token. A
surrogate is not a character: a target may join pairs and replace each lone surrogate with U+FFFD,
which is by design and reported once. Any other text for a surrogate is a bug.

Example: a tokenizer that composes its input turns ``e\u0301`` into ``\u00e9``::

    TOK101 bug  normalizer: NFC   "e\u{301}"

What to do: remove the normalizer, or declare it as ``normalizer``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tokharness.checks.lossy_round_trip.added_ids import added_ids_causes
from tokharness.checks.special_id_from_plain_text import has_special_id, unknown_ids
from tokharness.diagnosis.comparisons import compared_call
from tokharness.diagnosis.explanations import Explanation, first_causes
from tokharness.diagnosis.ids.altered_stages import altered_decoder_causes, altered_stage_causes
from tokharness.diagnosis.ids.decoding_rules import altered_rule_causes
from tokharness.diagnosis.ids.missing_bytes import explain_missing_bytes
from tokharness.diagnosis.ids.stages import DECODER, stages_of
from tokharness.diagnosis.special.added import added_token_causes
from tokharness.diagnosis.state import STATE, state_cause
from tokharness.diagnosis.text.changes import ROUND_TRIP, explain_change, in_decoder
from tokharness.diagnosis.text.normal_forms import NORMAL_FORMS
from tokharness.diagnosis.text.stage_losses import stage_loss_causes
from tokharness.diagnosis.text.surrogates import surrogate_causes
from tokharness.model import Batch, Cause, Verdict
from tokharness.targets.subject import Subject, is_scalar, scalar_text
from tokharness.unicode.normalization import normalize

if TYPE_CHECKING:
    from typing import Any

CODE = "TOK101"
NAME = "lossy-round-trip"
COLUMNS = ("decoded",)

FACTS = 16
"""Rows of a batch, at most, that only show the same change by design.

If a target changes most texts as it declares, a sample of all rows would have few other rows.
"""

__all__ = ["CODE", "COLUMNS", "NAME", "diagnose", "evidence", "failing"]


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows whose text does not come back, or not in its declared form."""
    texts = subject.target.all_as_sent(batch.texts)
    same = batch.decoded == texts
    if same and subject.target.normalizer is None:
        return []
    rows = [
        row
        for row, (text, decoded) in enumerate(zip(texts, batch.decoded, strict=True))
        if decoded != text
        and decoded is not None
        and not _is_joined(text, decoded)
        and not has_special_id(batch.ids[row] or [], subject)  # TOK103 reports these
    ]
    unknown = [row for row in rows if _is_unknown_by_design(row, batch, subject)]
    declared: list[int] = []
    if subject.target.normalizer is not None:
        pairs = enumerate(zip(texts, batch.decoded, strict=True))
        lost = {
            row
            for row, (text, decoded) in pairs
            if decoded is not None and not _is_declared(text, decoded, subject)
        }
        declared = [row for row in rows if row not in lost]
        rows = sorted(lost.union(rows))
    kept = FACTS if batch.facts else 0
    surplus = {*unknown[kept:], *_different_first(declared, batch)[kept:]}
    return [row for row in rows if row not in surplus]


def _different_first(rows: list[int], batch: Batch) -> list[int]:
    """Return rows in an order in which rows that change in a new way come first."""
    ways: dict[object, int] = {}
    for row in rows:
        ways.setdefault(_way(batch.texts[row], batch.decoded[row] or ""), row)
    new = set(ways.values())
    return [*ways.values(), *(row for row in rows if row not in new)]


def _way(text: str, decoded: str) -> object:
    """Kinds of characters that a text loses and gets, and whether its start changes."""
    here, there = set(text), set(decoded)
    kinds = [frozenset(map(_kind, chars)) for chars in (here - there, there - here)]
    return *kinds, text[:1] == decoded[:1], text.count(" ") - decoded.count(" ")


def _kind(char: str) -> str:
    if char.isalnum():
        return "letter"
    return " " if char.isspace() else char if char.isascii() else "other"


def _is_unknown_by_design(row: int, batch: Batch, subject: Subject) -> bool:
    """Whether a text has unknown ids, and the reference gives the same ids and the same text."""
    ids = batch.ids[row]
    if ids is None or batch.reference_ids is None or ids != batch.reference_ids[row]:
        return False
    if unknown_ids(subject).isdisjoint(ids):
        return False
    return subject.reference_text(ids) == batch.decoded[row]


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Return the causes that explain what came back instead of this text."""
    text = subject.target.as_sent(text)
    round_trip = subject.round_trip(text)
    if round_trip is None:  # another check reports exceptions
        return []
    ids, decoded = round_trip
    if subject.target.normalizer is None and (decoded == text or _is_joined(text, decoded)):
        return []
    if not unknown_ids(subject).isdisjoint(ids):
        return [UNKNOWN]
    lost = Lost(text, ids, decoded, _expected_text(text, decoded, subject), subject)
    if decoded == lost.expected:
        return _causes_in_the_file(text, lost.plain, decoded, subject)
    return first_causes(EXPLANATIONS, lost)


@dataclass(frozen=True, slots=True)
class Lost:
    """A text whose ids decode to another text than the declared form, ``expected``."""

    text: str
    ids: list[int]
    decoded: str
    expected: str
    subject: Subject

    @property
    def plain(self) -> str:
        """The text with surrogate pairs joined, and U+FFFD for each lone surrogate."""
        return scalar_text(self.text)

    @property
    def wanted(self) -> str:
        """The text that should come back: itself if no normalizer is declared."""
        return self.text if self.subject.target.normalizer is None else self.expected


def _expected_text(text: str, decoded: str, subject: Subject) -> str:
    """Return the declared form; a target may normalize before it joins surrogate pairs."""
    if not is_scalar(text) and decoded in (kept := subject.expected_text(text), scalar_text(kept)):
        return decoded
    return subject.expected_text(scalar_text(text))


def evidence(text: str, cause: Cause, subject: Subject) -> dict[str, Any]:
    """Return what the ids of a text decode to, and the text or its declared form."""
    text = subject.target.as_sent(text)
    ids = subject.encode(text)
    if ids is None or cause.verdict is Verdict.FACT:
        return {}
    given, expected = subject.target.decode(ids), subject.expected_text(scalar_text(text))
    return {} if given == expected else compared_call("decode", given, expected, subject)


def _unapplied_causes(lost: Lost) -> list[Cause]:
    """Causes of a text that comes back unchanged although the target declares a normalizer."""
    if lost.decoded != lost.plain or _ids_are_right(lost.text, lost.ids, lost.subject):
        return []
    return [_not_applied(lost.subject)]


def _partial_causes(lost: Lost) -> list[Cause]:
    equal = _is_equivalent(lost.decoded, lost.expected, lost.subject)
    return [_partly_applied(lost.subject)] if equal else []


def _state_causes(lost: Lost) -> list[Cause]:
    changes = lost.subject.encode(lost.text) != lost.ids
    return [STATE] if changes and state_cause(lost.subject) == STATE else []


def _surrogate_causes(lost: Lost) -> list[Cause]:
    if lost.plain == lost.text or not _comes_back_without_surrogates(lost.plain, lost.subject):
        return []
    return surrogate_causes(lost.text, lost.decoded)


def _undeclared_causes(lost: Lost) -> list[Cause]:
    """Causes of a change that the target does not declare."""
    text, ids, decoded, subject = lost.text, lost.ids, lost.decoded, lost.subject
    causes = explain_change(
        lost.wanted, decoded, subject, partial(_round_trip, subject), ROUND_TRIP
    )
    if _ids_are_right(text, ids, subject):
        return [in_decoder(cause) for cause in causes]
    is_named = any(not cause.weak for cause in causes)
    return causes if is_named else _altered_before_decoding(text, ids, decoded, subject) or causes


EXPLANATIONS: tuple[Explanation[Lost], ...] = (
    Explanation(
        lambda lost: _altered_decoder(lost.text, lost.ids, lost.decoded, lost.subject),
        "with the ids of the reference only the decoder can be wrong",
    ),
    Explanation(
        lambda lost: _undone_causes(lost.plain, lost.ids, lost.decoded, lost.subject),
        "a text that comes back as the stages of the file say is a fault of the file",
    ),
    Explanation(_unapplied_causes, "a declared normalizer that does nothing changes no text"),
    Explanation(_partial_causes, "an equivalent text is one that the normalizer left in part"),
    Explanation(_state_causes, "ids that change from call to call say nothing of a text"),
    Explanation(
        _surrogate_causes,
        "texts with surrogates are lost where the same text without them comes back",
    ),
    Explanation(
        lambda lost: added_ids_causes(lost.text, lost.ids, lost.decoded, lost.subject),
        "ids added to every text would hide what else is lost",
    ),
    Explanation(
        lambda lost: explain_missing_bytes(
            lost.text, lost.subject, lambda rest: not _comes_back(rest, lost.subject)
        ),
        "a byte without a token is lost in every text that has it",
    ),
    Explanation(
        lambda lost: added_token_causes(lost.wanted, lost.ids, lost.decoded, lost.subject),
        "an added token changes the text beside it, whatever its characters",
    ),
    Explanation(_undeclared_causes, "only then is the text itself compared, edit by edit"),
)
"""What explains a text that is lost, in the order in which it is tried."""


def _altered_before_decoding(
    text: str, ids: list[int], decoded: str, subject: Subject
) -> list[Cause]:
    """Causes before the decoder, if the ids decode as with the reference."""
    if decoded != subject.reference_text(ids) and not altered_decoder_causes(ids, decoded, subject):
        return []
    return [cause for cause in altered_stage_causes(text, ids, subject) if not cause.weak]


def _altered_decoder(text: str, ids: list[int], decoded: str, subject: Subject) -> list[Cause]:
    """Causes in the decoder, if the reference gives the same ids."""
    if ids != subject.reference_ids(text):
        return []
    return altered_decoder_causes(ids, decoded, subject) or altered_rule_causes(
        ids, decoded, subject
    )


def _is_declared(text: str, decoded: str, subject: Subject) -> bool:
    """Whether a text comes back in the declared form, with pairs joined before or after that."""
    kept, plain = subject.expected_text(text), scalar_text(text)
    if decoded == kept:
        return True
    return _is_joined(text, plain) and decoded in (scalar_text(kept), subject.expected_text(plain))


def _is_joined(text: str, decoded: str) -> bool:
    """Whether only surrogate pairs changed, each into the character that it encodes."""
    if is_scalar(text) or not is_scalar(decoded):
        return False
    return text.encode("utf-16-le", "surrogatepass") == decoded.encode("utf-16-le")


def _round_trip(subject: Subject, text: str) -> str | None:
    """Text that comes back; None if the target raises or does not know all of the text."""
    ids = subject.encode(text)
    if ids is None or not unknown_ids(subject).isdisjoint(ids):
        return None
    return subject.decode(ids)


def _comes_back(text: str, subject: Subject) -> bool:
    round_trip = subject.round_trip(text)
    return round_trip is not None and round_trip[1] == subject.expected_text(text)


def _comes_back_without_surrogates(plain: str, subject: Subject) -> bool:
    """Whether the text with U+FFFD for surrogates does; thousands of texts become the same text."""
    known: dict[str, bool] = subject.cache.get_or_compute("comes back without surrogates", dict)
    if plain not in known:
        known[plain] = _comes_back(plain, subject)
    return known[plain]


LONE_SURROGATES = Cause(
    "lone surrogates",
    (("become", "U+FFFD"),),
    Verdict.FACT,
    "a lone surrogate comes back as U+FFFD",
)


UNKNOWN = Cause(
    "unknown token",
    (),
    Verdict.FACT,
    "text outside the vocabulary becomes the unknown token",
)


def _declared(subject: Subject) -> Cause:
    normalizer = str(subject.target.normalizer)
    version = subject.normalizer_version
    at = f" at Unicode {version}" if version else ""
    return Cause(
        "declared normalizer",
        (("form", normalizer),),
        Verdict.FACT,
        f"text is changed exactly as the declared normalizer does, {normalizer}{at}",
    )


def _causes_in_the_file(text: str, plain: str, decoded: str, subject: Subject) -> list[Cause]:
    """Causes of a text that comes back as the stages of the file say."""
    replaced = is_scalar(decoded) and not _is_joined(text, plain)
    surrogates = [LONE_SURROGATES] if replaced and not is_scalar(text) else []
    if decoded == plain:
        return surrogates
    return [*surrogates, *(stage_loss_causes(plain, decoded, subject) or [_declared(subject)])]


def _undone_causes(plain: str, ids: list[int], decoded: str, subject: Subject) -> list[Cause]:
    """Faults of the file in a text that comes back as the reference of the file says.

    The decoder does not undo what the stages before it did to the text of these tokens.
    """
    if subject.claims_parity or not _is_as_in_the_file(plain, ids, decoded, subject):
        return []
    causes = stage_loss_causes(plain, decoded, subject)
    return [cause for cause in causes if cause.verdict is not Verdict.FACT]


def _is_as_in_the_file(plain: str, ids: list[int], decoded: str, subject: Subject) -> bool:
    """Whether the reference, or else our reading of the file, gives these ids and this text."""
    if subject.reference is not None:
        return ids == subject.reference_ids(plain) and decoded == subject.reference_text(ids)
    shown = stages_of(plain, subject.target, "stages_in_file")
    return shown is not None and shown.get(DECODER) == [decoded]


def _is_equivalent(decoded: str, expected: str, subject: Subject) -> bool:
    """Whether the decoded text and the expected text have the same declared form."""
    form = str(subject.target.normalizer).upper()
    return form in NORMAL_FORMS and normalize(form, decoded) == normalize(form, expected)


def _partly_applied(subject: Subject) -> Cause:
    normalizer = str(subject.target.normalizer)
    message = f"the target declares {normalizer}, but text comes back only partly in that form"
    return Cause("declared normalizer not applied", (("form", normalizer),), message=message)


def _not_applied(subject: Subject) -> Cause:
    normalizer = str(subject.target.normalizer)
    return Cause(
        "declared normalizer not applied",
        (("form", normalizer),),
        message=f"the target declares {normalizer}, but text comes back unchanged",
    )


def _ids_are_right(text: str, ids: list[int], subject: Subject) -> bool:
    """Whether the reference confirms the ids, so that only decoding can be wrong."""
    reference = subject.reference
    if reference is None:
        return False
    expected = subject.expected_text(scalar_text(text))
    return reference.encode(text) == ids and reference.decode(ids) == expected
