"""Why a round trip changes a text: a normal form, dropped or replaced characters, an edit.

The check of the round trip and the comparison with a reference both use it. Each explanation is
a :class:`Cause`; the best comes first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tokharness.diagnosis.text.characters import (
    between_letters,
    changed_characters,
    changed_neighbours,
    describe_by_replacement,
    is_unassigned,
    probe_characters,
    replacement_of,
    unassigned_as_of,
    unassigned_name,
)
from tokharness.diagnosis.text.chunked_forms import chunked_forms
from tokharness.diagnosis.text.edges import edge_causes
from tokharness.diagnosis.text.edits import (
    describe_lost_scripts,
    edit_causes,
    length_limit_causes,
    order_causes,
)
from tokharness.diagnosis.text.lost_ends import lost_end_causes
from tokharness.diagnosis.text.normal_forms import (
    FORMS,
    NORMAL_FORMS,
    applied_forms,
    equal_forms,
    explains,
    forms_that_explain,
    is_applied,
    normalizer_cause,
)
from tokharness.diagnosis.text.pretokens import short_word_causes
from tokharness.diagnosis.text.spaced_words import spaced_word_causes
from tokharness.model import Cause
from tokharness.targets.fingerprint import detect_form_version
from tokharness.targets.subject import is_scalar, scalar_text
from tokharness.unicode import properties

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = [
    "ROUND_TRIP",
    "SEVERAL",
    "character_causes",
    "dropped_characters_cause",
    "explain_change",
    "form_causes",
    "in_decoder",
]

Transform = Callable[[str], "str | None"]
"""What the target makes of a text; None if it raises."""

MAX_REPLACEMENTS = 3
"""Beyond this many different replacements, all of them are one cause: a replacement table."""

MOST_LABELS = 2
"""Characters of a replacement that are named one by one."""

ROUND_TRIP = "round trip"
"""Name of the change that a target makes of a text when it encodes and decodes it."""

SEVERAL = "several"
TRUNCATED = Cause("truncated", (("at", "U+0000"),), message="the text is cut off at U+0000")
NOTHING_LEFT = Cause("nothing left", message="the result is empty, even for a plain word")


def explain_change(
    raw: str, result: str, subject: Subject, transform: Transform, via: str
) -> list[Cause]:
    """Causes that turn the text ``raw`` into ``result``; never empty.

    Lone surrogates become U+FFFD or stay as they are; neither needs a cause. ``transform`` is the
    target's change of a text, called on probes, and ``via`` its name in the cache of the run.
    """
    short = short_word_causes(_with_surrogates_of(result, raw), result, subject)
    others = _other_changes(raw, result, subject, transform, via)
    return [*short, *(one for one in others if not (short and one.weak))]


def _other_changes(
    raw: str, result: str, subject: Subject, transform: Transform, via: str
) -> list[Cause]:
    """Causes that turn a text into ``result``, other than the ends of its pre-tokens."""
    text = _with_surrogates_of(result, raw)
    change = text, result, subject, transform, via
    if cut := length_limit_causes(*change) or lost_end_causes(*change):
        return cut
    known = _known_changes(subject, transform, via, set(text) - set(result))

    def applied(form: str) -> bool:
        return subject.cache.get_or_compute(f"{via}: {form}", lambda: is_applied(form, transform))

    names = subject.cache.get_or_compute(
        f"{via}: names of pass {subject.diagnosis_pass.number}",
        lambda: _with_scripts(
            _name_changes(known, applied, _unassigned_as_of(known, subject, transform, via)),
            known,
            transform,
        ),
    )

    def version_of(form: str) -> str | None:
        return subject.cache.get_or_compute(
            f"{via}: version of {form}", lambda: _version(form, transform)
        )

    characters = _character_change_causes(raw, result, known, names, subject)
    if (
        not result
        and subject.cache.get_or_compute(f"{via}: of a word", lambda: transform("word")) == ""
    ):
        return [*characters, NOTHING_LEFT]
    if expected := _expected_causes(subject, text, result, characters):
        return expected
    part = [normalizer_cause(f"{form} in part") for form in equal_forms(text, result)]
    forms = applied_forms(text, result, applied, version_of)
    forms += [] if text == raw else filter(applied, _forms_before_surrogates(raw, result, forms))
    whole = [*map(normalizer_cause, chunked_forms(text, result, subject, applied, via))]
    whole += [normalizer_cause(form, version_of(form)) for form in forms]
    together = _changes_and_form(raw, result, known, names, applied)
    if found := [*whole, *characters, *together]:
        return list(dict.fromkeys([*found, *part]))
    if found := spaced_word_causes(text, result, subject, transform, via, explain_change):
        return found
    if part:
        return [*part, *order_causes(text, result)]
    if text.startswith(f"{result}\0") and subject.cache.get_or_compute(
        f"{via}: cut off at U+0000", lambda: transform("a\0b") == "a"
    ):
        return [TRUNCATED]
    return edge_causes(text, result, subject, transform, via) or edit_causes(text, result)


def _forms_before_surrogates(raw: str, result: str, others: list[str]) -> list[str]:
    """Return the other forms that come before surrogates are replaced, equal ones or not."""
    names = [name for name in FORMS if name not in others]
    return [name for name in names if scalar_text(FORMS[name](raw)) == result]


def character_causes(inside: dict[str, str], known: dict[str, str]) -> list[Cause]:
    """Causes of a text's dropped or replaced characters, named together with all known ones."""
    return _character_causes(inside, _ReplacementNames("", _characters_by_replacement(known)))


