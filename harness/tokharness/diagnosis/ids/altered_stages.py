"""Differences that an alteration of the reference explains: one setting of one stage is changed.

A reference that reads a file can encode and decode with one setting of the file altered. An
alteration that makes the reference agree with the target is a cause.

Further alterations are tried where no other one explains the ids: they are many for each text, such
as other borders between two classes of characters, or take long to make, such as another order of
all merges. A setting of the file or a rule of its pattern says more. Further alterations keep the
text, so they are tried on texts that are only segmented differently.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.ids.alterable import (
    PLAIN_TEXTS,
    alterable,
    alterations_of,
    altered_cause,
    at_versions_of_target,
    changes_by,
    credible,
    credible_changes,
    explaining,
    ids_altered_as,
    ids_altered_further,
    is_explained,
    stands_for_reference,
    support,
    support_of_further,
    texts_of_added_tokens,
    texts_of_tokens,
)
from tokharness.diagnosis.ids.stages import (
    ADDED,
    DECODER,
    MODEL,
    NORMALIZER,
    POST_PROCESSOR,
    PRE_TOKENIZER,
    different_stage,
    inferred,
)
from tokharness.diagnosis.ids.token_edits import explaining_edits, is_edit
from tokharness.model import Cause
from tokharness.outcome import Raised
from tokharness.targets.subject import scalar_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.diagnosis.ids.alterable import Alterations, Key
    from tokharness.model import Target
    from tokharness.targets.subject import Subject

FEW = 2
"""Plain texts that an alteration may explain by chance, so that texts of tokens decide."""

MOST_ASKED = 32
"""Texts for which further alterations are asked besides an alteration that explains them."""

SHOWN_LATER = {(MODEL, POST_PROCESSOR), (NORMALIZER, ADDED), (PRE_TOKENIZER, ADDED)}
"""Stages after which the texts differ, with the stage that changed: plain text that is cut is the
same text, until a part gets a prefix or is split."""

LONGEST_BY_CHANCE = 32
"""Characters of a text whose ids may be the reference's for a different text by chance."""


def altered_stage_causes(text: str, ids: Sequence[Any], subject: Subject) -> list[Cause]:
    """Return the alterations of the reference with which it gives the target's ids.

    If both sides show their stages, only alterations of the first stage whose text differs count.
    Without an alteration, this stage is the cause.
    """
    shown = different_stage(text, ids, subject)
    model = alterable(subject)
    changes: dict[Key, bool] = {}
    likely: Counter[Key] = Counter()
    wanted: Any = None
    if (
        model is not None
        and not _is_changed_text(text, ids, model)
        and stands_for_reference(model, text, subject)
    ):
        own = model
        model = at_versions_of_target(model, subject)
        if model is not own and model.can("stages"):
            shown = different_stage(text, ids, subject, model)
        likely = _support(subject)
        changes = changes_by(_likely_alterations(shown, subject), text, ids, model, subject)
        wanted = model.encode(text)
    found = credible(text, changes, subject)
    shown_by_others = [
        key for key in found if likely[key] > FEW or not _is_refuted(key, likely, subject)
    ]
    keys = sorted(shown_by_others, key=lambda key: -likely[key])
    is_of_model = shown in (None, MODEL) and all(stage == MODEL for stage, _ in keys)
    edits: list[Key] = []
    if model is not None and wanted is not None:
        edits = explaining_edits(text, ids, model, subject, search=is_of_model)
    causes = [altered_cause(*key) for key in (*keys, *edits)]
    if keys and not edits and not likely[keys[0]]:
        _unshown(subject).update(causes)
    # A Unicode version may explain the text.
    if shown is None or causes or (found == shown_by_others and is_explained(text, subject)):
        return causes
    further = further_causes(text, ids, subject, shown) if shown in (PRE_TOKENIZER, MODEL) else []
    return further or [inferred(shown, "the text after it differs")]


def _support(subject: Subject) -> Counter[Key]:
    texts = (*PLAIN_TEXTS, *texts_of_added_tokens(subject))
    return subject.cache.get_or_compute("support", lambda: support(alterations_of, subject, texts))


def _likely_alterations(shown: str | None, subject: Subject) -> Alterations:
    """Return the alterations of stages that may show, without what plain texts refute.

    Most alterations are refuted: the others take a fraction of the time.
    """

    def compute() -> Alterations:
        later = [stage for first, stage in SHOWN_LATER if first == shown]
        stages = None if shown is None else (shown, *later)
        refuted = frozenset(key for key, likely in _support(subject).items() if likely < 0)
        return partial(alterations_of, stages=stages, refuted=refuted)

    return subject.cache.get_or_compute(f"alterations that show: {shown}", compute)


def causes_besides(
    altered: Sequence[Cause], text: str, ids: Sequence[Any], subject: Subject
) -> list[Cause]:
    """Return further alterations that explain a text besides some others.

    These alterations explain texts that nothing else explains, so that one fault is one cause; if
    no plain text shows the others, all are tried.
    """
    if not _unshown(subject).issuperset(altered):
        return _known_further_causes(text, ids, subject)
    if next(subject.cache.get_or_compute("texts with causes besides", count)) >= MOST_ASKED:
        return _known_further_causes(text, ids, subject)
    stages = {cause.kind for cause in altered}
    return further_causes(text, ids, subject, stages.pop() if len(stages) == 1 else None)


