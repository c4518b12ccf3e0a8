"""What explains different ids, in the order in which it is tried."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from tokharness.checks.ids_differ_from_reference.class_rules import holds_for_classes
from tokharness.checks.ids_differ_from_reference.dropped_characters import dropped_character_causes
from tokharness.checks.ids_differ_from_reference.one_side_raises import unknown_token_causes
from tokharness.checks.ids_differ_from_reference.predictions import truncation_causes
from tokharness.checks.ids_differ_from_reference.segmentation import (
    MERGE_ORDER,
    class_causes,
    explain_segmentation,
    long_text_causes,
)
from tokharness.diagnosis.entry_points.affixes import reference_affixes
from tokharness.diagnosis.explanations import Explanation
from tokharness.diagnosis.ids.altered_stages import (
    altered_stage_causes,
    causes_besides,
    further_causes,
)
from tokharness.diagnosis.ids.distant_text import distant_causes
from tokharness.diagnosis.ids.edited_files import file_edit_causes
from tokharness.diagnosis.ids.equal_added_tokens import (
    equal_added_causes,
    equal_score_causes,
)
from tokharness.diagnosis.ids.moved_ids import moved_id_causes, unknown_id_causes
from tokharness.diagnosis.ids.reference_departures import (
    altered_reference_causes,
    decoded_by_reference,
    reference_change_causes,
)
from tokharness.diagnosis.ids.stage_versions import (
    UNICODE_VERSION,
    stage_version_causes,
    version_causes,
)
from tokharness.diagnosis.ids.stages import MODEL, different_stage, inferred_stage_causes
from tokharness.diagnosis.probes.cache_collisions import cache_collision_causes
from tokharness.diagnosis.special.added import added_token_causes, split_with_a_token_causes
from tokharness.diagnosis.special.special_ids import (
    has_special_id,
    own_token_causes,
    special_causes,
)
from tokharness.diagnosis.state import random_causes, state_causes
from tokharness.diagnosis.text.changes import explain_change
from tokharness.diagnosis.text.characters import surrogate_causes
from tokharness.diagnosis.vocabulary.byte_table import explain_missing_bytes
from tokharness.model import Cause
from tokharness.targets.subject import Subject, scalar_text
from tokharness.unicode.properties import label

WORDS = ("word", "the", "and", "number", "time", "under", "make", "people", "first", "which")
VOCABULARY = Cause(
    "vocabulary", message="the same ids stand for different bytes than in the reference"
)

FURTHER_IDS = Cause(
    "vocabulary",
    (("has", "further ids"),),
    message="the target gives ids that the reference does not have",
)


@dataclass(frozen=True, slots=True)
class Failed:
    """A text with different ids: ``ids`` are the target's, without the ids of every text."""

    text: str
    ids: list[int]
    all_ids: list[int]
    wanted: list[int]
    subject: Subject


