"""The implementation of the reference's file that can be altered, and which changes are credible.

It is the reference itself or, of a library, our own implementation of its file, which stands for
the library on the texts for which it gives the library's ids. An alteration or a Unicode version
may explain a single text by accident; a credible change also explains the other texts. Texts that
refute an alteration are plain texts, in which most alterations of a stage show, and the texts of
tokens, in which others show: two classes of characters meet in few texts.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tokharness.diagnosis.ids.stages import NORMALIZER
from tokharness.diagnosis.text.clean_ups import CLEAN_UPS
from tokharness.diagnosis.text.normal_forms import FORMS
from tokharness.diagnosis.text.stripped_white_space import RARELY_STRIPPED
from tokharness.model import Cause
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

LONG: Final = "another" * 40
"""A word that a limit for all pre-tokens cuts in a token, and one for white space does not."""

BEFORE_IT: Final = " before it"
"""The end of the name of a normal form that is applied before the normalizer of a file."""

METHODS = ("encode_altered", "with_stage_versions")


def alterable(subject: Subject) -> Target | None:
    """Return the reference, or the explainer of one that is a library; None if neither alters."""
    for side in (subject.reference, subject.explainer):
        if side is not None and side is not subject.target and any(map(side.can, METHODS)):
            return side
    return None


def stands_for_reference(model: Target, text: str, subject: Subject) -> bool:
    """Whether an implementation gives the ids of the reference for a text."""
    if model is subject.reference:
        return True
    ids = model.encode(subject.text_for_reference(text))
    return not isinstance(ids, Raised) and list(ids) == subject.reference_ids(text)


def alterations_of(
    text: str,
    model: Target,
    stages: Collection[str] | None = None,
    refuted: Collection[Key] = (),
) -> dict[Key, Any]:
    """Return the ids of a text with each alteration: by the stage, and what is altered in it.

    Only alterations of these stages are tried, and no ``refuted`` ones. Before the normalizer of a
    file an engine may apply a normal form. Where a reference has no normalizer, decoded text shows
    the form.
    """
    if not model.can("encode_altered"):
        return {}
    rows = model.call("encode_altered", (text, stages, refuted))
    if isinstance(rows, Raised):
        return {}
    known = {(stage, what): ids for stage, what, ids in rows}
    if model.normalizer is not None and (stages is None or NORMALIZER in stages):
        # Title case before lowercase has the result of lowercase on most texts.
        usual = (name for name in FORMS if name not in RARELY_STRIPPED)
        for name in sorted(usual, key=CLEAN_UPS.__contains__):
            key = (NORMALIZER, f"{name}{BEFORE_IT}")
            if key not in refuted and (new := FORMS[name](text)) != text:
                known[key] = model.encode(new)
    return known


def ids_of_altered(text: str, key: Key, model: Target) -> Any:
    """Return the ids of a text with one alteration; None if the text has none with it."""
    is_of_form = key[1].endswith(BEFORE_IT)
    known = alterations_of(text, model) if is_of_form else ids_altered_as(text, {key}, model)
    return known.get(key)


def at_versions_of_target(model: Target, subject: Subject) -> Target:
    """Return an implementation at the Unicode versions of the target: these alter nothing then."""
    versions = subject.stage_versions
    if not versions:
        return model

    def compute() -> Target:
        pinned = model.at_stage_versions(versions)
        return model if isinstance(pinned, Raised) else pinned

    return subject.cache.get_or_compute("reference at the target's versions", compute)


def altered_cause(stage: str, what: str) -> Cause:
    """Return the cause that an alteration of a stage of the reference is."""
    message = f"the ids are those of the reference with this alteration of its {stage}: {what}"
    return Cause(stage, (("altered", what),), message=message)


Key: TypeAlias = tuple[str, str]
"""A stage, and what is altered in it or its Unicode version."""

MOST_CONTRADICTED = 0.05
"""Most failing texts that may contradict a credible change, as a share of those it explains."""


def credible_changes(
    text: str, ids: Sequence[Any], known: Mapping[Key, Any], wanted: Any, subject: Subject
) -> list[Key]:
    """Return the changes that give the target's ids for this text and for most texts they change.

    A change that explains a text by accident does not explain the other texts. ``known`` has the
    reference's ids of this text with each change, and ``wanted`` its ids without a change.
    """
    return credible(text, _explains(ids, known, wanted), subject)


def _explains(ids: Sequence[Any], known: Mapping[Key, Any], wanted: Any) -> dict[Key, bool]:
    """Return of each change that changes the ids of a text whether it gives the target's ids."""
    return {
        key: list(changed) == list(ids)
        for key, changed in known.items()
        if not isinstance(changed, Raised) and changed != wanted
    }


def credible(text: str, changes: Mapping[Key, bool], subject: Subject) -> list[Key]:
    """Return the changes that explain a text, and most texts that they change.

    ``changes`` has, of each change that changes the ids of the text, whether it explains them.
    """
    records = _records(subject)
    found = []
    for key, explains in changes.items():
        record = records.setdefault(key, _Record())
        before = record.is_credible
        (record.explained if explains else record.contradicted).add(text)
        if before and not record.is_credible and record.explained:
            subject.diagnosis_pass.learned = True
        if explains and record.is_credible:
            found.append(key)
    return found


MOST_KEPT: Final = 4096
"""Texts whose changes by alterations are kept: each pass of a diagnosis asks for them again."""