def _known_further_causes(text: str, ids: Sequence[Any], subject: Subject) -> list[Cause]:
    """Return the further alterations that explain other texts, and this one, too."""
    model = alterable(subject)
    if model is None or not explaining(subject):
        return []
    model = at_versions_of_target(model, subject)
    known = ids_altered_as(text, explaining(subject), model)
    found = credible_changes(text, ids, known, model.encode(text), subject)
    return [altered_cause(*key) for key in found]


def _unshown(subject: Subject) -> set[Cause]:
    return subject.cache.get_or_compute("alterations that no plain text shows", set)


def _is_refuted(key: Key, likely: Counter[Key], subject: Subject) -> bool:
    """Whether texts of tokens refute an alteration that few plain texts show."""
    alterations = _likely_alterations(None, subject)
    by_tokens = subject.cache.get_or_compute(
        "support of tokens", lambda: support(alterations, subject, texts_of_tokens(subject))
    )
    return likely[key] + by_tokens[key] < 0


def _is_changed_text(text: str, ids: Sequence[Any], model: Target) -> bool:
    """Whether a byte-level model without a normalizer gives a long text's ids for another text.

    If so, the target has changed the text. Short texts do not count: if special tokens are listed
    in another order, their ids may by chance be the reference's ids for a different text.
    """
    is_short = len(text) <= LONGEST_BY_CHANCE
    if is_short or model.normalizer is not None or not model.can("decode_bytes"):
        return False
    decoded = model.decode(ids)
    return decoded != scalar_text(text) and model.encode(str(decoded)) == ids


def altered_decoder_causes(ids: Sequence[Any], decoded: Any, subject: Subject) -> list[Cause]:
    """Return the alterations of the reference's decoder with which it gives the target's text.

    An alteration must also give the target's text for most plain texts and most failing texts
    that it changes.
    """
    model = _alterable_decoder(subject)
    if model is None or subject.reference is None or isinstance(decoded, Raised):
        return []
    wanted = subject.reference.decode(ids)
    if wanted == decoded or model.decode(ids) != wanted:
        return []
    refuted = subject.cache.get_or_compute("refuted decoders", lambda: _refuted_decoders(subject))
    known = {key: text for key, text in _decoded(ids, model).items() if key not in refuted}
    message = "the reference gives the text with this alteration of its decoder: {}"
    return [
        Cause(DECODER, (("altered", what),), message=message.format(what))
        for _, what in credible_changes(repr(ids), decoded, known, wanted, subject)
    ]


def _alterable_decoder(subject: Subject) -> Target | None:
    """Return the side whose decoder can be altered: the reference or its explainer."""
    sides = (subject.reference, subject.explainer)
    model = next((one for one in sides if one is not None and one.can("decode_altered")), None)
    return None if model is subject.target else model


def _decoded(ids: Sequence[Any], model: Target) -> dict[Key, str]:
    """Return the text of ids with each alteration of the decoder."""
    rows = model.call("decode_altered", list(ids))
    return {} if isinstance(rows, Raised) else {(DECODER, what): text for what, text in rows}


def text_with_alteration(what: str, ids: Sequence[Any], subject: Subject) -> str | None:
    """Return the text of ids with one alteration of the reference's decoder; None without one."""
    model = _alterable_decoder(subject)
    return None if model is None else _decoded(ids, model).get((DECODER, what))


def _refuted_decoders(subject: Subject) -> frozenset[Key]:
    """Return the decoder alterations that plain texts refute more often than they confirm."""
    explained: Counter[Key] = Counter()
    model = _alterable_decoder(subject)
    for text in PLAIN_TEXTS:
        round_trip = subject.round_trip(text)
        if round_trip is None or model is None:
            continue
        ids, decoded = round_trip
        wanted = model.decode(ids)
        for key, altered in _decoded(ids, model).items():
            if altered != wanted:
                explained[key] += 1 if altered == decoded else -1
    return frozenset(key for key, number in explained.items() if number < 0)


def further_causes(
    text: str, ids: Sequence[Any], subject: Subject, stage: str | None = None
) -> list[Cause]:
    """Return the further alterations, of one stage or of all, that give the target's ids.

    There are none where these are the ids of another text. Of a long text only the alterations
    that explain other texts may be tried.
    """
    model = alterable(subject)
    if model is None or not stands_for_reference(model, text, subject):
        return []
    model = at_versions_of_target(model, subject)
    wanted = model.encode(text)
    if isinstance(wanted, Raised) or model.decode(wanted) != model.decode(ids):
        return []
    likely = support_of_further(subject)
    changes = changes_by(ids_altered_further, text, ids, model, subject)
    likely_ones = {
        key: explains
        for key, explains in changes.items()
        if likely[key] >= 0 and stage in (None, key[0])
    }
    found = credible(text, likely_ones, subject)
    if not found:
        untried = {key for key in explaining(subject) - changes.keys() if stage in (None, key[0])}
        known = ids_altered_as(text, untried, model)
        found = credible_changes(text, ids, known, wanted, subject)
    if not explaining(subject).issuperset(found):
        explaining(subject).update(found)
        subject.diagnosis_pass.learned = True
    return [altered_cause(*key) for key in sorted(found, key=lambda key: -likely[key])]


def may_be_by_chance(cause: Cause, subject: Subject) -> bool:
    """Whether a cause is one of the many that each text is tried with, or no plain text shows it.

    The many are borders and edits.
    """
    key = (cause.kind, dict(cause.parameters).get("altered", ""))
    is_one_of_many = key in explaining(subject) or is_edit(key[1], subject)
    return is_one_of_many or cause in _unshown(subject)
