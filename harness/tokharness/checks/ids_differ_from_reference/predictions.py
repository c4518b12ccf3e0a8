"""Whether a cause predicts the ids of the target; a cause that does not only describes a symptom.

A cause says how the reference must be altered, or which text it must get in place of a text, so
that it gives the ids of the target. The cause must do so for the failing texts and for neighbours
of them that do not fail: a cause that also changes the neighbours' ids is not the right cause.
Ids that a post-processor adds, and ids that a truncation cuts off, are such causes, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness.checks.ids_differ_from_reference.dropped_characters import VIA
from tokharness.diagnosis.comparisons import compared_call
from tokharness.diagnosis.entry_points.affixes import reference_affixes
from tokharness.diagnosis.ids.alterable import (
    PLAIN_TEXTS,
    alterable,
    at_versions_of_target,
    decoded_tokens,
    ids_of_altered,
    stands_for_reference,
    texts_of_tokens,
)
from tokharness.diagnosis.ids.edited_files import ids_of_edited_file
from tokharness.diagnosis.ids.moved_ids import MOVED, UNKNOWN, move_of, unknown_ids_of_both
from tokharness.diagnosis.ids.reference_departures import IN_REFERENCE, exchanged_roles
from tokharness.diagnosis.ids.stage_versions import UNICODE_VERSION
from tokharness.diagnosis.ids.stages import MODEL, POST_PROCESSOR
from tokharness.diagnosis.ids.token_edits import edited_ids
from tokharness.diagnosis.text.edges import without_edge
from tokharness.diagnosis.text.lost_ends import without_lost_end
from tokharness.diagnosis.text.normal_forms import FORMS
from tokharness.diagnosis.text.pretokens import PARAMETER as PRE_TOKENS_END
from tokharness.diagnosis.text.pretokens import ids_of_short_words
from tokharness.model import Cause, Failure
from tokharness.outcome import Raised
from tokharness.targets.subject import scalar_text
from tokharness.unicode.properties import category

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokharness.diagnosis.ids.alterable import Key
    from tokharness.targets.subject import Subject

SAMPLE, LONGEST = 20, 2000
"""Failing texts of a cause, and neighbours, that are predicted; and the longest in characters."""

MOST_WRONG = 0.05
"""Share of failing texts and of neighbours that may be predicted wrongly: some have two faults."""

MOST_TOKENS, FEW, LEAST_RIGHT = 400, 6, 1 / 3
"""Texts of tokens that are tried; failing texts among them that say something of a cause in the
model; and the share of these that the cause has to predict: the target may have another fault."""

SIBLINGS = {
    "L": "\u0451\u4e2d\u0627\u3042",
    "M": "\u0301\u093f\u064b\u20dd",
    "N": "\u0663\u0967\uff13\u00b2",
    "P": "\u2014\u3002\u00bf\u2018",
    "S": "\u20ac\u2211\u00a9\u2192",
    "Z": "\u00a0\u3000\u2003\u2028",
}
"""Characters of several scripts and uses, by the first letter of the general category."""

ASCII_SIBLINGS = {"L": "a", "N": "1", "P": "!", "S": "+", "Z": "\t"}
"""An ASCII character of each kind."""

MOST_SIBLINGS = 4

DESCRIPTIONS = frozenset({"unexplained", "merge order", "pre-token split"})
"""Kinds of causes that say where ids differ, and do not predict the ids."""

OF_CHARACTERS = ("dropped characters", "replaced characters")

Predict: TypeAlias = Callable[[str], "list[Any] | None"]
"""Returns the lists of ids that the target may give for a text, without the ids around every text;
None if nothing is known of the text. There are several if a text may be normalized at several
versions.
"""


Change: TypeAlias = Callable[[str], list[str]]
"""Returns the texts that a text may become before it is encoded."""


def predicts(cause: Cause, texts: Sequence[str], subject: Subject) -> bool:
    """Whether a cause of some failing texts predicts their ids and the ids of their neighbours.

    A cause predicts if its diagnosis has altered the text or the process and seen the difference
    disappear.
    """
    if cause.weak or cause.kind in DESCRIPTIONS:
        return False
    if IN_REFERENCE in cause.parameters:
        return _predicts_reference(cause, texts, subject)
    if cause.kind == UNICODE_VERSION and not _older_characters_are_alike(texts, subject):
        return False
    if cause.kind == "vocabulary" and not cause.parameters:
        return _exchanges_ids(_sample(texts), subject)
    predict = _prediction(cause, subject)
    if predict is not None and cause.kind == MODEL and not _is_general(predict, subject):
        return False
    return predict is None or _is_right(predict, _sample(texts), subject)


def _is_general(predict: Predict, subject: Subject) -> bool:
    """Whether a cause in the model is right for a good part of the failing texts of tokens.

    A short text has few segmentations, so that many an alteration has the ids of one by chance.
    """
    failing = subject.cache.get_or_compute(
        "texts of tokens without the ids of the reference", lambda: _failing_tokens(subject)
    )
    right = sum(_agrees(predict, text, subject) for text in failing)
    return len(failing) < FEW or right >= LEAST_RIGHT * len(failing)


def _failing_tokens(subject: Subject) -> list[str]:
    texts = decoded_tokens(subject, MOST_TOKENS)
    return _sample([text for text in texts if not _is_alike(text, subject)] or [""])


def _sample(texts: Sequence[str]) -> list[str]:
    short = [text for text in texts if len(text) <= LONGEST] or [min(texts, key=len)]
    return short[:: -(-len(short) // SAMPLE) or 1]


def _is_right(predict: Predict, texts: Sequence[str], subject: Subject) -> bool:
    """Whether a prediction is right for most failing texts, and for most of their neighbours.

    A cause that gives no prediction for any failing text predicts nothing. Many neighbours are
    changed by no cause, so the number of wrong neighbours is compared with the number of failing
    texts.
    """
    most = MOST_WRONG * len(texts)
    return any(predict(text) is not None for text in texts) and all(
        sum(not _agrees(predict, text, subject) for text in kind) <= most
        for kind in (texts, _neighbours(texts, subject))
    )


def _agrees(predict: Predict, text: str, subject: Subject) -> bool:
    ids, predicted = _own_ids(text, subject), predict(text)
    return ids is None or predicted is None or ids in predicted


def _own_ids(text: str, subject: Subject) -> list[Any] | None:
    ids = subject.encode(text)
    return None if ids is None else reference_affixes(subject).without(ids)


def _neighbours(texts: Sequence[str], subject: Subject) -> list[str]:
    """Return texts that do not fail: as many texts near the failing texts, and texts of tokens."""
    found: list[str] = []
    siblings = list(islice(_siblings(texts), SAMPLE))
    for text in dict.fromkeys((*siblings, *_near(texts), *PLAIN_TEXTS)):
        if len(found) >= max(len(texts), len(PLAIN_TEXTS)) + len(siblings):
            break
        if _is_alike(text, subject):
            found.append(text)
    alike = subject.cache.get_or_compute(
        "texts of tokens with the ids of the reference",
        lambda: [text for text in texts_of_tokens(subject) if _is_alike(text, subject)],
    )
    return [*found, *alike]


def _older_characters_are_alike(texts: Sequence[str], subject: Subject) -> bool:
    """Whether most texts do not fail with characters of the same kind that all versions have.

    A stage that treats these characters differently, too, does not follow another Unicode version.
    """
    siblings = list(dict.fromkeys(islice(_siblings(_sample(texts)), SAMPLE)))
    return sum(_is_alike(text, subject) for text in siblings) * 2 >= len(siblings)


def _is_alike(text: str, subject: Subject) -> bool:
    ids = _own_ids(text, subject)
    return ids is not None and ids == subject.reference_ids(text)


def _siblings(texts: Iterable[str]) -> Iterable[str]:
    """Yield texts whose characters beyond ASCII are replaced by others of the same kind."""
    for text in texts:
        if not text.isascii():
            for place in range(MOST_SIBLINGS):
                yield "".join(_sibling(character, place) for character in text)


def _sibling(character: str, place: int) -> str:
    others = SIBLINGS.get(category(character)[0], "")
    return others[place % len(others)] if others and not character.isascii() else character


def _ascii_sibling(character: str) -> str:
    is_ascii = character.isascii()
    return character if is_ascii else ASCII_SIBLINGS.get(category(character)[0], character)


def _near(texts: Iterable[str]) -> Iterable[str]:
    for text in texts:
        middle = len(text) // 2
        yield "".join(map(_ascii_sibling, text))
        yield from (text[:middle], text[middle:])
        yield "".join(character if character.isascii() else "a" for character in text)
        yield from (FORMS[form](text) for form in ("NFC", "NFD") if not text.isascii())


def _prediction(cause: Cause, subject: Subject) -> Predict | None:
    """Return what a cause predicts; None if its diagnosis has already proved it."""
    parameters = dict(cause.parameters)
    if "altered" in parameters:
        return _only(partial(ids_with_alteration, (cause.kind, parameters["altered"]), subject))
    if "edit" in parameters:
        return _only(partial(ids_of_edited_file, subject))
    if "truncates to" in parameters:
        most, side = int(parameters["truncates to"]), parameters["at the"]
        return _only(lambda text: truncated(subject.reference_ids(text) or [], most, side))
    if PRE_TOKENS_END in parameters:
        return _only(partial(ids_of_short_words, cause, subject))
    if cause.kind == MOVED and (move := move_of(subject)):
        return _only(lambda text: [move(one) for one in subject.reference_ids(text) or []])
    if UNKNOWN in parameters and (other := unknown_ids_of_both(subject)):
        return _only(
            lambda text: [other.get(one, one) for one in subject.reference_ids(text) or []]
        )
    if cause.kind == UNICODE_VERSION:
        return _only(_at_version(parameters["is"], parameters.get("of"), subject))
    if cause.kind == "ids around every text":
        return _only(subject.reference_ids)
    change = _change_of_text(cause, "ids", subject)
    return None if change is None else partial(_ids_of_changed, change, subject)


def _only(ids_of: Callable[[str], Any] | None) -> Predict | None:
    def predict(text: str) -> list[Any] | None:
        ids = ids_of(text) if ids_of else None
        return None if ids is None or isinstance(ids, Raised) else [list(ids)]

    return predict if ids_of else None


def ids_with_alteration(key: Key, subject: Subject, text: str) -> Any:
    """Return the reference's ids of a text with an alteration; None if nothing is known of it."""
    model = alterable(subject)
    if model is None or not stands_for_reference(model, text, subject):
        return None
    model = at_versions_of_target(model, subject)
    ids = edited_ids(key[1], text, model, subject)
    return ids_of_altered(text, key, model) if ids is None else ids