def changes_by(
    alterations: Alterations, text: str, ids: Sequence[Any], model: Target, subject: Subject
) -> dict[Key, bool]:
    """Return of each alteration that changes the ids of a text whether it gives the target's."""
    kept: dict[Any, Any] = subject.cache.get_or_compute("changes by alterations", dict)
    before = kept.get((alterations, text))
    if before and before[0] is model and before[1] == ids:
        return dict(before[2])
    changes = _explains(ids, alterations(text, model), model.encode(text))
    if len(kept) < MOST_KEPT:
        kept[alterations, text] = (model, ids, changes)
    return changes


def is_explained(text: str, subject: Subject) -> bool:
    """Whether a credible change gives the target's ids of a text."""
    return any(text in one.explained and one.is_credible for one in _records(subject).values())


def _records(subject: Subject) -> dict[Key, _Record]:
    return subject.cache.get_or_compute("records of changes", dict)


@dataclass(slots=True)
class _Record:
    """Failing texts for which a change of the reference gives the target's ids, or other ids."""

    explained: set[str] = field(default_factory=set)
    contradicted: set[str] = field(default_factory=set)

    @property
    def is_credible(self) -> bool:
        return len(self.contradicted) <= MOST_CONTRADICTED * len(self.explained)


if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

PLAIN_TEXTS: Final = (
    *(" a b ", "a ", " A", "\tb\n", "  a  b", "It's", "IT'S", "a1 22", "12345", "a, b!!"),
    *("caf\u00e9", "e\u0301", "\uff21", "\u00c5ngstr\u00f6m", "\u4f60\u597d", "a\u200bb", "the"),
    *("\x1ca", "a\x1c\x1cb\x1c"),  # white space in Python only
    # Where many classes of characters meet, to refute what is said of too wide ones.
    *("a \n b\t\tc\n\td", "Ab1\u0663\u00bd\u4e2d_!'$-x 2", "1a \u4e2dB_c'd", "\u0967000"),
)

MOST_NAMES: Final = 8
"""Added tokens in whose texts alterations are tried."""

TOKENS, LONGEST_TOKENS, MOST_TOKENS = 40, 24, 30_000
"""Texts of tokens that are neighbours: an even sample and the longest, of so many tokens."""

Alterations: TypeAlias = "Callable[[str, Target], dict[Key, Any]]"


def support(alterations: Alterations, subject: Subject, texts: Iterable[str]) -> Counter[Key]:
    """Return of how many more texts that it changes each alteration explains than not.

    ``alterations`` returns the ids of a text with each of them.
    """
    explained: Counter[Key] = Counter()
    model = alterable(subject)
    for text in texts:
        ids, wanted = subject.encode(text), subject.reference_ids(text)
        if model is None or ids is None:
            continue
        for key, altered in alterations(text, model).items():
            if altered != wanted:
                explained[key] += 1 if altered == ids else -1
    return explained


def ids_altered_further(text: str, model: Target) -> dict[Key, Any]:
    """Return the ids of a text with each of them: by the stage, and what is altered in it."""
    if not model.can("encode_altered_further"):
        return {}
    rows = model.call("encode_altered_further", text)
    return {} if isinstance(rows, Raised) else {(stage, what): ids for stage, what, ids in rows}


def ids_altered_as(text: str, keys: Collection[Key], model: Target) -> dict[Key, Any]:
    """Return the ids of a text with each of these alterations."""
    if not keys or not model.can("encode_altered_as"):
        return {}
    rows = model.call("encode_altered_as", (text, [what for _, what in keys]))
    return {} if isinstance(rows, Raised) else {(stage, what): ids for stage, what, ids in rows}


def explaining(subject: Subject) -> set[Key]:
    """Return the further alterations that explain a text, as far as they are known."""
    return subject.cache.get_or_compute("further alterations that explain a text", set)


def support_of_further(subject: Subject) -> Counter[Key]:
    """Return the support of each further alteration by plain texts and texts of tokens."""
    return subject.cache.get_or_compute(
        "support of further alterations",
        lambda: support(
            ids_altered_further, subject, (*PLAIN_TEXTS, *texts_of_tokens(subject), LONG)
        ),
    )


def texts_of_added_tokens(subject: Subject) -> Iterator[str]:
    """Yield texts in which an alteration of all added tokens changes more than one of one token.

    A token at the start, and one that is there twice, refute that none is read.
    """
    model = alterable(subject)
    names = {} if model is None else {**model.added_tokens, **model.special_tokens}
    for name in islice(names, MOST_NAMES):
        yield from (name, f"{name}a", f"a{name}b", f" a {name} b", f"{name}a{name}")


def texts_of_tokens(subject: Subject) -> list[str]:
    """Return texts of tokens: in them, a limit or a missing token shows."""
    return subject.cache.get_or_compute("texts that refute", lambda: _texts_of_tokens(subject))


def decoded_tokens(subject: Subject, most: int) -> list[str]:
    """Return the texts of an even sample of at most ``most`` token ids of the reference."""
    reference = subject.reference
    if reference is None or not reference.n_vocab:
        return []
    numbers = range(0, reference.n_vocab, -(-reference.n_vocab // most))
    decoded = reference.call_each("decode", [[number] for number in numbers])
    return [text for text in decoded if isinstance(text, str) and text]


def _texts_of_tokens(subject: Subject) -> list[str]:
    texts = decoded_tokens(subject, MOST_TOKENS)
    longest = sorted(texts, key=len, reverse=True)[:LONGEST_TOKENS]
    return list(dict.fromkeys((*longest, *texts[:: -(-len(texts) // TOKENS) or 1])))
