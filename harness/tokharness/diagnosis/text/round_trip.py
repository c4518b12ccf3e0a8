"""What explains that a text does not come back, without a reference or with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from tokharness.diagnosis.entry_points.affixes import ids_inside, without_padding
from tokharness.diagnosis.explanations import Explanation, first_causes
from tokharness.diagnosis.ids.altered_stages import altered_decoder_causes, altered_stage_causes
from tokharness.diagnosis.ids.decoding_rules import altered_rule_causes
from tokharness.diagnosis.ids.moved_ids import moved_id_causes, moved_text_causes
from tokharness.diagnosis.ids.stages import ADDED, DECODER, MODEL, NORMALIZER, stages_of
from tokharness.diagnosis.probes.cache_collisions import cache_collision_causes
from tokharness.diagnosis.special.added import added_token_causes
from tokharness.diagnosis.special.special_ids import unknown_ids
from tokharness.diagnosis.state import STATE, state_causes
from tokharness.diagnosis.text.added_ids import added_ids_causes, padding_causes
from tokharness.diagnosis.text.changes import ROUND_TRIP, explain_change, in_decoder
from tokharness.diagnosis.text.characters import surrogate_causes
from tokharness.diagnosis.text.normal_forms import FORMS, NORMAL_FORMS
from tokharness.diagnosis.text.stage_losses import dropped_text_causes, stage_loss_causes
from tokharness.diagnosis.vocabulary.byte_table import explain_missing_bytes
from tokharness.diagnosis.vocabulary.shared_ids import shared_id_causes
from tokharness.model import Cause, Verdict
from tokharness.targets.subject import Subject, is_scalar, scalar_text
from tokharness.unicode.normalization import normalize


def round_trip_causes(text: str, subject: Subject) -> list[Cause]:
    """Return the causes that explain what came back instead of this text."""
    text = subject.target.as_sent(text)
    round_trip = subject.round_trip(text)
    if round_trip is None:  # another check reports exceptions
        return []
    own = without_padding(subject)
    if own.target.padding is None:
        return _causes(text, *round_trip, own)
    if causes := padding_causes(text, subject):
        return causes
    round_trip = own.round_trip(text)
    return [] if round_trip is None else _causes(text, *round_trip, own)


def _causes(text: str, ids: list[int], decoded: str, subject: Subject) -> list[Cause]:
    if subject.target.normalizer is None and (decoded == text or is_joined(text, decoded)):
        return []
    own, subject = subject, subject.with_declared_normalizer()
    if _is_unknown(text, ids, subject):
        return [UNKNOWN]
    expected = _expected_text(text, decoded, subject)
    lost = Lost(text, ids, decoded, expected, subject, is_claimed=subject is not own)
    if decoded == lost.expected:
        return _causes_in_the_file(lost)
    return first_causes(EXPLANATIONS, lost)


def _is_unknown(text: str, ids: list[int], subject: Subject) -> bool:
    """Whether a text has an unknown id; at its ends, such an id may be left out as padding."""
    unknown = unknown_ids(subject)
    if subject.target.padding in unknown and unknown.isdisjoint(ids):
        ids = ids_inside(text, subject)
    return not unknown.isdisjoint(ids)


@dataclass(frozen=True, slots=True)
class Lost:
    """A text whose ids decode to another text than the declared form, ``expected``.

    ``is_claimed`` says that the reference declares the form, and the target declares none.
    """

    text: str
    ids: list[int]
    decoded: str
    expected: str
    subject: Subject
    is_claimed: bool = False

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


def _unapplied_causes(lost: Lost) -> list[Cause]:
    """Causes of a text that comes back unchanged although the target declares a normalizer.

    It may be applied to other parts of the text than declared, if an added token is not read.
    """
    if lost.decoded != lost.plain or _ids_are_right(lost.text, lost.ids, lost.subject):
        return []
    if dropped := _dropped_text_causes(lost):
        return dropped
    altered = altered_stage_causes(lost.text, lost.ids, lost.subject)
    of_added = [cause for cause in altered if cause.kind == ADDED and not cause.weak]
    return of_added or [_not_applied(lost.subject)]


def _partial_causes(lost: Lost) -> list[Cause]:
    if lost.is_claimed:
        return []
    equal = _is_equivalent(lost.decoded, lost.expected, lost.subject)
    return [_partly_applied(lost.subject)] if equal else []


def _state_causes(lost: Lost) -> list[Cause]:
    return [cause for cause in state_causes(lost.text, lost.ids, lost.subject) if cause == STATE]


def _surrogate_causes(lost: Lost) -> list[Cause]:
    if lost.plain == lost.text or not _comes_back_without_surrogates(lost.plain, lost.subject):
        return []
    return surrogate_causes(lost.text, lost.decoded)


def _added_token_causes(lost: Lost) -> list[Cause]:
    """Causes of an added token: the flag of the reference that gives the ids, if there is one."""
    causes = added_token_causes(lost.wanted, lost.ids, lost.decoded, lost.subject)
    added = (one for one, number in lost.subject.target.added_tokens.items() if number in lost.ids)
    is_read_elsewhere = any(lost.decoded.count(one) > lost.text.count(one) for one in added)
    if not causes and not is_read_elsewhere:
        return []
    altered = _altered_before_decoding(lost.text, lost.ids, lost.decoded, lost.subject)
    return [cause for cause in altered if cause.kind == ADDED] or causes


def _dropped_text_causes(lost: Lost) -> list[Cause]:
    """Causes of a text that the model of the file drops, if the reference says so too."""
    if not _is_as_in_the_file(lost.plain, lost.ids, lost.decoded, lost.subject):
        return []
    return dropped_text_causes(lost.plain, lost.decoded, lost.subject)


def _undeclared_causes(lost: Lost) -> list[Cause]:
    """Causes of a change that the target does not declare."""
    text, ids, decoded, subject = lost.text, lost.ids, lost.decoded, lost.subject
    altered = _altered_before_decoding(text, ids, decoded, subject) if lost.is_claimed else []
    # An alteration of the model explains characters that are replaced in different ways.
    if of_model := [cause for cause in altered if cause.kind == MODEL]:
        return of_model
    wanted = (lost.wanted, text) if lost.is_claimed else (lost.wanted,)
    transform = partial(_round_trip, subject)
    rows = [explain_change(one, decoded, subject, transform, ROUND_TRIP) for one in wanted]
    rows[1:] = [[one for one in row if not _is_form_of(lost.expected, one)] for row in rows[1:]]
    causes = next((row for row in rows if not _are_weak(row)), rows[0])
    of_decoder = [in_decoder(cause) for cause in causes]
    if subject.reference_text(ids) in (lost.expected, *wanted[1:]):
        return of_decoder
    if not _are_weak(causes):
        # An alteration of the declared form may explain texts that no form of a text explains.
        of_normalizer = [cause for cause in altered if cause.kind == NORMALIZER]
        pairs = zip(causes, of_decoder, strict=True)
        named = [other if other in subject.expected_causes else one for one, other in pairs]
        return [*of_normalizer, *named]
    return altered or _altered_before_decoding(text, ids, decoded, subject) or causes


def _is_form_of(expected: str, cause: Cause) -> bool:
    """Whether a cause is a normal form that the expected text has."""
    form = FORMS.get(dict(cause.parameters).get("form", ""))
    return cause.kind == NORMALIZER and form is not None and form(expected) == expected


def _are_weak(causes: list[Cause]) -> bool:
    return all(cause.weak for cause in causes)


EXPLANATIONS: tuple[Explanation[Lost], ...] = (
    Explanation(
        lambda lost: cache_collision_causes(lost.text, lost.ids, lost.subject),
        "the ids of an earlier text say nothing of a text, whatever it lacks",
    ),
    Explanation(
        lambda lost: shared_id_causes(lost.ids, lost.subject),
        "an id of several tokens decodes to one of them, whatever the text",
    ),
    Explanation(
        lambda lost: _altered_decoder(lost.text, lost.ids, lost.decoded, lost.subject),
        "with the ids of the reference only the decoder can be wrong",
    ),
    Explanation(
        lambda lost: added_ids_causes(lost.wanted, lost.decoded, lost.subject),
        "ids added to every text would hide what else is lost",
    ),
    Explanation(
        lambda lost: explain_missing_bytes(
            lost.wanted, lost.subject, lambda rest: not _comes_back(rest, lost.subject)
        ),
        "a byte without a token is lost in every text that has it",
    ),
    Explanation(
        lambda lost: _undone_causes(lost.plain, lost.ids, lost.decoded, lost.subject),
        "a text that comes back as the stages of the file say is a fault of the file",
    ),
    Explanation(_unapplied_causes, "a declared normalizer that does nothing changes no text"),
    Explanation(_partial_causes, "an equivalent text is one that the normalizer left in part"),
    Explanation(_state_causes, "ids that change from call to call say nothing of a text"),
    Explanation(
        lambda lost: moved_id_causes(
            lost.ids, lost.subject.reference_ids(lost.text) or [], lost.subject
        ),
        "ids that are moved by a number stand for any text",
    ),
    Explanation(
        _surrogate_causes,
        "texts with surrogates are lost where the same text without them comes back",
    ),
    Explanation(
        _dropped_text_causes,
        "an added token that is read does not explain the text next to it that the model drops",
    ),
    Explanation(
        _added_token_causes,
        "an added token changes the text next to it, whatever its characters",
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
    """Causes in the decoder, if the reference gives the same ids, or truncates them alone."""
    wanted = subject.reference_ids(text)
    if wanted is None or bool(wanted) != bool(ids) or ids[: len(wanted)] != wanted:
        return []
    if moved := moved_text_causes(ids, decoded, subject):
        return moved
    return altered_decoder_causes(ids, decoded, subject) or altered_rule_causes(
        ids, decoded, subject
    )


def is_joined(text: str, decoded: str) -> bool:
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


def _causes_in_the_file(lost: Lost) -> list[Cause]:
    """Causes of a text that comes back as the stages of the file say."""
    plain, decoded, subject = lost.plain, lost.decoded, lost.subject
    replaced = is_scalar(decoded) and not is_joined(lost.text, plain)
    surrogates = [LONE_SURROGATES] if replaced and not is_scalar(lost.text) else []
    if decoded == plain:
        return surrogates
    # The stages of the reference say nothing of a target with ids of its own.
    has_stages = not lost.is_claimed or _is_as_in_the_file(plain, lost.ids, decoded, subject)
    causes = stage_loss_causes(plain, decoded, subject) if has_stages else []
    return [*surrogates, *(causes or [_declared(subject)])]


def _undone_causes(plain: str, ids: list[int], decoded: str, subject: Subject) -> list[Cause]:
    """Faults of the file in a text that comes back as the reference of the file says.

    The decoder does not undo what the stages before it did to the text of these tokens.
    """
    if not _is_as_in_the_file(plain, ids, decoded, subject):
        return []
    causes = stage_loss_causes(plain, decoded, subject)
    return [cause for cause in causes if cause.verdict is not Verdict.FACT]


def _is_as_in_the_file(plain: str, ids: list[int], decoded: str, subject: Subject) -> bool:
    """Whether the reference, or else our reading of the file, gives these ids and this text.

    A reference that the user named may have another file.
    """
    if subject.reference is not None and not subject.claims_parity:
        return ids == subject.reference_ids(plain) and decoded == subject.reference_text(ids)
    shown = stages_of(plain, subject.target, "stages_in_file")
    if subject.target.padding is not None:  # the file shows it
        decoded = str(replace(subject.target, padding=None).round_trip(plain))
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
    """Whether the reference decodes the ids to the text, so that only decoding can be wrong.

    They may differ from its own ids, where another stage of the target splits the text elsewhere.
    """
    expected = subject.expected_text(scalar_text(text))
    return subject.reference_text(ids) == expected