def _with_surrogates_of(result: str, raw: str) -> str:
    """Return a text with its surrogates as the result has them: unchanged, or as U+FFFD."""
    return scalar_text(raw) if is_scalar(result) else raw


def _expected_causes(
    subject: Subject, text: str, result: str, characters: list[Cause]
) -> list[Cause]:
    """Return causes of earlier texts that explain this text too; trying all causes takes long."""
    expected = subject.expected_causes
    if not expected:
        return []
    names = [dict(cause.parameters).get("form") for cause in expected if cause.kind == "normalizer"]
    forms = [form for form in names if form in FORMS and explains(form, text, result)]
    return [cause for cause in (*map(normalizer_cause, forms), *characters) if cause in expected]


def _known_changes(
    subject: Subject, transform: Transform, via: str, lost: set[str]
) -> dict[str, str]:
    """Changes of single characters: probed once for the run, then for each new lost character."""

    def probe() -> dict[str, str]:
        texts = list(map(between_letters, probe_characters()))
        subject.target.fetch(texts, decoded=via == ROUND_TRIP)
        return _undeclared(changed_characters(transform), subject)

    changes = subject.discoveries.characters(via, probe)
    known = changes.known
    for character in [c for c in lost if c not in known and c not in changes.probed]:
        changes.probed.add(character)
        new = replacement_of(character, transform)
        if new is not None:
            changed = {character: new, **changed_neighbours(character, transform, known)}
            known.update(_undeclared(changed, subject))
            subject.diagnosis_pass.learned = True
    return known


def _undeclared(changed: dict[str, str], subject: Subject) -> dict[str, str]:
    """Return the changes of characters that the declared normalizer does not explain."""
    if subject.target.normalizer is None:
        return changed
    return {
        old: new
        for old, new in changed.items()
        if subject.expected_text(between_letters(old)) != f"a{new}b"
    }


@dataclass(frozen=True, slots=True)
class _ReplacementNames:
    """Names of the characters that become each replacement, and that ``form`` does not explain.

    All characters that are unassigned as of a Unicode version are dropped, if it is given.
    """

    form: str
    names: dict[str, str]
    version: str | None = None

    def is_of_form(self, old: str, new: str) -> bool:
        return bool(self.form) and bool(new) and explains(self.form, old, new)

    def is_unassigned(self, old: str, new: str) -> bool:
        return not new and is_unassigned(old, self.version)


def _unassigned_as_of(
    known: dict[str, str], subject: Subject, transform: Transform, via: str
) -> str | None:
    dropped = [old for old, new in known.items() if not new]
    return subject.cache.get_or_compute(
        f"{via}: unassigned as of", lambda: unassigned_as_of(dropped, transform)
    )


def _name_changes(
    known: dict[str, str], applied: Callable[[str], bool], version: str | None
) -> _ReplacementNames:
    """Name the changed characters, without those that the most common normal form explains."""
    replaced = {old: new for old, new in known.items() if new}

    def explained(form: str) -> int:
        return sum(explains(form, old, new) for old, new in replaced.items())

    form = max(filter(applied, FORMS), key=explained, default="")
    whole = _ReplacementNames(form, {}, version)
    others = {
        old: new
        for old, new in known.items()
        if not whole.is_of_form(old, new) and not whole.is_unassigned(old, new)
    }
    return replace(whole, names=_characters_by_replacement(others))