def _setting_causes(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """Return the versions and the altered settings with which the reference gives these ids.

    If the reference has no stages, its split has a version, and its pattern classifies characters.
    A rule of the pattern that is right for characters of all classes says more than their classes.
    """
    versions = stage_version_causes(text, ids, subject)
    altered = altered_stage_causes(text, ids, subject)
    has_stages = subject.explainer is None or subject.explainer.can("stages")
    others = versions
    if altered and not versions and not has_stages:
        general = [one for one in altered if holds_for_classes(one, subject)]
        classes = class_causes(text, ids, subject)
        others = [*version_causes(text, ids, subject), *general, *classes]
    elif not versions and all(cause.weak for cause in altered):  # a stage alone
        altered = (altered and class_causes(text, ids, subject)) or altered
    if others or not altered:
        return list(dict.fromkeys([*others, *altered]))
    return [*altered, *causes_besides(altered, text, ids, subject)]


def _causes_of_the_model(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """Return the alterations of the model that give ids with a special id.

    The model finds control pieces, or does not know the bytes of a character.
    """
    if not has_special_id(ids, subject):
        return []
    causes = altered_stage_causes(text, ids, subject)
    return [one for one in causes if one.kind == MODEL and not one.weak]


def _segmentation_causes(one: Failed) -> list[Cause]:
    """Causes of different token boundaries; rules, if other causes only describe boundaries."""
    text, ids, subject = one.text, one.ids, one.subject
    versions = version_causes(text, ids, subject)
    causes = reference_change_causes(text, ids, subject) or explain_segmentation(
        subject.expected_text(text), ids, subject
    )
    if not versions and all(cause.weak or cause == MERGE_ORDER for cause in causes):
        shown = different_stage(text, one.all_ids, subject)
        causes = further_causes(text, ids, subject, shown) or causes
    return [*versions, *causes]


def _differs(subject: Subject, text: str) -> bool:
    ids, wanted = subject.encode(text), subject.reference_ids(text)
    return ids is None or wanted is None or reference_affixes(subject).without(ids) != wanted


def _is_other_vocabulary(subject: Subject) -> bool:
    """Whether the reference decodes the ids of most common words to other text."""

    def decodes_differently(word: str) -> bool:
        ids = subject.encode(word) or []
        decoded = subject.reference_text(reference_affixes(subject).without(ids))
        # A text added before every word has a cause of its own.
        return subject.decode(ids) == word and not (decoded or "").endswith(word)

    def compute() -> bool:
        return sum(map(decodes_differently, WORDS)) > len(WORDS) // 2

    return subject.cache.get_or_compute("other vocabulary", compute)


def _surrogate_causes(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """Causes for surrogates, if target and reference agree on the text with U+FFFD instead."""
    plain = scalar_text(text)
    if plain == text or _differs(subject, plain):
        return []
    return surrogate_causes(text, subject.reference_text(ids) or "")


def _text_causes(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """Causes for a changed text, if the ids stand for another text."""
    wanted = subject.expected_text(text)
    decoded = decoded_by_reference(ids, subject)
    if decoded is None:
        return [FURTHER_IDS if _are_further_ids(ids, subject) else VOCABULARY]
    if decoded == scalar_text(wanted):
        return []
    renamed = _has_renamed_token(text, ids, subject)
    return [VOCABULARY] if renamed else _changed_text_causes(text, ids, wanted, decoded, subject)


def _changed_text_causes(
    text: str, ids: list[int], wanted: str, decoded: str, subject: Subject
) -> list[Cause]:
    """Causes of ids that the reference decodes to another text than the wanted one."""

    def decode_by_reference(text: str) -> str | None:
        own = subject.encode(text)
        own = None if own is None else reference_affixes(subject).without(own)
        result = None if own is None else decoded_by_reference(own, subject)
        # Text that both sides lose is not the difference.
        return text if result != text and own == subject.reference_ids(text) else result

    plain = scalar_text(wanted)
    comes_back = subject.decode(ids) == plain
    if comes_back and decoded.endswith(plain):
        before = decoded[: len(decoded) - len(plain)]
        if before and decode_by_reference(WORDS[0]) == before + WORDS[0]:
            return [_prefix_cause(before)]
    causes = explain_change(wanted, decoded, subject, decode_by_reference, "ids")
    if causes[0] in subject.expected_causes:
        return causes
    theirs = decoded_by_reference(subject.reference_ids(text) or [], subject)
    if decoded == theirs:  # the texts do not show why the ids differ
        return []
    if causes[0].weak and theirs not in (None, plain):
        own = explain_change(str(theirs), decoded, subject, decode_by_reference, "ids")
        causes = causes if own[0].weak else own
    if causes[0].weak and comes_back:
        return [VOCABULARY, *causes]  # the target itself gives the text back
    return causes


def _has_renamed_token(text: str, ids: list[int], subject: Subject) -> bool:
    """Whether an id that the reference does not give stands for another text of whole characters.

    The target's own text of the id is in the text, and both sides decode the ids of most common
    words alike, also with the space before them, so that the decoders do not differ.
    """

    def differs(token: int) -> bool:
        own, theirs = subject.decode([token]), decoded_by_reference([token], subject)
        return bool(own and theirs) and own != theirs and "\ufffd" not in f"{own}{theirs}"

    def are_alike(before: str) -> bool:
        tokens = {token for word in WORDS for token in subject.reference_ids(before + word) or ()}
        return sum(map(differs, tokens)) * 2 < len(tokens)

    new = set(ids).difference(subject.reference_ids(text) or ids)
    is_same = subject.cache.get_or_compute(
        "the same decoder", lambda: all(map(are_alike, ("", " ")))
    )
    if not new or not is_same:
        return False
    return any(differs(token) and (subject.decode([token]) or "") in text for token in new)


def _are_further_ids(ids: list[int], subject: Subject) -> bool:
    """Whether one of these ids is past the end of the reference's vocabulary."""
    size = None if subject.reference is None else subject.reference.n_vocab
    return size is not None and max(ids, default=0) >= size


def _prefix_cause(text: str) -> Cause:
    characters = " ".join(map(label, text))
    message = f"encoding adds {characters} before every text, and decoding removes it again"
    return Cause("added before every text", (("characters", characters),), message=message)


def _expected_version_causes(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """Unicode versions that explain this text and earlier texts; thousands may share a version."""
    if not any(cause.kind == UNICODE_VERSION for cause in subject.expected_causes):
        return []
    versions = version_causes(text, ids, subject)
    return [cause for cause in versions if cause in subject.expected_causes]


def _affix_causes(one: Failed) -> list[Cause]:
    only_affixes = one.ids == one.wanted and one.all_ids != one.ids
    return [reference_affixes(one.subject).cause] if only_affixes else []


def _added_token_causes(one: Failed) -> list[Cause]:
    decoded = decoded_by_reference(one.ids, one.subject)
    wanted = scalar_text(one.subject.expected_text(one.text))
    return [] if decoded is None else added_token_causes(wanted, one.ids, decoded, one.subject)


def _named_causes(one: Failed) -> list[Cause]:
    return [
        *equal_score_causes(one.text, one.all_ids, one.subject),
        *_setting_causes(one.text, one.all_ids, one.subject),
        *dropped_character_causes(one.text, one.ids, one.wanted, one.subject),
    ]


def _causes_of_parts(one: Failed) -> list[Cause]:
    causes = distant_causes(one.text, one.subject)
    altered = further_causes(one.text, one.ids, one.subject) if causes else []
    return [*altered, *causes]


EXPLANATIONS: tuple[Explanation[Failed], ...] = (
    Explanation(
        lambda one: _expected_version_causes(one.text, one.all_ids, one.subject),
        "a Unicode version that explains other texts costs no more calls",
    ),
    Explanation(
        lambda one: state_causes(one.text, one.all_ids, one.subject),
        "ids that change from call to call say nothing of a text",
    ),
    Explanation(
        lambda one: random_causes(one.text, one.subject),
        "ids drawn at random say nothing of a text either",
    ),
    Explanation(
        lambda one: cache_collision_causes(one.text, one.all_ids, one.subject),
        "ids of an earlier text say nothing of a text either, whatever their difference",
    ),
    Explanation(
        lambda one: file_edit_causes(one.text, one.all_ids, one.subject),
        "an edit of the file that both sides show is seen, all else is inferred",
    ),
    Explanation(_affix_causes, "ids added to every text would hide what else differs"),
    Explanation(
        lambda one: equal_added_causes(one.ids, one.wanted, one.subject),
        "of two added tokens that are equal once normalized, either may be taken",
    ),
    Explanation(
        lambda one: truncation_causes(one.ids, one.wanted, one.subject),
        "ids that are cut off look like many other faults",
    ),
    Explanation(
        lambda one: long_text_causes(one.text, one.ids, one.wanted, one.subject),
        "ids of a text in parts differ at one place of the text, whatever its characters",
    ),
    Explanation(
        lambda one: moved_id_causes(one.ids, one.wanted, one.subject),
        "ids that are moved by a number stand for any text, and for special tokens",
    ),
    Explanation(
        lambda one: unknown_id_causes(one.ids, one.wanted, one.subject),
        "another id of the unknown token may be the id of a special token",
    ),
    Explanation(
        lambda one: _causes_of_the_model(one.text, one.all_ids, one.subject),
        "a model that gives special ids to plain text predicts them, whatever the text",
    ),
    Explanation(
        lambda one: special_causes(one.text, one.ids, one.subject, one.wanted),
        "a special id in plain text is a fault of its own check",
    ),
    Explanation(
        lambda one: own_token_causes(one.text, one.ids, one.subject),
        "no setting of the reference describes special tokens that it does not have",
    ),
    Explanation(
        lambda one: split_with_a_token_causes(one.text, one.ids, one.wanted, one.subject),
        "text that differs only next to a token is right alone, which no setting explains",
    ),
    Explanation(_named_causes, "a setting or a version of one stage predicts the ids"),
    Explanation(
        lambda one: altered_reference_causes(one.text, one.all_ids, one.subject),
        "the reference itself may depart from the file",
    ),
    Explanation(
        lambda one: [VOCABULARY] if _is_other_vocabulary(one.subject) else [],
        "with another vocabulary each text differs, whatever its characters",
    ),
    Explanation(
        lambda one: _surrogate_causes(one.text, one.ids, one.subject),
        "texts with surrogates differ where the same text without them does not",
    ),
    Explanation(
        lambda one: explain_missing_bytes(one.text, one.subject, partial(_differs, one.subject)),
        "a byte without a token fails in every text that has it",
    ),
    Explanation(
        lambda one: unknown_token_causes(one.ids, one.wanted, one.subject),
        "an unknown token hides which text it stands for",
    ),
    Explanation(
        _added_token_causes,
        "an added token changes the text next to it, whatever its characters",
    ),
    Explanation(
        _causes_of_parts,
        "ids of a text whose parts are right, two by two, differ by no character",
    ),
    Explanation(
        lambda one: _text_causes(one.text, one.ids, one.subject),
        "ids of another text differ for what was done to the text",
    ),
    Explanation(
        _segmentation_causes,
        "only ids of the same text differ in where tokens end",
    ),
    Explanation(
        lambda one: inferred_stage_causes(one.text, one.ids, one.subject),
        "the stage alone is the least that can be said",
    ),
)