def _at_version(version: str, stage: str | None, subject: Subject) -> Callable[[str], Any] | None:
    """Return the implementation at a version of one stage, or of its split; None if it has none."""
    model = alterable(subject) if stage else subject.explainer
    if model is None:
        return None
    if stage:  # a text may have characters of other stages, too
        other = model.at_stage_versions({**subject.stage_versions, stage: version})
    else:
        other = model.at_unicode_version(version)
    return (
        None if isinstance(other, Raised) else lambda t: other.encode(subject.text_for_reference(t))
    )


def _change_of_text(cause: Cause, via: str, subject: Subject) -> Change | None:
    """Return how a cause changes a text before it is encoded; None for other kinds of causes."""
    form = dict(cause.parameters).get("form", "")
    if cause.kind == "normalizer" and form in FORMS:
        return lambda text: [FORMS[form](scalar_text(text))]
    if cause.kind == "truncated":
        rest = without_lost_end(cause, subject, via)
        return lambda text: [rest(text) if rest else text.partition("\0")[0]]
    if cause.kind in OF_CHARACTERS and (rest := without_edge(cause, via, subject)):
        return lambda text: _and_its_forms(rest(scalar_text(text)))
    if cause.kind in OF_CHARACTERS:
        known = subject.discoveries.known_characters(via, VIA)
        table = {ord(old): new for old, new in known.items()}
        return lambda text: _and_its_forms(scalar_text(text.translate(table)))
    return None


