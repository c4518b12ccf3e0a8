"""What an edit of a file does that plain text does not show: decoded text, other entry points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.edits import ADDED_TOKENS, VOCABULARY, forms_of, texts_beyond
from tokharness.outcome import Raised
from tokharness.targets.snapshot import ENTRY_POINTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.edits import Edit
    from tokharness.model import Target
    from tokharness.targets.snapshot import ChangedText

SAMPLES = ("a", "a b", " a  b ", "don't do \u00e9\u4e2d.", "1,234\n\tx")
"""Texts that may show an edit in their decoded text, or in the ids from another entry point."""

OF_LENGTH = ("truncation", "padding")
"""Stages with a number of ids, which may show only in a text of more ids."""

OF_SPECIAL = (ADDED_TOKENS, VOCABULARY, "post-processor", *OF_LENGTH)
"""Stages whose edits may show at entry points for special tokens, but not for plain text."""

MAX_TRIED = 20
"""Most changed texts whose decoded text is tried first."""

MAX_SHOWN = 100
"""Most characters of a text whose ids a note lists."""


def decoded_differently(
    tried: Sequence[ChangedText], references: tuple[Target, Target], target: Target, edit: Edit
) -> list[ChangedText]:
    """Return the texts whose decoded text the edit changes, if it is one of the decoder."""
    if edit.stage != "decoder":
        return []
    rows = [one for one in tried if isinstance(one.after, tuple)]
    old, new, own = (
        one.call_each("decode", [row.after for row in rows]) for one in (*references, target)
    )
    results = zip(rows, old, new, own, strict=True)
    return [row for row, before, now, text in results if before != now and now == text]


def other_effect(
    edit: Edit, before: Target, now: Target, target: Target, of_decoder: Sequence[ChangedText]
) -> str:
    """Return what an edit does that plain text does not show, "" if nothing was found.

    The target must agree with the reference after the edit. ``of_decoder`` are texts that an edit
    of the decoder is known to change.
    """
    tokens = [form for token in edit.about if isinstance(token, str) for form in forms_of(token)]
    texts = [*tokens, *(f"a{text}b {text} a" for text in tokens), *SAMPLES]
    texts += texts_beyond(edit.what) if edit.stage in OF_LENGTH else ()
    if edit.stage == "decoder":
        found = [
            one.text
            for one in sorted(
                of_decoder,
                key=lambda one: (not one.group, not one.text.isascii(), len(one.text), one.text),
            )
        ]
        for ids in filter(None, encoded(target, [*found[:MAX_TRIED], *SAMPLES])):
            old, new = before.decode(ids), now.decode(ids)
            if old != new and new == target.decode(ids) and not isinstance(old, Raised):
                return f"the ids {list(ids)} decode to {new!r}, and decoded to {old!r}"
    for name in ENTRY_POINTS if edit.stage in OF_SPECIAL else ():
        if not all(name == "encode" or one.can(name) for one in (before, now, target)):
            continue
        for text in texts:
            old, new, ids = (one.call(name, text) for one in (before, now, target))
            if old != new and new == ids and not isinstance(old, Raised):
                return _gives(name, text, new, old)
    return ""


def _gives(name: str, text: str, new: Sequence[int], old: Sequence[int]) -> str:
    if len(text) <= MAX_SHOWN:
        return f"{name} of {text!r} gives {list(new)}, and gave {list(old)}"
    return f"{name} of {len(text):,} characters gives {len(new):,} ids, and gave {len(old):,}"


def encoded(target: Target, texts: Sequence[str]) -> list[Any]:
    """Return the ids of each text as a tuple; None if the target raises."""
    results = target.call_each(target.entry_point, texts)
    return [None if isinstance(ids, Raised) else tuple(ids) for ids in results]
