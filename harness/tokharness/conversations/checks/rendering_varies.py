"""The same conversation is rendered differently, on another day or in another process.

Why it matters: a cached prefix is lost at midnight, a test passes today only, and two servers give
a model different prompts.

Oracle: invariant of the template: the same conversation has the same text.

How it works: all shapes are rendered in a second process with another seed of Python's hashes, and
those with a system, a user or tools on two days, without and with the prompt for an answer, by the
clock of ``strftime_now``.

Verdicts: *bug* if two processes differ. *By design*: a date, which the template asks for.

Example::

    TOK502 fact  date   "Current date: 2026-01-02"

What to do: pass the date in a message, or at the end of the prompt, where it loses no cache.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokharness.conversations.chat import CLOCK, Problem, asked
from tokharness.conversations.excerpts import differing
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.conversations.chat import Chat, Conversation

CODE = "TOK502"
NAME = "rendering-varies"

DAYS = ("2026-01-02T03:04:05", "2027-11-28T16:17:18")


def examine(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for each conversation that differs."""
    for shape, one, text, other in chat.elsewhere:
        if other.text != text:
            message = "the same conversation has another text in another process"
            cause = Cause("another process", message=message)
            evidence = differing(text, other.text or other.message)
            yield Problem(cause, one, evidence, (shape.name,))
    if CLOCK not in chat.template.source:
        return
    rows = chat.rendered_shapes
    small = [(shape, one) for shape, one, _ in rows if len(one.messages) <= 2]
    for shape, one in (*small, *((shape, asked(one, prompt=True)) for shape, one in small)):
        if _differ(chat, one):
            message = "the text depends on the date: a cached prefix is lost when it changes"
            cause = Cause("date", (), Verdict.FACT, message)
            yield Problem(
                cause,
                one,
                _evidence(chat, one),
                (shape.name,),
                lambda one: _differ(chat, one),
                lambda one: _evidence(chat, one),
            )


def _on_days(chat: Chat, one: Conversation) -> list[str | None]:
    return [chat.rendered(replace(one), now=day).text for day in DAYS]


def _differ(chat: Chat, one: Conversation) -> bool:
    first, second = _on_days(chat, one)
    return first != second and first is not None and second is not None


def _evidence(chat: Chat, one: Conversation) -> dict[str, Any]:
    first, second = _on_days(chat, one)
    return differing(first or "", second or "")
