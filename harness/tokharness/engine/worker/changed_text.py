"""Settings that change a text before it is encoded, as changed ids show them.

These are a prefix space, normal forms and clean-ups.

If a setting was on, the target gives the earlier ids of a text for the changed text. If it is on
now, the text has the ids that the changed text has, and had before.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tokharness.diagnosis.text.normal_forms import FORMS
from tokharness.engine.worker.grouping import DiagnosedText
from tokharness.model import Cause

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tokharness.targets.snapshot import ChangedText, Ids
    from tokharness.targets.subject import Subject

    Form = Callable[[str], str]
    Shows = Callable[[ChangedText], bool]

LEAST, TRIED, MOST = 3, 40, 0.5
"""Fewest changed texts, how many of the shortest are tried, and which share has to show it."""

CONTEXT: Final = "x"
"""Precedes ids whose first space is decoded: decoders strip a space from the start of a text."""

HAN = re.compile("([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f])")

ALL_FORMS: Final[Mapping[str, Form]] = {
    **FORMS,
    "spaces around Han characters": lambda text: HAN.sub(r" \1 ", text),  # as BERT has it
}
"""Also what no decoded text shows as a form: tokens of words have spaces between them."""

OFF, ON = "off, was on", "on, was off"


def by_prefix_space(
    changed: Sequence[ChangedText], subject: Subject, unchanged: Mapping[str, Ids]
) -> list[DiagnosedText]:
    """Return the texts whose ids differ since a space is put before each text, or no longer is.

    It is put behind each special token, too. ``unchanged`` has the ids of other golden texts.
    """
    before = _before(changed, unchanged)
    context = subject.encode(CONTEXT) or []

    def text_of(ids: Ids | None) -> str:
        start, whole = (subject.decode([*context, *more]) for more in ((), ids or ()))
        return (whole or "").removeprefix(start or "")

    def is_put(one: ChangedText) -> bool:
        if known := before.get(f" {one.text}"):
            return known == one.after
        return text_of(one.after) == f" {text_of(one.before)}"

    def spaces(one: ChangedText) -> int:
        """Return by how many spaces the texts of the ids differ, 0 if they differ otherwise.

        The earlier ids of a space and the text decide, if these are known.
        """
        if f" {one.text}" in before:
            return 0
        old, new = text_of(one.before), text_of(one.after)
        return len(new) - len(old) if old.replace(" ", "") == new.replace(" ", "") else 0

    for change, message, shows, sign in (
        (
            OFF,
            "the ids no longer begin with a space that the text lacks",
            _was(" {}".format, subject),
            -1,
        ),
        (ON, "the ids begin with a space that the text lacks", is_put, 1),
    ):
        if _share(shows, changed) >= MOST:
            cause = Cause("prefix space", (("change", change),), message=message)
            return _with_cause(
                cause, (one for one in changed if shows(one) or spaces(one) * sign > 0)
            )
    return []


def by_forms(
    changed: Sequence[ChangedText], subject: Subject, unchanged: Mapping[str, Ids]
) -> list[DiagnosedText]:
    """Return the texts that a normal form or a clean-up explains, which was switched on or off."""
    before = _before(changed, unchanged)
    settings: dict[tuple[str, str], Shows] = {}
    for name, form in ALL_FORMS.items():
        settings[name, OFF] = _was(form, subject)
        if _is_proven(form, changed, before):
            settings[name, ON] = _is(form, subject, before)
    shares = {setting: _share(shows, changed) for setting, shows in settings.items()}
    (name, change) = max(shares, key=shares.__getitem__)
    if shares[name, change] < MOST:
        return []
    now = "is now" if change == ON else "is no longer"
    message = f"the text {now} normalized before it is encoded ({name})"
    cause = Cause("normalizer", (("form", f"{name}: {change}"),), message=message)
    return _with_cause(cause, filter(settings[name, change], changed))


def _before(
    changed: Sequence[ChangedText], unchanged: Mapping[str, Ids]
) -> Mapping[str, Ids | None]:
    return {**unchanged, **{one.text: one.before for one in changed}}


def _share(shows: Shows, changed: Sequence[ChangedText]) -> float:
    """Return the share of the shortest changed texts that show a setting."""
    shortest = sorted(changed, key=lambda one: (len(one.text), one.text))[:TRIED]
    return sum(map(shows, shortest)) / len(shortest) if len(shortest) >= LEAST else 0


def _was(form: Form, subject: Subject) -> Shows:
    """Whether the target gives the earlier ids for the changed text."""

    def shows(one: ChangedText) -> bool:
        text = form(one.text)
        return text != one.text and tuple(subject.encode(text) or ()) == one.before

    return shows


def _is(form: Form, subject: Subject, before: Mapping[str, Ids | None]) -> Shows:
    """Whether the changed text has the ids: in the baseline, or else by the target."""

    def shows(one: ChangedText) -> bool:
        text = form(one.text)
        if text == one.text:
            return False
        return (before.get(text) or tuple(subject.encode(text) or ())) == one.after

    return shows


def _is_proven(
    form: Form, changed: Sequence[ChangedText], before: Mapping[str, Ids | None]
) -> bool:
    """Whether the baseline has what the form makes of changed texts, most with their ids of now.

    A target that has always applied the form gives a text and the changed text the same ids, too.
    """
    pairs = [(form(one.text), one) for one in changed]
    known = [
        before[text] == one.after for text, one in pairs if text != one.text and text in before
    ]
    return len(known) >= LEAST and sum(known) >= MOST * len(known)


def _with_cause(cause: Cause, texts: Iterable[ChangedText]) -> list[DiagnosedText]:
    return [DiagnosedText(one.text, one.group, (cause,)) for one in texts]
