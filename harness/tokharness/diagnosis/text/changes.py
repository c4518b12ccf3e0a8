"""Why a text came back changed: a normal form, characters dropped or replaced, an edit.

Used wherever a text is compared with what is left of it, by the lossy round trip and by
the comparison of ids. Each explanation is a :class:`Cause`; the best comes first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokharness.diagnosis.text.characters import (
    changed_characters,
    changed_neighbours,
    describe_by_replacement,
    replacement_of,
)
from tokharness.diagnosis.text.edits import edit_causes
from tokharness.diagnosis.text.length_limit import length_limit_causes
from tokharness.diagnosis.text.normal_forms import (
    FORMS,
    NORMAL_FORMS,
    equal_forms,
    forms_that_explain,
    is_applied,
)
from tokharness.model import Cause
from tokharness.outcome import called
from tokharness.targets.fingerprint import form_version
from tokharness.targets.subject import scalar_text
from tokharness.unicode import properties

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["explain_change"]

Transform = Callable[[str], str]

MOST_REPLACEMENTS = 3
"""With more different replacements than that, they are one cause: a table of replacements."""

SEVERAL = "several"


def explain_change(
    raw: str, seen: str, subject: Subject, transform: Transform, via: str
) -> list[Cause]:
    """Causes that turn the text ``raw`` into ``seen``; never empty.

    Lone surrogates are taken to become U+FFFD, which explains nothing. ``transform`` is what
    the target does to a text, asked again about single characters and about texts that show a
    form; ``via`` names it, since what was learned is remembered for the run.
    """
    text = scalar_text(raw)
    if not seen and subject.remember(f"{via}: of a word", lambda: _attempt(transform)) == "":
        return [Cause("nothing left", message="nothing comes back, of this text or of a word")]
    if cut := length_limit_causes(text, seen, subject, transform, via):
        return cut
    known = _known_changes(subject, transform, via, set(text) - set(seen))

    def applied(form: str) -> bool:
        return subject.remember(f"{via}: {form}", lambda: is_applied(form, transform))

    names = subject.remember(
        f"{via}: names of pass {subject.this_pass}", lambda: _named(known, applied)
    )

    def normalizer(form: str) -> Cause:
        version = subject.remember(f"{via}: version of {form}", lambda: _version(form, transform))
        return _normalizer(form, version)

    characters = _by_characters(raw, seen, known, names)
    if expected := _expected(subject, text, seen, characters):
        return expected
    whole = [normalizer(form) for form in forms_that_explain(text, seen) if applied(form)]
    part = [_normalizer(f"{form} in part") for form in equal_forms(text, seen)]
    together = _together(raw, seen, known, names, applied)
    return list(dict.fromkeys([*whole, *characters, *together, *part])) or edit_causes(text, seen)


def _attempt(transform: Transform) -> object:
    return called(transform, "word")


def _expected(subject: Subject, text: str, seen: str, characters: list[Cause]) -> list[Cause]:
    """Causes that explained other texts, if they explain this one; to try them all takes long."""
    known = subject.expected_causes
    if not known:
        return []
    forms = [dict(cause.parameters)["form"] for cause in known if cause.kind == "normalizer"]
    forms = [form for form in forms if form in FORMS and FORMS[form](text) == seen]
    return [cause for cause in (*map(_normalizer, forms), *characters) if cause in known]


def _known_changes(
    subject: Subject, transform: Transform, via: str, gone: set[str]
) -> dict[str, str]:
    """Changes of single characters, learned once, and again for characters not yet asked about."""
    known: dict[str, str] = subject.remember(
        f"{via}: characters", lambda: changed_characters(transform)
    )
    asked: set[str] = subject.remember(f"{via}: asked", set)
    for character in [c for c in gone if c not in known and c not in asked]:
        asked.add(character)
        new = replacement_of(character, transform)
        if new is not None:
            known[character] = new
            known.update(changed_neighbours(character, transform, known))
            subject.learn()
    return known


@dataclass(frozen=True, slots=True)
class _Names:
    """What each replacement stands for, but for those that are a form's."""

    form: str
    names: dict[str, str]

    def is_of_form(self, old: str, new: str) -> bool:
        return bool(self.form) and bool(new) and FORMS[self.form](old) == new