def _and_its_forms(text: str) -> list[str]:
    """Return a text and its normal forms: a form may be applied to the changed text, too."""
    return [text, *(form(text) for form in FORMS.values())]


def _ids_of_changed(change: Change, subject: Subject, text: str) -> list[Any]:
    """Return the reference's ids for each text that a text may become."""
    changed = dict.fromkeys(change(subject.expected_text(text)))
    return [ids for one in changed if (ids := subject.reference_ids(one)) is not None]


def _predicts_reference(cause: Cause, texts: Sequence[str], subject: Subject) -> bool:
    """Whether a cause in the reference predicts the ids of the reference."""
    own = replace(cause, parameters=tuple(p for p in cause.parameters if p != IN_REFERENCE))
    exchanged = exchanged_roles(subject)
    if exchanged is not None and (
        cause.kind == UNICODE_VERSION or "altered" in dict(own.parameters)
    ):
        return predicts(own, texts, exchanged)
    change, sample = _change_of_text(own, "reference", subject), _sample(texts)
    if change is None:
        return True
    # The target must give for the changed text what the reference gives for the text.
    pairs = ((change(text), subject.reference_ids(text)) for text in sample)
    wrong = sum(wanted not in [_own_ids(one, subject) for one in texts] for texts, wanted in pairs)
    return wrong <= MOST_WRONG * len(sample)