def _with_scripts(
    names: _ReplacementNames, known: dict[str, str], transform: Transform
) -> _ReplacementNames:
    """Name whole scripts in place of ranges of characters."""

    def name(new: str, characters: str) -> str:
        lost = [old for old, replacement in known.items() if replacement == new]
        if ".." not in characters or new == SEVERAL:
            return characters
        scripts = describe_lost_scripts(
            lost, lambda sample: [replacement_of(one, transform) == new for one in sample]
        )
        return scripts or characters

    return replace(names, names={new: name(new, old) for new, old in names.names.items()})


def _characters_by_replacement(known: dict[str, str]) -> dict[str, str]:
    """Group characters by their replacement; many replacements become a single group."""
    replaced = {old: new for old, new in known.items() if new}
    if len(set(replaced.values())) <= MAX_REPLACEMENTS:
        return describe_by_replacement(known)
    return {
        **describe_by_replacement({old: "" for old, new in known.items() if not new}),
        **describe_by_replacement(dict.fromkeys(replaced, SEVERAL)),
    }


def _version(form: str, transform: Transform) -> str | None:
    return detect_form_version(form, transform) if form in NORMAL_FORMS else None


def form_causes(text: str, result: str, subject: Subject, transform: Transform) -> list[Cause]:
    """Causes of a text that a form turns into ``result``, if ``transform`` applies the form."""

    def applied(form: str) -> bool:
        return subject.cache.get_or_compute(f"form: {form}", lambda: is_applied(form, transform))

    return [normalizer_cause(form) for form in forms_that_explain(text, result) if applied(form)]


def in_decoder(cause: Cause) -> Cause:
    """Make the cause of a change that the decoder makes."""
    return Cause(
        "decoder",
        (("change", str(cause)),),
        message=f"the ids are right, but decoding them is wrong: {cause.message}",
        weak=cause.weak,
    )


def _character_change_causes(
    raw: str,
    result: str,
    known: dict[str, str],
    names: _ReplacementNames,
    subject: Subject,
) -> list[Cause]:
    """Causes of the known changes of characters, if nothing else but what is declared changed.

    Dropping a character between two lone surrogates joins them, so the raw text is tried first.
    """
    for text in (raw, scalar_text(raw)):
        inside = {character: known[character] for character in set(text) & known.keys()}
        if not inside:
            continue
        changed = _with_surrogates_of(result, _translate(text, inside))
        if result in (changed, subject.expected_text(changed)):
            return _character_causes(inside, names)
    return []


def _translate(text: str, pairs: dict[str, str]) -> str:
    return text.translate({ord(old): new for old, new in pairs.items()})


def _character_causes(inside: dict[str, str], names: _ReplacementNames) -> list[Cause]:
    """One cause for all dropped characters, and one for each replacement."""
    own = {old: new for old, new in inside.items() if not names.is_of_form(old, new)}
    others = {old: new for old, new in own.items() if not names.is_unassigned(old, new)}
    keys = {new if new in names.names else SEVERAL for new in others.values()}
    causes = [_character_cause(names.names.get(key, SEVERAL), key) for key in sorted(keys)]
    if names.version and len(others) < len(own):
        causes.append(_character_cause(unassigned_name(names.version), ""))
    return causes if len(own) == len(inside) else [*causes, normalizer_cause(names.form)]


def _character_cause(name: str, new: str) -> Cause:
    if not new:
        return dropped_characters_cause(name, f"the text comes back without {name}")
    by = "others" if new == SEVERAL else _named(new)
    parameters = (("characters", name), ("by", by))
    what = "other characters" if new == SEVERAL else by
    message = f"the text comes back with {what} in place of {name}"
    return Cause("replaced characters", parameters, message=message)


def dropped_characters_cause(name: str, message: str) -> Cause:
    """Make the cause of dropped characters, named by their class or their ranges."""
    return Cause("dropped characters", (("characters", name),), message=message)


def _named(new: str) -> str:
    """Name the characters of a replacement; a replacement such as <unk> is its own name."""
    return ascii(new) if len(new) > MOST_LABELS else " ".join(map(properties.label, new))


def _changes_and_form(
    raw: str,
    result: str,
    known: dict[str, str],
    names: _ReplacementNames,
    applied: Callable[[str], bool],
) -> list[Cause]:
    """Causes of a text whose characters are dropped or replaced before a form is applied."""
    inside = {character: known[character] for character in set(raw) & known.keys()}
    dropped: dict[str, str] = {old: new for old, new in inside.items() if not new}
    for changes in [dropped, inside]:
        plain = _with_surrogates_of(result, _translate(raw, changes))
        for name, form in FORMS.items() if changes and plain != result else ():
            if form(plain) == result and applied(name):
                return [*_character_causes(changes, names), normalizer_cause(name)]
    return []