def _named(known: dict[str, str], applied: Callable[[str], bool]) -> _Names:
    """Name the replacements; those of the form that gives most of them are told as that form."""
    replaced = {old: new for old, new in known.items() if new}

    def given(form: str) -> int:
        return sum(FORMS[form](old) == new for old, new in replaced.items())

    form = max(filter(applied, FORMS), key=given, default="")
    whole = _Names(form, {})
    return _Names(
        form,
        _names({old: new for old, new in known.items() if not whole.is_of_form(old, new)}),
    )


def _names(known: dict[str, str]) -> dict[str, str]:
    """What each replacement stands for; one name for all where there are many replacements."""
    replaced = {old: new for old, new in known.items() if new}
    if len(set(replaced.values())) <= MOST_REPLACEMENTS:
        return describe_by_replacement(known)
    return {
        **describe_by_replacement({old: "" for old, new in known.items() if not new}),
        **describe_by_replacement(dict.fromkeys(replaced, SEVERAL)),
    }


def _version(form: str, transform: Transform) -> str | None:
    return form_version(form, transform) if form in NORMAL_FORMS else None


def _normalizer(form: str, version: str | None = None) -> Cause:
    at = f" of Unicode {version}" if version else ""
    message = f"the text comes back changed by {form}{at}, which the target does not declare"
    return Cause("normalizer", (("form", form),), message=message, weak=form.endswith("in part"))


def _by_characters(raw: str, seen: str, known: dict[str, str], names: _Names) -> list[Cause]:
    """Causes of known changes of characters, if they are all that changed.

    A character dropped between two lone surrogates joins them, so the raw text is looked at first.
    """
    for text in (raw, scalar_text(raw)):
        inside = {character: known[character] for character in set(text) & known.keys()}
        if inside and scalar_text(_translate(text, inside)) == seen:
            return _character_causes(inside, names)
    return []


def _translate(text: str, pairs: dict[str, str]) -> str:
    return text.translate({ord(old): new for old, new in pairs.items()})


def _character_causes(inside: dict[str, str], names: _Names) -> list[Cause]:
    """One cause for all dropped characters, one for each replacement that many share."""
    own = {old: new for old, new in inside.items() if not names.is_of_form(old, new)}
    keys = {new if new in names.names else SEVERAL for new in own.values()}
    causes = [_character_cause(names.names.get(key, SEVERAL), key) for key in sorted(keys)]
    return causes if len(own) == len(inside) else [*causes, _normalizer(names.form)]


def _character_cause(name: str, new: str) -> Cause:
    if not new:
        message = f"the text comes back without {name}"
        return Cause("dropped characters", (("characters", name),), message=message)
    by = "others" if new == SEVERAL else " ".join(map(properties.label, new))
    parameters = (("characters", name), ("by", by))
    message = f"the text comes back with {by} for {name}"
    return Cause("replaced characters", parameters, message=message)


def _together(
    raw: str,
    seen: str,
    known: dict[str, str],
    names: _Names,
    applied: Callable[[str], bool],
) -> list[Cause]:
    """Causes at work in one text: characters dropped, or any known change, and then a form."""
    inside = {character: known[character] for character in set(raw) & known.keys()}
    dropped: dict[str, str] = {old: new for old, new in inside.items() if not new}
    for changes in [dropped, inside]:
        plain = scalar_text(_translate(raw, changes))
        for name, form in FORMS.items() if changes and plain != seen else ():
            if form(plain) == seen and applied(name):
                return [*_character_causes(changes, names), _normalizer(name)]
    return []