def _exchanges_ids(texts: Sequence[str], subject: Subject) -> bool:
    """Whether each id of the reference corresponds to one id of the target in all texts."""
    new_ids: dict[Any, Any] = {}
    for text in (*texts, *_neighbours(texts, subject)):
        ids, wanted = _own_ids(text, subject), subject.reference_ids(text)
        if ids is None or wanted is None:
            continue
        if len(ids) != len(wanted) or any(
            new_ids.setdefault(old, new) != new for old, new in zip(wanted, ids, strict=True)
        ):
            return False
    return len({*new_ids.values()}) == len(new_ids)


# Truncation of ids to a number, as a file may ask for.

WORD, SHORTEST = " a", 64
SIDES = ("right", "left")
"""Sides at which ids may be cut off."""


def truncation_causes(ids: Sequence[Any], wanted: Sequence[Any], subject: Subject) -> list[Cause]:
    """Return the truncation with which the reference's ids become the target's, if there is one."""
    if len(ids) >= len(wanted):
        return []
    cut = subject.cache.get_or_compute(f"truncation to {len(ids)}", lambda: _cut(len(ids), subject))
    if cut is None or truncated(wanted, len(ids), cut) != list(ids):
        return []
    message = f"the target leaves out all ids of a text but {len(ids)}, at its {cut} end"
    parameters = (("truncates to", str(len(ids))), ("at the", cut))
    return [Cause(POST_PROCESSOR, parameters, message=message)]


def truncated(ids: Sequence[Any], most: int, side: str) -> list[Any]:
    """Cut ids off at one side until at most ``most`` are left."""
    return list(ids[:most] if side == "right" else ids[max(len(ids) - most, 0) :])


def _cut(most: int, subject: Subject) -> str | None:
    """Return the side at which the target cuts off the ids of long texts; None if it does not."""
    found = set()
    for words in (most + SHORTEST, most + 2 * SHORTEST):
        text = "".join(f"{WORD}{number % 10}" for number in range(words))
        ids, wanted = subject.encode(text), subject.reference_ids(text)
        if ids is None or wanted is None:
            return None
        own = reference_affixes(subject).without(ids)
        found.add(next((side for side in SIDES if truncated(wanted, most, side) == own), None))
    return found.pop() if len(found) == 1 else None


TEXTS = ("a", "a b", "1", "")
"""Plain texts without special tokens; an empty text may get no ids at all."""


def post_processor_failures(subject: Subject) -> Iterator[Failure]:
    """Report a post-processor that differs from the reference's.

    The reference must show its stages. Texts whose plain ids differ prove nothing.
    """
    target, reference = subject.target, subject.reference
    if reference is None or not target.can("encode_ordinary") or not reference.can("stages"):
        return
    for text in TEXTS:
        plain = target.encode(text)
        if isinstance(plain, Raised) or plain != reference.encode(text):
            continue
        ours, theirs = (one.call("encode", text) for one in (target, reference))
        if not isinstance(theirs, Raised) and ours != theirs:
            yield _failure(text, ours, theirs, subject)
            return


def _failure(text: str, ours: Any, theirs: list[int], subject: Subject) -> Failure:
    shown = f"raises {type(ours.error).__name__}" if isinstance(ours, Raised) else f"gives {ours}"
    message = f"encode {shown} for a text for which the post-processor of the file gives {theirs}"
    cause = Cause(POST_PROCESSOR, (("adds", "other ids"),), message=message)
    evidence = compared_call("encode", ours, theirs, subject)
    return Failure(cause, text=text, evidence={"stage": POST_PROCESSOR, **evidence})
