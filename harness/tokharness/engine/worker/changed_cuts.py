"""Texts that are cut into other tokens, as changed ids show it: at digits, or at a token alone.

Neither the decoded text nor the id of a token has changed.
"""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final

from tokharness.diagnosis.ids.changed_tokens import different_runs, token_text_of
from tokharness.engine.worker.changed_text import LEAST, MOST, OFF, ON, TRIED
from tokharness.engine.worker.grouping import DiagnosedText
from tokharness.model import Cause

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.targets.snapshot import ChangedText, Ids
    from tokharness.targets.subject import Subject

    Run = tuple[Any, ...]
    Runs = Sequence[tuple[Run, Run]]

BORDERS: Final[Mapping[str, re.Pattern[str]]] = {
    "digits are tokens of their own": re.compile(r"(?<=\d)(?=.)|(?<=.)(?=\d)", re.DOTALL),
    "digits are cut from each other": re.compile(r"(?<=\d)(?=\d)"),
}
"""Rule to the places at which it cuts a text."""

MOST_TOKENS = 3
"""Most tokens that are named alone: if more of them are gone, the reason is another one."""

GONE, NEW = "gone", "new"
REPLACEMENT = "\ufffd"


def by_digits(
    changed: Sequence[ChangedText], subject: Subject, unchanged: Mapping[str, Ids]
) -> list[DiagnosedText]:
    """Return the texts that are now cut at digits, or no longer are.

    The parts of such a text have its present ids, or its earlier ones; and as a rule holds for all
    texts, the parts of each text whose ids have not changed have these.
    """
    kept = sorted(unchanged, key=len)
    for rule, borders in BORDERS.items():
        others = ((ids, unchanged[text]) for text in kept if (ids := _cut(text, borders, subject)))
        if any(ids != whole for ids, whole in islice(others, TRIED)):
            continue
        cut = {one: _cut(one.text, borders, subject) for one in changed}
        for change, message in ((ON, f"now {rule}"), (OFF, f"{rule} no longer")):
            shown = [one for one in changed if cut[one] == _of_side(one, is_now=change == ON)]
            uncut = (_of_side(one, is_now=change == OFF) for one in shown)
            joined = {*chain.from_iterable(uncut)}.difference(*(cut[one] or () for one in shown))
            if len(joined) >= LEAST and len(shown) >= MOST * len(changed):
                cause = Cause("pre-tokenizer", (("rule", f"{rule}: {change}"),), message=message)
                return [DiagnosedText(one.text, one.group, (cause,)) for one in shown]
    return []


def _of_side(one: ChangedText, *, is_now: bool) -> Run:
    """Return the present ids, or the earlier ones."""
    return tuple((one.after if is_now else one.before) or ())


def _cut(text: str, borders: re.Pattern[str], subject: Subject) -> Run | None:
    """Return the ids of the parts of a text; None if it has one part, or the target raises."""
    parts = borders.split(text)
    ids = [subject.encode(part) for part in parts]
    known = [of_part for of_part in ids if of_part is not None]
    return tuple(chain.from_iterable(known)) if len(known) == len(parts) > 1 else None


def by_tokens(
    changed: Sequence[ChangedText], subject: Subject, unchanged: Mapping[str, Ids]
) -> list[DiagnosedText]:
    """Return the texts in which a token is gone, or new, and nothing else differs.

    A token that is gone is in no text, not even in its own: the same others are always in place of
    it. Longer tokens that contain its text may be gone with it, as the tokens of later merges are.
    """
    runs = {one: of_text for one in changed if (of_text := _runs(one, subject))}
    for change in (GONE, NEW):
        sides = {
            one: of_text if change == GONE else [(new, old) for old, new in of_text]
            for one, of_text in runs.items()
        }
        lacking = (_of_side(one, is_now=change == GONE) for one in changed)
        kept = {*chain(*unchanged.values(), *lacking)}
        places: dict[Any, Run] = {}
        for whole, parts in chain.from_iterable(sides.values()):
            if len(whole) == 1 < len(parts) and whole[0] not in kept:
                places.setdefault(whole[0], parts)
        causes = _causes(places, change, subject)
        found = []
        for one, of_text in sides.items():
            if all(len(whole) == 1 and places.get(whole[0]) == parts for whole, parts in of_text):
                whole_texts = [subject.decode([whole[0]]) or "" for whole, _ in of_text]
                own = [root for root in causes if any(root in text for text in whole_texts)]
                found.append(DiagnosedText(one.text, one.group, tuple(causes[r] for r in own)))
        if causes and found:
            return found
    return []


def _runs(one: ChangedText, subject: Subject) -> Runs:
    """Return the earlier and the present ids of each part that differs; none if the text does."""
    if isinstance(one.before, str) or isinstance(one.after, str):
        return ()
    old, new = (token_text_of(ids or (), subject) for ids in (one.before, one.after))
    return () if old is None or new is None or old.text != new.text else different_runs(old, new)


def _causes(places: Mapping[Any, Run], change: str, subject: Subject) -> dict[str, Cause]:
    """Return a cause for each token that has no other token inside, by its text.

    There are none if the target still gives such a token for its own text, or gives no new one.
    """
    texts = {token: subject.decode([token]) or "" for token in places}
    causes: dict[str, Cause] = {}
    for token, text in texts.items():
        if any(other in text for other in texts.values() if other != text):
            continue
        is_given = token in (subject.encode(text) or ())
        if is_given == (change == GONE) or REPLACEMENT in text:  # a part of a character has no text
            return {}
        now = "is gone: a text now has" if change == GONE else "is new: a text had"
        ids = " ".join(map(str, places[token]))
        causes[text] = Cause(
            "token",
            (("token", f"id {token}, {text!a}: {change}"),),
            message=f"the token {token}, {text!a}, {now} {ids} instead",
        )
    return causes if len(causes) <= MOST_TOKENS else {}
